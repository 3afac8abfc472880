/*
 * Positions from a file: a line `rank x y` for each vertex, y down, `#` before a comment; or the
 * output of `neato -Tplain`, whose lines `node rank x y ..` count, y up.
 */
#include "topology/layout.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

enum {
	LINE_KEPT = 160,      /* bytes of a line; what follows in a longer one does not count */
	LINE_MOST = 1 << 16,  /* bytes of a line */
	BYTES_MOST = 1 << 28, /* of a file; those of a stream without end are too many */
	WORDS = 4             /* of a line that count */
};

#define NUMBER_MOST 1e9

struct reading {
	const struct ls_topology *t;
	struct lsi_quote name;
	FILE *file;
	int64_t line, bytes;
	int64_t *first_line; /* that places a vertex; 0: none */
	struct lsi_point *place;
	struct ls_error *why;
};

/* ---- Lines */

/* The next line without its comment; false: the file has ended, or *failed is set. */
static bool read_line(struct reading *r, char text[LINE_KEPT], bool *too_long)
{
	int64_t length = 0;
	bool in_comment = false;
	int c = getc_unlocked(r->file);

	if (c == EOF)
		return false;
	for (; c != EOF && c != '\n' && length < LINE_MOST; c = getc_unlocked(r->file)) {
		in_comment |= c == '#';
		if (length < LINE_KEPT - 1)
			text[length] = (char)(in_comment ? ' ' : c ? c : '?');
		length++;
	}
	text[length < LINE_KEPT ? length : LINE_KEPT - 1] = '\0';
	r->line++;
	r->bytes += length + 1;
	*too_long = length == LINE_MOST || r->bytes > BYTES_MOST;
	return true;
}

/* Cut a line into words, the last of them with the rest of the line; returns their number. */
static int cut_words(char *text, char *word[WORDS + 1])
{
	int words = 0;

	while (words <= WORDS) {
		text += strspn(text, " \t\r");
		if (!*text)
			break;
		word[words++] = text;
		text += strcspn(text, " \t\r");
		if (*text)
			*text++ = '\0';
	}
	return words;
}

/* ---- Numbers, as strtod reads them where the decimal point is a point */

static const char *read_exponent(const char *text, int *exponent)
{
	const bool negative = *text == '-';
	int64_t number;

	text = lsi_read_number(text + (*text == '-' || *text == '+'), &number);
	*exponent += (int)(number < 999 ? negative ? -number : number : negative ? -999 : 999);
	return text;
}

static bool read_decimal(const char *text, double *number)
{
	const bool negative = *text == '-';
	bool point = false, digits = false;
	int exponent = 0;

	*number = 0;
	for (text += *text == '-' || *text == '+'; isdigit((unsigned char)*text) || *text == '.';
		 text++) {
		if (*text == '.' && point)
			return false;
		if (*text == '.') {
			point = true;
			continue;
		}
		*number = *number * 10 + (*text - '0');
		exponent -= point;
		digits = true;
	}
	if (digits && (*text == 'e' || *text == 'E'))
		text = read_exponent(text + 1, &exponent);
	*number *= (negative ? -1 : 1) * pow(10, exponent);
	return digits && text && !*text && fabs(*number) <= NUMBER_MOST;
}

/* ---- Positions */

/* In graphviz' output a name may be quoted. */
static bool read_rank(char *text, int64_t *rank)
{
	const size_t length = strlen(text);
	const char *end;

	if (length > 2 && *text == '"' && text[length - 1] == '"') {
		text[length - 1] = '\0';
		text++;
	}
	end = lsi_read_number(text, rank);
	return end && !*end;
}

static int fail_word(
	const struct reading *r, const char *word, const char *what, const char *expected)
{
	return lsi_error_set(r->why, LS_ERR_SPEC, "%s:%lld: '%s' is not a %s; expected %s",
		r->name.text, (long long)r->line, lsi_quote_make(word, strlen(word)).text, what, expected);
}

/* "rank", "x", "y" */
static int add_place(struct reading *r, char *const word[3], bool is_up)
{
	struct lsi_point at;
	int64_t rank;

	if (!read_rank(word[0], &rank))
		return fail_word(r, word[0], "vertex", "its rank");
	if (rank >= r->t->vertices)
		return lsi_error_set(r->why, LS_ERR_SPEC,
			"%s:%lld: vertex %lld is out of range; expected 0..%lld", r->name.text,
			(long long)r->line, (long long)rank, (long long)r->t->vertices - 1);
	if (!read_decimal(word[1], &at.x))
		return fail_word(r, word[1], "coordinate", "a number up to 1e9");
	if (!read_decimal(word[2], &at.y))
		return fail_word(r, word[2], "coordinate", "a number up to 1e9");
	if (r->first_line[rank])
		return lsi_error_set(r->why, LS_ERR_SPEC,
			"%s:%lld: vertex %lld has two positions; the first is in line %lld", r->name.text,
			(long long)r->line, (long long)rank, (long long)r->first_line[rank]);
	r->first_line[rank] = r->line;
	r->place[rank] = (struct lsi_point){ at.x, is_up ? -at.y : at.y };
	return LS_OK;
}

