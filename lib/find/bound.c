/*
 * A stored refutation is checked in three steps: its checksum, against damage and against a formula
 * that is not the one that was refuted; then each of its clauses; then that they contradict each
 * other.  The last two are the proof.  The first gives a clear message, and it detects a change of
 * the formula that would leave an old proof valid by chance.
 */
#include "find/bound.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lockstep/find.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/sized.h"
#include "cost/candidate.h"
#include "find/proof_reader.h"

static const char rounds_line[] = "c rounds ", sum_line[] = "c sum ";

/* FNV-1a, 64 bits: it finds damage, and a formula that is not the one that was refuted. */
static uint64_t add_to_sum(uint64_t sum, const void *data, size_t bytes)
{
	const unsigned char *byte = data;

	for (size_t i = 0; i < bytes; i++)
		sum = (sum ^ byte[i]) * UINT64_C(0x100000001b3);
	return sum;
}

/* Of all literals with their zeros, then of the text after the comments. */
static uint64_t checksum(const struct lsi_clauses *formula, const char *body, size_t bytes)
{
	const uint64_t sum = add_to_sum(UINT64_C(0xcbf29ce484222325), formula->literal,
		formula->literals * sizeof *formula->literal);

	return add_to_sum(sum, body, bytes);
}

/* ---- Writing */

struct text {
	char *at;
	size_t length, room;
	bool no_memory;
};

static void put_text(struct text *t, const char *piece)
{
	const size_t n = strlen(piece);

	if (t->length + n + 1 > t->room) {
		const size_t room = 2 * t->room + n + 4096;
		char *wider = lsi_alloc_grow(t->at, t->length, room);

		t->no_memory |= !wider;
		if (!wider)
			return;
		t->at = wider;
		t->room = room;
	}
	memcpy(t->at + t->length, piece, n + 1);
	t->length += n;
}

/* The last step of the core is the contradiction. */
static bool is_needed(const struct lsi_core *core, size_t step)
{
	return !core || (step < core->steps && core->needed[step]);
}

static void put_proof(struct text *t, struct lsi_proof proof)
{
	struct lsi_proof_reader reader;
	char piece[24];

	lsi_proof_open(&reader, proof.at, proof.bytes);
	for (size_t step = 1; lsi_proof_next(&reader) && !t->no_memory; step++) {
		if (!is_needed(proof.core, step))
			continue;
		put_text(t, reader.deletes ? "d " : "");
		for (size_t i = 0; i < reader.count; i++) {
			snprintf(piece, sizeof piece, "%d ", reader.literal[i]);
			put_text(t, piece);
		}
		put_text(t, "0\n");
	}
	put_text(t, proof.core ? "0\n" : "");
	t->no_memory |= reader.is_broken;
	lsi_proof_close(&reader);
}

/* The place of the checksum holds zeros until the text is complete. */
char *lsi_refutation_text(const struct ls_request *request, const struct lsi_clauses *formula,
	int rounds, struct lsi_proof proof, size_t *length)
{
	struct text t = { 0 };
	char piece[400], digits[24];
	size_t sum;

	snprintf(piece, sizeof piece,
		"c lockstep: a refutation of %s on %s, root %" PRId64 ", shift %" PRId64 ", %d port%s\n",
		ls_operation_name(request->operation), ls_topology_spec(request->topology), request->root,
		request->shift, request->ports ? request->ports : 1, request->ports > 1 ? "s" : "");
	put_text(&t, piece);
	snprintf(piece, sizeof piece, "%s%d\n%s", rounds_line, rounds, sum_line);
	put_text(&t, piece);
	sum = t.length;
	put_text(&t, "0000000000000000\n");

	const size_t body = t.length;

	put_proof(&t, proof);
	if (t.no_memory) {
		lsi_free(t.at);
		return NULL;
	}
	snprintf(digits, sizeof digits, "%016" PRIx64, checksum(formula, t.at + body, t.length - body));
	memcpy(t.at + sum, digits, strlen(digits));
	*length = t.length;
	return t.at;
}

/* ---- Checking */

/* The type and the operator are not used. */
int lsi_find_read(struct ls_request *request, const struct ls_request *given, struct ls_error *why)
{
	const bool readable = given && lsi_sized_read(request, sizeof *request, given);
	struct lsi_selection selection;
	int status;

	if (readable)
		request->type = NULL, request->op = NULL;
	status = lsi_selection_init(&selection, readable ? request : given, why);
	if (status == LS_OK)
		status = lsi_find_check_network(request->topology, why);
	if (status == LS_OK && request->mode != LS_HOP)
		return lsi_error_set(
			why, LS_ERR_UNSUPPORTED, "a search is in hop mode only; try --mode hop");
	return status;
}

