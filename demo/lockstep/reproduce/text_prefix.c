/*
 * 002: Grama, Gupta, Karypis, Kumar 2003, section 4.3.
 */
#include "reproduce/reproduce.h"
#include "reproduce/evidence.h"
#include "report/text_table.h"
#include "base/messages.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SUMS(specs)   HOP_MODE(specs, LS_ALLREDUCE, "doubling")
#define PREFIX(specs) HOP_MODE(specs, LS_SCAN, "dimension")

/* Figure 4.13: Algorithm 4.9 with strings instead of sums, to show the order of the operands. */
enum { P = 8, D = 3 };
struct label_string {
	char text[P + 1];
};
struct prefix {
	struct label_string result[D + 1][P], msg[D + 1][P];
};

static struct label_string join(struct label_string a, struct label_string b)
{
	strncat(a.text, b.text, P - strlen(a.text));
	return a;
}

/*
 * `ordered`: a number from a smaller label is the left operand; otherwise operands have the order
 * that lines 9 and 10 print.
 */
static struct prefix compute_prefix_sums(bool ordered)
{
	struct prefix f = { 0 };

	record_method(METHOD_PROCEDURE, P);
	for (int id = 0; id < P; id++) {
		f.msg[0][id].text[0] = (char)('0' + id);
		f.result[0][id] = f.msg[0][id];
	}
	for (int i = 0; i < D; i++)
		for (int id = 0; id < P; id++) {
			const int partner = id ^ 1 << i;
			const struct label_string msg = f.msg[i][id], number = f.msg[i][partner];
			const struct label_string result = f.result[i][id];

			f.msg[i + 1][id] = ordered && partner < id ? join(number, msg) : join(msg, number);
			f.result[i + 1][id] = partner > id ? result
				: ordered                      ? join(number, result)
											   : join(result, number);
		}
	return f;
}

static void draw_prefix(void)
{
	static const char *const head[] = { "node", "before", "step 1", "step 2", "step 3", NULL };
	const struct prefix f = compute_prefix_sums(true);
	struct table table = table_begin(head);

	for (int id = 0; id < P; id++) {
		table_cell(&table, "%d", id);
		for (int i = 0; i <= D; i++)
			table_cell(&table, "[%s](%s)", f.result[i][id].text, f.msg[i][id].text);
	}
	table_text(&table, 0);
	table_end(&table);
}

static void find_not_adding(const struct claim *claim, char *found)
{
	const struct prefix f = compute_prefix_sums(true);

	(void)claim;
	found[0] = '\0';
	for (int id = 0; id < P; id++)
		if (strlen(f.result[1][id].text) == 1)
			append_text(found, "%s%d", blank_between(found), id);
}

static void find_subset(const struct claim *claim, char *found)
{
	const struct prefix f = compute_prefix_sums(true);
	bool is_one_more = true;

	(void)claim;
	for (int id = 0; id < P; id++)
		is_one_more = is_one_more && (int)strlen(f.result[D][id].text) == id + 1;
	snprintf(found, FOUND_SIZE, is_one_more ? "k + 1 nodes" : "other nodes");
}

static void find_order_printed(const struct claim *claim, char *found)
{
	const struct prefix f = compute_prefix_sums(false);

	(void)claim;
	snprintf(found, FOUND_SIZE, "%s", f.result[D][3].text);
}

static void find_order_corrected(const struct claim *claim, char *found)
{
	const struct prefix f = compute_prefix_sums(true);

	(void)claim;
	snprintf(found, FOUND_SIZE, "%s", f.result[D][3].text);
}

/* <3, 1, 4, 0, 2> */
static void find_example(const struct claim *claim, char *found)
{
	static const int64_t numbers[] = { 3, 1, 4, 0, 2 };
	int64_t sums[ARRAY_LENGTH(numbers)] = { 0 };
	struct claim_plan plan;

	if (!open_claim_plan(&claim->run, claim->run.networks, &plan, found))
		return;

	struct message_trace sent = execute_plan(&plan, 1, numbers, sums);

	found[0] = '\0';
	for (size_t i = 0; i < ARRAY_LENGTH(sums); i++)
		append_text(found, "%s%" PRId64, i ? ", " : "<", sums[i]);
	append_text(found, ">");
	free_trace(&sent);
	close_claim_plan(&plan);
}

static void find_no_plan(const struct claim *claim, char *found)
{
	struct claim_plan plan;

	snprintf(found, FOUND_SIZE, "no power of two");
	if (open_claim_plan(&claim->run, claim->run.networks, &plan, found))
		snprintf(found, FOUND_SIZE, "a plan exists");
	else
		snprintf(found, FOUND_SIZE, "no algorithm for 5 nodes");
	close_claim_plan(&plan);
}

