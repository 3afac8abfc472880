/*
 * The texts of a panel: numbers of arrows and labels of nodes, each where it covers least.
 */
#ifndef LSI_DRAW_PANEL_TEXTS_H
#define LSI_DRAW_PANEL_TEXTS_H

#include "draw/label_places.h"
#include "draw/obstacles.h"

/* The step of an arrow, or without memory nothing, which the scene notes. */
void lsi_put_step_number(struct lsi_scene *, struct lsi_obstacles *, struct lsi_element arrow);
/* A text beside a line; its point is set. */
void lsi_put_line_text(struct lsi_scene *, struct lsi_obstacles *, const struct lsi_element *line,
	struct lsi_element text);
/* A text about a node, or NULL: nothing; `ends` are the lines at the node. */
void lsi_put_node_text(struct lsi_scene *, struct lsi_obstacles *, const struct lsi_element *node,
	struct lsi_ends *ends, const char *text);

#endif
