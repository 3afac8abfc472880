/*
 * Figures as text: one row per node, one column per round.
 */
#include "reproduce/reproduce.h"
#include "report/text_table.h"
#include "base/messages.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 16 };

/* The block from x to y of an all-to-all is printed as xy. */
static void format_pairs(struct origins origins, int64_t p, char *text)
{
	text[0] = '\0';
	for (int i = 0; i < 128; i++)
		if (has_origin(origins, i))
			append_text(text, text[0] ? " %d%d" : "%d%d", i / (int)p, i % (int)p);
}

static void format_blocks(const struct origin_replay *replay, struct origins origins, char *text)
{
	if (ls_plan_operation(replay->plan) == LS_ALLTOALL)
		format_pairs(origins, replay->nodes, text);
	else
		format_origins(origins, text, FOUND_SIZE);
}

void write_held_blocks(const struct origin_replay *replay, int64_t rank, char *text)
{
	format_blocks(replay, replay->held[rank], text);
}

void write_sent_blocks(const struct origin_replay *replay, int64_t rank, char *text)
{
	text[0] = '\0';
	for (int64_t i = 0; i < replay->terms.messages; i++) {
		const struct term_message *message = &replay->terms.message[i];
		char blocks[FOUND_SIZE];

		if (message->src != rank)
			continue;
		format_blocks(replay, origins_of_message(replay, message), blocks);
		append_text(text, ">%" PRId64 " %s", message->dst, blocks);
	}
}

static void format_node(const ls_topology *t, int64_t rank, char *text)
{
	char label[64], number[32];

	ls_label(t, rank, label, sizeof label);
	snprintf(number, sizeof number, "%" PRId64, rank);
	snprintf(text, FOUND_SIZE, strcmp(label, number) == 0 ? "%s" : "%s %s", number, label);
}

/* Collects the cells round by round, to print them node by node. */
struct grid {
	const char *head[COLUMNS + 2];
	char name[COLUMNS][16], **text;
	size_t columns;
};

static void add_column(struct grid *grid, const struct origin_replay *replay, cell_writer *cell)
{
	const size_t column = grid->columns++;
	char one[FOUND_SIZE];

	for (size_t r = 0; r < (size_t)replay->nodes; r++) {
		cell(replay, (int64_t)r, one);
		grid->text[r * COLUMNS + column] = require_memory(strdup(one));
	}
	snprintf(grid->name[column], sizeof *grid->name, "step %d", (int)replay->round);
	grid->head[column + 1] = grid->name[column];
}

static void print_rows(struct grid *grid, const ls_topology *topology)
{
	struct table table = table_begin(grid->head);
	char label[FOUND_SIZE];

	for (size_t r = 0; r < (size_t)ls_topology_nodes(topology); r++) {
		format_node(topology, (int64_t)r, label);
		table_cell(&table, "%s", label);
		for (size_t i = 0; i < grid->columns; i++) {
			table_cell(&table, "%s", grid->text[r * COLUMNS + i]);
			free(grid->text[r * COLUMNS + i]);
		}
	}
	table_text(&table, 0);
	table_end(&table);
}

void draw_rounds(const struct claim_run *run, int every, const char *before, cell_writer *cell)
{
	struct grid grid = { .head = { "node" } };
	char error[FOUND_SIZE];
	struct claim_plan plan;

	if (!open_claim_plan(run, run->networks, &plan, error)) {
		printf("%s\n", error);
		return;
	}

	struct origin_replay replay = origin_replay_begin(plan.plan);

	grid.text = require_memory(calloc((size_t)replay.nodes * COLUMNS, sizeof *grid.text));
	if (before) {
		add_column(&grid, &replay, cell);
		grid.head[1] = before;
	}
	while (grid.columns < COLUMNS && origin_replay_round(&replay))
		if (replay.round % every == 0)
			add_column(&grid, &replay, cell);
	print_rows(&grid, plan.topology);
	free(grid.text);
	origin_replay_end(&replay);
	close_claim_plan(&plan);
}
