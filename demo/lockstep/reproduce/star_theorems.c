/*
 * Checks the star graph and the proofs of the star paper node by node.
 */
#include "reproduce/star_paper.h"
#include "reproduce/evidence.h"
#include "base/messages.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static ls_topology *make_topology(const char *spec)
{
	ls_topology *t = NULL;
	struct ls_error error = { .size = sizeof error };

	if (ls_topology_make(spec, &t, &error) != LS_OK)
		exit(print_ls_error(&error));
	record_method(METHOD_NETWORK, ls_topology_nodes(t));
	return t;
}

static ls_topology *make_star(int n)
{
	char spec[16];

	snprintf(spec, sizeof spec, "star:%d", n);
	return make_topology(spec);
}

static int64_t factorial(int n)
{
	return n < 2 ? 1 : n * factorial(n - 1);
}

/* ---- The graph */

/*
 * Links between two sub-stars; 0 if the pairs differ.  The ranks of a sub-star are contiguous.
 */
static int64_t count_links_between(const ls_topology *t, int n)
{
	const int64_t size = factorial(n - 1);
	int64_t count[8][8] = { { 0 } };

	for (int64_t r = 0; r < ls_topology_nodes(t); r++)
		for (int64_t link = 0; link < n - 1; link++)
			count[r / size][ls_neighbor(t, r, link) / size]++;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			if (i != j && count[i][j] != count[0][1])
				return 0;
	return count[0][1];
}

void find_substar_links(const struct claim *claim, char *found)
{
	(void)claim;
	found[0] = '\0';
	for (int n = 3; n <= 6; n++) {
		ls_topology *t = make_star(n);

		append_text(found, "%s%" PRId64, blank_between(found), count_links_between(t, n));
		ls_topology_destroy(t);
	}
}

void find_first_links(const struct claim *claim, char *found)
{
	ls_topology *t = make_star(5);

	(void)claim;
	snprintf(found, FOUND_SIZE, "{%" PRId64 ", .., n-1}", ls_link_label(t, 0));
	ls_topology_destroy(t);
}

void find_neighbors(const struct claim *claim, char *found)
{
	ls_topology *t = make_star(4);
	int64_t neighbors = 0;

	(void)claim;
	for (int64_t r = 1; r < ls_topology_nodes(t); r++)
		neighbors += ls_distance(t, 0, r) == 1;
	snprintf(found, FOUND_SIZE,
		"connected: a node of S_4 has %" PRId64 " neighbors among %" PRId64 " other nodes",
		neighbors, ls_topology_nodes(t) - 1);
	ls_topology_destroy(t);
}

/* The product that has the size, degree and diameter that Table 1 prints for HS_4,3. */
void find_product(const struct claim *claim, char *found)
{
	static const struct {
		const char *spec, *text;
	} product[] = { { "hypercube:4*star:3", "hypercube x star" },
		{ "hypercube:3*star:4", "hypercube x star" }, { "star:4*star:3", "star x star" } };

	(void)claim;
	snprintf(found, FOUND_SIZE, "no product");
	for (size_t i = 0; i < ARRAY_LENGTH(product); i++) {
		ls_topology *t = make_topology(product[i].spec);

		if (ls_topology_nodes(t) == 144 && ls_topology_degree(t) == 5
			&& ls_topology_diameter(t) == 7)
			snprintf(found, FOUND_SIZE, "%s", product[i].text);
		ls_topology_destroy(t);
	}
}

/* ---- Theorems 1 and 2 */

void find_nodup(const struct claim *claim, char *found)
{
	const char *networks = claim->run.networks;
	char spec[64];

	snprintf(found, FOUND_SIZE, "nothing twice");
	while (next_spec(&networks, spec)) {
		struct ls_certificate proof = { .size = sizeof proof };
		struct claim_plan plan;

		if (!open_claim_plan(&claim->run, spec, &plan, found))
			return;
		if (check_laws(&plan, &proof) != LS_OK || !proof.nodup)
			snprintf(found, FOUND_SIZE, "%s: %s", spec, proof.text);
		close_claim_plan(&plan);
	}
}

/* has[r][j]: node r holds the part of sub-star j. */
struct holders {
	int n;
	int64_t size;
	bool has[120][5];
	bool is_twice;
};

static int64_t part_of(const struct holders *holders, struct origins origins)
{
	const int lowest =
		origins.bits[0] ? __builtin_ctzll(origins.bits[0]) : 64 + __builtin_ctzll(origins.bits[1]);

	return lowest / holders->size;
}

static void record_holders(struct holders *holders, const struct origin_replay *replay)
{
	for (int64_t i = 0; i < replay->terms.messages; i++) {
		const struct term_message *message = &replay->terms.message[i];
		bool *has =
			&holders->has[message->dst][part_of(holders, origins_of_message(replay, message))];

		holders->is_twice |= *has;
		*has = true;
	}
}

/* Nodes of a sub-star that hold the part of another; 0 if the pairs differ. */
static int64_t count_holders(const struct holders *holders)
{
	int64_t count[5][5] = { { 0 } };

	for (int64_t r = 0; r < holders->n * holders->size; r++)
		for (int j = 0; j < holders->n; j++)
			count[r / holders->size][j] += holders->has[r][j];
	for (int i = 0; i < holders->n; i++)
		for (int j = 0; j < holders->n; j++)
			if (i != j && count[i][j] != count[0][1])
				return 0;
	return count[0][1];
}

