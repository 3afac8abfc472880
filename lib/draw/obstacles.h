/*
 * What a text must not cover: nodes, arrows, links and the texts placed before.
 *
 * Each obstacle is a box or a circle with a weight.  Lines are chains of small boxes.  A grid of
 * cells finds those near a text.
 */
#ifndef LSI_DRAW_OBSTACLES_H
#define LSI_DRAW_OBSTACLES_H

#include "draw/scene.h"

/* What it costs to touch an obstacle; covering more of it costs more. */
enum { LSI_WEIGHT_LINK = 3, LSI_WEIGHT_ARROW = 200, LSI_WEIGHT_NODE = 400, LSI_WEIGHT_TEXT = 1000 };

struct lsi_obstacle {
	struct lsi_box box;
	double weight;
	bool is_round; /* the circle in the box */
	int32_t next;  /* of its bucket; -1: none */
};

struct lsi_obstacles {
	struct lsi_obstacle *obstacle;
	size_t n, room;
	int32_t *bucket;
	bool no_memory;
};

/* False: no memory.  Release in both cases. */
bool lsi_obstacles_make(struct lsi_obstacles *);
void lsi_obstacles_release(struct lsi_obstacles *);

void lsi_obstacles_add_box(struct lsi_obstacles *, struct lsi_box, double weight);
void lsi_obstacles_add_circle(
	struct lsi_obstacles *, struct lsi_point, double radius, double weight);
/* The line of a link, or of something else that is not an arrow. */
void lsi_obstacles_add_line(struct lsi_obstacles *, const struct lsi_element *, double weight);
/* An arrow with its heads, so that no text that touches it is free. */
void lsi_obstacles_add_arrow(struct lsi_obstacles *, const struct lsi_element *);

/* How much a box covers: the weights of what it overlaps, with the area. */
double lsi_obstacles_cost(const struct lsi_obstacles *, struct lsi_box);

/* What a text with its middle at a point covers. */
struct lsi_box lsi_obstacles_box(enum lsi_text_style, struct lsi_point, const char *text);

/*
 * Where a text may stand: `list` fills in at most LSI_PLACES places and returns their number; a
 * larger reach lists those farther away.  The cost of place i grows by i * step, so that earlier
 * ones are preferred.
 */
enum { LSI_PLACES = 64, LSI_REACHES = 40 };
struct lsi_text_places {
	int (*list)(const void *about, int reach, struct lsi_point place[LSI_PLACES]);
	const void *about;
	double step;
};
/*
 * The cheapest place of the least reach with one that covers no node, arrow or text.  The text
 * becomes an obstacle.
 */
struct lsi_point lsi_obstacles_place(
	struct lsi_obstacles *, enum lsi_text_style, const char *text, const struct lsi_text_places *);

#endif
