/*
 * The style sheet of SVG and HTML.
 */
#include <string.h>

#include "draw/draw_format.h"

static const char fonts[] = "DejaVu Sans,Helvetica,Arial,sans-serif";
static const char mono_fonts[] = "DejaVu Sans Mono,Menlo,Consolas,monospace";

struct paint {
	const char *background, *ink, *soft, *faint, *node, *active;
};
static const struct paint paints[] = {
	[LS_THEME_COLOR] = { "#ffffff", "#111111", "#4d4d4d", "#b8b8b8", "#ffffff", "#e9eef5" },
	[LS_THEME_MONO] = { "#ffffff", "#000000", "#333333", "#b8b8b8", "#ffffff", "#eeeeee" },
	[LS_THEME_DARK] = { "#15181c", "#f2f2f2", "#c4c4c4", "#5c6168", "#22272d", "#33404d" },
};

/* On a dark background the colors of lines serve for texts, too; black becomes white. */
static const char *color_on(enum ls_theme theme, int color, bool is_text)
{
	if (theme == LS_THEME_MONO)
		return paints[theme].ink;
	if (theme == LS_THEME_DARK)
		return strcmp(lsi_color_of_line(color), "#000000") ? lsi_color_of_line(color) : "#ffffff";
	return is_text ? lsi_color_of_text(color) : lsi_color_of_line(color);
}

static void write_text_styles(struct lsi_writer *w, const struct paint *paint)
{
	for (int i = 0; i < LSI_TEXT_STYLES; i++) {
		const struct lsi_text_look *look = &lsi_text_looks[i];
		const bool soft = i == LSI_TEXT_NAME || i == LSI_TEXT_CAPTION || i == LSI_TEXT_AXIS;

		lsi_write(w, ".%s{font:%s%.0fpx %s;fill:%s%s%s}\n", look->name, look->bold ? "bold " : "",
			look->size, look->monospaced ? mono_fonts : fonts, soft ? paint->soft : paint->ink,
			look->halo ? ";paint-order:stroke;stroke-width:4px;stroke-linejoin:round;stroke:" : "",
			look->halo ? paint->background : "");
	}
	lsi_write(w, ".mid{text-anchor:middle}.end{text-anchor:end}\n");
}

/* In black and white, each round has a dash pattern. */
static void write_round_styles(struct lsi_writer *w, enum ls_theme theme)
{
	static const char *const dash[LSI_COLORS] = { "6 3.6", "2 3", "10 4", "8 3 2 3", "12 3 2 3 2 3",
		"1 4", "4 2", "14 6" };

	for (int i = 0; i < LSI_COLORS; i++) {
		lsi_write(w, ".r%d{stroke:%s;fill:%s}.n%d{fill:%s}\n", i, color_on(theme, i, false),
			color_on(theme, i, false), i, color_on(theme, i, true));
		if (theme == LS_THEME_MONO)
			lsi_write(w, ".message.r%d .shaft{stroke-dasharray:%s}\n", i, dash[i]);
	}
}

/* A cell with a color is tinted, so that its text stays legible; arrows of a timeline are solid. */
static void write_view_styles(struct lsi_writer *w, enum ls_theme theme)
{
	const struct paint *paint = &paints[theme];

	for (int i = 0; i < LSI_COLORS; i++)
		lsi_write(w, ".cell rect.r%d{fill:%s;fill-opacity:.14;stroke:%s}\n", i,
			color_on(theme, i, false), color_on(theme, i, false));
	lsi_write(w, ".on-dark text{fill:#ffffff}.on-light text{fill:#000000}\n");
	lsi_write(w, ".area{fill:%s;stroke:%s}.rule.grid{stroke-opacity:.4}.timeline .shaft{%s}\n",
		paint->background, paint->faint, "stroke-width:1.6;stroke-dasharray:none");
}

void lsi_svg_write_style(struct lsi_writer *w, enum ls_theme theme)
{
	const struct paint *paint = &paints[theme];

	lsi_write(w, "<style>\n.background{fill:%s}.link{stroke:%s;stroke-width:2;fill:none}\n",
		paint->background, paint->faint);
	lsi_write(w, ".node circle,.node rect{fill:%s;stroke:%s;stroke-width:1.4}\n", paint->node,
		paint->ink);
	lsi_write(
		w, ".node.root circle{stroke-width:2.8}.node.active circle{fill:%s}\n", paint->active);
	lsi_write(w, ".shaft{fill:none;stroke-width:1.9;stroke-dasharray:6 3.6}.head{stroke:none}\n");
	lsi_write(w, ".exchange .shaft{stroke-width:2.6;stroke-dasharray:none}\n");
	lsi_write(w, ".rule{stroke:%s;stroke-width:1}.cell rect{stroke:%s;stroke-width:1;fill:none}\n",
		paint->faint, paint->faint);
	lsi_write(w, ".curve{fill:none;stroke-width:2}\n");
	write_text_styles(w, paint);
	write_view_styles(w, theme);
	write_round_styles(w, theme);
	lsi_write(w, "</style>\n");
}
