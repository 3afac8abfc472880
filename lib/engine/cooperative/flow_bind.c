#include "engine/cooperative/flow_bind.h"

#include "base/alloc.h"
#include "base/math.h"

enum {
	FIRST_CACHE_BYTES = 40 << 10,   /* the strips of a component: about a first-level cache */
	SECOND_CACHE_BYTES = 256 << 10, /* the same for the staged list: part of a second-level cache */
	STRIP_MIN = 1 << 10,            /* in shorter strips, the cost of kernel calls is noticeable */
	STRIP_MAX = 8 << 10,
	STRIP_COPIED = 32 << 10,
	TINY_BYTES = 16 << 10, /* smaller work is one unit, because it is not worth a second thread */
	BATCHES = 8            /* per worker */
};

/* ---- Offsets */

static bool is_slot(const struct lsi_flow *flow, struct lsi_block_ref place)
{
	return flow->slots && place.base == flow->slots->base;
}

static size_t offset_of(const struct lsi_flow *flow, struct lsi_block_ref place)
{
	if (is_slot(flow, place))
		return flow->slots->at[place.block];
	return flow->size
		* lsi_buffer_offset(
			flow->plan, place.base % 2 ? LS_OUTPUT : LS_INPUT, place.block, &flow->measure);
}

/* Elements of a block. */
static size_t length_of(const struct lsi_flow *flow, struct lsi_block_ref place)
{
	return is_slot(flow, place)
		? lsi_flow_slot_length(flow->plan, flow->slots, place.block, &flow->measure)
		: lsi_buffer_length(flow->plan, place.base / 2, place.base % 2 ? LS_OUTPUT : LS_INPUT,
			place.block, &flow->measure);
}

static size_t bytes_of(const struct lsi_flow *flow, struct lsi_block_span span)
{
	const struct lsi_block_ref first = span.place;
	const struct lsi_block_ref last = { first.base, first.block + span.blocks - 1 };

	return offset_of(flow, last) - offset_of(flow, first) + flow->size * length_of(flow, last);
}

static void place_moves(struct lsi_flow *flow, int list, size_t slot)
{
	for (uint32_t i = 0; i < flow->moves.moves[list]; i++) {
		struct lsi_flow_move *m = &flow->moves.move[list][i];
		const struct lsi_block_ref place[] = { m->dst, m->a, m->b };
		size_t *const at[] = { &m->dst_at, &m->a_at, &m->b_at };

		for (int k = 0; k < 3; k++) {
			if (place[k].base == LSI_TEMPORARY)
				*at[k] = place[k].block * slot;
			else if (place[k].base != LSI_NO_BLOCK)
				*at[k] = offset_of(flow, place[k]);
		}
	}
}

/* Measure all components; returns the bytes that they write. */
static size_t measure_components(struct lsi_flow *flow, size_t *longest)
{
	size_t written = 0;

	*longest = 0;
	for (uint32_t i = 0; i < flow->moves.components; i++) {
		struct lsi_component *c = &flow->moves.component[i];

		c->bytes = bytes_of(flow, (struct lsi_block_span){ c->result, c->blocks });
		written += c->bytes * c->results;
		*longest = c->bytes > *longest ? c->bytes : *longest;
	}
	return written;
}

/* ---- Strips */

static uint32_t count_temporaries(const struct lsi_flow *flow)
{
	const uint32_t *t = flow->moves.temporaries;

	return t[LSI_DIRECT] > t[LSI_STAGED] ? t[LSI_DIRECT] : t[LSI_STAGED];
}

static size_t cached_strip(const struct lsi_flow *flow)
{
	const uint32_t *temporary = flow->moves.temporaries;
	const size_t direct = FIRST_CACHE_BYTES / (temporary[LSI_DIRECT] + 2),
				 staged = SECOND_CACHE_BYTES / (temporary[LSI_STAGED] + 2),
				 strip = direct < staged ? direct : staged;

	if (!flow->moves.combines)
		return STRIP_COPIED;
	return strip < STRIP_MIN ? STRIP_MIN : strip > STRIP_MAX ? STRIP_MAX : strip;
}

