/*
 * What a drawing marks as wrong: the node and the messages of ls_drawing.violation, by their ranks.
 */
#ifndef LSI_DRAW_BROKEN_H
#define LSI_DRAW_BROKEN_H

#include <lockstep/draw.h>

#include "draw/scene.h"

bool lsi_is_broken_node(const struct ls_drawing *, int64_t rank);
bool lsi_is_broken_message(const struct ls_drawing *, int64_t round, int64_t src, int64_t dst);

/* Give their elements the variant "broken", or "root broken". */
void lsi_scene_mark_broken(struct lsi_scene *, const struct ls_drawing *);

#endif
