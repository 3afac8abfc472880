/*
 * The bits of all results are those that test/data/golden_bits keeps: for each operation, network
 * and algorithm one hash of the results of all nodes, types and operators.  So they are the same in
 * every build, on every processor and by every engine.
 *
 * Operands include numbers whose sums depend on the order, both zeros, subnormal and huge numbers,
 * infinities, and NaN with payloads.  The hash is of all bytes: the library defines the bits of a
 * NaN that is computed, and an element that is copied keeps its own.
 *
 *   golden_bits           compares; each line by one engine in turn, in long runs by all of them
 *   golden_bits --print   prints the lines, from an interpreter of plans (test/support/play.h)
 *                         and operators that the test computes (test/operator_reference.h)
 */
#include <inttypes.h>

#include "collective/algorithm.h"
#include "golden_executions.h"

/* ---- The kept lines */

enum { KEY = 200, LINES = 4000 };
static struct kept {
	char key[KEY];
	uint64_t hash;
	bool used;
} kept[LINES];
static int lines;

/* "allreduce star:4 substar" */
static void key_of(const struct cell *cell, char key[KEY])
{
	snprintf(key, KEY, "%s %s %s", ls_operation_name(cell->problem.operation),
		ls_topology_spec(cell->problem.topology), cell->algorithm->name);
}

static void read_lines(const char *path)
{
	FILE *file = fopen(path, "r");
	char operation[64], network[64], algorithm[64];
	uint64_t hash;

	CHECK(file, "%s cannot be read", path);
	while (file && lines < LINES
		&& fscanf(file, "%63s %63s %63s %" SCNx64, operation, network, algorithm, &hash) == 4) {
		snprintf(kept[lines].key, KEY, "%s %s %s", operation, network, algorithm);
		kept[lines++].hash = hash;
	}
	CHECK(file && feof(file), "%s: line %d is none", path, lines + 1);
	if (file)
		fclose(file);
}

static struct kept *kept_for(const struct cell *cell)
{
	char key[KEY];

	key_of(cell, key);
	for (int i = 0; i < lines; i++) {
		if (!strcmp(kept[i].key, key))
			return &kept[i];
	}
	return NULL;
}

/* ---- All cells */

#define REMEDY "; if this is meant, run sh scripts/golden-bits --keep"

/* One in how many lines is compared at all, with nodes that are threads, and with the reference. */
struct depth {
	int64_t lines, threads, reference;
	bool every_engine;
};

static struct depth depth_of_run(void)
{
	if (is_long())
		return (struct depth){ 1, 8, 1, true };
	if (is_fast())
		return is_thin() ? (struct depth){ 17, 17 * 40, 17 * 8, false }
						 : (struct depth){ 5, 5 * 64, 5 * 8, false };
	return is_thin() ? (struct depth){ 8, 8 * 32, 8 * 8, false }
					 : (struct depth){ 1, 64, 32, false };
}

static int64_t turns;

static void check_execution(struct golden *g, const struct kept *line, enum execution execution)
{
	const uint64_t hash = execute(g, execution);

	CHECK(hash == line->hash, "%s, %s: bits differ from the kept ones: %s" REMEDY,
		cell_name(&g->cell).text, execution_names[execution], difference_of(g).text);
}

static void check_golden(struct golden *g)
{
	const struct depth depth = depth_of_run();
	struct kept *line = kept_for(&g->cell);
	const int64_t turn = turns++;

	CHECK(line, "%s has no kept bits" REMEDY, cell_name(&g->cell).text);
	if (!line)
		return;
	line->used = true;
	if (turn % depth.lines)
		return;
	golden_make(g);
	for (enum execution e = FIBERS; e <= SWEEP; e++) {
		if (depth.every_engine || turn / depth.lines % 3 == (int64_t)e)
			check_execution(g, line, e);
	}
	if (turn % depth.threads == 0)
		check_execution(g, line, THREADS);
	if (turn % depth.reference == 0)
		check_execution(g, line, REFERENCE);
	golden_end(g);
}

static void print_golden(struct golden *g)
{
	char key[KEY];

	key_of(&g->cell, key);
	golden_make(g);
	printf("%s %016" PRIx64 "\n", key, execute(g, REFERENCE));
	golden_end(g);
}

/* One of the problems that the algorithm serves; false: it serves none. */
static bool choose_problem(struct cell *cell)
{
	struct lsi_problem *p = &cell->problem;
	const uint64_t network = lsi_mix_text((uint64_t)p->operation, ls_topology_spec(p->topology));
	const uint64_t choice = lsi_mix_text(network, cell->algorithm->name);
	const int64_t place = (int64_t)(network % (uint64_t)p->nodes);

	p->root = lsi_operation_is_rooted(p->operation) ? place : 0;
	p->shift = p->operation == LS_SHIFT ? place : 0;
	for (uint64_t k = 0; k < 4; k++) {
		const uint64_t variant = choice + k;

		p->mode = variant & 1 ? LS_ROUTED : LS_HOP;
		p->ports = variant & 2 ? 2 : 1;
		if (cell->algorithm->supports(p))
			return true;
	}
	return false;
}

/* Does an earlier algorithm of that name serve it?  Then the name stands for both. */
static bool is_repeated(const struct cell *cell)
{
	for (int i = 0; lsi_algorithms[i] != cell->algorithm; i++) {
		struct cell earlier = { lsi_algorithms[i], cell->problem };

		if (!strcmp(earlier.algorithm->name, cell->algorithm->name)
			&& earlier.algorithm->operations & LSI_FOR(cell->problem.operation)
			&& choose_problem(&earlier))
			return true;
	}
	return false;
}

static void each_golden(const char *spec, void (*visit)(struct golden *))
{
	ls_topology *t = topology_of(spec);

	for (int o = 0; o < LS_OPERATIONS; o++) {
		for (int i = 0; lsi_algorithms[i]; i++) {
			struct golden g = { .cell = { lsi_algorithms[i],
									{ .topology = t,
										.nodes = ls_topology_nodes(t),
										.segments = 1,
										.operation = (enum ls_operation)o } } };

			if (o == LS_BARRIER || !(lsi_algorithms[i]->operations & LSI_FOR(o))
				|| !choose_problem(&g.cell) || is_repeated(&g.cell))
				continue;
			visit(&g);
		}
	}
	ls_topology_destroy(t);
}

int main(int argc, char **argv)
{
	const bool prints = argc > 1 && !strcmp(argv[1], "--print");

	all = all_combinations();
	operands = memory(NODES_MOST, all.row);
	for (int64_t r = 0; r < NODES_MOST; r++)
		fill_row(&all, row_of(operands, r));
	if (!prints)
		read_lines("test/data/golden_bits");
	for (int i = 0; i < SMALL_KINDS; i++)
		each_golden(small_networks[i], prints ? print_golden : check_golden);
	for (int i = 0; i < lines; i++)
		CHECK(kept[i].used, "%s: no such algorithm" REMEDY, kept[i].key);
	free(operands);
	return prints ? EXIT_SUCCESS : test_result();
}
