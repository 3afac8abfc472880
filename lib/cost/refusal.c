/*
 * Messages for requests that no algorithm serves.
 *
 *   named      serves in the other mode                    try --mode MODE
 *   others     serve in this mode                          try their names
 *   others     serve in the other mode                     try --mode MODE; if one was named: with
 *                                                          their names
 *   none                                                   try another topology
 */
#include "cost/refusal.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/suggest.h"
#include "collective/algorithm.h"

static const char *const mode_name[] = { [LS_HOP] = "hop", [LS_ROUTED] = "routed" };

/* Algorithms that a message suggests: "ring, doubling". */
struct names {
	char text[128];
};

/* Several algorithms of the table may share a name; a message lists it once. */
static bool is_first_with_its_name(size_t index, const struct lsi_selection *selection)
{
	for (size_t i = 0; i < index; i++) {
		if (lsi_is_candidate(lsi_algorithms[i], selection)
			&& strcmp(lsi_algorithms[i]->name, lsi_algorithms[index]->name) == 0)
			return false;
	}
	return true;
}

/* The names of the candidates in a mode, each once; omits those for which there is no room. */
static struct names candidate_names(struct lsi_selection selection, enum ls_mode mode)
{
	struct names names = { "" };
	size_t length = 0;

	selection.algorithm = NULL;
	selection.problem.mode = mode;
	for (size_t i = 0; lsi_algorithms[i]; i++) {
		const char *name = lsi_algorithms[i]->name;

		if (lsi_is_candidate(lsi_algorithms[i], &selection) && is_first_with_its_name(i, &selection)
			&& length + strlen(name) + 3 <= sizeof names.text)
			length += (size_t)snprintf(
				names.text + length, sizeof names.text - length, "%s%s", length ? ", " : "", name);
	}
	return names;
}

/* Whether a candidate serves in a mode: the named algorithm, or any if none is named. */
static bool has_candidate(struct lsi_selection selection, enum ls_mode mode)
{
	selection.problem.mode = mode;
	for (size_t i = 0; lsi_algorithms[i]; i++) {
		if (lsi_is_candidate(lsi_algorithms[i], &selection))
			return true;
	}
	return false;
}

/* "ring does not support reduce with sum on star:4 in hop mode" */
struct fault {
	char text[160];
};

static struct fault describe_fault(const struct lsi_selection *selection)
{
	const bool combines = lsi_operation_combines(selection->problem.operation);
	struct fault fault;

	snprintf(fault.text, sizeof fault.text, "%.32s %s %s%s%.20s on %.40s in %s mode",
		selection->algorithm ? selection->algorithm : "no algorithm",
		selection->algorithm ? "does not support" : "supports",
		ls_operation_name(selection->problem.operation), combines ? " with " : "",
		combines ? ls_op_name(selection->op) : "", ls_topology_spec(selection->problem.topology),
		mode_name[selection->problem.mode]);
	return fault;
}

int lsi_refuse_unsupported(const struct lsi_selection *selection, struct ls_error *why_or_null)
{
	const enum ls_mode mode = selection->problem.mode, other = mode == LS_HOP ? LS_ROUTED : LS_HOP;
	const struct names here = candidate_names(*selection, mode);
	const struct names there = candidate_names(*selection, other);
	const struct fault fault = describe_fault(selection);

	if (selection->algorithm && has_candidate(*selection, other))
		return lsi_error_set(
			why_or_null, LS_ERR_UNSUPPORTED, "%s; try --mode %s", fault.text, mode_name[other]);
	if (here.text[0])
		return lsi_error_set(why_or_null, LS_ERR_UNSUPPORTED, "%s; try %s", fault.text, here.text);
	if (there.text[0])
		return lsi_error_set(why_or_null, LS_ERR_UNSUPPORTED, "%s; try --mode %s%s%s", fault.text,
			mode_name[other], selection->algorithm ? " with " : "",
			selection->algorithm ? there.text : "");
	return lsi_error_set(why_or_null, LS_ERR_UNSUPPORTED, "%s; try another topology", fault.text);
}

int lsi_refuse_unknown(const struct lsi_selection *selection, struct ls_error *why_or_null)
{
	struct lsi_suggestion nearest =
		lsi_suggest_begin(selection->algorithm, strlen(selection->algorithm));
	const struct lsi_quote quote =
		lsi_quote_make(selection->algorithm, strlen(selection->algorithm));
	const struct names names = candidate_names(*selection, selection->problem.mode);

	for (size_t i = 0; lsi_algorithms[i]; i++)
		lsi_suggest_offer(&nearest, lsi_algorithms[i]->name);
	if (!nearest.name && !names.text[0])
		return lsi_error_set(
			why_or_null, LS_ERR_SPEC, "no algorithm '%s'; try the default algorithm", quote.text);
	return lsi_error_set(why_or_null, LS_ERR_SPEC,
		nearest.name ? "no algorithm '%s'; did you mean '%s'?"
					 : "no algorithm '%s'; expected one of %s",
		quote.text, nearest.name ? nearest.name : names.text);
}
