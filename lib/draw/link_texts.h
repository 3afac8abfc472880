/*
 * Texts on links: their numbers, or their loads.
 */
#ifndef LSI_DRAW_LINK_TEXTS_H
#define LSI_DRAW_LINK_TEXTS_H

#include "draw/obstacles.h"
#include "draw/panel.h"

/*
 * Add texts to the links among the elements from `first` on.  A link has one number at its middle
 * if both ends call it the same, else one near each end.  Numbers appear only if most of them are
 * legible.
 */
void lsi_put_link_numbers(
	struct lsi_scene *, const struct lsi_panel *, size_t first, struct lsi_obstacles *);

/* Set the load of a link of a vertex, in either direction the greater one: width, shade, count. */
void lsi_set_link_load(
	const struct lsi_link_traffics *, int64_t vertex, int64_t link, struct lsi_element *);

/* The number of messages in the middle of each link that carries some. */
void lsi_put_link_loads(struct lsi_scene *, size_t first, struct lsi_obstacles *);

#endif
