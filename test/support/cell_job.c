#include "support/cell_job.h"

#include "collective/algorithm.h"

size_t cell_count(int64_t nodes, enum ls_operation operation, struct cell_size size)
{
	const size_t p = (size_t)nodes;
	const size_t counts[CELL_COUNTS] = { 1, p - 1, 7 * p + 3, 2, 0, p + 1, size.longest, 3 };
	const size_t count = counts[size.level % CELL_COUNTS];
	const size_t most = size.most_bytes / 16 / p / (LSI_FOR(operation) & OF_BLOCKS ? p : 1) + 1;

	if (operation == LS_BARRIER)
		return 0;
	return count > most ? most : count;
}

struct job job_of_cell(
	const struct cell *cell, const struct element element[ELEMENTS], struct cell_size size)
{
	const struct lsi_problem *p = &cell->problem;

	return (struct job){ .topology = p->topology,
		.operation = p->operation,
		.algorithm = cell->algorithm->name,
		.element = element_for(element, cell->algorithm->claim),
		.count = cell_count(p->nodes, p->operation, size),
		.root = p->root,
		.shift = p->shift,
		.mode = p->mode,
		.ports = p->ports,
		.mailbox = 4,
		.in_place = p->in_place };
}
