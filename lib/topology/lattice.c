#include "topology/lattice.h"

#include <math.h>
#include <stdlib.h>

/* From one slice to the next; two slices are drawn larger, as a cube is. */
#define SLICE_RIGHT 0.58
#define SLICE_UP    0.46
#define TWO_SLICES  1.3

/* The height of the arc around `side` nodes: the second of them lies 0.21 below it. */
static double around(int64_t side)
{
	return fmax(0.42, 0.21 * (double)((side - 1) * (side - 1)) / (double)(4 * (side - 2)));
}

/* The distance of two rows, when an arc around `side` nodes has to fit between them. */
static double pitch_with_arc(bool has_arc, int64_t side)
{
	return has_arc ? fmax(1, around(side) + 0.35) : 1;
}

/* Slices shift by less than a column; a third and further ones need more room. */
static double pitch_of_slices(int64_t slices, double shift)
{
	return slices < 3 ? 1 : 1.2 * shift * (double)slices;
}

void lsi_lattice_place(const struct lsi_lattice *l, struct lsi_point *place)
{
	const double right = fmax(pitch_with_arc(l->around_columns && l->columns > 1, l->rows),
		pitch_of_slices(l->slices, SLICE_RIGHT));
	const double down = fmax(pitch_with_arc(l->around_rows && l->rows > 1, l->columns),
		pitch_of_slices(l->slices, SLICE_UP));
	const double size = l->slices == 2 ? TWO_SLICES : 1;

	for (int64_t s = 0; s < l->slices; s++)
		for (int64_t r = 0; r < l->rows; r++)
			for (int64_t c = 0; c < l->columns; c++)
				*place++ = (struct lsi_point){ size * (right * (double)c + SLICE_RIGHT * (double)s),
					size * (down * (double)r - SLICE_UP * (double)s) };
}

/*
 * Two nodes of one row or column.  Its upper or right side is on the left of one who goes from a
 * smaller number to a larger one.
 */
struct stretch {
	int64_t from, to; /* along the line */
	int64_t side;     /* nodes of the line */
	bool around;      /* whether its ends are linked */
	bool single;      /* there is only one row */
	bool border;
	bool outside; /* the side further out is the upper or right one */
};

static double on_side(const struct stretch *s, bool upper_right, double height)
{
	return upper_right == (s->from < s->to) ? height : -height;
}

/*
 * Arrows have the same side in both directions: one hop above a row, right of a column; more hops
 * on the other side, and outside of a border.  In a single row they bulge left: above to the right,
 * below to the left.
 */
static double bend_stretch(const struct stretch *s, enum lsi_line line)
{
	const int64_t hops = llabs(s->to - s->from);
	const double height = line == LSI_LINE_LINK ? 0 : lsi_arc_height(hops);

	if (s->around && hops == s->side - 1)
		return on_side(
			s, s->outside, around(s->side) + (line == LSI_LINE_LINK ? 0 : lsi_arc_height(1)));
	if (s->single)
		return height;
	return on_side(s, hops == 1 || (s->border && s->outside), height);
}

double lsi_lattice_bend(const struct lsi_lattice *l, enum lsi_line line, int64_t from, int64_t to)
{
	const int64_t slice = l->rows * l->columns;
	const int64_t row = from / l->columns % l->rows, to_row = to / l->columns % l->rows;
	const int64_t column = from % l->columns, to_column = to % l->columns;
	const bool same_slice = from / slice == to / slice;

	if (same_slice && row == to_row)
		return bend_stretch(&(struct stretch){ .from = column,
								.to = to_column,
								.side = l->columns,
								.around = l->around_rows,
								.single = l->rows == 1,
								.border = row == 0 || row == l->rows - 1,
								.outside = l->rows > 1 && 2 * row < l->rows },
			line);
	if (same_slice && column == to_column)
		return bend_stretch(&(struct stretch){ .from = row,
								.to = to_row,
								.side = l->rows,
								.around = l->around_columns,
								.border = column == 0 || column == l->columns - 1,
								.outside = 2 * column >= l->columns },
			line);
	return line == LSI_LINE_LINK ? 0 : lsi_arc_height(1);
}
