/*
 * The picture of the stepper: one panel with the messages of all rounds, one upon another.
 *
 * The script shows those of one round at a time.  A label beside a node has room for its longest
 * text, since the script changes it from round to round.
 *
 * An arrow that looks as the last one between its nodes is left out: the script copies that one.
 *
 *   round   data        picture                 script
 *   1       0 to 1      an arrow from 0 to 1
 *   2       0 to 1                              a copy, of round 2
 *   3       0 and 1     an arrow with two heads
 */
#include <string.h>

#include "base/alloc.h"
#include "draw/panel.h"
#include "draw/stepper.h"

enum {
	NODES = 256,
	MESSAGES = 5000,
	NUMBERED = 64 /* messages: more numbers would hide each other */
};
static const char part_name[] = "stepper";

static bool fits(const struct lsi_subject *s)
{
	return s->rounds >= 1 && s->rounds <= MESSAGES && s->messages >= 1 && s->messages <= MESSAGES
		&& lsi_subject_inner(s) <= NODES;
}

/* The longest text beside a node: its name, or what it holds before some round. */
static const char *longest_label(struct lsi_scene *scene, const struct lsi_subject *s, int64_t rank)
{
	char name[LSI_NAME];
	const char *longest = lsi_subject_name(s, rank, name) ? lsi_scene_text(scene, "%s", name) : "";

	for (size_t k = 0; longest && k <= s->rounds; k++) {
		const char *text = lsi_subject_contents(s, k, rank);

		if (text && strlen(text) > strlen(longest))
			longest = text;
	}
	return longest;
}

/* Of every node; NULL: no memory. */
static char **longest_labels(struct lsi_scene *scene, const struct lsi_subject *s)
{
	char **label = lsi_arena_take(&scene->arena, (size_t)s->nodes, sizeof *label);

	for (int64_t rank = 0; label && rank < s->nodes; rank++)
		label[rank] = (char *)longest_label(scene, s, rank);
	scene->no_memory |= !label;
	return label;
}

/* ---- Arrows that repeat */

static bool look_alike(const struct lsi_element *a, const struct lsi_element *b)
{
	if (a->n_points != b->n_points
		|| (a->n_points > 0
			&& memcmp(a->points, b->points, (size_t)a->n_points * sizeof *a->points) != 0))
		return false;
	return a->shape == b->shape && a->curved == b->curved && a->from.x == b->from.x
		&& a->from.y == b->from.y && a->to.x == b->to.x && a->to.y == b->to.y
		&& a->via.x == b->via.x && a->via.y == b->via.y;
}

/* Do two messages of a round have the same ends? */
static bool has_twins(const struct lsi_subject *s)
{
	for (size_t i = 1; i < s->messages; i++) {
		if (s->message[i].round == s->message[i - 1].round
			&& lsi_compare_pairs(&s->message[i - 1], &s->message[i]) == 0)
			return true;
	}
	return false;
}

/* Among twins, the script could not tell which one is left out.  A part has few messages. */
static void leave_out_repeats(struct lsi_scene *scene, const struct lsi_subject *s)
{
	const size_t nodes = (size_t)s->nodes;
	struct lsi_element *element = scene->element;
	size_t *last, kept = 0; /* last: 1 + the element of the last arrow of a pair */

	if (s->whole || has_twins(s))
		return;
	last = lsi_alloc_zero(nodes * nodes, sizeof *last);
	scene->no_memory |= !last;
	for (size_t i = 0; i < scene->elements && last; i++) {
		const struct lsi_element e = element[i];
		size_t *there =
			lsi_element_is_arrow(&e) ? &last[(size_t)e.src * nodes + (size_t)e.dst] : NULL;

		if (!there || !*there || !look_alike(&element[*there - 1], &e)) {
			element[kept++] = e;
			if (there)
				*there = kept;
		}
		if (e.shape == LSI_SHAPE_EXCHANGE)
			last[(size_t)e.dst * nodes + (size_t)e.src] = *there;
	}
	if (last)
		scene->elements = scene->part[0].elements = kept;
	lsi_free(last);
}

static int draw(struct lsi_scene *scene, const struct lsi_subject *s, struct ls_error *why)
{
	struct lsi_subject labeled = *s;
	struct lsi_panel panel = { .subject = &labeled, .end = s->rounds, .contents = -1 };
	const int failed = lsi_place_vertices(s, &panel.placed, why);

	if (failed)
		return failed;
	panel.numbers = s->messages <= NUMBERED && !s->repeats;
	if (s->contents) {
		labeled.contents = longest_labels(scene, s);
		panel.contents = 0;
	}
	if (!scene->no_memory)
		lsi_panel_draw(scene, &panel, part_name);
	if (!scene->no_memory)
		leave_out_repeats(scene, s);
	lsi_scene_arrange(scene, 0, 1, LSI_MARGIN);
	lsi_scene_fit(scene);
	lsi_free(panel.placed.place);
	return LS_OK;
}

bool lsi_scene_is_stepper(const struct lsi_scene *scene)
{
	return scene->parts > 0 && strcmp(scene->part[0].name, part_name) == 0;
}

const struct lsi_draw_view lsi_draw_view_stepper = { .name = part_name,
	.text = "the steps one by one",
	.limit = "256 nodes, 5,000 messages",
	.fits = fits,
	.draw = draw,
	.takes = LSI_TAKES_ALL };
