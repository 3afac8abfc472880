/*
 * The units that are linked to one unit, as boxes.
 */
#ifndef LSI_DRAW_UNIT_BOXES_H
#define LSI_DRAW_UNIT_BOXES_H

#include "draw/scene.h"
#include "draw/unit_links.h"

/*
 * Add a part with a box for each unit, to the right of the frame, which is in page coordinates.
 * Returns the lower end.
 */
double lsi_unit_boxes_draw(struct lsi_scene *, const struct lsi_unit_links *, struct lsi_box frame);

#endif
