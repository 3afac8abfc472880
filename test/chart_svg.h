/*
 * Keeps and reads the SVG of a chart: parts, points, labels, and the scale that the labels of an
 * axis state.
 */
#ifndef LOCKSTEP_TEST_CHART_SVG_H
#define LOCKSTEP_TEST_CHART_SVG_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lockstep/chart.h>

#include "support/collected_text.h"
#include "support/guard.h"
#include "support/picture_lint.h"
#include "test.h"

struct point {
	double x, y;
};

/* ---- The text of the last drawing */

static struct text drawn;

/* ---- Parts and elements */

/* The text behind `<g class="NAME"` of the part with this index; NULL: none. */
static inline const char *find_part(const char *svg, const char *name, int index)
{
	char begin[64];
	const char *at = svg;

	snprintf(begin, sizeof begin, "<g class=\"%s\" transform", name);
	for (int i = 0; at && i <= index; i++) {
		at = strstr(at, begin);
		at = at ? at + strlen(begin) : NULL;
	}
	return at;
}

/* The end of a part: the next one. */
static inline const char *end_of_part(const char *part)
{
	const char *next = strstr(part, "\" transform=\"translate(");

	return next ? next : part + strlen(part);
}

/* The points of the curve "curve KIND .." with this index in a part; their number. */
static inline int read_points(
	const char *part, const char *kind, int index, struct point *point, int room)
{
	const char *end = end_of_part(part), *at = part;
	char begin[64];
	int n = 0;

	snprintf(begin, sizeof begin, "class=\"curve %s", kind);
	for (int i = 0; at && i <= index; i++) {
		at = strstr(at, begin);
		at = at && at < end ? at + strlen(begin) : NULL;
	}
	at = at ? strstr(at, " points=\"") : NULL;
	if (!at)
		return 0;
	for (at += strlen(" points=\""); n < room; n++) {
		int length = 0;

		if (sscanf(at, "%lf,%lf%n", &point[n].x, &point[n].y, &length) < 2)
			break;
		at += length;
	}
	return n;
}

static inline struct point center_of(const struct point *point, int n)
{
	struct point sum = { 0, 0 };

	for (int i = 0; i < n; i++) {
		sum.x += point[i].x;
		sum.y += point[i].y;
	}
	return (struct point){ sum.x / (n ? n : 1), sum.y / (n ? n : 1) };
}

/* ---- Texts */

struct svg_text {
	char name[24]; /* the class */
	bool middle, end;
	double x, y;
	char text[400];
};

/* XML and UTF-8 as ASCII: a micro sign is u, a power 10^n. */
static inline void copy_ascii(char *to, const char *from, size_t length)
{
	static const char *const signs[][2] = { { "&lt;", "<" }, { "&gt;", ">" }, { "&amp;", "&" },
		{ "&quot;", "\"" }, { "\302\265", "u" }, { "\302\267", "*" }, { "\342\201\273", "^-" },
		{ "\342\201\260", "0" }, { "\302\271", "1" }, { "\302\262", "2" }, { "\302\263", "3" },
		{ "\342\201\264", "4" }, { "\342\201\265", "5" }, { "\342\201\266", "6" },
		{ "\342\201\267", "7" }, { "\342\201\270", "8" }, { "\342\201\271", "9" } };
	enum { SIGNS = 17, FIRST_POWER = 6 };
	const char *end = from + length;
	bool power = false;

	while (from < end) {
		size_t i = 0;

		while (i < SIGNS && strncmp(from, signs[i][0], strlen(signs[i][0])) != 0)
			i++;
		if (i == SIGNS) {
			*to++ = *from++;
			continue;
		}
		if (i > FIRST_POWER && !power)
			*to++ = '^';
		power |= i >= FIRST_POWER;
		to = stpcpy(to, signs[i][1]);
		from += strlen(signs[i][0]);
	}
	*to = '\0';
}

/* The next text behind `at`; NULL: none before `end`. */
static inline const char *next_text(const char *at, const char *end, struct svg_text *out)
{
	char anchor[8] = "";
	const char *text, *close;

	at = strstr(at, "<text class=\"");
	if (!at || (end && at >= end))
		return NULL;
	at += strlen("<text class=\"");
	*out = (struct svg_text){ .middle = false };
	sscanf(at, "%23[^ \"] %7[a-z]", out->name, anchor);
	out->middle = strcmp(anchor, "mid") == 0;
	out->end = strcmp(anchor, "end") == 0;
	sscanf(strstr(at, " x=\""), " x=\"%lf\" y=\"%lf", &out->x, &out->y);
	text = strchr(at, '>') + 1;
	close = strstr(text, "</text>");
	if ((size_t)(close - text) < sizeof out->text)
		copy_ascii(out->text, text, (size_t)(close - text));
	return close;
}

