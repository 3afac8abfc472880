/*
 * Are the fields of a drawing in their ranges, and do its plan and its records fit the network?
 */
#include "draw/drawing_check.h"

#include <inttypes.h>
#include <math.h>

#include "base/error.h"

int lsi_page_check(enum ls_theme theme, double width, struct ls_error *why)
{
	if ((unsigned)theme > LS_THEME_DARK)
		return lsi_error_set(
			why, LS_ERR_ARGUMENT, "theme is %d; expected an enum ls_theme", (int)theme);
	if (!(width >= 0 && width <= LSI_WIDTH_MOST))
		return lsi_error_set(
			why, LS_ERR_ARGUMENT, "width is %g mm; expected 0 to %d", width, LSI_WIDTH_MOST);
	return LS_OK;
}

static int check_choices(const struct ls_drawing *d, struct ls_error *why)
{
	const struct {
		const char *name;
		int value, last;
	} choice[] = { { "mode", (int)d->mode, LS_ROUTED },
		{ "values", (int)d->values, LS_VALUES_BOTH },
		{ "labels", (int)d->labels, LS_LABELS_NONE } };

	for (size_t i = 0; i < sizeof choice / sizeof *choice; i++) {
		if (choice[i].value < 0 || choice[i].value > choice[i].last)
			return lsi_error_set(why, LS_ERR_ARGUMENT, "drawing->%s is %d; expected 0 to %d",
				choice[i].name, choice[i].value, choice[i].last);
	}
	if (d->focus && d->x_axis == LS_X_AXIS_TIME)
		return lsi_error_set(
			why, LS_ERR_ARGUMENT, "a focus is drawn by rounds; try --x-axis rounds, or no focus");
	if (d->columns < 0)
		return lsi_error_set(
			why, LS_ERR_ARGUMENT, "drawing->columns is %d; expected 0 or more", d->columns);
	return LS_OK;
}

static int check_rounds(const struct ls_drawing *d, struct ls_error *why)
{
	if (d->first_round >= 0 && d->last_round >= 0
		&& (d->last_round == 0 || d->first_round <= d->last_round))
		return LS_OK;
	return lsi_error_set(why, LS_ERR_ARGUMENT,
		"the rounds %" PRId64 " to %" PRId64 " are no range; expected the first one first",
		d->first_round, d->last_round);
}

/* The plan is for the network, or for the guest of an embedding into it. */
static int check_plan(const struct ls_drawing *d, struct ls_error *why)
{
	const int64_t nodes = ls_topology_nodes(d->topology);
	const int64_t guests =
		d->embedding ? ls_topology_nodes(ls_embedding_guest(d->embedding)) : nodes;

	if (d->embedding && ls_topology_nodes(ls_embedding_host(d->embedding)) != nodes)
		return lsi_error_set(why, LS_ERR_ARGUMENT,
			"drawing->embedding is for another network; expected the host %s",
			ls_topology_spec(d->topology));
	if (d->plan && ls_plan_nodes(d->plan) != guests)
		return lsi_error_set(why, LS_ERR_ARGUMENT,
			"drawing->plan is for %" PRId64 " nodes; expected %" PRId64, ls_plan_nodes(d->plan),
			guests);
	return LS_OK;
}

static int check_records(const struct ls_drawing *d, struct ls_error *why)
{
	const int64_t nodes = d->embedding ? ls_topology_nodes(ls_embedding_guest(d->embedding))
									   : ls_topology_nodes(d->topology);

	if (d->n_records > 0 && !d->records)
		return lsi_error_set(
			why, LS_ERR_ARGUMENT, "drawing->records is NULL; expected %zu records", d->n_records);
	for (size_t i = 0; i < d->n_records; i++) {
		const struct ls_record *r = &d->records[i];

		if (r->round < 1)
			return lsi_error_set(why, LS_ERR_ARGUMENT,
				"record %zu: the round is %" PRId64 "; expected 1 or more", i, r->round);
		if (r->src < 0 || r->src >= nodes || r->dst < 0 || r->dst >= nodes)
			return lsi_error_set(why, LS_ERR_ARGUMENT,
				"record %zu: a message from %" PRId64 " to %" PRId64
				"; expected ranks from 0 to %" PRId64,
				i, r->src, r->dst, nodes - 1);
		if (r->words > INT64_MAX)
			return lsi_error_set(why, LS_ERR_ARGUMENT,
				"record %zu: a message of %zu words; expected less than 2^63", i, r->words);
	}
	return LS_OK;
}

static int check_positions(const struct ls_drawing *d, struct ls_error *why)
{
	for (int64_t v = 0; d->positions && v < ls_topology_vertices(d->topology); v++) {
		const double x = d->positions[2 * v], y = d->positions[2 * v + 1];

		if (!(fabs(x) <= LSI_POSITION_MOST && fabs(y) <= LSI_POSITION_MOST))
			return lsi_error_set(why, LS_ERR_ARGUMENT,
				"vertex %" PRId64 ": the position is %g, %g; expected magnitudes up to %d", v, x, y,
				LSI_POSITION_MOST);
	}
	return LS_OK;
}

int lsi_drawing_check(const struct ls_drawing *d, struct ls_error *why)
{
	int failed = lsi_page_check(d->theme, d->width, why);

	if (!failed)
		failed = check_choices(d, why);
	if (!failed)
		failed = check_rounds(d, why);
	if (!failed)
		failed = check_plan(d, why);
	if (!failed)
		failed = check_records(d, why);
	return failed ? failed : check_positions(d, why);
}
