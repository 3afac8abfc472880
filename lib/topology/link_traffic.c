#include "topology/link_traffic.h"

#include "base/alloc.h"
#include "base/math.h"

/* One counter per directed link, made with the first message: many plans never need it. */
static int make_loads(struct lsi_link_traffics *loads)
{
	const struct ls_topology *t = loads->topology;
	size_t links;

	if (__builtin_mul_overflow((size_t)t->vertices, (size_t)t->degree, &links))
		return LS_ERR_MEMORY;
	loads->of = lsi_alloc_zero(links, sizeof *loads->of);
	return loads->of ? LS_OK : LS_ERR_MEMORY;
}

/* List a link that now has its first message, so that clearing takes no walk over all links. */
static int record_link(struct lsi_link_traffics *loads, int64_t number)
{
	if (loads->n == loads->room) {
		const size_t room = 2 * loads->room + 64;
		int64_t *wider =
			lsi_alloc_grow(loads->loaded, loads->n * sizeof *wider, room * sizeof *wider);

		if (!wider)
			return LS_ERR_MEMORY;
		loads->loaded = wider;
		loads->room = room;
	}
	loads->loaded[loads->n++] = number;
	return LS_OK;
}

static int64_t max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Walks the route hop by hop; a route of 0 hops, to the node itself, loads nothing. */
int lsi_link_traffics_add(struct lsi_link_traffics *loads, int64_t from, int64_t to, int64_t words)
{
	struct lsi_route route = lsi_route_begin(from, to);
	int64_t hops = 0;

	if (!loads->of && make_loads(loads) != LS_OK)
		return LS_ERR_MEMORY;
	for (; lsi_route_hop(loads->topology, &route); hops++) {
		const int64_t number = lsi_link_traffics_number(loads->topology, route.from, route.link);
		struct lsi_link_traffic *load = &loads->of[number];

		if (load->messages == 0 && record_link(loads, number) != LS_OK)
			return LS_ERR_MEMORY;
		load->messages++;
		load->words = lsi_add_sat(load->words, words);
		loads->most.messages = max(loads->most.messages, load->messages);
		loads->most.words = max(loads->most.words, load->words);
	}
	loads->hops = max(loads->hops, hops);
	return LS_OK;
}

void lsi_link_traffics_clear(struct lsi_link_traffics *loads)
{
	for (size_t i = 0; i < loads->n; i++)
		loads->of[loads->loaded[i]] = (struct lsi_link_traffic){ 0 };
	loads->n = 0;
	loads->most = (struct lsi_link_traffic){ 0 };
	loads->hops = 0;
}

void lsi_link_traffics_fini(struct lsi_link_traffics *loads)
{
	lsi_free(loads->of);
	lsi_free(loads->loaded);
}
