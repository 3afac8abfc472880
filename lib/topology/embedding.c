/*
 * Embeddings, and the named maps.
 *
 * An embedding places each node of the guest on a node of its own of the host.  ring:4 on
 * hypercube:2 by Gray code, where neighbors in the ring are neighbors in the cube:
 *
 *   guest  0 - 1 - 2 - 3 -(0)        host   00 - 01
 *   host   00  01  11  10                    |    |
 *                                           10 - 11
 */
#include "topology/embedding_internal.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/math.h"
#include "base/sized.h"
#include "base/suggest.h"
#include "topology/link_traffic.h"
#include "topology/snake.h"
#include "topology/topology_internal.h"

/* ---- Maps: fill host_rank, or return why the guest does not fit */

typedef int fill(struct ls_embedding *, struct ls_error *);

static struct lsi_quote spec(const ls_topology *t)
{
	return lsi_quote_make(t->spec, strlen(t->spec));
}

static int identity(struct ls_embedding *e, struct ls_error *why)
{
	(void)why;
	for (int64_t r = 0; r < e->guest->nodes; r++)
		e->host_rank[r] = r;
	return LS_OK;
}

/*
 * The codes of neighbors on a side differ in one bit; if the side is even, so do those of its ends:
 * its second half mirrors the first with the highest bit set.
 */
static int64_t gray_encode(int64_t side, int64_t x)
{
	const int64_t top = (int64_t)1 << lsi_log2_ceil(side) >> 1;

	if (side % 2 == 0 && x >= side / 2) {
		x = side - 1 - x;
		return top | (x ^ x >> 1);
	}
	return x ^ x >> 1;
}

/* The inverse of x ^ x >> 1: the XOR of all right shifts. */
static int64_t gray_decode(int64_t x)
{
	for (int shift = 1; shift < 63; shift *= 2)
		x ^= x >> shift;
	return x;
}

/* A grid on a hypercube: for each dimension as many bits as its coordinates need. */
static int grid_on_cube(struct ls_embedding *e, struct ls_error *why)
{
	const ls_topology *guest = e->guest;
	int bits = 0;

	for (int d = ls_topology_dims(guest) - 1; d >= 0; d--) {
		const int64_t side = ls_topology_side(guest, d);

		if (guest->network->grid == LSI_GRID_WRAPPED && side > 2 && side % 2)
			return lsi_error_set(why, LS_ERR_UNSUPPORTED,
				"gray: %s wraps around an odd side, %lld; try an even side, or map identity",
				spec(guest).text, (long long)side);
		for (int64_t r = 0; r < guest->nodes && bits < 63; r++)
			e->host_rank[r] |= gray_encode(side, ls_topology_coordinate(guest, r, d)) << bits;
		bits += lsi_log2_ceil(side);
	}
	if (bits > e->host->degree)
		return lsi_error_set(why, LS_ERR_UNSUPPORTED,
			"gray: %s needs %d dimensions, %s has %lld; try hypercube:%d", spec(guest).text, bits,
			spec(e->host).text, (long long)e->host->degree, bits);
	return LS_OK;
}

/* A hypercube on a grid, the inverse: runs of bits are the codes of coordinates. */
static int cube_on_grid(struct ls_embedding *e, struct ls_error *why)
{
	const ls_topology *host = e->host;
	int bits = 0;

	for (int d = ls_topology_dims(host) - 1; d >= 0; d--) {
		const int64_t side = ls_topology_side(host, d);

		if (side != (int64_t)1 << lsi_log2_ceil(side))
			break;
		for (int64_t r = 0; r < e->guest->nodes; r++)
			e->host_rank[r] += gray_decode(r >> bits & (side - 1)) * lsi_topology_stride(host, d);
		bits += lsi_log2_ceil(side);
	}
	if (host->nodes != e->guest->nodes || (int64_t)1 << bits != host->nodes)
		return lsi_error_set(why, LS_ERR_UNSUPPORTED,
			"gray: %s does not fit %s; try a grid of %lld nodes whose sides are powers of 2",
			spec(e->guest).text, spec(host).text, (long long)e->guest->nodes);
	return LS_OK;
}

/* Dispatch on the side that is the hypercube. */
static int gray(struct ls_embedding *e, struct ls_error *why)
{
	const bool cube = lsi_topology_is(e->guest, &lsi_network_hypercube);

	if (ls_topology_dims(e->guest) > 0 && lsi_topology_is(e->host, &lsi_network_hypercube))
		return grid_on_cube(e, why);
	if (cube && ls_topology_dims(e->host) > 0)
		return cube_on_grid(e, why);
	return lsi_error_set(why, LS_ERR_UNSUPPORTED,
		"gray: cannot map %s to %s; expected a linear array, ring, mesh or torus on a hypercube, "
		"or "
		"the reverse",
		spec(e->guest).text, spec(e->host).text);
}

