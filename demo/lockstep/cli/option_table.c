#include "cli/option_table.h"

#include <math.h>
#include <string.h>

static int wants(const char *value, const char *what, const char *right)
{
	return print_error(EXIT_USAGE, "%s is not %s; would be right: %s", value, what, right);
}

#define SET(name) static int set_##name(struct options *options, const char *value)
#define SET_TEXT(name) \
	SET(name) \
	{ \
		options->name = value; \
		return EXIT_SUCCESS; \
	}
#define SET_FLAG(name, field, what) \
	SET(name) \
	{ \
		(void)value; \
		options->field = what; \
		return EXIT_SUCCESS; \
	}

SET_TEXT(topology)
SET_TEXT(algorithm)
SET_TEXT(input)
SET_TEXT(output)
SET_TEXT(trace)
SET_TEXT(plan)
SET_TEXT(map)
SET_FLAG(strict, strict, true)
SET_FLAG(quiet, quiet, true)
SET_FLAG(verbose, verbose, true)
SET_FLAG(help, help, true)
SET_FLAG(version, version, true)
SET_FLAG(json, form, FORM_JSON)
SET_FLAG(csv, form, FORM_CSV)

/* The parts of a list with commas between, each found by find; exit code. */
static int set_list(
	const char *value, const char *option, int (*find)(const char *, int *), struct list *out)
{
	char copy[120], *rest = copy;

	out->count = 0;
	snprintf(copy, sizeof copy, "%s", value);
	for (char *word; (word = strsep(&rest, ","));) {
		int place;
		const int failed = find(word, &place);

		if (failed)
			return failed;
		if (out->count == LIST_MOST)
			return print_error(EXIT_USAGE,
				"--%s has more than %d values; would be right: each once", option, LIST_MOST);
		out->at[out->count++] = place;
	}
	return EXIT_SUCCESS;
}

SET(engine)
{
	return set_list(value, "engine", find_engine, &options->engines);
}

SET(type)
{
	return find_type(value, &options->type);
}

SET(op)
{
	return find_op(value, &options->op);
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
	return most && read_size(least, &out->least) && read_size(most, &out->most)
		&& out->least <= out->most;
}

SET(count)
{
	if (strchr(value, ':')) {
		if (!read_range(value, &options->sizes))
			return wants(value, "a range of message sizes", "MIN:MAX or MIN:MAX:xF, as 1:1M:x4");
		options->count = options->sizes.least;
		return EXIT_SUCCESS;
	}
	if (!read_size(value, &options->count))
		return wants(value, "a message size", "elements, for example -m 1 or -m 64K");
	options->sizes = (struct range){ options->count, options->count, 2 };
	return EXIT_SUCCESS;
}

SET(root)
{
	if (!read_int(value, &options->root) || options->root < 0)
		return wants(value, "a rank", "-r 0");
	return EXIT_SUCCESS;
}

SET(shift)
{
	if (!read_int(value, &options->shift))
		return wants(value, "a distance", "-q 1");
	return EXIT_SUCCESS;
}

static int set_small(const char *value, int least, int most, const char *what, int *out)
{
	int64_t number;

	if (!read_int(value, &number) || number < least || number > most)
		return print_error(EXIT_USAGE, "%s is not a number of %s; would be right: %d to %d", value,
			what, least, most);
	*out = (int)number;
	return EXIT_SUCCESS;
}

SET(ports)
{
	return set_small(value, 1, LS_PORTS, "ports", &options->ports);
}

SET(mailbox)
{
	return set_small(value, 1, 1 << 16, "messages in a mailbox", &options->mailbox);
}

SET(workers)
{
	return set_small(value, 1, 1 << 16, "workers", &options->workers);
}

SET(iterations)
{
	if (!read_size(value, &options->iterations) || options->iterations == 0)
		return wants(value, "a number of runs", "-i 10");
	return EXIT_SUCCESS;
}

SET(warmup)
{
	if (!read_size(value, &options->warmup))
		return wants(value, "a number of runs", "-x 2");
	return EXIT_SUCCESS;
}

SET(samples)
{
	if (!read_size(value, &options->samples) || options->samples == 0)
		return wants(value, "a number of samples", "--samples 11");
	return EXIT_SUCCESS;
}

SET(model)
{
	char copy[80], *rest = copy;

	snprintf(copy, sizeof copy, "%s", value);

	const char *t_s = strsep(&rest, ",");

	if (!rest || !read_real(t_s, &options->model.t_s) || !read_real(rest, &options->model.t_w)
		|| !(options->model.t_s >= 0) || !(options->model.t_w >= 0))
		return wants(value, "a model", "t_s,t_w in ns and ns a byte, for example --model 50,0.02");
	return EXIT_SUCCESS;
}

SET(seed)
{
	if (!read_unsigned(value, &options->seed))
		return wants(value, "a seed", "--seed 1");
	return EXIT_SUCCESS;
}

SET(timeout)
{
	if (!read_real(value, &options->timeout) || !(options->timeout > 0) || isinf(options->timeout))
		return wants(value, "a time limit", "seconds, for example --timeout 2.5");
	return EXIT_SUCCESS;
}

/* The place of the value among the words, into *out. */
static int set_word(const char *value, const char *const *words, const char *option, int *out)
{
	char known[80] = "";
	size_t count = 0;

	for (; words[count]; count++) {
		if (strcmp(value, words[count]) == 0) {
			*out = (int)count;
			return EXIT_SUCCESS;
		}
		strcat(strcat(known, count > 0 ? ", " : ""), words[count]);
	}

	const char *meant = ls_name_suggest(value, words, count);

	return print_error(EXIT_USAGE, "--%s has no value %s; would be right: %s", option, value,
		meant ? meant : known);
}