static const struct claim all_reduce[] = {
	{ "each node holds the sum 0 + 1 + .. + 7, run on threads", "28", .find = find_sum_from_0,
		.run = SUMS("hypercube:3") },
	{ "words of a message in each step of Figure 4.11", "one word", .expected = "1 1 1",
		.find = find_messages, .run = SUMS("hypercube:3") },
	{ "Algorithm 4.7 with + in place of the union, p = 2 .. 64", "the sum", .expected = "proved",
		.find = find_laws,
		.run = SUMS("hypercube:1 hypercube:2 hypercube:3 hypercube:4 hypercube:5 hypercube:6") },
	{ "required properties of the operator", "\"associative\"",
		.expected = "associative, the same bits", .find = find_order, .run = SUMS("hypercube:4") },
	{ "\"faster\" than a reduction and a broadcast, 2 log p steps; p = 8, 16, 32", "2 log p",
		.expected = "6 8 10", .find = find_executed,
		.run = HOP_MODE("hypercube:3 hypercube:4 hypercube:5", LS_ALLREDUCE, "gather-fold") },
	{ "barrier: no node finishes before every node has contributed", "barrier",
		.expected = "proved", .find = find_laws,
		.run = HOP_MODE("hypercube:3 hypercube:4", LS_BARRIER, "doubling") },
};

static const struct claim equation[] = {
	{ "all-reduce (lost in the text; restored from the slides)", "T = (t_s + t_w m) log p",
		.expected = "exact for p = 2 8 16 64; m = 1 5 64", .find = find_equation,
		.run = SUMS("hypercube:1 hypercube:3 hypercube:4 hypercube:6"), .formula = cost_log },
	{ "prefix sums", "the same pattern", .expected = "exact for p = 2 8 16 64; m = 1 5 64",
		.find = find_equation, .run = PREFIX("hypercube:1 hypercube:3 hypercube:4 hypercube:6"),
		.formula = cost_log },
};

static const struct claim example[] = {
	{ "prefix sums of <3, 1, 4, 0, 2>, run on threads", "<3, 4, 8, 8, 10>", .find = find_example,
		.run = HOP_MODE("linear:5", LS_SCAN, NULL) },
	{ "the same on a hypercube, which Algorithm 4.9 requires", "five numbers",
		.expected = "no algorithm for 5 nodes",
		.reason = "Five is not a power of two; the claim above uses a linear array instead",
		.find = find_no_plan, .run = PREFIX("complete:5") },
};

static const struct claim figure13[] = {
	{ "the sums at the end for n_k = k, run on threads", "s_k = n_0 + .. + n_k",
		.expected = "0 1 3 6 10 15 21 28", .find = find_results, .run = PREFIX("hypercube:3") },
	{ "after the first step \"nodes 0, 2, and 4\", among others, do not add what they received",
		"0, 2, 4", .expected = "0 2 4 6", .find = find_not_adding },
	{ "node k uses \"the k-node subset of those nodes whose labels are less than or equal to k\"",
		"k nodes", .expected = "k + 1 nodes", .reason = "There are k + 1 labels from 0 to k",
		.find = find_subset },
	{ "Algorithm 4.9, line 10: result + number, with strings for numbers, at node 3", "0123",
		.expected = "3210",
		.reason = "The received number comes from smaller labels, so it must be the left operand",
		.find = find_order_printed },
	{ "number + result, and the same order for msg, at node 3", NULL, .expected = "0123",
		.find = find_order_corrected },
	{ "required properties of the operator in the plan, which uses that order", NULL,
		.expected = "associative, the same bits", .find = find_order,
		.run = PREFIX("hypercube:4") },
};

static const struct misprint misprints[] = {
	{ "Equation 4.5, the formula of the prefix sums",
		"images in the text; restored from the slides" },
	{ "Algorithm 4.9, line 6: \"my_id XOR 2i\"", "2^i" },
	{ "Algorithm 4.9", "line 12, \"end PREFIX_SUMS_HCUBE\", is missing" },
};

static const struct source_item items[] = {
	{ "allreduce", "All-reduce by the steps of Figure 4.11", CLAIMS(all_reduce) },
	{ "equation4.5", "Equation 4.5", CLAIMS(equation) },
	{ "prefix-example", "The example of prefix sums", CLAIMS(example) },
	{ "figure4.13",
		"Figure 4.13, Algorithm 4.9: [origins of the numbers in the result](in the message)",
		CLAIMS(figure13), .draw = draw_prefix, .misprint = misprints,
		.misprints = ARRAY_LENGTH(misprints) },
};

const struct source_document source_prefix = { "002",
	"Grama, Gupta, Karypis, Kumar 2003, section 4.3: All-Reduce and Prefix Sums", ITEMS(items) };
