#include "base/names.h"
#include "base/number.h"
#include "cli/option_drawing.h"
#include "cli/option_search.h"
#include "cli/option_set.h"
#include "cli/option_values.h"
#include "cli/verb.h"

#include <math.h>
#include <string.h>

SET_TEXT(topology, query.topology)
SET_TEXT(algorithm, query.algorithm)
SET_TEXT(input, query.input)
SET_TEXT(plan, query.plan)
SET_TEXT(format_name, output.format_name)
SET_TEXT(expect, how.expect)
SET_TEXT(compare, how.compare)
SET_TEXT(map, query.map)
SET_TEXT(output, output.results)
SET_TEXT(trace, output.trace)
SET_TEXT(view, drawing.view)
SET_TEXT(layout, drawing.layout)
SET_TEXT(focus, drawing.focus)
SET_TEXT(title, drawing.title)
SET_TEXT(axes, drawing.axes)
SET_TEXT(series, drawing.series)
SET_FLAG(standalone, drawing.standalone)
SET_FLAG(beamer, drawing.beamer)
SET_FLAG(list_drawings, drawing.list)
SET_FLAG(strict, how.strict)
SET_FLAG(times, how.times)
SET_FLAG(quiet, output.quiet)
SET_FLAG(verbose, output.verbose)
SET_FLAG(help, help)
SET_FLAG(version, version)

/* The verb looks the format up: it may follow the option. */
SET(format)
{
	(void)options;
	(void)value;
	return EXIT_SUCCESS;
}

SET(engine)
{
	return set_list(value, "engine", find_engine, &options->how.engines);
}

SET(type)
{
	return find_type(value, &options->query.type);
}

SET(op)
{
	return find_op(value, &options->query.op);
}

/* MIN:MAX or MIN:MAX:xF */
static bool read_range(const char *value, struct range *out)
{
	char copy[80], *rest = copy;

	snprintf(copy, sizeof copy, "%s", value);

	const char *least = strsep(&rest, ":"), *most = strsep(&rest, ":"), *factor = rest;

	out->factor = 2;
	if (factor && (*factor != 'x' || !read_size(factor + 1, &out->factor) || out->factor < 2))
		return false;
	return most && read_size(least, &out->least) && read_size(most, &out->most);
}

SET(count)
{
	if (strchr(value, ':')) {
		if (!read_range(value, &options->query.sizes))
			return print_unexpected(value, "a range of message sizes",
				"MIN:MAX or MIN:MAX:xF with an integer F >= 2, for example 1:1M:x4");
		if (options->query.sizes.least > options->query.sizes.most)
			return print_unexpected(value, "a range of message sizes", "MIN <= MAX");
		options->query.count = options->query.sizes.least;
		return EXIT_SUCCESS;
	}
	if (!read_size(value, &options->query.count))
		return print_unexpected(
			value, "a message size", "a number of elements, for example 1 or 64K");
	options->query.sizes = (struct range){ options->query.count, options->query.count, 2 };
	return EXIT_SUCCESS;
}

SET(root)
{
	if (!read_int(value, &options->query.root) || options->query.root < 0)
		return print_unexpected(value, "a rank", "an integer >= 0");
	return EXIT_SUCCESS;
}

SET(shift)
{
	if (!read_int(value, &options->query.shift))
		return print_unexpected(value, "a distance", "an integer of at most 64 bits");
	return EXIT_SUCCESS;
}

SET(ports)
{
	return set_small(value, 1, LS_PORTS, "a number of ports", &options->query.ports);
}

SET(mailbox)
{
	return set_small(value, 1, 1 << 16, "the capacity of a mailbox", &options->how.mailbox);
}

SET(workers)
{
	return set_small(value, 1, 1 << 16, "a number of workers", &options->how.workers);
}

SET(iterations)
{
	if (!read_size(value, &options->how.iterations) || options->how.iterations == 0)
		return print_unexpected(value, "a number of runs", "an integer >= 1");
	return EXIT_SUCCESS;
}

SET(warmup)
{
	if (!read_size(value, &options->how.warmup))
		return print_unexpected(value, "a number of runs", "an integer >= 0");
	return EXIT_SUCCESS;
}

SET(samples)
{
	if (!read_size(value, &options->how.samples) || options->how.samples == 0)
		return print_unexpected(value, "a number of samples", "an integer >= 1");
	return EXIT_SUCCESS;
}

