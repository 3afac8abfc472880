#include "engine/flow.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/alloc.h"
#include "engine/flow_bind.h"

int ls_flow_make(const struct ls_plan *plan, struct ls_flow **out)
{
	struct ls_flow *flow = ls_alloc_zero(1, sizeof *flow);
	struct ls_values values;
	int failed = flow ? ls_values_make(plan, &values) : LS_ERR_MEMORY;

	if (flow && !failed) {
		flow->plan = plan;
		failed = ls_moves_make(&values, &flow->moves);
	}
	if (flow)
		ls_values_release(&values);
	if (failed)
		ls_flow_destroy(flow);
	else
		*out = flow;
	return failed;
}

void ls_flow_destroy(struct ls_flow *flow)
{
	if (!flow)
		return;
	ls_moves_release(&flow->moves);
	ls_free(flow->batch);
	ls_free(flow);
}

/* ---- Copies */

/* Few bytes without a call. */
static inline void copy(void *to, const void *from, size_t bytes)
{
	if (bytes == 8)
		memcpy(to, from, 8);
	else if (bytes == 16)
		memcpy(to, from, 16);
	else
		memcpy(to, from, bytes);
}

#ifdef __SSE2__
/* Past the caches: whole vectors at aligned addresses, the rest as ever. */
static void stream(char *to, const char *from, size_t bytes)
{
	enum { VECTOR = sizeof(__m128i), LINE = 4 * VECTOR };
	size_t head = -(uintptr_t)to % LINE;

	head = head < bytes ? head : bytes;
	memcpy(to, from, head);
	for (to += head, from += head, bytes -= head; bytes >= LINE; bytes -= LINE) {
		const __m128i *in = (const __m128i *)(const void *)from;
		__m128i *out = (__m128i *)(void *)to;
		const __m128i a = _mm_loadu_si128(in), b = _mm_loadu_si128(in + 1),
					  c = _mm_loadu_si128(in + 2), d = _mm_loadu_si128(in + 3);

		_mm_stream_si128(out, a);
		_mm_stream_si128(out + 1, b);
		_mm_stream_si128(out + 2, c);
		_mm_stream_si128(out + 3, d);
		to += LINE;
		from += LINE;
	}
	memcpy(to, from, bytes);
}

static void stream_end(void)
{
	_mm_sfence();
}
#else
static void stream(char *to, const char *from, size_t bytes)
{
	memcpy(to, from, bytes);
}

static void stream_end(void)
{
}
#endif

/* ---- Execution */

struct run {
	const struct ls_flow *flow;
	const struct ls_combine *combine;
	void *const *base;
	char *temporaries;
	bool streaming;
};

/* Memory of an operand `skip` bytes on; temporaries hold one strip. */
static inline char *address(const struct run *r, struct ls_place place, size_t at, size_t skip)
{
	if (place.base == LS_TEMPORARY)
		return r->temporaries + at;
	return (char *)r->base[place.base] + at + skip;
}

/* The moves first .. last - 1 over `bytes` bytes from `skip` on. */
static void execute_moves(const struct run *r, const struct ls_flow_move *m,
	const struct ls_flow_move *end, size_t skip, size_t bytes)
{
	const size_t elements = bytes / r->flow->size;

	for (; m < end; m++) {
		char *dst = address(r, m->dst, m->dst_at, skip);
		const char *a = address(r, m->a, m->a_at, skip);

		if (m->b.base != LS_NOWHERE)
			ls_combine(r->combine, dst, a, address(r, m->b, m->b_at, skip), elements);
		else if (r->streaming && m->dst.base != LS_TEMPORARY)
			stream(dst, a, bytes);
		else
			copy(dst, a, bytes);
	}
}

/* The strips of a component between two offsets. */
static void execute_component(
	const struct run *r, const struct ls_component *c, size_t from, size_t to)
{
	const struct ls_moves *moves = &r->flow->moves;
	const int list = r->streaming && moves->combines ? LS_STAGED : LS_DIRECT;
	const struct ls_flow_move *move = moves->move[list];
	const size_t end = to < c->bytes ? to : c->bytes, strip = r->flow->strip;

	for (size_t skip = from; skip < end; skip += strip)
		execute_moves(r, move + c[0].first[list], move + c[1].first[list], skip,
			end - skip < strip ? end - skip : strip);
}

void ls_flow_execute(const struct ls_flow *flow, const struct ls_combine *combine,
	void *const base[], char *temporaries, int64_t first, int64_t last, bool streaming)
{
	const struct run run = { flow, combine, base, temporaries, streaming };
	const struct ls_component *component = flow->moves.component;

	for (int64_t unit = first; unit < last; unit++) {
		const size_t strip = (size_t)unit * flow->strip;
		const uint32_t begin = flow->batch ? flow->batch[unit] : 0;
		const uint32_t end = flow->batch ? flow->batch[unit + 1] : flow->moves.components;

		for (uint32_t i = begin; i < end; i++)
			execute_component(&run, &component[i], flow->batch ? 0 : strip,
				flow->batch ? SIZE_MAX : strip + flow->strip);
	}
	if (streaming)
		stream_end();
}
