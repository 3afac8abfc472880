#include "engine/cooperative/flow.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/alloc.h"
#include "engine/cooperative/flow_bind.h"
#include "engine/cooperative/flow_graph.h"

int lsi_flow_make_of(const struct lsi_flow_values *values, const struct lsi_flow_results *results,
	const struct lsi_flow_slots *slots, struct lsi_flow **out)
{
	struct lsi_flow *flow = lsi_alloc_cache_aligned(sizeof *flow);
	int failed;

	if (!flow)
		return LS_ERR_MEMORY;
	flow->plan = values->plan;
	flow->slots = slots;
	failed = lsi_flow_moves_make(values, results, &flow->moves);
	if (failed)
		lsi_flow_destroy(flow);
	else
		*out = flow;
	return failed;
}

int lsi_flow_make(const struct ls_plan *plan, struct lsi_flow **out)
{
	struct lsi_flow_results results = { 0 };
	struct lsi_flow_values values;
	int failed = lsi_flow_values_make(plan, NULL, &values);

	if (!failed)
		failed = lsi_flow_results_make(&values, 0, plan->problem.nodes, &results);
	if (!failed)
		failed = lsi_flow_make_of(&values, &results, NULL, out);
	lsi_free(results.at);
	lsi_flow_values_release(&values);
	return failed;
}

void lsi_flow_destroy(struct lsi_flow *flow)
{
	if (!flow)
		return;
	lsi_flow_moves_release(&flow->moves);
	lsi_free(flow->batch);
	lsi_free(flow);
}

/* ---- Copies */

enum { LINE = LSI_CACHE_LINE };

#ifdef __SSE2__
/*
 * Copy whole lines past the caches, and the rest through them. Each line prefetches a line that is
 * read later, so that memory is read and written at once; without this an all-reduce took 1.4
 * times as long.
 */
static void copy_streaming(char *to, const char *from, size_t bytes, const char *next)
{
	size_t head = -(uintptr_t)to % LINE;

	head = head < bytes ? head : bytes;
	memcpy(to, from, head);
	for (to += head, from += head, bytes -= head; bytes >= LINE; bytes -= LINE) {
		const __m128i *in = (const __m128i *)(const void *)from;
		__m128i *out = (__m128i *)(void *)to;
		const __m128i a = _mm_loadu_si128(in), b = _mm_loadu_si128(in + 1),
					  c = _mm_loadu_si128(in + 2), d = _mm_loadu_si128(in + 3);

		if (next) {
			__builtin_prefetch(next);
			next += LINE;
		}
		_mm_stream_si128(out, a);
		_mm_stream_si128(out + 1, b);
		_mm_stream_si128(out + 2, c);
		_mm_stream_si128(out + 3, d);
		to += LINE;
		from += LINE;
	}
	memcpy(to, from, bytes);
}

static void end_streaming(void)
{
	_mm_sfence();
}
#else
static void copy_streaming(char *to, const char *from, size_t bytes, const char *next)
{
	(void)next;
	lsi_copy(to, from, bytes);
}

static void end_streaming(void)
{
}
#endif

/* ---- Execution */

struct run {
	const struct lsi_flow *flow;
	const struct lsi_operator *combine;
	void *const *base;
	char *temporaries;
	bool streaming, backward;
};

/* The memory of an operand from byte `skip` on; a temporary holds one strip. */
static inline char *address_of(
	const struct run *r, struct lsi_block_ref place, size_t at, size_t skip)
{
	if (place.base == LSI_TEMPORARY)
		return r->temporaries + at;
	return (char *)r->base[place.base] + at + skip;
}

/* Whether a move only copies the result of the move before it. */
static inline bool copies_result(const struct lsi_flow_move *copy, const struct lsi_flow_move *m)
{
	return copy->copies && copy->a.base == m->dst.base && copy->a_at == m->dst_at;
}

/* Execute the moves up to `end` on `bytes` bytes from `skip` on; `more`: as many bytes follow. */
static void execute_moves(const struct run *r, const struct lsi_flow_move *m,
	const struct lsi_flow_move *end, size_t skip, size_t bytes, bool more)
{
	const size_t elements = bytes / r->flow->size;

	for (; m < end; m++) {
		char *dst = address_of(r, m->dst, m->dst_at, skip);
		const char *a = address_of(r, m->a, m->a_at, skip);

		if (m->copies && r->streaming && m->dst.base != LSI_TEMPORARY) {
			copy_streaming(dst, a, bytes,
				more && m->b.base != LSI_NO_BLOCK ? address_of(r, m->b, m->b_at, skip + bytes)
												  : NULL);
		} else if (m->copies) {
			lsi_copy(dst, a, bytes);
		} else if (r->streaming || m + 1 == end || !copies_result(m + 1, m)) {
			lsi_combine(r->combine, dst, a, address_of(r, m->b, m->b_at, skip), elements);
		} else {
			const char *b = address_of(r, m->b, m->b_at, skip);

			m++;
			lsi_combine_twice(
				r->combine, dst, address_of(r, m->dst, m->dst_at, skip), a, b, elements);
		}
	}
}

/* Execute a component, strip by strip, between two offsets. */
static void execute_component(
	const struct run *r, const struct lsi_component *c, size_t from, size_t to)
{
	const struct lsi_flow_moves *moves = &r->flow->moves;
	const int list = r->streaming && moves->combines ? LSI_STAGED : LSI_DIRECT;
	const struct lsi_flow_move *move = moves->move[list];
	const size_t end = to < c->bytes ? to : c->bytes, strip = r->flow->strip;
	const size_t all = from < end ? end - from : 0;
	size_t bytes = r->backward && all > strip && all % strip ? all % strip : strip;

	for (size_t done = 0; done < all; done += bytes, bytes = strip) {
		if (bytes > all - done)
			bytes = all - done;

		const size_t skip = r->backward ? end - done - bytes : from + done;

		execute_moves(r, move + c[0].first[list], move + c[1].first[list], skip, bytes,
			c->bytes - skip >= 2 * strip);
	}
}

static void execute_components(
	const struct run *r, uint32_t first, uint32_t last, size_t from, size_t to)
{
	const struct lsi_flow_moves *moves = &r->flow->moves;
	const uint32_t *order = last - first == moves->components ? moves->by_operand : NULL;

	for (uint32_t i = first; i < last; i++) {
		const uint32_t k = r->backward ? first + last - 1 - i : i;

		execute_component(r, &moves->component[order ? order[k] : k], from, to);
	}
}

void lsi_flow_execute(const struct lsi_flow *flow, const struct lsi_operator *combine,
	struct lsi_flow_memory memory, int64_t first, int64_t last, enum lsi_flow_direction way)
{
	const bool streaming = way == LSI_STREAMING, backward = way == LSI_BACKWARD;
	const struct run run = { flow, combine, memory.base, memory.temporaries, streaming, backward };
	const uint32_t components = flow->moves.components;
	const size_t strip = flow->strip;

	if (flow->batch && first < last)
		execute_components(&run, flow->batch[first], flow->batch[last], 0, SIZE_MAX);
	/* All components that read an operand read it while it is in the cache. */
	for (int64_t i = first; i < last && !flow->batch && flow->moves.shared; i++) {
		const size_t from = (size_t)(backward ? first + last - 1 - i : i) * strip;

		execute_components(&run, 0, components, from, from + strip);
	}
	if (!flow->batch && !flow->moves.shared)
		execute_components(&run, 0, components, (size_t)first * strip, (size_t)last * strip);
	if (streaming)
		end_streaming();
}
