/*
 * Figures as text: a row a node, a column a round.
 */
#include "seeds.h"
#include "table.h"
#include "tool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 16 };

/* Blocks of an all-to-all are {x,y}, printed xy. */
static void pairs_text(const uint64_t atoms[2], int64_t p, char *text)
{
	text[0] = '\0';
	for (int i = 0; i < 128; i++)
		if (atoms[i / 64] >> i % 64 & 1)
			seed_add(text, text[0] ? " %d%d" : "%d%d", i / (int)p, i % (int)p);
}

static void blocks_text(const struct seed_play *play, const uint64_t atoms[2], char *text)
{
	if (ls_plan_operation(play->plan) == LS_ALLTOALL)
		pairs_text(atoms, play->nodes, text);
	else
		seed_set_text(atoms, text, SEED_TEXT);
}

void seed_cell_held(const struct seed_play *play, int64_t rank, char *text)
{
	blocks_text(play, play->held[rank], text);
}

void seed_cell_sent(const struct seed_play *play, int64_t rank, char *text)
{
	text[0] = '\0';
	for (size_t i = 0; i < play->messages; i++) {
		const struct seed_message *message = &play->message[i];
		char blocks[SEED_TEXT];
		uint64_t atoms[2] = { 0, 0 };

		if (message->src != rank)
			continue;
		for (int64_t k = 0; k < message->count; k++)
			for (int w = 0; w < 2; w++)
				atoms[w] |= message->value[k].atoms[w];
		blocks_text(play, atoms, blocks);
		seed_add(text, ">%" PRId64 " %s", message->dst, blocks);
	}
}

static void label_text(const ls_topology *t, int64_t rank, char *text)
{
	char label[64], number[32];

	ls_label(t, rank, label, sizeof label);
	snprintf(number, sizeof number, "%" PRId64, rank);
	snprintf(text, SEED_TEXT, strcmp(label, number) == 0 ? "%s" : "%s %s", number, label);
}

/* Cells come round by round and are printed node by node. */
static char **play_all(struct seed_play *play, bool before, seed_cell *cell, size_t *columns)
{
	const size_t p = (size_t)play->nodes;
	char **text = need(calloc(p * COLUMNS, sizeof *text)), one[SEED_TEXT];
	bool more = before || seed_play_round(play);

	for (*columns = 0; more && *columns < COLUMNS; ++*columns) {
		for (size_t r = 0; r < p; r++) {
			cell(play, (int64_t)r, one);
			text[r * COLUMNS + *columns] = need(strdup(one));
		}
		more = seed_play_round(play);
	}
	return text;
}

void seed_draw(const struct seed_run *run, int64_t first, const char *before, seed_cell *cell)
{
	static const char *const step[] = { "step 1", "step 2", "step 3", "step 4", "step 5", "step 6",
		"step 7", "step 8", "step 9", "step 10" };
	const char *head[COLUMNS + 2] = { "node" };
	char label[SEED_TEXT];
	struct seed_plan plan;
	size_t columns;

	if (!seed_open(run, run->networks, &plan, label)) {
		printf("%s\n", label);
		return;
	}

	struct seed_play play = seed_play_begin(plan.plan, first);
	char **text = play_all(&play, before, cell, &columns);

	for (size_t i = 0; i < columns; i++)
		head[i + 1] = before && i == 0 ? before : step[i - (before != NULL)];

	struct table table = table_begin(head);

	for (size_t r = 0; r < (size_t)play.nodes; r++) {
		label_text(plan.topology, (int64_t)r, label);
		table_cell(&table, "%s", label);
		for (size_t i = 0; i < columns; i++) {
			table_cell(&table, "%s", text[r * COLUMNS + i]);
			free(text[r * COLUMNS + i]);
		}
	}
	table_text(&table, 0);
	table_end(&table);
	free(text);
	seed_play_end(&play);
	seed_close(&plan);
}
