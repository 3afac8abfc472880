#include "cli/option_table.h"

#include <string.h>

const struct verb_text verb_texts[] = {
	{ OPTION_MESSAGE_SIZE, "bench", "sizes MIN:MAX[:xFACTOR], in elements (1)" },
	{ OPTION_ALGORITHM, "bench",
		"algorithms, separated by commas (default: lowest predicted cost)" },
	{ OPTION_ROOT, "bench", "rank of the root; for exchange and stream, of the first node (0)" },
	{ OPTION_ENGINE, "bench", "mailboxes, cooperative, sweep, auto, separated by commas (auto)" },
	{ OPTION_NODES, "bench", "threads, fibers or threads,fibers (threads)" },
	{ OPTION_ROUNDS, "bench",
		"lockstep, free or lockstep,free (lockstep; free for exchange, stream)" },
	{ OPTION_ITERATIONS, "bench", "calls per sample (default: as many as fill 5 ms)" },
	{ OPTION_WARMUP, "bench", "calls before each sample (default: as many as fill 1 ms)" },
	{ OPTION_TRACE, "draw",
		"draw the messages that passed, as run --trace or LOCKSTEP_TRACE recorded them (-: "
		"stdin)" },
	{ OPTION_PLAN, "bench", "plan or trace beside the algorithms (-: stdin)" },
	{ OPTION_PLAN, "list", "plan or trace beside the algorithms (-: stdin)" },
	{ OPTION_SEED, "find", "seed of the solver; the same seed gives the same plan (0)" },
	{ OPTION_MESSAGE_SIZE, "find",
		"write the plan of least cost for M elements, found or default (fewest rounds)" },
	{ OPTION_VERBOSE, "run", "explain the choice of algorithm and engine" },
	{ OPTION_VERBOSE, "bench", "explain the choice of algorithm and engine" },
	{ OPTION_VERBOSE, "check", "explain the choice of the algorithm" },
	{ OPTION_VERBOSE, "steps", "show moves, contents, link loads, and why this algorithm" },
	{ OPTION_VERBOSE, "find", "with -m: show the plans of few rounds or little volume" },
	{ OPTION_VERBOSE, "list", "show the memory per node of -e sweep" },
	{ OPTION_VERBOSE, "reproduce", "show how each claim is checked, and a command for it" },
	{ 0 },
};

const char *option_text(enum option_id id, const char *verb)
{
	for (const struct verb_text *row = verb_texts; row->verb; row++)
		if (row->id == id && strcmp(row->verb, verb) == 0)
			return row->text;
	return option_table[id].text;
}
