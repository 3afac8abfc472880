/*
 * The verification of messages that `lockstep bench` exchanges between two nodes.  Correct
 * messages pass.  A wrong first or last element of any message is counted, and a wrong element
 * between them in the last message.
 */
#include <string.h>

/* compile: -Idemo/lockstep */
#include "../demo/lockstep/base/messages.c"
#include "../demo/lockstep/bench/pair.c"
#include "test.h"

enum { ROUNDS = 7 };

/* One process has all nodes. */
ls_world *shared_world(void)
{
	return NULL;
}

struct local_ranks local_ranks_of(const ls_topology *topology)
{
	return (struct local_ranks){ 0, ls_topology_nodes(topology) };
}

int64_t *first_ranks(const ls_topology *topology)
{
	(void)topology;
	return NULL;
}

int process_of_rank(const int64_t *first, int64_t rank)
{
	(void)first;
	return rank < 0;
}

static int program(ls_node *me, void *argument)
{
	struct pair *pair = argument;
	const int status = pair_side(pair, ls_rank(me)) < 0 ? LS_OK : pair_align(me, pair);

	return status || pair_side(pair, ls_rank(me)) < 0 ? status : pair_repeat(me, pair, ROUNDS);
}

/* The sender damages one byte of each message. */
static size_t damaged;
static int send_damaged(ls_node *me, struct pair *pair, int side)
{
	unsigned char pattern[PATTERN];

	if (side == 1)
		return receive_message(me, pair, side);
	make_pattern(ls_round(me), side, pattern);
	memcpy(pair->side[0].sent, pattern, pair->element);
	memcpy(pair->side[0].sent + pair->bytes - pair->element, pattern, pair->element);
	pair->side[0].sent[damaged] ^= 1;
	return ls_send(me, pair->node[1], pair->side[0].sent, pair->bytes);
}

static ls_topology *topology;

static int64_t count_wrong(struct pair *pair, enum ls_rounds rounds, pair_program *round)
{
	const struct ls_machine_options options = { .size = sizeof options, .rounds = rounds };
	ls_machine *machine = NULL;

	CHECK(ls_machine_make(topology, &options, &machine) == LS_OK, "machine");
	pair->round = round;
	pair_clear(pair);

	const int status = ls_run(machine, program, pair);

	CHECK(status == LS_OK, "%s", ls_status_name(status));
	if (round == send_damaged)
		pair->round = pair_stream; /* nothing is sent to side 0 */
	ls_machine_destroy(machine);
	return pair_count_wrong(pair);
}

static void check_size(size_t count, size_t element, enum ls_rounds rounds)
{
	struct pair pair = { .node = { 2, 3 } };
	int64_t wrong;

	pair_open(&pair, topology, count, element);
	wrong = count_wrong(&pair, rounds, pair_exchange);
	CHECK(wrong == 0, "exchange of %zu x %zu: %lld wrong", count, element, (long long)wrong);
	wrong = count_wrong(&pair, rounds, pair_stream);
	CHECK(wrong == 0, "stream of %zu x %zu: %lld wrong", count, element, (long long)wrong);
	if (count > 2) {
		pair.side[1].received[pair.bytes / 2] ^= 1;
		wrong = pair_count_wrong(&pair);
		CHECK(wrong == 1, "between, %zu x %zu: %lld wrong", count, element, (long long)wrong);
	}
	for (int end = 0; end < 2 && count > 0; end++) {
		damaged = end ? pair.bytes - 1 : 0;
		wrong = count_wrong(&pair, rounds, send_damaged);
		CHECK(wrong == ROUNDS, "byte %zu of %zu x %zu: %lld wrong", damaged, count, element,
			(long long)wrong);
	}
	pair_close(&pair);
}

int main(void)
{
	static const size_t counts[] = { 0, 1, 2, 3, 100, 100000 }, elements[] = { 1, 2, 4, 8, 16 };

	CHECK(ls_topology_make("ring:4", &topology, NULL) == LS_OK, "ring:4");
	for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
		for (size_t e = 0; e < sizeof elements / sizeof *elements; e++) {
			check_size(counts[c], elements[e], LS_FREE);
			check_size(counts[c], elements[e], LS_LOCKSTEP);
		}
	ls_topology_destroy(topology);
	return test_result();
}
