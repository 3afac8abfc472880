/*
 * The axis of time below a trace with times, and its rounds above it.
 */
#ifndef LSI_DRAW_TIME_AXIS_H
#define LSI_DRAW_TIME_AXIS_H

#include "draw/chart_axis.h"
#include "draw/scene.h"
#include "draw/subject.h"

struct lsi_time_axis {
	const struct lsi_subject *subject;
	double width;                /* px */
	struct lsi_chart_axis since; /* of the seconds since the first event that is drawn */
};

void lsi_time_axis_make(struct lsi_time_axis *, const struct lsi_subject *);
/* The place of a time in ns since the run began: 0 .. width. */
double lsi_time_axis_place(const struct lsi_time_axis *, int64_t ns);

/* Vertical lines at the ticks; the scale is that of the part. */
void lsi_time_axis_put_grid(
	const struct lsi_time_axis *, struct lsi_scene *, double top, double bottom, double scale);
/* The numbers of the ticks and the title, below `top`; returns the lower end. */
double lsi_time_axis_put_ticks(const struct lsi_time_axis *, struct lsi_scene *, double top);
/* A bar from the first send of each round to its last receipt, and its number, above `bottom`. */
void lsi_time_axis_put_rounds(const struct lsi_time_axis *, struct lsi_scene *, double bottom);

/* The time in which the receiver of a message waits for it, as a cell between two heights. */
struct lsi_element lsi_time_axis_wait(const struct lsi_time_axis *, struct lsi_scene *,
	const struct ls_record *, double top, double bottom);
/* The numbers and the tooltip of a message with times. */
void lsi_timed_message(struct lsi_scene *, const struct ls_record *, struct lsi_element *);
/* When a message without a receipt is drawn to end: with the last event. */
int64_t lsi_receipt_ns(const struct lsi_subject *, const struct ls_record *);

#endif
