/*
 * A trace with times, and whether a picture shows it: each message and each wait once, at its times
 * and in the row of its node.
 */
#ifndef LOCKSTEP_TEST_TIMED_PICTURE_H
#define LOCKSTEP_TEST_TIMED_PICTURE_H

#include <lockstep/trace.h>

#include "support/svg_tags.h"

enum { ROWS = 4096, TRACED_NODES = 256 };

struct timed_trace {
	struct ls_record row[ROWS];
	size_t n;
	int64_t begin, end; /* of all events, see find_ends */
	int core[TRACED_NODES];
	bool has_cores; /* rows are then sorted by core */
};
extern struct timed_trace trace;

/* Without rows. */
void begin_trace(void);
void add_row(
	int64_t round, int64_t src, int64_t dst, int64_t sent, int64_t received, int64_t waited);
void find_ends(void);

/* The axis of a picture: it says where a time is. */
struct axis {
	double left, right; /* px of its first and last tick */
	double ns;          /* between them */
	double scale;       /* of the part with the messages */
};
struct axis read_axis(const struct drawn_page *);

struct time_span {
	int64_t begin, end; /* ns */
};
/*
 * The rectangle after the tag is at these times, but not shorter than `least` px.  *top: its upper
 * end.
 */
void check_rectangle(const struct drawn_page *, struct tag, const struct axis *, struct time_span,
	double least, double *top);

/* Each message and each wait of the trace is drawn once, and nothing else; CHECKs. */
void check_marks(const struct drawn_page *, const struct axis *, bool is_gantt);
/* Each round has one bar, from its first send to its last receipt; CHECKs. */
void check_rounds(const struct drawn_page *, const struct axis *);

#endif
