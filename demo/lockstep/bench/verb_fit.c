/*
 * lockstep fit: fits t_s and t_w to the times of bench, and shows the residuals.
 */
#include "bench/fit_rows.h"
#include "cli/verb.h"
#include "report/document.h"
#include "report/text_table.h"

#include <stdlib.h>
#include <string.h>

/* Rows of one topology, operation, algorithm, engine, ..: one model is fitted to them. */
struct group {
	const struct fit_row *first;
	struct ls_cost_sample *sample;
	double *bytes;
	size_t count;
	struct ls_cost_model model;
	double residual; /* mean of the magnitudes of the relative errors */
	int status;      /* of the fit: LS_ERR_* */
};
struct groups {
	struct group *group;
	size_t count;
};

static bool alike(const struct fit_row *a, const struct fit_row *b)
{
	for (size_t key = 0; key < FIT_KEYS; key++)
		if (strcmp(a->key[key], b->key[key]) != 0)
			return false;
	return true;
}

static void append(struct group *group, const struct fit_row *row)
{
	const size_t count = group->count + 1;

	group->sample = require_memory(realloc(group->sample, count * sizeof *group->sample));
	group->bytes = require_memory(realloc(group->bytes, count * sizeof *group->bytes));
	group->sample[group->count] = row->sample;
	group->bytes[group->count] = row->bytes;
	group->count = count;
}

static struct groups groups_of(const struct fit_rows *rows)
{
	struct groups groups = { require_memory(calloc(rows->count, sizeof(struct group))), 0 };

	for (size_t i = 0; i < rows->count; i++) {
		struct group *group = groups.group;

		while (group < groups.group + groups.count && !alike(group->first, &rows->row[i]))
			group++;
		if (group == groups.group + groups.count)
			groups.group[groups.count++].first = &rows->row[i];
		append(group, &rows->row[i]);
	}
	for (size_t i = 0; i < groups.count; i++) {
		struct group *group = &groups.group[i];

		group->status = ls_cost_fit(group->sample, group->count, &group->model, &group->residual);
	}
	return groups;
}

static void groups_destroy(struct groups *groups)
{
	for (size_t i = 0; i < groups->count; i++) {
		free(groups->group[i].sample);
		free(groups->group[i].bytes);
	}
	free(groups->group);
}

static double predicted(const struct group *group, size_t i)
{
	return group->sample[i].rounds * group->model.t_s + group->sample[i].bytes * group->model.t_w;
}

static double residual_of(const struct group *group, size_t i)
{
	return predicted(group, i) / group->sample[i].time - 1;
}

/* ---- Text */

static void print_title(const struct group *group)
{
	char *const *key = group->first->key;
	const bool barrier = strcmp(key[FIT_OPERATION], "barrier") == 0;

	printf("%s%s%s", key[FIT_OPERATION], barrier ? "" : " of ", barrier ? "" : key[FIT_TYPE]);
	if (!barrier && *key[FIT_OP])
		printf(", %s,", key[FIT_OP]);
	printf(" on %s: %s, engine %s, %s rounds, %s", key[FIT_TOPOLOGY], key[FIT_ALGORITHM],
		key[FIT_ENGINE], key[FIT_ROUND_MODE], key[FIT_MODE]);
	if (strcmp(key[FIT_PORTS], "1") != 0)
		printf(", %s ports", key[FIT_PORTS]);
	printf("%s%s\n", *key[FIT_MAP] ? ", map " : "", key[FIT_MAP]);
}

static void print_model(const struct group *group)
{
	const struct ls_cost_model *model = &group->model;

	printf("t_s %.4g ns per round, t_w %.4g ns per byte", model->t_s, model->t_w);
	if (model->t_w > 0)
		printf(" (%.4g GB/s)", 1 / model->t_w);
	printf(", mean residual %.1f %%: --model %.5g,%.5g\n", 100 * group->residual, model->t_s,
		model->t_w);
}

static int write_text(const struct output *output, const void *document)
{
	const struct groups *groups = document;

	static const char *const head[] = { "#bytes", "#rounds", "#volume", "#measured us",
		"#predicted us", "#residual %", NULL };

	(void)output;
	for (size_t i = 0; i < groups->count; i++) {
		const struct group *group = &groups->group[i];
		struct table table = table_begin(head);

		if (group->status != LS_OK)
			continue;
		for (size_t k = 0; k < group->count; k++) {
			table_cell(&table, "%.0f", group->bytes[k]);
			table_cell(&table, "%.0f", group->sample[k].rounds);
			table_cell(&table, "%.0f", group->sample[k].bytes);
			table_cell(&table, "%.3f", group->sample[k].time / 1000);
			table_cell(&table, "%.3f", predicted(group, k) / 1000);
			table_cell(&table, "%+.1f", 100 * residual_of(group, k));
		}
		print_title(group);
		print_model(group);
		table_text(&table, 0);
		table_end(&table);
		if (i + 1 < groups->count)
			putchar('\n');
	}
	return EXIT_SUCCESS;
}

/* ---- CSV and JSON */

