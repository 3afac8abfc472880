/*
 * The picture of the stepper: one panel with the messages of all rounds, one upon another.
 *
 * The script shows those of one round at a time.  A label beside a node has room for its longest
 * text, since the script changes it from round to round.
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
	return s->rounds >= 1 && s->messages >= 1 && s->messages <= MESSAGES
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
	lsi_scene_arrange(scene, 0, 1, LSI_MARGIN);
	lsi_scene_fit(scene);
	lsi_free(panel.placed.place);
	return LS_OK;
}

bool lsi_scene_is_stepper(const struct lsi_scene *scene)
{
	return scene->parts > 0 && strcmp(scene->part[0].name, part_name) == 0;
}

const struct lsi_draw_view lsi_draw_view_stepper = { part_name, "the steps one by one",
	"256 nodes, 5,000 messages", fits, NULL, draw };