/* Node r of the guest on the r-th node of a Hamiltonian ring of the host. */
static int along_ring(struct ls_embedding *e, struct ls_error *why)
{
	int64_t *ring = lsi_alloc((size_t)e->host->nodes * sizeof *ring);
	int status = ring ? ls_topology_hamiltonian(e->host, ring) : LS_ERR_MEMORY;

	if (status == LS_OK)
		memcpy(e->host_rank, ring, (size_t)e->guest->nodes * sizeof *ring);
	if (status == LS_ERR_UNSUPPORTED)
		lsi_error_set(why, status,
			"hamiltonian: no ring of %s is known; expected a star, hypercube, complete network or "
			"ring, a torus with an even side, or a mesh with an even side and another side above "
			"1, "
			"of at least 3 nodes",
			spec(e->host).text);
	lsi_free(ring);
	return status;
}

/* A linear array can use the snake of a grid, which exists for all sides. */
static int hamiltonian(struct ls_embedding *e, struct ls_error *why)
{
	const bool line = lsi_topology_is(e->guest, &lsi_network_linear);

	if (!line && !lsi_topology_is(e->guest, &lsi_network_ring))
		return lsi_error_set(why, LS_ERR_UNSUPPORTED,
			"hamiltonian: %s is not a ring; try ring:%lld or linear:%lld", spec(e->guest).text,
			(long long)e->host->nodes, (long long)e->host->nodes);
	if (!line && e->guest->nodes != e->host->nodes)
		return lsi_error_set(why, LS_ERR_UNSUPPORTED,
			"hamiltonian: %s does not visit all nodes of %s; try ring:%lld", spec(e->guest).text,
			spec(e->host).text, (long long)e->host->nodes);
	if (!line || ls_topology_dims(e->host) == 0)
		return along_ring(e, why);
	for (int64_t r = 0; r < e->guest->nodes; r++)
		e->host_rank[r] = lsi_snake_node(e->host, r);
	return LS_OK;
}

static const struct {
	const char *name, *text;
	fill *fill;
} maps[] = {
	{ "identity", "node r on node r", identity },
	{ "gray", "grids on a hypercube by reflected Gray codes, or a hypercube on a grid", gray },
	{ "hamiltonian", "a ring or linear array along a Hamiltonian ring of the host", hamiltonian },
};
enum { MAPS = sizeof maps / sizeof *maps };

/* ---- Dilation, congestion and the fingerprint */

/* Route a message over every directed link of the guest: longest route, most messages on a link. */
static int measure(struct ls_embedding *e)
{
	struct lsi_link_traffics loads = { .topology = e->host };
	const ls_topology *guest = e->guest;
	int status = LS_OK;

	for (int64_t u = 0; u < guest->nodes; u++) {
		for (int64_t l = 0; status == LS_OK && l < guest->network->degree(guest, u); l++)
			status = lsi_link_traffics_add(
				&loads, e->host_rank[u], e->host_rank[guest->network->neighbor(guest, u, l)], 0);
	}
	e->dilation = loads.hops;
	e->congestion = loads.most.messages;
	lsi_link_traffics_fini(&loads);
	return status;
}

/* FNV-1a, by words: nodes compare fingerprints instead of whole maps. */
static void mix(uint64_t *hash, uint64_t word)
{
	*hash = (*hash ^ word) * UINT64_C(0x100000001b3);
}

/* Derive all other fields from host_rank.  Fails if two guest nodes share a host node. */
static int complete_embedding(struct ls_embedding *e, struct ls_error *why)
{
	e->fingerprint = UINT64_C(0xcbf29ce484222325);
	for (const char *c = e->guest->spec; *c; c++)
		mix(&e->fingerprint, (uint64_t)*c);
	for (int64_t v = 0; v < e->host->nodes; v++)
		e->guest_rank[v] = LS_NO_RANK;
	for (int64_t r = 0; r < e->guest->nodes; r++) {
		const int64_t at = e->host_rank[r];

		if (at < 0 || at >= e->host->nodes)
			return lsi_error_set(why, LS_ERR_ARGUMENT,
				"the map puts node %lld on node %lld; expected 0 to %lld", (long long)r,
				(long long)at, (long long)e->host->nodes - 1);
		if (e->guest_rank[at] != LS_NO_RANK)
			return lsi_error_set(why, LS_ERR_ARGUMENT,
				"the map puts nodes %lld and %lld on node %lld; expected different nodes",
				(long long)e->guest_rank[at], (long long)r, (long long)at);
		e->guest_rank[at] = r;
		mix(&e->fingerprint, (uint64_t)at);
	}
	return measure(e);
}

/* ---- Making and destroying */

/* A guest must have no switches, and no more nodes than its host. */
static int check_fit(const ls_topology *guest, const ls_topology *host, struct ls_error *why)
{
	if (!lsi_topology_is_direct(guest))
		return lsi_error_set(why, LS_ERR_UNSUPPORTED,
			"%s has switches, which no host can hold; try bintree:L for a tree", spec(guest).text);
	if (guest->nodes > host->nodes)
		return lsi_error_set(why, LS_ERR_UNSUPPORTED,
			"%s has %lld nodes, %s only %lld; expected a guest no larger than its host",
			spec(guest).text, (long long)guest->nodes, spec(host).text, (long long)host->nodes);
	return LS_OK;
}