static int write_csv(const struct output *output, const void *document)
{
	const struct groups *groups = document;

	static const char *const head[] = { FIT_HEADS, "#bytes", "#rounds", "#volume_bytes",
		"#measured_ns", "#predicted_ns", "#residual", "#t_s_ns", "#t_w_ns", "#mean_residual",
		NULL };
	struct table table = table_begin(head);

	for (size_t i = 0; i < groups->count; i++) {
		const struct group *group = &groups->group[i];

		for (size_t k = 0; k < group->count && group->status == LS_OK; k++) {
			const double cells[] = { group->bytes[k], group->sample[k].rounds,
				group->sample[k].bytes, group->sample[k].time, predicted(group, k),
				residual_of(group, k), group->model.t_s, group->model.t_w, group->residual };

			for (size_t key = 0; key < FIT_KEYS; key++)
				table_cells(&table, 1, group->first->key[key]);
			for (size_t c = 0; c < sizeof cells / sizeof *cells; c++)
				table_cell(&table, "%.10g", cells[c]);
		}
	}
	return table_finish_csv(&table, output->file);
}

static void print_rows(const struct group *group, struct json *json)
{
	json_array(json, "rows");
	for (size_t k = 0; k < group->count; k++) {
		json_object(json, NULL);
		json_real(json, "bytes", group->bytes[k]);
		json_real(json, "rounds", group->sample[k].rounds);
		json_real(json, "volume_bytes", group->sample[k].bytes);
		json_real(json, "measured_ns", group->sample[k].time);
		if (group->status == LS_OK) {
			json_real(json, "predicted_ns", predicted(group, k));
			json_real(json, "residual", residual_of(group, k));
		}
		json_end(json);
	}
	json_end(json);
}

/* The values that the rows of a group share. */
static void print_keys(char *const key[], struct json *json)
{
	static const char *const head[] = { FIT_HEADS, NULL };
	struct table table = table_begin(head);

	for (size_t i = 0; i < FIT_KEYS; i++)
		table_cells(&table, 1, key[i]);
	table_members(&table, 0, json);
	table_end(&table);
}

static int write_json(const struct output *output, const void *document)
{
	const struct groups *groups = document;
	struct json json = document_begin(output);

	json_array(&json, "fits");
	for (size_t i = 0; i < groups->count; i++) {
		const struct group *group = &groups->group[i];

		json_object(&json, NULL);
		print_keys(group->first->key, &json);
		json_bool(&json, "fitted", group->status == LS_OK);
		if (group->status == LS_OK) {
			json_real(&json, "t_s_ns", group->model.t_s);
			json_real(&json, "t_w_ns", group->model.t_w);
			json_real(&json, "mean_residual", group->residual);
		}
		print_rows(group, &json);
		json_end(&json);
	}
	json_end(&json);
	json_end(&json);
	return EXIT_SUCCESS;
}

const struct format fit_formats[] = {
	{ "text", NULL, write_text },
	{ "csv", NULL, write_csv },
	{ "json", NULL, write_json },
	{ 0 },
};

/* ---- The verb */

/* One size, or rounds proportional to bytes, do not determine both t_s and t_w. */
static int print_unfitted(const struct groups *groups)
{
	size_t fitted = 0;

	for (size_t i = 0; i < groups->count; i++)
		fitted += groups->group[i].status == LS_OK;
	for (size_t i = 0; i < groups->count; i++) {
		char *const *key = groups->group[i].first->key;

		if (groups->group[i].status == LS_OK)
			continue;
		print_error(EXIT_USAGE,
			"%s by %s on %s cannot be fitted: %zu row%s cannot tell t_s from t_w; expected two "
			"sizes or more, as 'lockstep bench -m 1:1M' measures",
			key[FIT_OPERATION], key[FIT_ALGORITHM], key[FIT_TOPOLOGY], groups->group[i].count,
			groups->group[i].count == 1 ? "" : "s");
		if (fitted == 0)
			return EXIT_USAGE;
	}
	return EXIT_SUCCESS;
}

static int fit_rows(const struct output *output, const struct fit_rows *rows)
{
	struct groups groups = groups_of(rows);
	const int failed = print_unfitted(&groups);

	if (!failed && !output->quiet)
		output->format->write(output, &groups);
	groups_destroy(&groups);
	return failed;
}

int verb_fit(const struct options *options)
{
	struct fit_rows rows = { 0 };
	int failed = EXIT_SUCCESS;

	for (int i = 0; options->word[i] && !failed; i++)
		failed = fit_read(options->word[i], &rows);
	if (!failed && rows.count == 0)
		failed = print_error(EXIT_USAGE,
			rows.left_out ? "no row to fit has status ok; try to measure them again"
						  : "no rows to fit; expected two sizes or more, as 'lockstep bench -m "
							"1:1M' measures");
	if (!failed)
		failed = fit_rows(&options->output, &rows);
	if (!failed && rows.left_out > 0 && !options->output.quiet)
		print_error(EXIT_SUCCESS,
			"%zu rows whose status is not ok are left out; try to measure them again",
			rows.left_out);
	fit_destroy(&rows);
	return failed;
}
