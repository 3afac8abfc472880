/*
 * Choosing a layout, arcs, and the circle, which every network has.
 *
 * A network's own layouts come first, then those of the general ones whose names are not used yet.
 * Layouts that do not fit the network are skipped; the first one left is the default.
 *
 * An arc is a quadratic curve.  Its height is that of its middle over the chord, in units of a
 * layout; positive is left of one who goes from a to b.  y grows down.
 *
 *             control           twice the height
 *            .       .
 *          .   .-m-.   .        the height
 *         . .'       '. .
 *       a -------------- b
 */
#include "topology/layout.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>
#include <string.h>

#include "base/error.h"
#include "base/suggest.h"

/* Those of every network, after its own. */
static const struct lsi_layout general[] = {
	{ .name = "circle", .place = lsi_place_circle, .bend = lsi_bend_circle },
	LSI_LAYOUT_FORCES,
};

enum { GENERAL = sizeof general / sizeof *general };

/* ---- Choosing */

static bool fits(const struct lsi_layout *layout, const struct ls_topology *t)
{
	return !layout->fits || layout->fits(t);
}

/* The network's own layout of this name that fits. */
static const struct lsi_layout *own_layout(const struct ls_topology *t, const char *name)
{
	const struct lsi_layout *own = t->network->layouts;

	while (own && own->name && !(strcmp(own->name, name) == 0 && fits(own, t)))
		own++;
	return own && own->name ? own : NULL;
}

const struct lsi_layout *lsi_layout_at(const struct ls_topology *t, size_t index)
{
	for (const struct lsi_layout *own = t->network->layouts; own && own->name; own++)
		if (fits(own, t) && index-- == 0)
			return own;
	for (int i = 0; i < GENERAL; i++)
		if (fits(&general[i], t) && !own_layout(t, general[i].name) && index-- == 0)
			return &general[i];
	return NULL;
}

static const struct lsi_layout *find_layout(
	const struct ls_topology *t, const char *name, struct ls_error *why)
{
	struct lsi_suggestion nearest = lsi_suggest_begin(name ? name : "", name ? strlen(name) : 0);
	const struct lsi_layout *layout = lsi_layout_at(t, 0);
	char known[128] = "";

	for (size_t i = 0; name && (layout = lsi_layout_at(t, i)); i++) {
		const size_t used = strlen(known);

		if (strcmp(layout->name, name) == 0)
			break;
		lsi_suggest_offer(&nearest, layout->name);
		snprintf(known + used, sizeof known - used, "%s, ", layout->name);
	}
	if (!layout && nearest.name)
		lsi_error_set(why, LS_ERR_SPEC, "%s has no layout '%s'; did you mean '%s'?",
			t->network->name, lsi_quote_make(name, strlen(name)).text, nearest.name);
	else if (!layout)
		lsi_error_set(why, LS_ERR_SPEC, "%s has no layout '%s'; expected %sor a file of positions",
			t->network->name, lsi_quote_make(name, strlen(name)).text, known);
	return layout;
}

/* To open a pipe and close it again would lose what it has. */
static bool is_file(const char *name)
{
	return access(name, F_OK) == 0;
}

int lsi_layout_make(const struct ls_topology *t, const char *name, struct lsi_point *place,
	const struct lsi_layout **layout, struct ls_error *why)
{
	static const struct lsi_layout from_file = { .name = "file" };
	const struct lsi_layout *const found = find_layout(t, name, NULL);

	if (!found && !strchr(name, '/') && !is_file(name)) {
		find_layout(t, name, why);
		return LS_ERR_SPEC;
	}
	*layout = found ? found : &from_file;
	if (!found)
		return lsi_layout_read(t, name, place, why);
	if (found->place(t, place) == LS_OK)
		return LS_OK;
	return lsi_error_set(why, LS_ERR_MEMORY, "no memory for the layout '%s' of %lld vertices",
		found->name, (long long)t->vertices);
}

int ls_layout(const ls_topology *t, const char *name, double *xy, struct ls_error *why)
{
	const struct lsi_layout *layout;

	if (!t || !xy)
		return lsi_error_set(why, LS_ERR_ARGUMENT,
			"%s is NULL; expected a topology and 2 numbers for each vertex", t ? "xy" : "topology");
	return lsi_layout_make(t, name, (struct lsi_point *)xy, &layout, why);
}

const char *ls_layout_list(const ls_topology *t, size_t index)
{
	const struct lsi_layout *const layout = t ? lsi_layout_at(t, index) : NULL;

	return layout ? layout->name : NULL;
}

/* ---- Lines */

double lsi_arc_height(int64_t hops)
{
	return 0.13 + 0.27 * (double)(hops - 1);
}

double lsi_layout_bend(const struct lsi_layout *layout, const struct ls_topology *t,
	enum lsi_line line, int64_t from, int64_t to)
{
	if (layout->bend)
		return layout->bend(t, line, from, to);
	return line == LSI_LINE_LINK ? 0 : lsi_arc_height(1);
}

/* The middle of a quadratic curve lies half as far off the line as its control point. */
struct lsi_point lsi_arc_control(struct lsi_point a, struct lsi_point b, double height)
{
	const double length = hypot(b.x - a.x, b.y - a.y);
	const double off = length > 0 ? 2 * height / length : 0;

	return (struct lsi_point){ (a.x + b.x) / 2 + off * (b.y - a.y),
		(a.y + b.y) / 2 - off * (b.x - a.x) };
}

/* ---- Circle */

void lsi_circle_points(int64_t n, struct lsi_point *place)
{
	const double radius = n > 1 ? 0.5 / sin(M_PI / (double)n) : 0;

	for (int64_t i = 0; i < n; i++) {
		const double angle = 2 * M_PI * (double)i / (double)n;

		place[i] = (struct lsi_point){ radius * sin(angle), -radius * cos(angle) };
	}
}

int lsi_place_circle(const struct ls_topology *t, struct lsi_point *place)
{
	lsi_circle_points(t->vertices, place);
	return LS_OK;
}

/*
 * How far the middle of a chord between points `steps` apart must bend inward, so that it passes
 * the points between at a distance of `gap`.  The first of them is nearest, at
 *
 *   along     from the middle of the chord, where that is half the chord from its ends
 *   above     the chord
 */
static double inward(int64_t n, int64_t steps, double gap)
{
	const double turn = M_PI / (double)n, radius = 0.5 / sin(turn);
	const double half = radius * sin(turn * (double)steps);
	const double along = radius * sin(turn * (double)(steps - 2)) / half;
	const double above = radius * (cos(turn * (double)(steps - 2)) - cos(turn * (double)steps));

	return steps < 2 || above >= gap ? 0 : (gap - above) / (1 - along * along);
}

/* A short chord bends inward around the points between; any other arrow bulges left. */
double lsi_bend_circle(const struct ls_topology *t, enum lsi_line line, int64_t from, int64_t to)
{
	const double gap = LSI_CLEARANCE + 0.03, arrow = lsi_arc_height(1);
	const int64_t n = t->vertices, clockwise = from < to ? to - from : n - (from - to);
	const int64_t steps = clockwise < n - clockwise ? clockwise : n - clockwise;
	const double side = clockwise == steps ? -1 : 1; /* going clockwise, inward is on the right */

	if (line == LSI_LINE_LINK)
		return side * inward(n, steps, gap);
	if (inward(n, steps, gap + arrow) == 0)
		return arrow;
	return side * (inward(n, steps, gap) + arrow);
}