static int no_memory(struct ls_error *why)
{
	return lsi_error_set(why, LS_ERR_MEMORY, "no memory for the embedding");
}

/* An embedding with every guest node on host node 0. */
static int make_empty(const ls_topology *guest, const ls_topology *host, struct ls_embedding **out,
	struct ls_error *why)
{
	const int status = check_fit(guest, host, why);
	struct ls_embedding *e;

	if (status != LS_OK)
		return status;
	e = lsi_alloc_zero(1, sizeof *e);
	if (!e)
		return no_memory(why);
	*e = (struct ls_embedding){ .guest = guest, .host = host };
	e->host_rank = lsi_alloc_zero((size_t)guest->nodes, sizeof *e->host_rank);
	e->guest_rank = lsi_alloc_zero((size_t)host->nodes, sizeof *e->guest_rank);
	*out = e;
	if (e->host_rank && e->guest_rank)
		return LS_OK;
	ls_embedding_destroy(e);
	return no_memory(why);
}

/* Complete a filled map and return it, or destroy it. */
static int finish(struct ls_embedding *e, int status, ls_embedding **out, struct ls_error *why)
{
	if (status == LS_OK)
		status = complete_embedding(e, why);
	if (status == LS_OK)
		*out = e;
	else
		ls_embedding_destroy(e);
	return status == LS_ERR_MEMORY ? no_memory(why) : status;
}

int ls_embedding_from_map(const ls_topology *guest, const ls_topology *host,
	const int64_t *host_rank, ls_embedding **out, struct ls_error *why)
{
	struct ls_embedding *e;
	int status;

	if (!guest || !host || !host_rank || !out)
		return lsi_error_set(why, LS_ERR_ARGUMENT,
			"an argument is NULL; expected a guest, a host, a host rank for each guest node, "
			"and out");
	status = make_empty(guest, host, &e, why);
	if (status != LS_OK)
		return status;
	memcpy(e->host_rank, host_rank, (size_t)guest->nodes * sizeof *host_rank);
	return finish(e, LS_OK, out, why);
}

static int unknown_map(const char *map, struct ls_error *why)
{
	struct lsi_suggestion nearest = lsi_suggest_begin(map, strlen(map));

	for (size_t i = 0; i < MAPS; i++)
		lsi_suggest_offer(&nearest, maps[i].name);
	return lsi_error_set(why, LS_ERR_SPEC,
		nearest.name ? "no map '%s'; did you mean '%s'?" : "no map '%s'; expected %s",
		lsi_quote_make(map, strlen(map)).text,
		nearest.name ? nearest.name : "identity, gray or hamiltonian");
}

int ls_embedding_make(const ls_topology *guest, const ls_topology *host, const char *map,
	ls_embedding **out, struct ls_error *why)
{
	struct ls_embedding *e;
	size_t i = 0;
	int status;

	if (!guest || !host || !map || !out)
		return lsi_error_set(
			why, LS_ERR_ARGUMENT, "an argument is NULL; expected a guest, a host, a map and out");
	while (i < MAPS && strcmp(maps[i].name, map) != 0)
		i++;
	if (i == MAPS)
		return unknown_map(map, why);
	status = make_empty(guest, host, &e, why);
	return status == LS_OK ? finish(e, maps[i].fill(e, why), out, why) : status;
}

void ls_embedding_destroy(ls_embedding *e)
{
	if (!e)
		return;
	lsi_free(e->host_rank);
	lsi_free(e->guest_rank);
	lsi_free(e);
}

const ls_topology *ls_embedding_guest(const ls_embedding *e)
{
	return e ? e->guest : NULL;
}

const ls_topology *ls_embedding_host(const ls_embedding *e)
{
	return e ? e->host : NULL;
}

int64_t ls_embedding_host_rank(const ls_embedding *e, int64_t rank)
{
	return e && rank >= 0 && rank < e->guest->nodes ? e->host_rank[rank] : LS_NO_RANK;
}

int64_t ls_embedding_guest_rank(const ls_embedding *e, int64_t rank)
{
	return e && rank >= 0 && rank < e->host->nodes ? e->guest_rank[rank] : LS_NO_RANK;
}

int64_t ls_embedding_dilation(const ls_embedding *e)
{
	return e ? e->dilation : 0;
}

int64_t ls_embedding_congestion(const ls_embedding *e)
{
	return e ? e->congestion : 0;
}

double ls_embedding_expansion(const ls_embedding *e)
{
	return e ? (double)e->host->nodes / (double)e->guest->nodes : 0;
}

bool ls_embedding_list(size_t index, struct ls_embedding_info *out)
{
	struct ls_embedding_info info = { .size = sizeof info };

	if (index >= MAPS || !out)
		return false;
	info.name = maps[index].name;
	info.text = maps[index].text;
	lsi_sized_write(out, &info, sizeof info);
	return true;
}
