#include "reproduce/evidence.h"
#include "reproduce/reproduce.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static struct {
	int64_t nodes[METHODS]; /* of the largest network; 0: the method was not used */
	char missing[FOUND_SIZE];
} evidence;

void evidence_begin(void)
{
	memset(&evidence, 0, sizeof evidence);
}

void record_method(enum method method, int64_t nodes)
{
	if (nodes > evidence.nodes[method])
		evidence.nodes[method] = nodes;
}

bool lacks_resources(int status, const char *format, ...)
{
	const bool lacks = status == LS_ERR_MEMORY || status == LS_ERR_THREADS;
	va_list arguments;

	va_start(arguments, format);
	if (lacks)
		vsnprintf(evidence.missing, sizeof evidence.missing, format, arguments);
	va_end(arguments);
	return lacks;
}

const char *missing_resource(void)
{
	return evidence.missing;
}

/* The most nodes that a method stronger than this one reached. */
static int64_t nodes_above(int method)
{
	int64_t most = 0;

	for (int i = method + 1; i < METHODS; i++)
		most = evidence.nodes[i] > most ? evidence.nodes[i] : most;
	return most;
}

void write_evidence(char *text)
{
	static const char *const name[METHODS] = { "the library has no plan", "computed by a formula",
		"computed by the procedure of the source", "measured on the network", "counted in the plan",
		"replayed on values", "checked against the laws", "executed by a sweep",
		"executed by threads" };
	const int64_t most = nodes_above(-1);

	text[0] = '\0';
	for (int i = METHODS - 1; i >= 0; i--) {
		const int64_t nodes = evidence.nodes[i];
		const bool is_alone = !text[0] && nodes == most;

		if (nodes <= nodes_above(i))
			continue;
		append_text(text, "%s%s", text[0] ? ", " : "", name[i]);
		if (!is_alone)
			append_text(text, " up to %" PRId64 " nodes", nodes);
	}
}
