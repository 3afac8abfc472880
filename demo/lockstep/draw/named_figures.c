/*
 * The table of the named figures: a line for each.  Figure 4.4 has none, since it shows a program
 * with several collective operations; demo/matrix_vector.c runs it.
 */
#include "draw/named_figures.h"

#include <string.h>

const struct named_figure named_figures[] = {
	{ "figure4.1", NULL, "Figure 4.1: one-to-all broadcast",
		{ "broadcast", "-t", "complete:4", "-a", "binomial", "--values", "blocks" } },
	{ "figure4.2", NULL, "Figure 4.2: broadcast on an eight-node ring",
		{ "broadcast", "-t", "ring:8", "-a", "binomial", "--mode", "routed" } },
	{ "figure4.3", NULL, "Figure 4.3: reduction on an eight-node ring",
		{ "reduce", "-t", "ring:8", "-a", "binomial", "--mode", "routed" } },
	{ "figure4.5", NULL, "Figure 4.5: broadcast on a mesh of 16 nodes",
		{ "broadcast", "-t", "mesh:4x4", "-a", "binomial", "--mode", "routed" } },
	{ "figure4.6", NULL, "Figure 4.6: broadcast on a three-dimensional hypercube",
		{ "broadcast", "-t", "hypercube:3", "-a", "binomial" } },
	{ "figure4.7", NULL, "Figure 4.7: broadcast on a tree of eight processors",
		{ "broadcast", "-t", "tree:8", "-a", "binomial" } },
	{ "figure4.8", NULL, "Figure 4.8: all-to-all broadcast",
		{ "allgather", "-t", "complete:4", "-a", "ring", "--values", "blocks" } },
	{ "figure4.9", NULL, "Figure 4.9: all-to-all broadcast on an eight-node ring",
		{ "allgather", "-t", "ring:8", "-a", "ring", "--values", "blocks" } },
	{ "figure4.10", NULL, "Figure 4.10: all-to-all broadcast on a 3 x 3 mesh",
		{ "allgather", "-t", "mesh:3x3", "-a", "ring", "--mode", "routed", "--values", "blocks" } },
	{ "figure4.11", NULL, "Figure 4.11: all-to-all broadcast on an eight-node hypercube",
		{ "allgather", "-t", "hypercube:3", "-a", "doubling", "--values", "blocks" } },
	{ "figure4.12", NULL, "Figure 4.12: the steps of the hypercube congest a ring",
		{ "allgather", "-t", "ring:8", "-a", "hypercube:3/doubling", "--mode", "routed", "--view",
			"load" } },
	{ "figure4.13", NULL, "Figure 4.13: prefix sums on an eight-node hypercube",
		{ "scan", "-t", "hypercube:3", "-a", "dimension", "--values", "blocks" } },
	{ "figure4.14", "scatter", "Figure 4.14: scatter",
		{ "scatter", "-t", "complete:4", "-a", "binomial", "--values", "blocks" } },
	{ "figure4.15", "scatter", "Figure 4.15: scatter on an eight-node hypercube",
		{ "scatter", "-t", "hypercube:3", "-a", "binomial", "--values", "blocks" } },
	{ "figure4.16", "exchange-ecube", "Figure 4.16: total exchange",
		{ "alltoall", "-t", "complete:4", "-a", "pairwise", "--values", "blocks" } },
	{ "figure4.17", "exchange-cube", "Figure 4.17: the transposition of a 4 x 4 matrix",
		{ "alltoall", "-t", "complete:4", "-a", "pairwise", "--values", "blocks", "--view",
			"table" } },
	{ "figure4.18", "exchange-ring", "Figure 4.18: total exchange on a six-node ring",
		{ "alltoall", "-t", "ring:6", "-a", "ring", "--values", "blocks" } },
	{ "figure4.19", "exchange-mesh", "Figure 4.19: total exchange on a 3 x 3 mesh",
		{ "alltoall", "-t", "mesh:3x3", "-a", "ring", "--mode", "routed", "--values", "blocks" } },
	{ "figure4.20", "exchange-cube", "Figure 4.20: total exchange on an eight-node hypercube",
		{ "alltoall", "-t", "hypercube:3", "-a", "dimension", "--values", "blocks" } },
	{ "figure4.21", "exchange-ecube", "Figure 4.21: total exchange by E-cube routes",
		{ "alltoall", "-t", "hypercube:3", "-a", "ecube", "--mode", "routed", "--columns", "4" } },
	{ "figure4.22", "shift-mesh", "Figure 4.22: circular 5-shift on a 4 x 4 mesh",
		{ "shift", "-q", "5", "-t", "mesh:4x4", "-a", "textbook", "--mode", "routed", "--values",
			"blocks" } },
	{ "figure4.23", "shift-cube", "Figure 4.23: circular 5-shift on a hypercube, by a Gray code",
		{ "shift", "-q", "5", "-t", "hypercube:3", "-a", "ring:8/gray", "--map", "gray", "--values",
			"blocks" } },
	{ "figure4.24", "shift-cube", "Figure 4.24: circular 5-shift by E-cube routes",
		{ "shift", "-q", "5", "-t", "hypercube:3", "-a", "ecube", "--mode", "routed", "--view",
			"load" } },
	{ "section2", NULL, "Star paper, section 2: the star graph S_4", { "-t", "star:4" } },
	{ "theorem1", NULL, "Star paper, Theorem 1: all-to-all broadcast on S_4",
		{ "allgather", "-t", "star:4", "-a", "paper", "--values", "blocks", "--view", "table" } },
	{ "figure1", NULL, "Star paper, Figure 1: all-reduce on S_3",
		{ "allreduce", "-t", "star:3", "-a", "paper", "--values", "data" } },
	{ "figure3", NULL, "Star paper, Figure 3: all-reduce on S_4",
		{ "allreduce", "-t", "star:4", "-a", "paper", "--values", "data" } },
	{ .name = NULL },
};

const struct named_figure *find_figure(const char *name)
{
	for (const struct named_figure *figure = named_figures; figure->name; figure++)
		if (strcmp(figure->name, name) == 0)
			return figure;
	return NULL;
}

const char *figure_item(const struct named_figure *figure)
{
	return figure->item ? figure->item : figure->name;
}

size_t list_figures(const char **names, size_t most)
{
	size_t count = 0;

	for (; named_figures[count].name && count < most; count++)
		names[count] = named_figures[count].name;
	return count;
}