SET(model)
{
	char copy[80], *rest = copy;

	snprintf(copy, sizeof copy, "%s", value);

	const char *t_s = strsep(&rest, ",");

	if (!rest || !read_real(t_s, &options->query.model.t_s)
		|| !read_real(rest, &options->query.model.t_w) || !(options->query.model.t_s >= 0)
		|| !(options->query.model.t_w >= 0))
		return print_unexpected(
			value, "a model", "t_s,t_w in ns and ns per byte, for example 50,0.02");
	return EXIT_SUCCESS;
}

SET(seed)
{
	if (!read_unsigned(value, &options->query.seed))
		return print_unexpected(value, "a seed", "an integer >= 0");
	return EXIT_SUCCESS;
}

SET(timeout)
{
	if (!read_real(value, &options->how.timeout) || !(options->how.timeout > 0)
		|| isinf(options->how.timeout))
		return print_unexpected(value, "a time limit", "seconds > 0, for example 2.5");
	return EXIT_SUCCESS;
}

SET(mode)
{
	static const char *const words[] = { [LS_HOP] = "hop", [LS_ROUTED] = "routed", NULL };
	int mode;
	const int failed = set_word(value, words, "mode", &mode);

	if (!failed)
		options->query.mode = (enum ls_mode)mode;
	return failed;
}

static int find_rounds(const char *word, int *out)
{
	static const char *const words[] = { [LS_LOCKSTEP] = "lockstep", [LS_FREE] = "free", NULL };

	return set_word(word, words, "rounds", out);
}

SET(rounds)
{
	return set_list(value, "rounds", find_rounds, &options->how.every_rounds);
}

static int find_nodes(const char *word, int *out)
{
	static const char *const words[] = {
		[LS_NODE_THREAD] = "threads", [LS_NODE_FIBER] = "fibers", NULL
	};

	return set_word(word, words, "nodes", out);
}

SET(nodes)
{
	return set_list(value, "nodes", find_nodes, &options->how.node_kinds);
}

SET(bind)
{
	static const char *const words[] = { "none", "core", "pu", NULL };
	static const enum ls_bind binds[] = { LS_BIND_NONE, LS_BIND_CORE, LS_BIND_PU };
	int found;
	const int failed = set_word(value, words, "bind", &found);

	if (!failed)
		options->how.bind = binds[found];
	return failed;
}

SET(color)
{
	static const char *const words[] = { "never", "auto", "always", NULL };
	int found = 2;
	const int failed = value ? set_word(value, words, "color", &found) : EXIT_SUCCESS;

	options->output.color = found - 1;
	return failed;
}

