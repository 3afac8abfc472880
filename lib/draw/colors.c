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
/* Darker where the contrast with white needs it, and brighter for a dark page. */
static const char *const text[LSI_COLORS] = { "#0072B2", "#AE4D00", "#007757", "#9E4F79", "#8A5F00",
	"#1F77A8", "#6B5D00", "#000000" };
static const char *const bright[LSI_COLORS] = { "#3F9CD6", "#F07A1F", "#1DB88C", "#DB93BC",
	"#E69F00", "#7CC6F0", "#B8A52E", "#FFFFFF" };

static const struct lsi_paint paints[] = {
	[LS_THEME_COLOR] = { "#FFFFFF", "#111111", "#4D4D4D", "#B8B8B8", "#FFFFFF", "#E9EEF5",
		"#0072B2", "#FDBB84", { "#E3EAF2", "#CBD8E6" }, "#C00000" },
	[LS_THEME_MONO] = { "#FFFFFF", "#000000", "#333333", "#B8B8B8", "#FFFFFF", "#EEEEEE", "#000000",
		"#B0B0B0", { "#F0F0F0", "#E0E0E0" }, "#000000" },
	[LS_THEME_DARK] = { "#15181C", "#F2F2F2", "#C4C4C4", "#5C6168", "#22272D", "#33404D", "#56B4E9",
		"#7A3E0C", { "#2B333C", "#3B4855" }, "#FF6464" },
};

const struct lsi_paint *lsi_paint_of(enum ls_theme theme)
{
	return &paints[theme];
}

const char *lsi_color_on(enum ls_theme theme, int color, bool is_text)
{
	const int i = color % LSI_COLORS;

	if (theme == LS_THEME_MONO)
		return paints[theme].ink;
	return theme == LS_THEME_DARK ? bright[i] : is_text ? text[i] : line[i];
}

/* In black and white the dashes tell the rounds apart. */
const char *lsi_dashes_of(enum ls_theme theme, int color)
{
	static const char *const dashes[LSI_COLORS] = { "6 3.6", "2 3", "10 4", "8 3 2 3",
		"12 3 2 3 2 3", "1 4", "4 2", "14 6" };

	return dashes[theme == LS_THEME_MONO ? color % LSI_COLORS : 0];
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