/* Call `observe` after each of the last n - 1 rounds on S_n: steps 2 and 4 of Figure 2. */
static void replay_parts(
	int n, void (*observe)(const struct holders *, int round, char *found), char *found)
{
	const struct claim_run run = { .operation = LS_ALLREDUCE, .algorithm = "paper" };
	struct holders holders = { .n = n, .size = factorial(n - 1) };
	struct claim_plan plan;
	char spec[16];

	snprintf(spec, sizeof spec, "star:%d", n);
	if (!open_claim_plan(&run, spec, &plan, found))
		return;

	struct origin_replay replay = origin_replay_begin(plan.plan);

	while (origin_replay_round(&replay)) {
		const int round = (int)replay.round - (n - 1) * (n - 2) / 2;

		if (round < 1)
			continue;
		record_holders(&holders, &replay);
		observe(&holders, round, found);
	}
	origin_replay_end(&replay);
	close_claim_plan(&plan);
}

static void add_holders(const struct holders *holders, int round, char *found)
{
	if (round == 1)
		append_text(found, "%s%" PRId64, found[0] ? ", " : "", count_holders(holders));
	if (round == holders->n - 1)
		append_text(found, " then %" PRId64 "%s", count_holders(holders),
			holders->is_twice ? " (some twice)" : "");
}

void find_holders(const struct claim *claim, char *found)
{
	(void)claim;
	found[0] = '\0';
	for (int n = 3; n <= 5; n++)
		replay_parts(n, add_holders, found);
}

static void add_adjacent(const struct holders *holders, int round, char *found)
{
	ls_topology *t = make_star(holders->n);
	int pairs = 0;

	for (int64_t r = 0; round == 1 && r < ls_topology_nodes(t); r++)
		for (int link = 0; link < holders->n - 2; link++)
			for (int j = 0; j < holders->n; j++)
				pairs += holders->has[r][j] && holders->has[ls_neighbor(t, r, link)][j];
	if (round == 1 && pairs > 0)
		snprintf(found, FOUND_SIZE, "adjacent in S_%d", holders->n);
	ls_topology_destroy(t);
}

void find_adjacent_holders(const struct claim *claim, char *found)
{
	(void)claim;
	snprintf(found, FOUND_SIZE, "never adjacent");
	for (int n = 3; n <= 5; n++)
		replay_parts(n, add_adjacent, found);
}

/* ---- Comparisons */

static int64_t count_rounds(
	int n, enum ls_operation operation, const char *algorithm, int64_t *bound)
{
	const struct claim_run run = { .operation = operation, .algorithm = algorithm };
	char spec[16], found[FOUND_SIZE];
	struct claim_plan plan;

	snprintf(spec, sizeof spec, "star:%d", n);
	if (!open_claim_plan(&run, spec, &plan, found))
		return -1;

	const int64_t rounds = ls_plan_rounds(plan.plan);

	if (bound)
		*bound = ls_plan_lower_bound(plan.plan);
	close_claim_plan(&plan);
	return rounds;
}

/* The n from 3 at which the algorithm of the paper takes fewer, as many, and more steps. */
void find_sheu_crossover(const struct claim *claim, char *found)
{
	int last = 0;

	(void)claim;
	found[0] = '\0';
	for (int n = 3; n <= 17; n++) {
		const int64_t ours = count_rounds(n, LS_ALLREDUCE, "paper", NULL);
		const int64_t sheu = count_rounds(n, LS_ALLREDUCE, "sheu", NULL);

		if (ours < sheu) {
			last = n;
			continue;
		}
		if (!found[0])
			append_text(found, "for n <= %d", last);
		append_text(found, ", %s at n = %d: %d and %d", ours == sheu ? "equal" : "more steps", n,
			(int)ours, (int)sheu);
	}
}

/* The smallest n at which a reduction and a broadcast at the lower bound take fewer rounds. */
void find_broadcast_crossover(const struct claim *claim, char *found)
{
	(void)claim;
	snprintf(found, FOUND_SIZE, "never");
	for (int n = 3; n <= 10; n++) {
		int64_t bound;
		const int64_t ours = count_rounds(n, LS_ALLREDUCE, "paper", NULL);

		count_rounds(n, LS_BROADCAST, "sheu", &bound);
		if (2 * bound < ours) {
			snprintf(found, FOUND_SIZE, "n = %d: 2 x %d < %d", n, (int)bound, (int)ours);
			return;
		}
	}
}

void find_rounded_logarithms(const struct claim *claim, char *found)
{
	int up = 0, down = 0;

	(void)claim;
	record_method(METHOD_FORMULA, 1);
	for (int i = 2, floor_log = 0; i <= 4; i++) {
		floor_log = 31 - __builtin_clz((unsigned)i - 1);
		down += floor_log + 1;
		up += floor_log + ((i - 1) & (i - 2) ? 1 : 0) + 1;
	}
	snprintf(found, FOUND_SIZE, "rounded up: %d at n = 4, as in Table 2; rounded down: %d", 2 * up,
		2 * down);
}

/* n from "star:n". */
static int dimension(const struct claim *claim)
{
	return atoi(strchr(claim->run.networks, ':') + 1);
}

void find_tseng_formula(const struct claim *claim, char *found)
{
	const int n = dimension(claim);

	record_method(METHOD_FORMULA, 1);
	snprintf(found, FOUND_SIZE, "%d", 3 * (n - 1) * (n - 1));
}

/* 3(n-1)^2 = 2 (n-1) D with D = 3(n-1)/2, which equals the diameter only for odd n. */
void find_tseng_diameter(const struct claim *claim, char *found)
{
	(void)claim;
	found[0] = '\0';
	for (int n = 4; n <= 10; n += 2) {
		ls_topology *t = make_star(n);

		append_text(
			found, "%s%" PRId64, blank_between(found), 2 * (n - 1) * ls_topology_diameter(t));
		ls_topology_destroy(t);
	}
}