/* What the comments at the beginning state; body: what follows them. */
struct head {
	long rounds; /* -1: no such line */
	bool has_sum;
	uint64_t sum;
	const char *body;
};

/* A comment; lines for people are ignored. */
static void read_line(const char *line, size_t length, struct head *out)
{
	char copy[80], *end;

	snprintf(copy, sizeof copy, "%.*s", (int)length, line);
	if (strncmp(copy, rounds_line, strlen(rounds_line)) == 0) {
		out->rounds = strtol(copy + strlen(rounds_line), &end, 10);
		if (*end || end == copy + strlen(rounds_line) || out->rounds > LSI_FIND_ROUNDS)
			out->rounds = -1;
	} else if (strncmp(copy, sum_line, strlen(sum_line)) == 0) {
		out->sum = strtoull(copy + strlen(sum_line), &end, 16);
		out->has_sum = *end == '\0';
	}
}

static struct head read_head(const char *text, size_t length)
{
	struct head head = { .rounds = -1, .body = text };
	const char *end = text + length, *line;

	while (head.body < end && *head.body == 'c'
		&& (line = memchr(head.body, '\n', (size_t)(end - head.body)))) {
		/* Only the first bytes of a line count. */
		read_line(head.body, line - head.body < 70 ? (size_t)(line - head.body) : 70, &head);
		head.body = line + 1;
	}
	return head;
}

/* Every outcome but LSI_REFUTED is an error, which names the clause. */
static int report_outcome(struct lsi_refutation_result result, long rounds, struct ls_error *why)
{
	switch (result.outcome) {
	case LSI_REFUTED:
		return LS_OK;
	case LSI_PROOF_ENDS:
		return lsi_error_set(why, LS_ERR_LAW,
			"the refutation of %ld rounds ends without a contradiction; it does not prove the "
			"bound",
			rounds);
	case LSI_PROOF_WRONG:
		return lsi_error_set(why, LS_ERR_LAW,
			"clause %zu of the refutation of %ld rounds does not follow; it does not prove the "
			"bound",
			result.line, rounds);
	case LSI_PROOF_UNREADABLE:
		return lsi_error_set(why, LS_ERR_SPEC,
			"clause %zu of the refutation of %ld rounds is not in the form DRAT; try to find it "
			"again",
			result.line, rounds);
	default:
		return lsi_error_set(why, LS_ERR_MEMORY, "no memory to check the refutation");
	}
}

/*
 * The formula comes from the request alone: the text states only the number of rounds.  So a
 * refutation of another network cannot pass.
 */
static int check_body(
	const struct ls_request *request, const struct head *head, size_t bytes, struct ls_error *why)
{
	struct lsi_arcs arcs = { 0 };
	struct lsi_clauses formula = { 0 };
	int status = lsi_arcs_init(&arcs, request->topology, why);

	if (status == LS_OK) {
		const struct lsi_goal goal = lsi_goal_of(request, arcs.nodes);
		const struct lsi_question question = { &arcs, &goal, (int)head->rounds,
			request->ports ? request->ports : 1, NULL, NULL };

		status = lsi_formula_init(&formula, &question, why);
	}
	if (status == LS_OK && checksum(&formula, head->body, bytes) != head->sum)
		status = lsi_error_set(why, LS_ERR_LAW,
			"the refutation is damaged, or is not for this network, operation, root, shift and "
			"ports");
	if (status == LS_OK)
		status = report_outcome(
			lsi_refutation_check(&formula, head->body, bytes, 0, NULL), head->rounds, why);
	lsi_formula_fini(&formula);
	lsi_arcs_fini(&arcs);
	return status;
}

int ls_bound_check(const struct ls_request *given, const char *text, size_t length, int64_t *bound,
	struct ls_error *why)
{
	struct ls_request request = { .size = sizeof request };
	struct head head;
	int status;

	if (!text || !bound)
		return lsi_error_set(why, LS_ERR_ARGUMENT, "%s is NULL; expected %s",
			text ? "bound" : "text", text ? "the address of a number" : "a refutation");
	status = lsi_find_read(&request, given, why);
	if (status != LS_OK)
		return status;
	head = read_head(text, length);
	if (head.rounds < 0 || !head.has_sum)
		return lsi_error_set(why, LS_ERR_SPEC,
			"no lines '%sT' and '%sH' at the beginning; expected a refutation that 'lockstep find "
			"--proof' wrote",
			rounds_line, sum_line);
	status = check_body(&request, &head, length - (size_t)(head.body - text), why);
	if (status == LS_OK)
		*bound = head.rounds + 1;
	return status;
}
