/*
 * The first and the last element of a message hold a pattern of its round and its sender; the
 * elements between keep one pattern.  The receiver compares both ends of each message, and the
 * others of the last message after the run.
 */
#include "bench/pair.h"

#include "base/messages.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 128 }; /* two cache lines: adjacent lines are fetched in pairs */

static char *make_buffer(size_t bytes)
{
	return require_memory(aligned_alloc(LINE, (bytes / LINE + 1) * LINE));
}

static void find_processes(struct pair *pair, const ls_topology *topology)
{
	const struct local_ranks local = local_ranks_of(topology);
	int64_t *first = first_ranks(topology);

	for (int s = 0; s < 2; s++)
		pair->is_local[s] = local.first <= pair->node[s] && pair->node[s] < local.end;
	pair->crosses = shared_world()
		&& process_of_rank(first, pair->node[0]) != process_of_rank(first, pair->node[1]);
	free(first);
}

struct local_ranks pair_local_sides(const struct pair *pair)
{
	return (struct local_ranks){ !pair->is_local[0], 1 + pair->is_local[1] };
}

void pair_open(struct pair *pair, const ls_topology *topology, size_t count, size_t element)
{
	find_processes(pair, topology);
	pair->bytes = count * element;
	pair->element = element;
	for (int s = 0; s < 2; s++) {
		pair->side[s].sent = make_buffer(pair->bytes);
		pair->side[s].received = make_buffer(pair->bytes);
		for (size_t i = 0; i < pair->bytes; i++)
			pair->side[s].sent[i] = (char)(i * 31 + (size_t)s);
	}
}

void pair_close(struct pair *pair)
{
	for (int s = 0; s < 2; s++) {
		free(pair->side[s].sent);
		free(pair->side[s].received);
		pair->side[s].sent = pair->side[s].received = NULL;
	}
}

void pair_clear(struct pair *pair)
{
	for (int s = 0; s < 2; s++) {
		memset(pair->side[s].received, 0, pair->bytes);
		pair->side[s].wrong = 0;
	}
}

/* ---- Messages */

enum { PATTERN = 16 }; /* the longest element */

/* An odd factor: each byte changes from round to round and from side to side. */
static void make_pattern(int64_t round, int side, unsigned char pattern[PATTERN])
{
	const uint64_t value = ((uint64_t)round * 2 + (uint64_t)side + 1) * 0x9e3779b97f4a7c15;

	for (int i = 0; i < PATTERN; i += (int)sizeof value)
		memcpy(pattern + i, &value, sizeof value);
}

static int send_message(ls_node *me, struct pair *pair, int side)
{
	char *data = pair->side[side].sent;

	if (pair->bytes > 0) {
		unsigned char pattern[PATTERN];

		make_pattern(ls_round(me), side, pattern);
		memcpy(data, pattern, pair->element);
		memcpy(data + pair->bytes - pair->element, pattern, pair->element);
	}
	return ls_send(me, pair->node[!side], data, pair->bytes);
}

static bool is_right(const struct pair *pair, const char *data, int64_t round, int sender)
{
	unsigned char pattern[PATTERN];

	if (pair->bytes == 0)
		return true;
	make_pattern(round, sender, pattern);
	return memcmp(data, pattern, pair->element) == 0
		&& memcmp(data + pair->bytes - pair->element, pattern, pair->element) == 0;
}

static int receive_message(ls_node *me, struct pair *pair, int side)
{
	char *data = pair->side[side].received;
	const int status = ls_receive(me, pair->node[!side], data, pair->bytes);

	if (status == LS_OK)
		pair->side[side].wrong += !is_right(pair, data, ls_round(me), !side);
	return status;
}

int pair_exchange(ls_node *me, struct pair *pair, int side)
{
	const int status = send_message(me, pair, side);

	return status ? status : receive_message(me, pair, side);
}

int pair_stream(ls_node *me, struct pair *pair, int side)
{
	return side == 0 ? send_message(me, pair, side) : receive_message(me, pair, side);
}

/* The elements between the ends, which hold the last round of a sender that may be elsewhere. */
static int64_t count_wrong_last(const struct pair *pair, int receiver)
{
	const size_t ends = 2 * pair->element;

	if (!pair->is_local[receiver] || pair->bytes <= ends
		|| (receiver == 0 && pair->round == pair_stream))
		return 0;
	return memcmp(pair->side[receiver].received + pair->element,
			   pair->side[!receiver].sent + pair->element, pair->bytes - ends)
		!= 0;
}

int64_t pair_count_wrong(const struct pair *pair)
{
	int64_t wrong = 0;

	for (int s = 0; s < 2; s++)
		wrong += pair->side[s].wrong + count_wrong_last(pair, s);
	return wrong;
}

/* ---- Rounds */

int pair_side(const struct pair *pair, int64_t rank)
{
	return rank == pair->node[0] ? 0 : rank == pair->node[1] ? 1 : -1;
}

int pair_repeat(ls_node *me, struct pair *pair, size_t rounds)
{
	const int side = pair_side(pair, ls_rank(me));
	int status = LS_OK;

	for (size_t i = 0; i < rounds && status == LS_OK; i++) {
		status = pair->round(me, pair, side);
		if (status == LS_OK)
			status = ls_next_round(me);
	}
	return status;
}

int pair_align(ls_node *me, struct pair *pair)
{
	const int64_t peer = pair->node[!pair_side(pair, ls_rank(me))];
	char sent = 0, received;
	int status = ls_send(me, peer, &sent, 1);

	if (status == LS_OK)
		status = ls_receive(me, peer, &received, 1);
	return status ? status : ls_next_round(me);
}