/* The text of the next cell of a map, "" if it has none. */
static inline const char *read_cell(const char *at, char *out, size_t size)
{
	struct svg_text text = { .text = "" };
	const char *cell = at ? strstr(at, "<g class=\"cell") : NULL;
	const char *next = cell ? strstr(cell + 1, "\n") : NULL;

	*out = '\0';
	if (cell && next_text(cell, next, &text))
		snprintf(out, size, "%.31s", text.text);
	return next;
}

static inline void join_labels(const char *part, const char *between, char *out, size_t size)
{
	const char *end = end_of_part(part);
	struct svg_text text;
	size_t used = 0;

	*out = '\0';
	while ((part = next_text(part, end, &text)))
		used +=
			(size_t)snprintf(out + used, size - used, "%s%.40s", used ? between : "", text.text);
}

static inline int read_label_places(const char *part, double *y, int room)
{
	const char *end = end_of_part(part);
	struct svg_text text;
	int n = 0;

	while (n < room && (part = next_text(part, end, &text)))
		y[n++] = text.y;
	return n;
}

/* ---- Scales */

/* px = first + slope * f(number), where f is the identity or the logarithm. */
struct scale {
	bool logarithmic;
	int ticks;
	double first, slope, error; /* error: the farthest tick from it, px */
};

/* "64K" of bytes, "5M" of others, "10 us", "10^6", "2*10^6" */
static inline double number_of(const char *label, bool of_bytes)
{
	static const char *const unit[] = { " ns", " us", " ms", " s", "", "k", "K", "M", "G", "T" };
	static const double factor[] = { 1e-9, 1e-6, 1e-3, 1, 1, 1e3, 1e3, 1e6, 1e9, 1e12 };
	const char *power = strstr(label, "10^");
	char *rest;
	double number;

	if (power)
		return (strchr(label, '*') ? atof(label) : 1)
			* pow(10, power[3] == '^' ? atof(power + 4) : atof(power + 3));
	number = strtod(label, &rest);
	for (size_t i = 0; i < sizeof unit / sizeof *unit; i++)
		if (strcmp(rest, unit[i]) == 0)
			return number * (of_bytes ? pow(1024, round(log10(factor[i]) / 3)) : factor[i]);
	return NAN;
}

static inline double place_of(const struct scale *scale, double number)
{
	return scale->first + scale->slope * (scale->logarithmic ? log(number) : number);
}

/* Least squares over the ticks that have a label. */
static inline void read_scale(
	const char *part, bool up, const struct ls_axis *axis, struct scale *out)
{
	const char *end = end_of_part(part);
	double at[64], place[64], sum = 0, sums = 0, squares = 0, products = 0;
	struct svg_text text;
	int n = 0;

	*out = (struct scale){ .logarithmic = axis->logarithmic };
	while (n < 64 && (part = next_text(part, end, &text))) {
		const double number = number_of(text.text, axis->unit == LS_UNIT_BYTES);

		CHECK(isfinite(number), "the label '%s' is a number", text.text);
		at[n] = axis->logarithmic ? log(number) : number;
		place[n++] = up ? text.y : text.x;
	}
	for (int i = 0; i < n; i++) {
		sum += at[i] / n;
		sums += place[i] / n;
	}
	for (int i = 0; i < n; i++) {
		squares += (at[i] - sum) * (at[i] - sum);
		products += (at[i] - sum) * (place[i] - sums);
	}
	out->ticks = n;
	out->slope = products / squares;
	out->first = sums - out->slope * sum;
	for (int i = 0; i < n; i++)
		out->error = fmax(out->error, fabs(out->first + out->slope * at[i] - place[i]));
}

/* ---- The lint of all pictures */

static inline void check_texts(const char *svg, const char *name)
{
	struct picture picture;
	const bool right = picture_read(svg, &picture);

	guard("%s", name);
	CHECK(right, "%s: %s", name, picture.why);
	CHECK(picture.texts >= 4, "%s: %zu texts", name, picture.texts);
	if (right)
		lint_picture(&picture);
	picture_release(&picture);
}

#endif