static bool is_ignored(const char *word)
{
	return !strcmp(word, "graph") || !strcmp(word, "edge") || !strcmp(word, "stop");
}

static int read_lines(struct reading *r)
{
	char text[LINE_KEPT], *word[WORDS + 1];
	bool too_long = false;
	int status = LS_OK;

	while (status == LS_OK && read_line(r, text, &too_long)) {
		const int words = cut_words(text, word);

		if (too_long)
			return lsi_error_set(r->why, LS_ERR_SPEC,
				"%s:%lld: too much text; expected a line 'rank x y' for each vertex", r->name.text,
				(long long)r->line);
		if (words == 0 || is_ignored(word[0]))
			continue;
		if (words >= 4 && strcmp(word[0], "node") == 0)
			status = add_place(r, word + 1, true);
		else if (words == 3 && strcmp(word[0], "node") != 0)
			status = add_place(r, word, false);
		else
			return lsi_error_set(r->why, LS_ERR_SPEC,
				"%s:%lld: %d word%s, the first is '%s'; expected 'rank x y'", r->name.text,
				(long long)r->line, words, words == 1 ? "" : "s",
				lsi_quote_make(word[0], strlen(word[0])).text);
	}
	return status;
}

static int check_all_placed(const struct reading *r)
{
	for (int64_t v = 0; v < r->t->vertices; v++)
		if (!r->first_line[v])
			return lsi_error_set(r->why, LS_ERR_SPEC,
				"%s: no line places vertex %lld; expected a line 'rank x y' for each of 0..%lld",
				r->name.text, (long long)v, (long long)r->t->vertices - 1);
	return LS_OK;
}

/* ---- Scale */

static double mean_link(const struct ls_topology *t, const struct lsi_point *place)
{
	double sum = 0, links = 0;

	for (int64_t u = 0; u < t->vertices; u++)
		for (int64_t l = 0; l < t->network->degree(t, u); l++, links++) {
			const int64_t v = t->network->neighbor(t, u, l);

			sum += hypot(place[v].x - place[u].x, place[v].y - place[u].y);
		}
	return links > 0 ? sum / links : 1;
}

static int scale(const struct reading *r)
{
	const int64_t count = r->t->vertices;
	double nearest, factor;

	if (lsi_layout_nearest(r->place, count, &nearest) != LS_OK)
		return lsi_error_set(r->why, LS_ERR_MEMORY, "no memory for the positions of %lld vertices",
			(long long)count);
	if (nearest <= 1e-6 * mean_link(r->t, r->place))
		return lsi_error_set(r->why, LS_ERR_SPEC,
			"%s: two vertices have one position; move one of them", r->name.text);
	factor = fmax(1 / mean_link(r->t, r->place), LSI_NEAREST / nearest);
	for (int64_t v = 0; v < count; v++)
		r->place[v] = (struct lsi_point){ factor * r->place[v].x, factor * r->place[v].y };
	return LS_OK;
}

int lsi_layout_read(
	const struct ls_topology *t, const char *file, struct lsi_point *place, struct ls_error *why)
{
	struct reading r = { .t = t, .name = lsi_quote_make(file, strlen(file)), .place = place };
	bool failed;
	int status;

	r.why = why;
	r.first_line = lsi_alloc_zero((size_t)t->vertices, sizeof *r.first_line);
	if (!r.first_line)
		return lsi_error_set(why, LS_ERR_MEMORY, "no memory to read '%s'", r.name.text);
	r.file = fopen(file, "re");
	status = r.file ? read_lines(&r) : LS_OK;
	failed = !r.file || ferror(r.file);
	if (status == LS_OK && failed)
		status = lsi_error_set(why, errno == ENOMEM ? LS_ERR_MEMORY : LS_ERR_SPEC,
			"cannot read '%s': %s", r.name.text, strerror(errno));
	if (r.file)
		fclose(r.file);
	if (status == LS_OK)
		status = check_all_placed(&r);
	if (status == LS_OK)
		status = scale(&r);
	lsi_free(r.first_line);
	return status;
}
