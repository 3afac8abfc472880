#include "bench/compare.h"

#include "base/messages.h"
#include "base/names.h"
#include "base/text_file.h"
#include "base/timing.h"
#include "bench/mann_whitney.h"

#include <math.h>
#include <string.h>

/* A change is significant below this p, and above this relative difference of the medians. */
#define SIGNIFICANCE 0.01
#define DIFFERENCE   0.02

#define EXPECTED "expected a document that 'lockstep bench --json' wrote"

/* ---- The document */

static const char *text_at(const struct json_value *row, const char *path)
{
	const struct json_value *value = json_find(row, path);

	return value && value->kind == JSON_TEXT ? value->text : "";
}

/* Documents of version 0.1 have other names of engines, and the requested one in engine_asked. */
static const char *requested_engine(const struct json_value *row)
{
	const char *engine = text_at(row, "engine_requested");

	return engine_name_now(*engine ? engine : text_at(row, "engine_asked"));
}

/* Documents of version 0.1 know threads only, and may not say so. */
static const char *kind_of_nodes(const struct json_value *row)
{
	const char *kind = text_at(row, "nodes_as");

	return *kind || strcmp(requested_engine(row), ls_engine_name(LS_SWEEP)) == 0
		? kind
		: ls_node_kind_name(LS_NODE_THREAD);
}

static void read_keys(const struct json_value *row, const char *key[ROW_KEYS])
{
	static const char *const path[ROW_KEYS] = { [KEY_TOPOLOGY] = "topology",
		[KEY_OPERATION] = "operation",
		[KEY_ALGORITHM] = "algorithm",
		[KEY_ROUND_MODE] = "round_mode",
		[KEY_MODE] = "mode",
		[KEY_TYPE] = "type",
		[KEY_OP] = "op" };

	for (int k = 0; k < ROW_KEYS; k++)
		key[k] = path[k]      ? text_at(row, path[k])
			: k == KEY_ENGINE ? requested_engine(row)
							  : kind_of_nodes(row);
}

static double median_of(const double *sample, size_t count)
{
	double *copy = require_memory(malloc(count * sizeof *copy));

	memcpy(copy, sample, count * sizeof *copy);

	const double median = timing_of(copy, count).median;

	free(copy);
	return median;
}

/* False: a sample is not a finite number above 0. */
static bool read_samples(const struct json_value *list, struct old_row *old)
{
	size_t count = 0;

	for (const struct json_value *v = list->first; v; v = v->next, count++)
		if (v->kind != JSON_NUMBER || !(v->number > 0) || isinf(v->number))
			return false;
	old->sample = require_memory(calloc(count + 1, sizeof *old->sample));
	for (const struct json_value *v = list->first; v; v = v->next)
		old->sample[old->samples++] = v->number;
	return true;
}

/* A row of a failed run has no samples. */
static int read_row(struct comparisons *c, const struct json_value *row, size_t number)
{
	const struct json_value *bytes = json_find(row, "bytes"), *samples = json_find(row, "samples");
	struct old_row *old = &c->old[c->olds];

	if (!bytes || bytes->kind != JSON_NUMBER || !samples || samples->kind != JSON_LIST
		|| !read_samples(samples, old))
		return print_error(
			EXIT_USAGE, "%s: result %zu has no valid bytes or samples; " EXPECTED, c->path, number);
	if (old->samples == 0) {
		free(old->sample);
		*old = (struct old_row){ 0 };
		return EXIT_SUCCESS;
	}
	old->bytes = bytes->number;
	old->median = median_of(old->sample, old->samples);
	read_keys(row, old->key);
	c->olds++;
	return EXIT_SUCCESS;
}

static int read_rows(struct comparisons *c)
{
	const struct json_value *results = json_find(c->document, "results");
	size_t count = 0, number = 0;
	int failed = EXIT_SUCCESS;

	if (!results || results->kind != JSON_LIST || !results->first)
		return print_error(EXIT_USAGE, "%s holds no results; " EXPECTED, c->path);
	for (const struct json_value *row = results->first; row; row = row->next)
		count++;
	c->old = require_memory(calloc(count, sizeof *c->old));
	for (const struct json_value *row = results->first; row && !failed; row = row->next)
		failed = read_row(c, row, ++number);
	return failed;
}

int comparisons_open(const char *path, struct comparisons *c)
{
	struct text_file text;
	char error[80];
	int failed = text_open(path, 0, &text);

	*c = (struct comparisons){ .path = text.path };
	if (!failed)
		failed = text_read_rest(&text);
	if (!failed)
		c->document = json_read(text.text, error, sizeof error);
	text_close(&text);
	if (failed)
		return failed;
	if (!c->document)
		return print_error(
			EXIT_USAGE, "%s:%s; try a document that 'lockstep bench --json' wrote", c->path, error);
	return read_rows(c);
}

void comparisons_close(struct comparisons *c)
{
	for (size_t i = 0; i < c->olds; i++)
		free(c->old[i].sample);
	for (size_t i = 0; i < c->rows; i++)
		for (int k = 0; k < ROW_KEYS; k++)
			free(c->row[i].key[k]);
	free(c->old);
	free(c->row);
	json_destroy(c->document);
}

/* ---- Rows */

static struct old_row *find_old(struct comparisons *c, const struct measured_row *row)
{
	for (struct old_row *old = c->old; old < c->old + c->olds; old++) {
		bool equal = !old->is_compared && old->bytes == (double)row->bytes;

		for (int k = 0; k < ROW_KEYS && equal; k++)
			equal = strcmp(old->key[k], row->key[k]) == 0;
		if (equal)
			return old;
	}
	return NULL;
}

static struct time_comparison *append(
	struct comparisons *c, const char *const key[ROW_KEYS], double bytes)
{
	struct time_comparison *row;

	c->row = require_memory(realloc(c->row, (c->rows + 1) * sizeof *c->row));
	row = &c->row[c->rows++];
	*row = (struct time_comparison){
		.bytes = bytes, .old_median = NAN, .new_median = NAN, .ratio = NAN, .p = NAN
	};
	for (int k = 0; k < ROW_KEYS; k++)
		row->key[k] = require_memory(strdup(key[k]));
	return row;
}

void compare_row(struct comparisons *c, const struct measured_row *new)
{
	struct old_row *old = find_old(c, new);
	struct time_comparison *row = append(c, new->key, (double)new->bytes);

	row->new_median = median_of(new->sample, new->samples);
	row->verdict = "only-new";
	if (!old)
		return;
	old->is_compared = true;
	row->old_median = old->median;
	row->ratio = row->new_median / old->median;
	row->p = mann_whitney_test(new->sample, new->samples, old->sample, old->samples).p;
	c->any_short |=
		row->p >= SIGNIFICANCE && mann_whitney_least_p(new->samples, old->samples) >= SIGNIFICANCE;
	row->verdict = row->p >= SIGNIFICANCE || fabs(row->ratio - 1) <= DIFFERENCE ? "same"
		: row->ratio < 1                                                        ? "faster"
																				: "slower";
}

void compare_rest(struct comparisons *c)
{
	for (const struct old_row *old = c->old; old < c->old + c->olds; old++)
		if (!old->is_compared) {
			struct time_comparison *row = append(c, old->key, old->bytes);

			row->old_median = old->median;
			row->verdict = "only-old";
		}
}
