/*
 * A picture of space and time, while it is drawn: view_timeline.c describes it.
 */
#ifndef LSI_DRAW_TIMELINE_H
#define LSI_DRAW_TIMELINE_H

#include "draw/subject.h"
#include "draw/time_axis.h"

enum { LSI_TIMELINE_MANY = 64 }; /* nodes, from which on lines are thin */

struct lsi_timeline {
	struct lsi_scene *scene;
	const struct lsi_subject *s;
	double column, row;               /* px of a round, and between two nodes */
	double scale;                     /* of the part */
	double width;                     /* px of all */
	const struct lsi_time_axis *axis; /* NULL: by rounds */
};

/* The place of a number of rounds. */
static inline double lsi_timeline_x_of(const struct lsi_timeline *t, double rounds)
{
	return rounds * t->column / t->scale;
}

static inline double lsi_timeline_x_at(const struct lsi_timeline *t, int64_t ns)
{
	return lsi_time_axis_place(t->axis, ns) / t->scale;
}

static inline double lsi_timeline_y_of(const struct lsi_timeline *t, int64_t node)
{
	return (double)node * t->row / t->scale;
}

static inline bool lsi_timeline_has_stubs(const struct lsi_subject *s)
{
	return s->vertices > lsi_subject_inner(s);
}

/* timeline_messages.c: arrows, waits, and the texts of stubs. */
void lsi_timeline_put_messages(const struct lsi_timeline *);
void lsi_timeline_put_waits(const struct lsi_timeline *);
void lsi_timeline_put_stubs(const struct lsi_timeline *);

#endif