const struct option_row option_table[OPTIONS] = {
	[OPTION_TOPOLOGY] = { "topology", "SPEC", 't', set_topology,
		"network: ring:8, star:4 (lockstep list topologies)", .need = NEEDS_NOTHING },
	[OPTION_MESSAGE_SIZE] = { "message-size", "M", 'm', set_count,
		"elements per contribution; K = 1024, M, G (1)", .need = NEEDS_ELEMENTS },
	[OPTION_ALGORITHM] = { "algorithm", "NAME", 'a', set_algorithm,
		"algorithm, or GUEST/ALGORITHM (default: lowest predicted cost)", .need = NEEDS_NOTHING },
	[OPTION_MAP] = { "map", "MAP", 0, set_map,
		"embeds the guest network of -a GUEST/ALGORITHM: identity, gray, hamiltonian or a FILE "
		"(identity)",
		.need = NEEDS_NOTHING },
	[OPTION_ROOT] = { "root", "RANK", 'r', set_root, "rank of the root (0)", .need = NEEDS_ROOT },
	[OPTION_SHIFT] = { "shift", "Q", 'q', set_shift, "distance of a circular shift (1)",
		.need = NEEDS_DISTANCE },
	[OPTION_OP] = { "op", "OP", 'o', set_op,
		"sum prod min max land lor lxor band bor bxor minloc maxloc (sum)",
		.need = NEEDS_OPERATOR },
	[OPTION_TYPE] = { "type", "TYPE", 'd', set_type,
		"int8..int64 uint8..uint64 float double cfloat cdouble (double)", .need = NEEDS_ELEMENTS },
	[OPTION_MODE] = { "mode", "MODE", 0, set_mode,
		"hop: messages cross one link; routed: they follow routes (hop; routed on tree, "
		"and with a guest of dilation above 1)",
		.need = NEEDS_NOTHING },
	[OPTION_PORTS] = { "ports", "K", 0, set_ports,
		"messages that a node sends and receives per round (1)", .need = NEEDS_NOTHING },
	[OPTION_STRICT] = { "strict", NULL, 0, set_strict, "treat congestion as an error",
		.need = NEEDS_LOCKSTEP },
	[OPTION_ENGINE] = { "engine", "ENGINE", 'e', set_engine,
		"mailboxes, cooperative, sweep or auto (mailboxes)", .need = NEEDS_NOTHING },
	[OPTION_NODES] = { "nodes", "KIND", 0, set_nodes,
		"threads, or fibers: light nodes, far faster with more nodes than cores (threads)",
		.need = NEEDS_NODES },
	[OPTION_WORKERS] = { "workers", "N", 0, set_workers,
		"threads of -e sweep (number of allowed cores)", .need = NEEDS_WORKERS },
	[OPTION_ROUNDS] = { "rounds", "ROUNDS", 0, set_rounds,
		"lockstep: a barrier ends each round; free: no barrier (lockstep)", .need = NEEDS_NOTHING },
	[OPTION_MAILBOX] = { "mailbox", "K", 0, set_mailbox, "capacity of a mailbox, in messages (4)",
		.need = NEEDS_MAILBOXES },
	[OPTION_ITERATIONS] = { "iterations", "N", 'i', set_iterations,
		"timed runs; the median is shown (1)", .need = NEEDS_NOTHING },
	[OPTION_WARMUP] = { "warmup", "N", 'x', set_warmup, "runs before the timed ones (0)",
		.need = NEEDS_NOTHING },
	[OPTION_SAMPLES] = { "samples", "N", 0, set_samples,
		"samples per size (default: 11 to 21; 5 if one takes over half a second)",
		.need = NEEDS_NOTHING },
	[OPTION_MODEL] = { "model", "T_S,T_W", 0, set_model,
		"ns per round, ns per byte; 'lockstep fit' finds them (1000,1)", .need = NEEDS_NOTHING },
	[OPTION_SEED] = { "seed", "N", 0, set_seed,
		"random operands (default: element e of node r is r + 1 + e)", .need = NEEDS_ELEMENTS },
	[OPTION_BIND] = { "bind", "WHERE", 0, set_bind,
		"bind each thread to a core, a pu or none (core)", .need = NEEDS_NOTHING },
	[OPTION_TIMEOUT] = { "timeout", "S", 0, set_timeout, "stop after S seconds",
		.need = NEEDS_NOTHING },
	[OPTION_INPUT] = { "input", "FILE", 0, set_input,
		"operands: .npy, .csv, or raw with any other name; one row per node",
		.need = NEEDS_ELEMENTS },
	[OPTION_OUTPUT] = { "output", "FILE", 0, set_output,
		"results: .npy, .csv, or raw with any other name; one row per node",
		.need = NEEDS_ELEMENTS },
	[OPTION_TRACE] = { "trace", "FILE", 0, set_trace,
		"write every message sent: round,src,dst,words", .need = NEEDS_NOTHING },
	[OPTION_TIMES] = { "times", NULL, 0, set_times,
		"add the times of messages to the trace: sent_ns,received_ns,waited_ns",
		.need = NEEDS_MESSAGES },
	[OPTION_PLAN] = { "plan", "FILE", 0, set_plan,
		"plan or trace instead of an algorithm (-: stdin); it may name the operation",
		.need = NEEDS_NOTHING },
	[OPTION_EXPECT] = { "expect", "LIST", 0, set_expect,
		"fail unless the plan meets LIST: rounds<=3,messages=7,ordered (rounds, messages, words, "
		"load; ordered, identical)",
		.need = NEEDS_NOTHING },
	[OPTION_BOUND] = { "bound", "FILE", 0, set_search_bound,
		"check a refutation of find --proof in place of a plan (-: stdin)", .need = NEEDS_NOTHING },
	[OPTION_WITHIN] = { "within", "R", 0, set_search_within,
		"decide only whether R rounds are enough (the fewest)", .need = NEEDS_NOTHING },
	[OPTION_BUDGET] = { "budget", "S", 0, set_search_budget, "CPU seconds of the solver (60)",
		.need = NEEDS_NOTHING },
	[OPTION_SOLVER] = { "solver", "PROGRAM", 0, set_search_solver,
		"program that reads DIMACS and writes DRAT (cadical)", .need = NEEDS_NOTHING },
	[OPTION_PROOF] = { "proof", "FILE", 0, set_search_proof,
		"write the last refutation, for check --bound", .need = NEEDS_NOTHING },
	[OPTION_RECORD] = { "record", "FILE", 0, set_search_record,
		"append the schedule, as a row of the table of records", .need = NEEDS_NOTHING },
	[OPTION_SYMMETRY] = { "symmetry", "WHAT", 0, set_search_symmetry,
		"auto: try symmetric plans first; none: do not (auto)", .need = NEEDS_NOTHING },
	[OPTION_PREFIX] = { "prefix", "LINKS", 0, set_search_prefix,
		"links that all nodes use in the first rounds, as 2,3,4 (any)", .need = NEEDS_NOTHING },
	[OPTION_COMPARE] = { "compare", "FILE", 0, set_compare,
		"earlier output of bench --json (-: stdin): is each row faster, slower or the same?",
		.need = NEEDS_NOTHING },
	[OPTION_VIEW] = { "view", "VIEW", 0, set_view,
		"what is drawn: network, all, panels, .. (draw --list; the first that fits)",
		.need = NEEDS_NOTHING },
	[OPTION_X_AXIS] = { "x-axis", "WHAT", 0, set_drawing_x_axis,
		"of a timeline: time or rounds (time if the trace has times)", .need = NEEDS_NOTHING },
	[OPTION_STEP] = { "step", "K", 0, set_drawing_step, "only step K, or steps A-B (all)",
		.need = NEEDS_NOTHING },
	[OPTION_VALUES] = { "values", "WHAT", 0, set_drawing_values,
		"what nodes have: none, blocks, data or both (none)", .need = NEEDS_NOTHING },
	[OPTION_LABELS] = { "labels", "WHAT", 0, set_drawing_labels,
		"of nodes: rank, name, both or none (both)", .need = NEEDS_NOTHING },
	[OPTION_LAYOUT] = { "layout", "NAME", 0, set_layout,
		"places of the nodes: a layout of the network, or a FILE of lines 'rank x y'",
		.need = NEEDS_NOTHING },
	[OPTION_FOCUS] = { "focus", "NODES", 0, set_focus,
		"only these nodes: ranks as 0-7,12, or a label with x or * for what differs (all)",
		.need = NEEDS_NOTHING },
	[OPTION_COLUMNS] = { "columns", "N", 0, set_drawing_columns, "panels in a row (as many as fit)",
		.need = NEEDS_NOTHING },
	[OPTION_THEME] = { "theme", "THEME", 0, set_drawing_theme, "color, mono or dark (color)",
		.need = NEEDS_NOTHING },
	[OPTION_TITLE] = { "title", "TEXT", 0, set_title,
		"title of the picture (operation and network; of a chart, its columns)",
		.need = NEEDS_NOTHING },
	[OPTION_CAPTION] = { "caption", "TEXT", 0, set_drawing_caption,
		"text below the picture; none: no text (algorithm, source, counts)",
		.need = NEEDS_NOTHING },
	[OPTION_WIDTH] = { "width", "MM", 0, set_drawing_width, "width of the picture in mm",
		.need = NEEDS_NOTHING },
	[OPTION_STANDALONE] = { "standalone", NULL, 0, set_standalone, "TikZ: a document of its own",
		.need = NEEDS_NOTHING },
	[OPTION_BEAMER] = { "beamer", NULL, 0, set_beamer, "TikZ: a slide for each step",
		.need = NEEDS_NOTHING },
	[OPTION_AXES] = { "axes", "COLUMNS", 0, set_axes,
		"columns X,Y, or X,Y,LOW,HIGH with the ends of bars (those of bench)",
		.need = NEEDS_NOTHING },
	[OPTION_SERIES] = { "series", "COLUMNS", 0, set_series,
		"columns whose values tell the curves apart (those of bench)", .need = NEEDS_NOTHING },
	[OPTION_LIST] = { "list", NULL, 0, set_list_drawings,
		"list views, layouts, formats and figures", .need = NEEDS_NOTHING },
	[OPTION_FORMAT] = { "format", "NAME", 0, set_format_name, "output format: text, csv, .. (text)",
		.need = NEEDS_NOTHING },
	[OPTION_JSON] = { "json", NULL, 0, set_format, "write one JSON document",
		.need = NEEDS_NOTHING },
	[OPTION_CSV] = { "csv", NULL, 0, set_format, "write comma-separated values",
		.need = NEEDS_NOTHING },
	[OPTION_COLOR] = { "color", "[=WHEN]", 0, set_color,
		"always, never or auto (auto; NO_COLOR is honored)", .need = NEEDS_NOTHING },
	[OPTION_QUIET] = { "quiet", NULL, 0, set_quiet, "no results on standard output",
		.need = NEEDS_NOTHING },
	[OPTION_VERBOSE] = { "verbose", NULL, 'v', set_verbose, "show more", .need = NEEDS_NOTHING },
	[OPTION_HELP] = { "help", NULL, 'h', set_help, "show this help", .need = NEEDS_NOTHING },
	[OPTION_VERSION] = { "version", NULL, 0, set_version, "show the version",
		.need = NEEDS_NOTHING },
};
_Static_assert(OPTIONS <= 64, "one bit of options.given per option");
