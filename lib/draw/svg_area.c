/*
 * The path of an area: many rectangles.
 */
#include <math.h>

#include "draw/draw_format.h"
#include "draw/geometry.h"

/* As it is printed. */
static struct lsi_point rounded(struct lsi_point at)
{
	return (struct lsi_point){ round(at.x * 10) / 10, round(at.y * 10) / 10 };
}

/*
 * Relative to where the rectangle before began, so that most numbers are short; the differences are
 * those of printed coordinates, so that no error adds up.
 */
static void write_rectangle(
	struct lsi_writer *w, struct lsi_point from, struct lsi_point to, struct lsi_point before)
{
	const struct lsi_point size = lsi_point_sub(to, from);

	lsi_write(w, "m");
	lsi_write_number(w, from.x - before.x);
	lsi_write(w, ",");
	lsi_write_number(w, from.y - before.y);
	lsi_write(w, "h");
	lsi_write_number(w, size.x);
	lsi_write(w, "v");
	lsi_write_number(w, size.y);
	lsi_write(w, "h");
	lsi_write_number(w, -size.x);
	lsi_write(w, "z");
}

void lsi_svg_write_rectangles(struct lsi_writer *w, const struct lsi_element *area)
{
	struct lsi_point before = { 0, 0 };

	for (int i = 0; i + 1 < area->n_points; i += 2) {
		const struct lsi_point from = rounded(area->points[i]);

		write_rectangle(w, from, rounded(area->points[i + 1]), before);
		before = from;
	}
}
