/*
 * The style sheet of SVG and HTML.
 */
#include "draw/draw_format.h"

static const char fonts[] = "DejaVu Sans,Helvetica,Arial,sans-serif";
static const char mono_fonts[] = "DejaVu Sans Mono,Menlo,Consolas,monospace";

static void write_text_styles(struct lsi_writer *w, const struct lsi_paint *paint)
{
	for (int i = 0; i < LSI_TEXT_STYLES; i++) {
		const struct lsi_text_look *look = &lsi_text_looks[i];

		lsi_write(w, ".%s{font:%s%.0fpx %s;fill:%s%s%s}\n", look->name, look->bold ? "bold " : "",
			look->size, look->monospaced ? mono_fonts : fonts,
			look->soft ? paint->soft : paint->ink,
			look->halo ? ";paint-order:stroke;stroke-width:4px;stroke-linejoin:round;stroke:" : "",
			look->halo ? paint->background : "");
	}
	lsi_write(w, ".mid{text-anchor:middle}.end{text-anchor:end}\n");
}

/* In black and white, each round has a dash pattern. */
static void write_round_styles(struct lsi_writer *w, enum ls_theme theme)
{
	for (int i = 0; i < LSI_COLORS; i++) {
		lsi_write(w, ".d%d{stroke-dasharray:%s}", i, lsi_dashes_of(LS_THEME_MONO, i));
		lsi_write(w, ".r%d{stroke:%s;fill:%s}.n%d{fill:%s}\n", i, lsi_color_on(theme, i, false),
			lsi_color_on(theme, i, false), i, lsi_color_on(theme, i, true));
		if (theme == LS_THEME_MONO)
			lsi_write(w, ".message.r%d .shaft{stroke-dasharray:%s}\n", i, lsi_dashes_of(theme, i));
	}
}

static void write_curve_styles(struct lsi_writer *w, const struct lsi_paint *paint)
{
	lsi_write(w, ".curve{fill:none;stroke:%s;stroke-width:2;stroke-linejoin:round}\n", paint->ink);
	lsi_write(w,
		".curve.spread{stroke-width:1.1}.mark{fill:%s}.curve.mark{stroke:%s;stroke-width:1}\n",
		paint->ink, paint->background);
}

/* A cell with a color is tinted, so that its text stays legible; arrows of a timeline are solid. */
static void write_view_styles(struct lsi_writer *w, enum ls_theme theme)
{
	const struct lsi_paint *paint = lsi_paint_of(theme);

	for (int i = 0; i < LSI_COLORS; i++)
		lsi_write(w, ".cell rect.r%d{fill:%s;fill-opacity:.14;stroke:%s}\n", i,
			lsi_color_on(theme, i, false), lsi_color_on(theme, i, false));
	lsi_write(w, ".on-dark text{fill:#ffffff}.on-light text{fill:#000000}\n");
	lsi_write(w, ".area{fill:%s;stroke:%s}.timeline .shaft{%s}\n", paint->background, paint->faint,
		"stroke-width:1.6;stroke-dasharray:none");
}

/* What views by time have: waits, rounds by turns, messages under way, and working nodes. */
static void write_time_styles(struct lsi_writer *w, const struct lsi_paint *paint)
{
	lsi_write(w, ".cell.band rect{fill:%s;stroke:none}.cell.band.odd rect{fill:%s}\n",
		paint->band[0], paint->band[1]);
	lsi_write(w, ".cell.wait rect{fill:%s;stroke:%s;stroke-opacity:.3;stroke-width:.5}\n",
		paint->wait, paint->ink);
	lsi_write(w, ".cell.way rect{fill-opacity:.5;stroke-width:.5}.area.work{fill:%s;stroke:none}\n",
		paint->faint);
	lsi_write(w, ".unreceived{opacity:.45}\n");
}

void lsi_svg_write_variables(struct lsi_writer *w, enum ls_theme theme)
{
	const struct lsi_paint *paint = lsi_paint_of(theme);

	lsi_write(w,
		":root{color-scheme:%s;--background:%s;--ink:%s;--soft:%s;--faint:%s;--active:%s;"
		"--accent:%s}\n",
		theme == LS_THEME_DARK ? "dark" : "light", paint->background, paint->ink, paint->soft,
		paint->faint, paint->active, paint->accent);
}

static void write_violation_styles(struct lsi_writer *w, const struct lsi_paint *paint)
{
	lsi_write(w, ".broken{stroke:%s;fill:%s}.broken .shaft{stroke-width:4}\n", paint->broken,
		paint->broken);
	lsi_write(w, ".node.broken{stroke:none}.node.broken circle{stroke:%s;stroke-width:4}\n",
		paint->broken);
}

void lsi_svg_write_rules(
	struct lsi_writer *w, const struct ls_drawing *d, enum ls_theme theme, bool is_stepper)
{
	const struct lsi_paint *paint = lsi_paint_of(theme);

	lsi_write(w, ".background{fill:%s}.link{stroke:%s;stroke-width:2;fill:none}\n",
		paint->background, paint->faint);
	lsi_write(w, ".node circle,.node rect{fill:%s;stroke:%s;stroke-width:1.4}\n", paint->node,
		paint->ink);
	lsi_write(
		w, ".node.root circle{stroke-width:2.8}.node.active circle{fill:%s}\n", paint->active);
	lsi_write(w, ".shaft{fill:none;stroke-width:1.9;stroke-dasharray:%s}.head{stroke:none}\n",
		lsi_dashes_of(LS_THEME_COLOR, 0));
	lsi_write(w, ".exchange .shaft{stroke-width:2.6;stroke-dasharray:none}\n");
	lsi_write(w, ".rule{stroke:%s;stroke-width:1}.cell rect{stroke:%s;stroke-width:1;fill:none}\n",
		paint->faint, paint->faint);
	lsi_write(w, ".rule.grid{stroke-opacity:.4}.rule.frame{stroke:%s}\n", paint->soft);
	if (!is_stepper)
		write_curve_styles(w, paint);
	write_text_styles(w, paint);
	if (!is_stepper)
		write_view_styles(w, theme);
	write_round_styles(w, theme);
	if (d->records)
		write_time_styles(w, paint);
	if (d->violation)
		write_violation_styles(w, paint);
}

void lsi_svg_write_style(struct lsi_writer *w, const struct ls_drawing *d)
{
	lsi_write(w, "<style>\n");
	lsi_svg_write_rules(w, d, d->theme, false);
	lsi_write(w, "</style>\n");
}
