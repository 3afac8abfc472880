#include "draw/broken.h"

bool lsi_is_broken_node(const struct ls_drawing *d, int64_t rank)
{
	return d->violation && rank >= 0 && rank == d->violation->node;
}

bool lsi_is_broken_message(const struct ls_drawing *d, int64_t round, int64_t src, int64_t dst)
{
	const struct ls_error *v = d->violation;

	if (!v || round <= 0 || round != v->round || (src != v->node && dst != v->node))
		return false;
	return v->peer < 0 || v->peer == (src == v->node ? dst : src);
}

void lsi_scene_mark_broken(struct lsi_scene *scene, const struct ls_drawing *d)
{
	for (size_t i = 0; i < scene->elements && d->violation; i++) {
		struct lsi_element *element = &scene->element[i];

		if (element->shape == LSI_SHAPE_NODE && lsi_is_broken_node(d, element->node))
			element->variant = element->variant ? "root broken" : "broken";
		else if (lsi_element_is_arrow(element)
			&& lsi_is_broken_message(d, element->round, element->src, element->dst))
			element->variant = "broken";
	}
}
