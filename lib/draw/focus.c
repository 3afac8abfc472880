/*
 * Reading a focus: ranks and ranges, or a pattern that is compared with the label of each node.
 *
 *   x     one character of the label, or a whole coordinate where it stands alone: (3,x)
 *   *     any text
 *
 * A pattern may leave out the outer parentheses of the labels: 3,x
 */
#include "draw/focus.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "topology/topology_internal.h"

#define SEARCHED_NODES ((int64_t)1 << 22) /* labels that are compared */

/* ---- Collect */

/* Append a node; LS_OK, or LS_ERR_UNSUPPORTED: it is one too many. */
static int add_node(
	struct lsi_focus *f, const ls_topology *t, const char *text, int64_t node, struct ls_error *why)
{
	const struct lsi_quote quote = lsi_quote_make(text, strlen(text));

	if (f->n == LSI_FOCUS_NODES)
		return lsi_error_set(why, LS_ERR_UNSUPPORTED,
			"the focus '%s' has more than %d nodes of %s; try fewer", quote.text, LSI_FOCUS_NODES,
			ls_topology_spec(t));
	f->node[f->n++] = node;
	return LS_OK;
}

static int compare_nodes(const void *one, const void *other)
{
	const int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;

	return (a > b) - (a < b);
}

/* Each node once, in rising order. */
static void sort_nodes(struct lsi_focus *f)
{
	int64_t kept = 0;

	qsort(f->node, (size_t)f->n, sizeof *f->node, compare_nodes);
	for (int64_t i = 0; i < f->n; i++) {
		if (kept == 0 || f->node[kept - 1] != f->node[i])
			f->node[kept++] = f->node[i];
	}
	f->n = kept;
}

/* ---- Ranks: "0-7,12" */

static bool is_list(const char *text)
{
	return strspn(text, "0123456789-,") == strlen(text);
}

/* Read "A" or "A-B"; the text after it, NULL: malformed. */
static const char *read_range(const char *text, int64_t *first, int64_t *last)
{
	text = lsi_read_number(text, first);
	*last = *first;
	if (text && *text == '-')
		text = lsi_read_number(text + 1, last);
	return text && *first <= *last && (!*text || (*text == ',' && text[1])) ? text : NULL;
}

static int find_ranks(
	struct lsi_focus *f, const ls_topology *t, const char *text, struct ls_error *why)
{
	const char *at = text;
	int64_t first, last;
	int failed = LS_OK;

	do {
		at = read_range(at, &first, &last);
		if (!at)
			return lsi_error_set(why, LS_ERR_SPEC,
				"'%s' is not a focus; expected ranks and ranges like 0-7,12, or a pattern of "
				"labels",
				lsi_quote_make(text, strlen(text)).text);
		if (last >= t->nodes)
			return lsi_error_set(why, LS_ERR_SPEC,
				"no rank %" PRId64 " in %s; expected ranks from 0 to %" PRId64, last, t->spec,
				t->nodes - 1);
		for (; first <= last && !failed; first++)
			failed = add_node(f, t, text, first, why);
		at += *at == ',';
	} while (*at && !failed);
	return failed;
}

/* ---- Labels */

static bool is_border(char c)
{
	return c == '\0' || strchr("(),", c);
}

/* The length of what one character of the pattern matches at the begin of the text; 0: nothing. */
static size_t matched_length(const char *pattern, const char *at, const char *text)
{
	const bool is_alone = *at == 'x' && is_border(at[1]) && (at == pattern || is_border(at[-1]));

	if (is_alone)
		return strcspn(text, "(),");
	return *at == 'x' ? !is_border(*text) : *at && *at == *text;
}

/*
 * Where the text does not match, the last `*` takes one character more.  An earlier one never has
 * to: the shortest match of the part between two stars leaves the most to the rest.
 */
static bool matches(const char *pattern, const char *text)
{
	const char *at = pattern, *star = NULL, *after = NULL; /* after: what the star has taken */

	while (*at || *text) {
		const size_t length = *at == '*' ? 0 : matched_length(pattern, at, text);

		if (*at == '*') {
			star = at++;
			after = text;
		} else if (length > 0) {
			at++;
			text += length;
		} else if (star && *after) {
			at = star + 1;
			text = ++after;
		} else {
			return false;
		}
	}
	return true;
}

