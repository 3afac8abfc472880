/*
 * Replays three readings of the procedure in Figure 2 of the star paper, node by node.
 *
 * In step 4 a node has to "send the local sum" along the links d = n - 1 .. 2.  The local sum can
 * be the number received on link n, the sum of the node itself, or the sum of all numbers received
 * since link n.
 */
#include "reproduce/star_paper.h"
#include "reproduce/evidence.h"
#include "report/text_table.h"
#include "base/messages.h"

#include <inttypes.h>
#include <stdlib.h>

enum { NODES = 120, STEPS = 10 }; /* of S_5 */
enum reading { RECEIVED, OWN, GROWING };

struct buffers {
	int64_t result, outgoing;
};

struct star_replay {
	const ls_topology *star;
	enum reading reading;
	int steps, link[STEPS];
	struct buffers after[STEPS][NODES];
	int64_t sum[NODES];
};

/* Link k swaps the symbols in positions 1 and k; its index is k - 2. */
static int64_t neighbor_on(const struct star_replay *replay, int64_t node, int k)
{
	return ls_neighbor(replay->star, node, k - 2);
}

static void exchange_sums(struct star_replay *replay, int k)
{
	struct buffers *now = replay->after[replay->steps];

	for (int64_t r = 0; r < ls_topology_nodes(replay->star); r++)
		now[r] = (struct buffers){ replay->sum[r], replay->sum[neighbor_on(replay, r, k)] };
	replay->link[replay->steps++] = k;
}

static void forward_numbers(struct star_replay *replay, int d)
{
	const struct buffers *before = replay->after[replay->steps - 1];
	struct buffers *now = replay->after[replay->steps];

	for (int64_t r = 0; r < ls_topology_nodes(replay->star); r++) {
		const int64_t from = neighbor_on(replay, r, d);
		const int64_t number = replay->reading == OWN ? replay->sum[from] : before[from].outgoing;

		now[r] = before[r];
		*(replay->reading == GROWING ? &now[r].outgoing : &now[r].result) += number;
	}
	replay->link[replay->steps++] = d;
}

static void all_reduce(struct star_replay *replay, int n)
{
	for (int64_t r = 0; r < ls_topology_nodes(replay->star); r++)
		replay->sum[r] = r + 1;
	for (int k = 2; k <= n; k++) {
		exchange_sums(replay, k);
		for (int d = k - 1; d >= 2; d--)
			forward_numbers(replay, d);
		for (int64_t r = 0; r < ls_topology_nodes(replay->star); r++) {
			const struct buffers last = replay->after[replay->steps - 1][r];

			replay->sum[r] = last.result + last.outgoing;
		}
	}
}

static struct star_replay *replay_make(int n, enum reading reading)
{
	struct star_replay *replay = require_memory(calloc(1, sizeof *replay));
	ls_topology *star = NULL;
	char spec[16];

	snprintf(spec, sizeof spec, "star:%d", n);
	if (ls_topology_make(spec, &star, NULL) != LS_OK)
		exit(print_error(EXIT_RESOURCE, "no memory for %s; try a machine with more memory", spec));
	record_method(METHOD_PROCEDURE, ls_topology_nodes(star));
	replay->star = star;
	replay->reading = reading;
	all_reduce(replay, n);
	return replay;
}

static void replay_destroy(struct star_replay *replay)
{
	ls_topology_destroy((ls_topology *)replay->star);
	free(replay);
}

/* Check that every node ends with 1 + 2 + .. + n! for n = 2 .. 5. */
static void check_reading(enum reading reading, char *found)
{
	int wrong = 0;

	for (int n = 2; n <= 5 && wrong == 0; n++) {
		struct star_replay *replay = replay_make(n, reading);
		const int64_t p = ls_topology_nodes(replay->star);

		for (int64_t r = 0; r < p; r++)
			if (replay->sum[r] != p * (p + 1) / 2)
				wrong = n;
		replay_destroy(replay);
	}
	if (wrong)
		snprintf(found, FOUND_SIZE, "wrong sums from n = %d", wrong);
	else
		snprintf(found, FOUND_SIZE, "the sum at every node, n = 2 .. 5");
}

void find_reading_received(const struct claim *claim, char *found)
{
	(void)claim;
	check_reading(RECEIVED, found);
}

void find_reading_own(const struct claim *claim, char *found)
{
	(void)claim;
	check_reading(OWN, found);
}

void find_reading_growing(const struct claim *claim, char *found)
{
	(void)claim;
	check_reading(GROWING, found);
}

static void draw_star(int n)
{
	static const char *const name[] = { "", "", "link 2", "link 3", "link 4" };
	struct star_replay *replay = replay_make(n, RECEIVED);
	const char *head[STEPS + 4] = { "node", "#value" };
	char label[16];

	for (int i = 0; i < replay->steps; i++)
		head[i + 2] = name[replay->link[i]];
	head[replay->steps + 2] = "#sum";

	struct table table = table_begin(head);

	for (int64_t r = 0; r < ls_topology_nodes(replay->star); r++) {
		ls_label(replay->star, r, label, sizeof label);
		table_cell(&table, "%s", label);
		table_cell(&table, "%" PRId64, r + 1);
		for (int i = 0; i < replay->steps; i++)
			table_cell(&table, "[%" PRId64 "](%" PRId64 ")", replay->after[i][r].result,
				replay->after[i][r].outgoing);
		table_cell(&table, "%" PRId64, replay->sum[r]);
	}
	table_text(&table, 0);
	table_end(&table);
	replay_destroy(replay);
}

void draw_star_3(void)
{
	draw_star(3);
}

void draw_star_4(void)
{
	draw_star(4);
}
