#include "cli/option_use.h"

#include "data/operand_shape.h"
#include "job/embedded.h"

/* The properties of an operation. */
static const struct {
	bool (*is_met)(enum ls_operation);
	const char *missing;
} operation_needs[OPTION_NEEDS] = {
	[NEEDS_ELEMENTS] = { has_elements, "carries no elements" },
	[NEEDS_ROOT] = { has_root, "has no root" },
	[NEEDS_DISTANCE] = { has_distance, "has no shift distance" },
	[NEEDS_OPERATOR] = { combines, "has no operator" },
};

#define ENGINE(id) (1u << (id))

/* The properties of an engine; one engine of the list must have them. */
static const struct {
	unsigned engines;
	const char *missing, *remedy;
} engine_needs[OPTION_NEEDS] = {
	[NEEDS_MAILBOXES] = { ENGINE(LS_AUTO) | ENGINE(LS_MAILBOXES) | ENGINE(LS_COOPERATIVE),
		"has no mailboxes", "mailboxes" },
	[NEEDS_MESSAGES] = { ENGINE(LS_AUTO) | ENGINE(LS_MAILBOXES), "passes no messages",
		"mailboxes" },
	[NEEDS_NODES] = { ENGINE(LS_AUTO) | ENGINE(LS_MAILBOXES) | ENGINE(LS_COOPERATIVE),
		"runs no node programs", "mailboxes" },
	[NEEDS_WORKERS] = { ENGINE(LS_SWEEP), "has no workers", "sweep" },
};

static int check_operation(const struct query *query, const struct option_row *row)
{
	const int operation = query->operation ? ls_operation_find(query->operation) : -1;

	if (!operation_needs[row->need].is_met)
		return EXIT_SUCCESS;
	/* A trace has elements even if it names no operation. */
	if (query->file && !query->operation && row->need != NEEDS_ELEMENTS)
		return print_error(
			EXIT_USAGE, "%s names no operation; try without --%s", query->plan, row->name);
	if (operation < 0 || operation_needs[row->need].is_met((enum ls_operation)operation))
		return EXIT_SUCCESS;
	return print_error(EXIT_USAGE, "%s %s; try without --%s",
		ls_operation_name((enum ls_operation)operation), operation_needs[row->need].missing,
		row->name);
}

static int check_engines(const struct execution *how, const struct option_row *row)
{
	unsigned engines = 0;

	for (int i = 0; i < how->engines.count; i++)
		engines |= ENGINE(how->engines.at[i]);
	if (!engine_needs[row->need].engines || (engine_needs[row->need].engines & engines))
		return EXIT_SUCCESS;
	return print_error(EXIT_UNAVAILABLE, "engine %s %s; try -e %s, or without --%s",
		ls_engine_name(how->engine), engine_needs[row->need].missing,
		engine_needs[row->need].remedy, row->name);
}

/* Only lockstep rounds count the messages that cross a link. */
static int check_rounds(const struct execution *how, const struct option_row *row)
{
	if (row->need != NEEDS_LOCKSTEP)
		return EXIT_SUCCESS;
	for (int i = 0; i < how->every_rounds.count; i++)
		if (how->every_rounds.at[i] == LS_LOCKSTEP)
			return EXIT_SUCCESS;
	return print_error(EXIT_UNAVAILABLE,
		"free rounds have no link load; try --rounds lockstep, or without --%s", row->name);
}

int check_used(const struct options *options)
{
	int failed = EXIT_SUCCESS;

	for (int i = 0; i < OPTIONS && !failed; i++)
		if (options->given & TAKES(i)) {
			failed = check_operation(&options->query, &option_table[i]);
			if (!failed)
				failed = check_engines(&options->how, &option_table[i]);
			if (!failed)
				failed = check_rounds(&options->how, &option_table[i]);
		}
	if (!failed && options->query.map && !has_guest(&options->query))
		failed = print_error(EXIT_USAGE,
			"--map needs a guest network; try -a GUEST/ALGORITHM, for example -a "
			"hypercube:3/doubling");
	return failed;
}

int check_only(const struct options *options, uint64_t used, const char *subject)
{
	const uint64_t taken = used | EVERY_VERB | TAKES(OPTION_JSON) | TAKES(OPTION_CSV);

	for (int i = 0; i < OPTIONS; i++)
		if (options->given & ~taken & TAKES(i))
			return print_error(
				EXIT_USAGE, "%s takes no --%s; try without it", subject, option_table[i].name);
	return EXIT_SUCCESS;
}