/* The label, or what it has in its outer parentheses. */
static bool has_label(const char *pattern, char label[LSI_LABEL_MAX])
{
	const size_t length = strlen(label);

	if (matches(pattern, label))
		return true;
	if (*label != '(')
		return false;
	label[length - 1] = '\0';
	return matches(pattern, label + 1);
}

static int find_labels(
	struct lsi_focus *f, const ls_topology *t, const char *text, struct ls_error *why)
{
	const struct lsi_quote quote = lsi_quote_make(text, strlen(text));
	char label[LSI_LABEL_MAX];
	int failed = LS_OK;

	if (t->nodes > SEARCHED_NODES)
		return lsi_error_set(why, LS_ERR_UNSUPPORTED,
			"%s has too many labels to search for '%s'; try ranks like 0-7,12", t->spec,
			quote.text);
	for (int64_t v = 0; v < t->nodes && !failed; v++) {
		ls_label(t, v, label, sizeof label);
		if (has_label(text, label))
			failed = add_node(f, t, text, v, why);
	}
	if (failed || f->n > 0)
		return failed;
	ls_label(t, t->nodes - 1, label, sizeof label);
	return lsi_error_set(why, LS_ERR_SPEC,
		"no node of %s matches '%s'; expected ranks like 0-7,12, or a label like %s with x or * "
		"for "
		"what differs",
		t->spec, quote.text, label);
}

/* ---- Find */

int lsi_focus_find(
	const ls_topology *t, const char *text, struct lsi_focus *f, struct ls_error *why)
{
	int failed;

	*f = (struct lsi_focus){ .node = lsi_alloc(LSI_FOCUS_NODES * sizeof *f->node) };
	if (!f->node)
		return LS_ERR_MEMORY;
	failed = is_list(text) ? find_ranks(f, t, text, why) : find_labels(f, t, text, why);
	if (!failed)
		sort_nodes(f);
	return failed;
}

void lsi_focus_release(struct lsi_focus *f)
{
	lsi_free(f->node);
}

/* ---- The part */

/* "24 of 5040 nodes; 96 messages among them, 72 to or from others"; NULL: no memory. */
static const char *describe_part(struct lsi_subject *s)
{
	const struct lsi_subject *whole = s->whole;
	char counts[120];

	if (whole->rounds > 0)
		snprintf(counts, sizeof counts,
			"%" PRId64 " message%s among them, %" PRId64 " to or from others", s->inside,
			s->inside == 1 ? "" : "s", (int64_t)s->messages - s->inside);
	else
		snprintf(counts, sizeof counts, "%" PRId64 " link%s to others%s", s->outer_links,
			s->outer_links == 1 ? "" : "s",
			s->outer_links > 0 && s->vertices == lsi_subject_inner(s) ? " (not drawn)" : "");
	return lsi_arena_print(&s->arena, "%s%sFocus %s: %" PRId64 " of %" PRId64 " nodes; %s",
		whole->caption, *whole->caption ? "\n" : "", s->drawing->focus, s->nodes, whole->nodes,
		counts);
}

static int write_words(struct lsi_subject *s)
{
	const struct ls_drawing *d = s->drawing;

	if (!d->title)
		s->title = lsi_arena_print(&s->arena, "%s, focus %s", s->title, d->focus);
	if (!d->caption)
		s->caption = describe_part(s);
	return s->title && s->caption ? LS_OK : LS_ERR_MEMORY;
}

int lsi_subject_make_focus(
	const struct lsi_subject *whole, struct lsi_subject *out, struct ls_error *why)
{
	struct lsi_focus focus;
	int failed = lsi_focus_find(whole->topology, whole->drawing->focus, &focus, why);

	*out = (struct lsi_subject){ .drawing = whole->drawing };
	if (!failed)
		failed = lsi_subject_make_part(whole, whole->drawing,
			&(struct lsi_part_nodes){ .node = focus.node, .n = focus.n, .has_stubs = true }, out);
	if (!failed)
		failed = write_words(out);
	lsi_focus_release(&focus);
	return failed;
}