SET(mode)
{
	static const char *const words[] = { [LS_HOP] = "hop", [LS_ROUTED] = "routed", NULL };
	int mode;
	const int failed = set_word(value, words, "mode", &mode);

	if (!failed)
		options->mode = (enum ls_mode)mode;
	return failed;
}

static int find_rounds(const char *word, int *out)
{
	static const char *const words[] = { [LS_LOCKSTEP] = "lockstep", [LS_FREE] = "free", NULL };

	return set_word(word, words, "rounds", out);
}

SET(rounds)
{
	return set_list(value, "rounds", find_rounds, &options->every_rounds);
}

SET(bind)
{
	static const char *const words[] = { "none", "core", "pu", NULL };
	static const enum ls_bind binds[] = { LS_BIND_NONE, LS_BIND_CORE, LS_BIND_PU };
	int place;
	const int failed = set_word(value, words, "bind", &place);

	if (!failed)
		options->bind = binds[place];
	return failed;
}

SET(color)
{
	static const char *const words[] = { "never", "auto", "always", NULL };
	int place = 2;
	const int failed = value ? set_word(value, words, "color", &place) : EXIT_SUCCESS;

	options->color = place - 1;
	return failed;
}

#define PLANNED "run steps check list bench"
const struct option_row option_table[OPTION_ROWS] = {
	{ "topology", "SPEC", 't', PLANNED, set_topology,
		"network: ring:8, mesh:4x4, hypercube:3, star:4 (see list topologies)" },
	{ "message-size", "M", 'm', PLANNED, set_count,
		"elements of one contribution; K, M, G = 1024..; bench: MIN:MAX[:xF] (1)" },
	{ "algorithm", "NAME", 'a', "run steps check bench", set_algorithm,
		"chosen by predicted cost (see list algorithms); bench: a list" },
	{ "map", "MAP", 0, "run steps check bench", set_map,
		"with -a GUEST/NAME: identity, gray, hamiltonian or a FILE (identity)" },
	{ "root", "RANK", 'r', PLANNED, set_root, "rank of the root (0)" },
	{ "shift", "Q", 'q', PLANNED, set_shift, "distance of a circular shift (1)" },
	{ "op", "OP", 'o', PLANNED, set_op,
		"sum prod min max land lor lxor band bor bxor minloc maxloc (sum)" },
	{ "type", "TYPE", 'd', PLANNED, set_type,
		"int8..int64 uint8..uint64 float double cfloat cdouble (double)" },
	{ "mode", "MODE", 0, PLANNED, set_mode,
		"hop: neighbours only; routed: along routes (hop; on tree routed)" },
	{ "ports", "K", 0, PLANNED, set_ports,
		"messages that a node sends, and receives, in a round (1)" },
	{ "strict", NULL, 0, "run check bench", set_strict, "congestion is an error" },
	{ "engine", "ENGINE", 'e', "run bench", set_engine,
		"threads, cooperative, sweep, auto (run: threads; bench: auto, or a list)" },
	{ "workers", "N", 0, "run bench", set_workers, "sweep: worker threads (the cores allowed)" },
	{ "rounds", "ROUNDS", 0, "run bench", set_rounds,
		"lockstep: a barrier ends a round; free: none does (lockstep; bench: or a list)" },
	{ "mailbox", "K", 0, "run bench", set_mailbox, "messages that a wire holds (4)" },
	{ "iterations", "N", 'i', "run bench", set_iterations,
		"timed runs; the median counts (1); bench: calls of a sample (5 ms of them)" },
	{ "warmup", "N", 'x', "run bench", set_warmup,
		"runs before those (0); bench: calls before each sample (1 ms of them)" },
	{ "samples", "N", 0, "bench", set_samples, "samples of a size (11 to 21, in half a second)" },
	{ "model", "T_S,T_W", 0, "bench", set_model,
		"ns a round and ns a byte, as `lockstep fit` finds them (1000,1)" },
	{ "seed", "N", 0, "run bench", set_seed, "random operands instead of r + 1 + e" },
	{ "bind", "WHERE", 0, "run bench", set_bind, "none, core, pu: where threads may run (core)" },
	{ "timeout", "S", 0, "run bench", set_timeout, "seconds after which the run is stopped" },
	{ "input", "FILE", 0, "run", set_input, "operands: raw, .npy or .csv, one row a node" },
	{ "output", "FILE", 0, "run", set_output, "results: raw, .npy or .csv, one row a node" },
	{ "trace", "FILE", 0, "run", set_trace,
		"write every message that was sent: round,src,dst,words" },
	{ "plan", "FILE", 0, "run steps check", set_plan,
		"FILE.plan in place of an operation; run: or a trace" },
	{ "json", NULL, 0, "run check bench fit list reproduce info", set_json, "one JSON document" },
	{ "csv", NULL, 0, PLANNED " fit info", set_csv, "comma-separated values" },
	{ "color", "[=WHEN]", 0, NULL, set_color, "always, never, auto (auto; NO_COLOR is honoured)" },
	{ "quiet", NULL, 0, NULL, set_quiet, "results only by exit code and files" },
	{ "verbose", NULL, 'v', NULL, set_verbose, "more: candidates and costs; moves" },
	{ "help", NULL, 'h', NULL, set_help, "this text" },
	{ "version", NULL, 0, NULL, set_version, "the version" },
};
_Static_assert(OPTION_ROWS <= 64, "a bit of options.given each");
