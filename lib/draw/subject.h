/*
 * What is drawn: the network, its messages by round, their loads, and the words about them.
 *
 * Views read the subject and nothing else.
 */
#ifndef LSI_DRAW_SUBJECT_H
#define LSI_DRAW_SUBJECT_H

#include <lockstep/draw.h>

#include "base/arena.h"
#include "topology/layout.h"

/* The messages of one round: message[first .. first + n - 1], sorted by src, then dst. */
struct lsi_drawn_round {
	size_t first, n;
	int64_t load;    /* the greatest number of messages on a directed link */
	int64_t words;   /* on the busiest link */
	int64_t longest; /* words of the longest message */
	int64_t number;  /* of the round */
};

/*
 * A round has a number in the plan, from 1, and an index among those that are drawn, from 0.  State
 * k is what the nodes hold right before round[k], after the local steps that precede it.  The last
 * state is that before the next round, or at the end.  If rounds 5 and 6 are drawn:
 *
 *   state 0    round[0]     state 1    round[1]     state 2       rounds == 2
 *              number 5                number 6
 */
struct lsi_subject {
	const struct ls_drawing *drawing;
	const ls_topology *topology;
	int64_t nodes, vertices;
	struct ls_record *message;
	size_t messages, all_messages; /* of the drawn rounds; of all */
	int64_t words;
	struct lsi_drawn_round *round; /* those from first_round to last_round, also empty ones */
	size_t rounds;
	int64_t all_rounds;       /* of the plan or the trace, also those that are not drawn */
	size_t most;              /* messages of a round */
	int64_t load;             /* the greatest of all rounds */
	int64_t volume, longest;  /* words: sums over the rounds of those on the busiest link, and of
	                             the longest message */
	int64_t root;             /* LS_NO_RANK: none */
	bool repeats;             /* a link is used twice in one direction */
	size_t timed;             /* messages with times, by which they are drawn; 0: by rounds */
	int64_t begin_ns, end_ns; /* of the first send or wait, and of the last send or receipt */
	char *
		*contents; /* [k * nodes + r]: what node r holds before round k (k = rounds: at the end) */
	struct lsi_arena arena;
	const char *title;
	const char *caption; /* lines */

	/* Of a part: see subject_part.c.  The whole has none of these. */
	const struct lsi_subject *whole;
	ls_topology *owned;  /* the topology */
	int64_t *rank;       /* of each vertex in the whole network */
	int64_t *stub_node;  /* of each stub */
	int64_t outer_links; /* without messages: the links that leave the part */
	int64_t inside;      /* messages with both ends in the part */
};

/* The rank of a vertex in the whole network. */
static inline int64_t lsi_subject_rank(const struct lsi_subject *s, int64_t vertex)
{
	return s->rank ? s->rank[vertex] : vertex;
}

/* The vertices that are drawn as nodes and switches; the others are stubs. */
static inline int64_t lsi_subject_inner(const struct lsi_subject *s)
{
	return ls_topology_vertices(s->topology);
}

/* The network that the ranks are for. */
static inline const ls_topology *lsi_subject_network(const struct lsi_subject *s)
{
	return s->whole ? s->whole->topology : s->topology;
}

/* LS_OK, or an error with a reason; lsi_subject_release in every case. */
int lsi_subject_make(
	const struct ls_drawing *, struct lsi_subject *out, struct ls_error *why_or_null);
void lsi_subject_release(struct lsi_subject *);

/* n: the elements of a contribution. */
size_t lsi_drawn_elements(const struct ls_drawing *);

/* Set title and caption (subject_words.c); LS_OK or LS_ERR_MEMORY. */
int lsi_subject_write_words(struct lsi_subject *);
/* What the nodes hold (subject_contents.c); LS_OK, LS_ERR_MEMORY or LS_ERR_UNSUPPORTED. */
int lsi_subject_fill_contents(struct lsi_subject *, struct ls_error *why_or_null);
/*
 * Set timed, begin_ns and end_ns (subject_records.c); LS_OK, or LS_ERR_ARGUMENT: times
 * that contradict each other, or none where the drawing asks for them.
 */
int lsi_subject_find_times(struct lsi_subject *, struct ls_error *why);
/* The caption with lines on the duration, and how long nodes waited; NULL: no memory. */
const char *lsi_subject_describe_times(struct lsi_subject *, const char *caption);
/* For qsort: messages by src, then dst. */
int lsi_compare_pairs(const void *one, const void *other);
/* Set repeats (repeats.c), unless nodes and messages are many; LS_OK or LS_ERR_MEMORY. */
int lsi_subject_find_repeats(struct lsi_subject *);

/*
 * Some nodes of a whole, in rising order, as a subject of its own.  Its messages are those of the
 * nodes; with stubs, also those to and from other nodes.  Release it before the whole.
 */
struct lsi_part_nodes {
	const int64_t *node;
	int64_t n;
	bool has_stubs;
};
int lsi_subject_make_part(const struct lsi_subject *whole, const struct ls_drawing *,
	const struct lsi_part_nodes *, struct lsi_subject *out);

/* Is there a message from dst to src in the same round?  NULL: none. */
const struct ls_record *lsi_subject_reply(
	const struct lsi_subject *, const struct lsi_drawn_round *, const struct ls_record *);

/* The label of a vertex in its network; false: it is the rank, or labels are not shown. */
enum { LSI_NAME = 256 };
bool lsi_subject_name(const struct lsi_subject *, int64_t vertex, char name[LSI_NAME]);

/* Where the vertices are drawn (view.c); LS_OK or an error. */
struct lsi_placed {
	const struct lsi_layout *layout; /* NULL: positions of the caller */
	const ls_topology *of;           /* the layout is for it: the network, a part, or a model */
	struct lsi_point *place;         /* px; release by lsi_free */
};
int lsi_place_vertices(const struct lsi_subject *, struct lsi_placed *out, struct ls_error *why);
/* The height of the arc of a line between two vertices in px, see lsi_layout_bend. */
double lsi_placed_bend(
	const struct lsi_subject *, const struct lsi_placed *, enum lsi_line, int64_t from, int64_t to);
/* Are the places those of the vertices in the whole network? */
bool lsi_is_cut(const struct lsi_subject *, const struct lsi_placed *);
/* Place the stubs (stubs.c); the other vertices are placed.  LS_OK or LS_ERR_MEMORY. */
int lsi_place_stubs(const struct lsi_subject *, struct lsi_placed *);
/* The text of a stub: the rank or label of the partner. */
void lsi_stub_text(const struct lsi_subject *, int64_t stub, char text[LSI_NAME]);
/* The distance from the middle of this text to its border in a direction, in px. */
double lsi_stub_border(const char *text, struct lsi_point direction);

/* What a node holds before round k; NULL: nothing is shown. */
const char *lsi_subject_contents(const struct lsi_subject *, size_t k, int64_t rank);

#endif
