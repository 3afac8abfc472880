/*
 * Senders and receivers: nodes down, rounds across.
 */
#include "job/embedded.h"
#include "report/text_table.h"
#include "steps/step_text.h"

#include <inttypes.h>

enum { TABLE_NODES = 64, NAME = 12 };

/* ">4" sends to 4, "<4" receives from 4, "<>4" both; the length. */
static int cell_text(const struct ls_step *step, char *text, size_t size)
{
	int at = 0;

	text[0] = '\0';
	for (int q = 0; q < step->ports; q++) {
		const int64_t to = step->to[q], from = step->from[q];
		const char *gap = at > 0 ? " " : "";

		if (to != LS_NO_RANK && to == from)
			at += snprintf(text + at, size - (size_t)at, "%s<>%" PRId64, gap, to);
		else if (to != LS_NO_RANK)
			at += snprintf(text + at, size - (size_t)at, "%s>%" PRId64, gap, to);
		if (from != LS_NO_RANK && from != to)
			at += snprintf(text + at, size - (size_t)at, "%s<%" PRId64, at > 0 ? " " : "", from);
	}
	return at;
}

static int table_cell_width(const struct job *job)
{
	const int64_t nodes = ls_topology_nodes(job->topology);
	int width = 2;

	for (int64_t rank = 0; rank < nodes; rank++)
		for (int64_t step = 0; step < ls_plan_steps(job->plan); step++) {
			char text[200];
			struct ls_step what;

			host_step(job, rank, step, &what);

			const int length = cell_text(&what, text, sizeof text);

			width = length > width ? length : width;
		}
	return width;
}

/* Blanks are printed before what follows them, so that no line ends with them. */
static void print_table_row(const struct job *job, int64_t rank, int width, FILE *file)
{
	char text[300];
	int blanks;

	blanks = NAME - fprintf(file, "%.*s", node_text(job->topology, rank, text, sizeof text), text);
	for (int64_t step = 0; step < ls_plan_steps(job->plan); step++) {
		struct ls_step what;

		if (ls_plan_is_local(job->plan, step))
			continue;
		host_step(job, rank, step, &what);

		const int length = cell_text(&what, text, sizeof text);

		if (length > 0)
			fprintf(file, "%*s%s", blanks + 1, "", text);
		blanks = (length > 0 ? 0 : blanks + 1) + width - length;
	}
	fputc('\n', file);
}

void step_table(const struct job *job, FILE *file)
{
	const int64_t nodes = ls_topology_nodes(job->topology), rounds = ls_plan_rounds(job->plan);
	int width;

	if (nodes > TABLE_NODES || rounds == 0 || rounds > TEXT_WIDTH)
		return;
	width = table_cell_width(job);
	if (NAME + rounds * (width + 1) > TEXT_WIDTH)
		return;
	fprintf(file, "\n%-*s", NAME, "round");
	for (int64_t round = 1; round <= rounds; round++)
		fprintf(file, " %-*" PRId64, round < rounds ? width : 1, round);
	fputc('\n', file);
	for (int64_t rank = 0; rank < nodes; rank++)
		print_table_row(job, rank, width, file);
}
