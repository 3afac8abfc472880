/*
 * The texts of a panel: numbers of arrows and labels of nodes, each where it covers least.
 */
#ifndef LSI_DRAW_PANEL_TEXTS_H
#define LSI_DRAW_PANEL_TEXTS_H

#include "draw/label_places.h"
#include "draw/obstacles.h"

/* Both end without a text if there is no memory, which is noted in the scene. */
void lsi_put_step_number(struct lsi_scene *, struct lsi_obstacles *, struct lsi_element arrow);
/* A text about a node, or NULL: nothing; `ends` are the lines at the node. */
void lsi_put_node_text(struct lsi_scene *, struct lsi_obstacles *, const struct lsi_element *node,
	struct lsi_ends *ends, const char *text);

#endif
