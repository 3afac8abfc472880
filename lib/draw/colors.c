/*
 * M. Okabe, K. Ito, "Color Universal Design", 2008: eight colors that color-blind readers can tell
 * apart.  Yellow is replaced by a dark one: on white it has no contrast.  The order is that of the
 * rounds.
 */
#include <math.h>
#include <stdio.h>

#include "draw/draw_format.h"

static const char *const line[LSI_COLORS] = { "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00",
	"#56B4E9", "#7A6A00", "#000000" };
static const char *const text[LSI_COLORS] = { "#0072B2", "#AE4D00", "#007757", "#9E4F79", "#8A5F00",
	"#1F77A8", "#6B5D00", "#000000" };

const char *lsi_color_of_line(int color)
{
	return line[color % LSI_COLORS];
}

const char *lsi_color_of_text(int color)
{
	return text[color % LSI_COLORS];
}

/* From almost white over orange to dark red. */
struct lsi_color_text lsi_ramp(double shade)
{
	static const double stop[][3] = { { 254, 240, 217 }, { 253, 204, 138 }, { 252, 141, 89 },
		{ 215, 48, 31 }, { 150, 0, 0 } };
	const int stops = sizeof stop / sizeof *stop;
	const double at = fmin(fmax(shade, 0), 1) * (stops - 1);
	const int i = at >= stops - 1 ? stops - 2 : (int)at;
	struct lsi_color_text color;
	int part[3];

	for (int k = 0; k < 3; k++)
		part[k] = (int)lround(stop[i][k] + (at - i) * (stop[i + 1][k] - stop[i][k]));
	snprintf(color.text, sizeof color.text, "#%02x%02x%02x", (unsigned)part[0] & 255,
		(unsigned)part[1] & 255, (unsigned)part[2] & 255);
	return color;
}

bool lsi_ramp_is_dark(double shade)
{
	return shade > 0.72; /* there, black and white have the same contrast */
}