/*
 * A strip is whole elements, and whole lines where possible.  If there are few strips, their number
 * is rounded up to a multiple of the number of workers.
 */
static size_t strip_of(const struct lsi_flow *flow, size_t longest)
{
	const size_t line = LSI_CACHE_LINE, workers = (size_t)flow->workers;
	const size_t whole = flow->size * (line / (size_t)lsi_gcd((int64_t)flow->size, LSI_CACHE_LINE));
	size_t strip = cached_strip(flow), strips;
	const size_t chunk = whole <= strip ? whole : flow->size;

	strip = strip < chunk ? chunk : strip / chunk * chunk;
	strips = lsi_round_up((longest + strip - 1) / strip, workers);
	if (strips < BATCHES * workers && longest >= workers * STRIP_MIN)
		strip = lsi_round_up((longest + strips - 1) / strips, chunk);
	return strip;
}

/* ---- Units */

/* The approximate cost of a component, in bytes. */
static size_t weight_of(const struct lsi_component *c)
{
	return (c[1].first[LSI_DIRECT] - c->first[LSI_DIRECT]) * (c->bytes + LSI_CACHE_LINE);
}

/* Divide the components into at most `most` batches of similar weight. */
static bool make_batches(struct lsi_flow *flow, size_t most)
{
	const struct lsi_flow_moves *moves = &flow->moves;
	uint32_t *batch = lsi_alloc((most + 1) * sizeof *batch);
	size_t all = 0, sum = 0;
	int64_t n = 0;

	if (!batch)
		return false;
	for (uint32_t i = 0; i < moves->components; i++)
		all += weight_of(&moves->component[i]);
	batch[0] = 0;
	for (uint32_t i = 0; i < moves->components; i++) {
		sum += weight_of(&moves->component[i]);
		if (i + 1 == moves->components
			|| (n + 1 < (int64_t)most
				&& (double)sum >= (double)all / (double)most * (double)(n + 1)))
			batch[++n] = i + 1;
	}
	flow->batch = batch;
	flow->shape.units = n;
	return true;
}

static bool make_units(struct lsi_flow *flow, size_t longest)
{
	const size_t strips = (longest + flow->strip - 1) / flow->strip;
	const bool tiny = flow->shape.bytes < TINY_BYTES;

	lsi_free(flow->batch);
	flow->batch = NULL;
	flow->shape.units = (int64_t)strips;
	if (strips <= 1 && (tiny || flow->moves.components == 1))
		return true;
	return (!tiny && strips >= (size_t)flow->workers)
		|| make_batches(flow, tiny ? 1 : BATCHES * (size_t)flow->workers);
}

static bool is_bound(
	const struct lsi_flow *flow, const struct lsi_measure *measure, size_t size, int workers)
{
	return flow->bound && !measure->counts && !flow->measure.counts && flow->measure.n == measure->n
		&& flow->size == size && flow->workers == workers;
}

int lsi_flow_bind(
	struct lsi_flow *flow, const struct lsi_measure *measure, size_t size, int workers)
{
	size_t longest, slot;

	if (is_bound(flow, measure, size, workers))
		return LS_OK;
	flow->measure = *measure;
	flow->size = size;
	flow->workers = workers;
	flow->shape.bytes = measure_components(flow, &longest);
	for (uint32_t i = 0; i < flow->moves.reads; i++)
		flow->shape.bytes += bytes_of(flow, flow->moves.read[i]);
	flow->strip = strip_of(flow, longest);
	slot = lsi_round_up(flow->strip, LSI_CACHE_LINE);
	flow->shape.temporaries = count_temporaries(flow) * slot;
	for (int list = 0; list < LSI_LISTS; list++)
		place_moves(flow, list, slot);
	flow->bound = make_units(flow, longest);
	return flow->bound ? LS_OK : LS_ERR_MEMORY;
}

struct lsi_flow_shape lsi_flow_get_shape(const struct lsi_flow *flow)
{
	return flow->shape;
}
