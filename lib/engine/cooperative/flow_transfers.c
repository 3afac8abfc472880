#include "engine/cooperative/flow_transfers.h"

#include <stdlib.h>

#include <lockstep/status.h>

#include "base/alloc.h"
#include "engine/cooperative/flow.h"

enum { BITS = 64 };

/* Binary search: several processes may begin at one rank, and the last of them has it. */
int lsi_division_process(const struct lsi_division *division, int64_t rank)
{
	int low = 0, high = division->processes;

	while (high - low > 1) {
		const int middle = low + (high - low) / 2;

		*(division->first[middle] <= rank ? &low : &high) = middle;
	}
	return low;
}

void lsi_flow_transfers_init(struct lsi_flow_transfers *t, const struct lsi_division *division)
{
	*t = (struct lsi_flow_transfers){ .division = *division };
}

void lsi_flow_transfers_release(struct lsi_flow_transfers *t)
{
	lsi_free(t->present);
	lsi_free(t->transfer);
}

/* ---- Which process has which value */

/* The bits of a value are adjacent, so few words are read for one. */
static size_t bit_of(const struct lsi_flow_transfers *t, uint32_t value, int process)
{
	return (size_t)value * (size_t)t->division.processes + (size_t)process;
}

/* Bits behind the end are 0: no process has that value yet. */
static bool is_present(const struct lsi_flow_transfers *t, uint32_t value, int process)
{
	const size_t bit = bit_of(t, value, process);

	return bit / BITS < t->words && (t->present[bit / BITS] >> bit % BITS & 1);
}

/* Make room for a bit; new words are 0. */
static bool reserve_bits(struct lsi_flow_transfers *t, size_t bits)
{
	const size_t words = 2 * (bits / BITS + 1);
	uint64_t *present;

	if (bits / BITS < t->words)
		return true;
	present = lsi_alloc_grow(t->present, t->words * sizeof *present, words * sizeof *present);
	if (!present)
		return false;
	for (size_t i = t->words; i < words; i++)
		present[i] = 0;
	t->present = present;
	t->words = words;
	return true;
}

bool lsi_flow_transfers_compute(struct lsi_flow_transfers *t, uint32_t value, int process)
{
	const size_t bit = bit_of(t, value, process);

	if (!reserve_bits(t, bit))
		return false;
	t->present[bit / BITS] |= (uint64_t)1 << bit % BITS;
	return true;
}

bool lsi_flow_transfers_compute_leaves(struct lsi_flow_transfers *t, int64_t nodes, uint32_t inputs)
{
	for (int64_t u = 0; u < nodes; u++) {
		const int process = lsi_division_process(&t->division, u);

		for (uint32_t b = 0; b < inputs; b++) {
			if (!lsi_flow_transfers_compute(t, (uint32_t)u * inputs + b + 1, process))
				return false;
		}
	}
	return true;
}

/* ---- Transfers */

void lsi_flow_transfers_begin(struct lsi_flow_transfers *t)
{
	t->exchange += t->crosses;
	t->crosses = false;
}

/* Add to the list of this process. */
static int append(struct lsi_flow_transfers *t, struct lsi_flow_transfer transfer)
{
	if (t->n == t->capacity) {
		const size_t capacity = t->capacity ? 2 * t->capacity : 64;
		struct lsi_flow_transfer *grown;

		if (capacity > LSI_FLOW_CELLS)
			return LS_ERR_UNSUPPORTED;
		grown = lsi_alloc_grow(t->transfer, t->n * sizeof *grown, capacity * sizeof *grown);
		if (!grown)
			return LS_ERR_MEMORY;
		t->transfer = grown;
		t->capacity = capacity;
	}
	transfer.order = (uint32_t)t->n;
	t->transfer[t->n++] = transfer;
	return LS_OK;
}

/* All processes note the transfer; its ends list it. */
static int transfer_value(struct lsi_flow_transfers *t, uint32_t value, int from, int to)
{
	const int own = t->division.process;

	if (!lsi_flow_transfers_compute(t, value, to))
		return LS_ERR_MEMORY;
	t->crosses = true;
	if (from != own && to != own)
		return LS_OK;
	return append(t,
		(struct lsi_flow_transfer){ .exchange = t->exchange,
			.value = value,
			.peer = from == own ? to : from,
			.sends = from == own });
}

int lsi_flow_transfers_add(
	struct lsi_flow_transfers *t, int64_t from, int64_t to, const uint32_t *value, int64_t values)
{
	const int sender = lsi_division_process(&t->division, from);
	const int receiver = lsi_division_process(&t->division, to);
	int failed = LS_OK;

	for (int64_t k = 0; k < values && sender != receiver && !failed; k++) {
		if (!is_present(t, value[k], receiver))
			failed = transfer_value(t, value[k], sender, receiver);
	}
	return failed;
}

/* The order of the walk comes last; it is the same at both ends. */
static int compare_transfers(const void *a, const void *b)
{
	const struct lsi_flow_transfer *one = a, *other = b;

	if (one->exchange != other->exchange)
		return one->exchange < other->exchange ? -1 : 1;
	if (one->sends != other->sends)
		return one->sends ? -1 : 1;
	if (one->peer != other->peer)
		return one->peer < other->peer ? -1 : 1;
	return one->order < other->order ? -1 : 1;
}

void lsi_flow_transfers_sort(struct lsi_flow_transfers *t)
{
	if (t->n > 1)
		qsort(t->transfer, t->n, sizeof *t->transfer, compare_transfers);
}
