/*
 * Circular shifts by every q.
 */
#include "reproduce/slides.h"
#include "reproduce/evidence.h"
#include "base/messages.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int64_t gray_code(int64_t position)
{
	return position ^ position >> 1;
}

/* The maximum of `measure` over all q on one network; -1 if a plan cannot be made. */
static int64_t max_over_shifts(const struct claim *claim, const char *spec, char *found,
	int64_t (*measure)(const struct claim_plan *))
{
	int64_t most = 0, p = 2;

	for (int64_t q = 1; q < p; q++) {
		struct claim_run run = claim->run;
		struct claim_plan plan;
		char cube[32];

		run.shift = q;
		if (!open_claim_plan(&run, spec, &plan, found))
			return -1;
		p = ls_plan_nodes(plan.plan);
		snprintf(cube, sizeof cube, "hypercube:%d", 63 - __builtin_clzll((uint64_t)p));
		plan.run.routes_of = run.routes_of ? cube : NULL;

		const int64_t here = measure(&plan);

		most = here > most ? here : most;
		close_claim_plan(&plan);
	}
	return most;
}

static void append_maxima(
	const struct claim *claim, char *found, int64_t (*measure)(const struct claim_plan *))
{
	const char *networks = claim->run.networks;
	char spec[64];

	found[0] = '\0';
	while (next_spec(&networks, spec)) {
		const int64_t most = max_over_shifts(claim, spec, found, measure);

		if (most < 0)
			return;
		append_text(found, "%s%" PRId64, blank_between(found), most);
	}
}

static int64_t count_rounds(const struct claim_plan *plan)
{
	return ls_plan_rounds(plan->plan);
}

static int64_t measure_load(const struct claim_plan *plan)
{
	struct message_trace trace = trace_plan(plan, 1);
	const int64_t load = max_link_load(plan, &trace, 0);

	free_trace(&trace);
	return load;
}

void find_most_rounds(const struct claim *claim, char *found)
{
	append_maxima(claim, found, count_rounds);
}

void find_most_load(const struct claim *claim, char *found)
{
	append_maxima(claim, found, measure_load);
}

static int64_t measure_longest_route(const struct claim_plan *plan)
{
	struct message_trace trace = trace_plan(plan, 1);
	int64_t longest = 0;

	for (size_t i = 0; i < trace.rows; i++) {
		const int64_t hops = ls_distance(plan->topology, trace.row[i].src, trace.row[i].dst);

		longest = hops > longest ? hops : longest;
	}
	free_trace(&trace);
	return longest;
}

static void append_each_shift(
	const struct claim *claim, char *found, int64_t (*measure)(const struct claim_plan *))
{
	int64_t p = 2;

	found[0] = '\0';
	for (int64_t q = 1; q < p; q++) {
		struct claim_run run = claim->run;
		struct claim_plan plan;

		run.shift = q;
		if (!open_claim_plan(&run, run.networks, &plan, found))
			return;
		p = ls_plan_nodes(plan.plan);
		append_text(found, "%s%" PRId64, blank_between(found), measure(&plan));
		close_claim_plan(&plan);
	}
}

void find_each_shift(const struct claim *claim, char *found)
{
	append_each_shift(claim, found, count_rounds);
}

void find_longest_routes(const struct claim *claim, char *found)
{
	append_each_shift(claim, found, measure_longest_route);
}

/*
 * On an s x s mesh with rows that shift forward only: q mod s steps, one step for the carry, and
 * the steps of the columns.
 */
void find_forward_rows(const struct claim *claim, char *found)
{
	static const int sides[] = { 4, 8 };

	(void)claim;
	record_method(METHOD_FORMULA, 1);
	found[0] = '\0';
	for (size_t i = 0; i < ARRAY_LENGTH(sides); i++) {
		const int s = sides[i];
		int most = 0;

		for (int q = 1; q < s * s; q++) {
			const int down = q / s, columns = down < s - down ? down : s - down;
			const int steps = q % s + (q % s > 0) + columns;

			most = steps > most ? steps : most;
		}
		append_text(found, "%s%d", blank_between(found), most);
	}
}

/*
 * The maximum over q of the fewest steps to q on p nodes if powers of two may be added and
 * subtracted.  The power 1 costs one step, every other power two.  Computes the distances in the
 * graph of these moves by relaxation until no distance changes.
 */
static int max_signed_steps(int p)
{
	int distance[64], most = 0;
	bool changed = true;

	for (int q = 0; q < p; q++)
		distance[q] = q == 0 ? 0 : p;
	while (changed) {
		changed = false;
		for (int q = 0; q < p; q++)
			for (int power = 1; power < p; power *= 2)
				for (int to = (q + power) % p, k = 0; k < 2; k++, to = (q - power + p) % p) {
					const int there = distance[q] + (power == 1 ? 1 : 2);

					changed = changed || there < distance[to];
					distance[to] = there < distance[to] ? there : distance[to];
				}
	}
	for (int q = 0; q < p; q++)
		most = distance[q] > most ? distance[q] : most;
	return most;
}

void find_signed_digits(const struct claim *claim, char *found)
{
	(void)claim;
	record_method(METHOD_FORMULA, 1);
	snprintf(found, FOUND_SIZE, "%d %d %d", max_signed_steps(8), max_signed_steps(16),
		max_signed_steps(32));
}
