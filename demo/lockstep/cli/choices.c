#include "cli/choices.h"

#include "bench/benchmarks.h"
#include "list/operation_names.h"
#include "reproduce/reproduce.h"

#include <string.h>

struct choice {
	const char *kind, *word, *text;
};

static const struct choice choices[] = {
	{ "mode", "hop", "a message crosses one link" },
	{ "mode", "routed", "a message follows the route of the network" },
	{ "rounds", "lockstep", "a barrier ends each round" },
	{ "rounds", "free", "mailboxes alone order the nodes" },
	{ "nodes", "threads", "every node is a thread" },
	{ "nodes", "fibers", "every node is a fiber; one thread per core runs them" },
	{ "bind", "core", "bind each thread to all hardware threads of one core" },
	{ "bind", "pu", "bind each thread to one hardware thread" },
	{ "bind", "none", "bind no thread" },
	{ "x-axis", "time", "when messages were sent and received" },
	{ "x-axis", "rounds", "the rounds of the messages" },
	{ "color", "always", "use colors" },
	{ "color", "never", "use no colors" },
	{ "color", "auto", "use colors on a terminal" },
	{ "engine", "mailboxes", "every node runs its own steps" },
	{ "engine", "cooperative", "the nodes share the work of all nodes" },
	{ "engine", "sweep", "a few workers step all nodes through each round" },
	{ "engine", "auto", "choose by operation, size, nodes and cores" },
	{ "op", "sum", "sum" },
	{ "op", "prod", "product" },
	{ "op", "min", "minimum" },
	{ "op", "max", "maximum" },
	{ "op", "land", "logical and" },
	{ "op", "lor", "logical or" },
	{ "op", "lxor", "logical exclusive or" },
	{ "op", "band", "bitwise and" },
	{ "op", "bor", "bitwise or" },
	{ "op", "bxor", "bitwise exclusive or" },
	{ "op", "minloc", "minimum and its index" },
	{ "op", "maxloc", "maximum and its index" },
	{ "list", "topologies", "the networks" },
	{ "list", "operations", "the operations and their algorithms" },
	{ "list", "algorithms", "the algorithms" },
};

static void visit_types(choice_visitor *visit, void *context)
{
#define NAME(UPPER, lower) #lower,
	static const char *const names[] = { LS_FOR_TYPES(NAME) };
#undef NAME
	char text[40];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(text, sizeof text, "elements of %zu bytes", ls_type_size(ls_type_find(names[i])));
		visit(context, names[i], text);
	}
}

/* A product has no kind as its first word. */
static void visit_topologies(choice_visitor *visit, void *context)
{
	struct ls_topology_info info = { .size = sizeof info };
	char word[40];

	for (size_t i = 0; ls_topology_list(i, &info); i++)
		if (!strchr(info.form, '*')) {
			snprintf(word, sizeof word, "%s:", info.name);
			visit(context, word, info.text);
		}
}

/* The table has several entries of one name. */
static bool algorithm_is_first(size_t index, const char *name)
{
	struct ls_algorithm_info info = { .size = sizeof info };

	for (size_t i = 0; i < index && ls_algorithm_list(i, &info); i++)
		if (strcmp(info.name, name) == 0)
			return false;
	return true;
}

static void visit_algorithms(choice_visitor *visit, void *context)
{
	struct ls_algorithm_info info = { .size = sizeof info };

	for (size_t i = 0; ls_algorithm_list(i, &info); i++)
		if (algorithm_is_first(i, info.name))
			visit(context, info.name, info.networks);
}

static void visit_maps(choice_visitor *visit, void *context)
{
	struct ls_embedding_info info = { .size = sizeof info };

	for (size_t i = 0; ls_embedding_list(i, &info); i++)
		visit(context, info.name, info.text);
}

static void visit_operations(choice_visitor *visit, void *context)
{
	for (int i = 0; i < LS_OPERATIONS; i++) {
		const enum ls_operation operation = (enum ls_operation)i;

		visit(context, ls_operation_name(operation), operation_textbook_name(operation));
	}
}

static void visit_other_benchmarks(choice_visitor *visit, void *context)
{
	for (const struct benchmark *b = benchmarks; b->name; b++)
		visit(context, b->name, b->text);
}

static void visit_benchmarks(choice_visitor *visit, void *context)
{
	visit_operations(visit, context);
	visit_other_benchmarks(visit, context);
}

static void visit_benchmark_forms(choice_visitor *visit, void *context)
{
	visit(context, "OPERATION", "an operation ('lockstep list operations' shows all)");
	visit_other_benchmarks(visit, context);
}

/* The documents and their items: the operands of `reproduce`. */
static void visit_items(choice_visitor *visit, void *context)
{
	for (const struct source_document *const *d = source_documents; *d; d++) {
		visit(context, (*d)->name, (*d)->title);
		for (size_t i = 0; i < (*d)->items; i++)
			visit(context, (*d)->item[i].name, (*d)->item[i].title);
	}
}

/* Each document, and below it the names of its items. */
static void visit_documents(choice_visitor *visit, void *context)
{
	char names[400];

	visit(context, "ITEM", "a document, or one of its items (default: all)");
	for (const struct source_document *const *d = source_documents; *d; d++) {
		size_t length = 0;

		for (size_t i = 0; i < (*d)->items && length < sizeof names; i++)
			length += (size_t)snprintf(
				names + length, sizeof names - length, "%s%s", i ? " " : "", (*d)->item[i].name);
		visit(context, (*d)->name, (*d)->title);
		visit(context, "", names);
	}
}

static void visit_verbs(choice_visitor *visit, void *context)
{
	for (const struct verb *verb = verbs; verb->name; verb++)
		visit(context, verb->name, verb->text);
}

void choices_visit(const char *kind, choice_visitor *visit, void *context)
{
	static const struct {
		const char *kind;
		void (*visit_all)(choice_visitor *visit, void *context);
	} tables[] = {
		{ "type", visit_types },
		{ "topology", visit_topologies },
		{ "algorithm", visit_algorithms },
		{ "map", visit_maps },
		{ "operation", visit_operations },
		{ "benchmark", visit_benchmarks },
		{ "benchmark-form", visit_benchmark_forms },
		{ "item", visit_items },
		{ "source-document", visit_documents },
		{ "verb", visit_verbs },
	};

	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		if (strcmp(kind, tables[i].kind) == 0)
			tables[i].visit_all(visit, context);
	for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
		if (strcmp(kind, choices[i].kind) == 0)
			visit(context, choices[i].word, choices[i].text);
}

bool choices_are_listed(const char *kind)
{
	return strcmp(kind, "algorithm") == 0 || strcmp(kind, "engine") == 0
		|| strcmp(kind, "rounds") == 0;
}

/* Skips options with their values: "-t TOPOLOGY". */
static const char *skip_options(const char *form)
{
	form += strspn(form, " []");
	while (*form == '-') {
		form += strcspn(form, " ");
		form += strspn(form, " ");
		form += strcspn(form, " []");
		form += strspn(form, " []");
	}
	return form;
}

const char *operand_next(const char *form, struct operand *operand)
{
	const bool alternative = form[strspn(form, " ]")] == '|';
	size_t length;

	form = skip_options(form + strspn(form, " ]|"));
	length = strcspn(form, " []|");
	if (length == 0 || *form == '.')
		return NULL;
	operand->position += !alternative;
	snprintf(operand->word, sizeof operand->word, "%.*s", (int)length, form);
	form += length;
	operand->repeats = strncmp(form + strspn(form, " "), "..", 2) == 0;
	return form;
}
