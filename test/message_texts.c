/*
 * The rules of messages: which rule a message breaks, and the kind and the full text of each error.
 */
#include <string.h>

#include <lockstep/status.h>

#include "machine/message_rules.h"
#include "test.h"

static void test_check(void)
{
	static const struct {
		struct lsi_message_facts facts;
		enum lsi_message_rule rule;
	} row[] = {
		{ { 0, 1, 4, 0, 1, true }, LSI_RULES_KEPT },
		{ { 3, 0, 4, 1, 2, true }, LSI_RULES_KEPT },
		{ { 0, -1, 4, 0, 1, true }, LSI_RULE_RANK },
		{ { 0, 4, 4, 0, 1, true }, LSI_RULE_RANK },
		{ { 2, 2, 4, 0, 1, true }, LSI_RULE_SELF },
		{ { 0, 1, 4, 1, 1, true }, LSI_RULE_PORT },
		{ { 0, 1, 4, 0, 1, false }, LSI_RULE_LINK },
		/* The first that is broken, where several are. */
		{ { 4, 4, 4, 1, 1, false }, LSI_RULE_RANK },
		{ { 2, 2, 4, 1, 1, false }, LSI_RULE_SELF },
		{ { 0, 1, 4, 2, 2, false }, LSI_RULE_PORT },
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		CHECK(lsi_message_check(&row[i].facts) == row[i].rule, "facts %zu", i);
}

struct row {
	struct lsi_message_error error;
	int kind;
	const char *text;
};

/* Node 5 and node 7 in round 3 of an allreduce. */
#define SENDS(RULE, ...) \
	{ \
		.rule = RULE, .sends = true, .node = 5, .peer = 7, .round = 3, .link = -1, \
		.operation = "allreduce", __VA_ARGS__ \
	}
#define RECEIVES(RULE, ...) \
	{ \
		.rule = RULE, .sends = false, .node = 5, .peer = 7, .round = 3, .link = -1, \
		.operation = "allreduce", __VA_ARGS__ \
	}

static const struct row rows[] = {
	{ SENDS(LSI_RULE_RANK, .limit = 6), LS_ERR_LINK,
		"node 5 sends to node 7 in round 3 (allreduce); expected a rank from 0 to 6" },
	{ RECEIVES(LSI_RULE_SELF, .other = 0), LS_ERR_LINK,
		"node 5 receives from itself in round 3 (allreduce); expected the rank of another node" },
	{ SENDS(LSI_RULE_PORT, .other = 2, .limit = 1), LS_ERR_PORT,
		"node 5 sends to node 7 in round 3 (allreduce), but it already sent to node 2; "
		"a node has 1 send port" },
	{ RECEIVES(LSI_RULE_PORT, .other = 0, .limit = 2), LS_ERR_PORT,
		"node 5 receives from node 7 in round 3 (allreduce), but it already received from node 0; "
		"a node has 2 receive ports" },
	{ SENDS(LSI_RULE_PEER, .count = 0, .limit = 2), LS_ERR_PORT,
		"node 5 sends to node 7 in round 3 (allreduce) on ports 0 and 2; "
		"a node sends at most one message to another node in a round" },
	{ RECEIVES(LSI_RULE_LINK, .name = "ring:8"), LS_ERR_LINK,
		"node 5 has no link from node 7 in round 3 (allreduce): "
		"in hop mode messages reach only neighbors on ring:8; try routed mode" },
	{ SENDS(LSI_RULE_LINK_UP, .other = 0), LS_ERR_LINK,
		"the link between node 5 and node 7 is down in round 3 (allreduce); try routed mode" },
	{ SENDS(LSI_RULE_NODE_UP, .other = 0), LS_ERR_LINK,
		"node 5 sends to node 7 in round 3 (allreduce), but node 5 is down" },
	{ SENDS(LSI_RULE_PEER_UP, .other = 0), LS_ERR_LINK,
		"node 5 sends to node 7 in round 3 (allreduce), but node 7 is down" },
	{ SENDS(LSI_RULE_PATH_UP, .name = "node 6 around node 7"), LS_ERR_LINK,
		"no path from node 5 to node 7 is up in round 3 (allreduce); cut by node 6 around node 7" },
	{ SENDS(LSI_RULE_PATH_MEMORY, .other = 0), LS_ERR_MEMORY,
		"no memory for a path from node 5 to node 7 around what is down in round 3 (allreduce)" },
	{ SENDS(LSI_RULE_STRICT, .count = 2, .other = 6, .limit = 7), LS_ERR_CONGESTION,
		"2 messages cross the link from node 6 to node 7 in round 3 (allreduce); "
		"strict mode allows one" },
	{ SENDS(LSI_RULE_RECEIVE, .other = 0), LS_ERR_UNTAKEN,
		"the message of round 3 from node 5 to node 7 was not received (allreduce); "
		"a message must be received in the round in which it is sent" },
	{ RECEIVES(LSI_RULE_LATE, .other = 1), LS_ERR_UNTAKEN,
		"the message of round 1 from node 7 to node 5 was not received; "
		"node 5 is in round 3 (allreduce)" },
	{ RECEIVES(LSI_RULE_SEND, .other = 0), LS_ERR_MATCH,
		"node 5 expects a message from node 7 in round 3 (allreduce), but that node sends none" },
	{ RECEIVES(LSI_RULE_ROUND, .other = 4), LS_ERR_MATCH,
		"node 5 expects a message from node 7 in round 3 (allreduce), "
		"but the next one is of round 4" },
	{ RECEIVES(LSI_RULE_SIZE, .limit = 8, .count = 16, .name = "bytes"), LS_ERR_MATCH,
		"node 5 expects 8 bytes from node 7 in round 3 (allreduce), but 16 arrived" },
	{ RECEIVES(LSI_RULE_LENGTHS, .limit = 8, .count = 16, .name = "bytes"), LS_ERR_MISMATCH,
		"node 5 expects 8 bytes from node 7 in round 3 (allreduce), but 16 arrived" },
	{ RECEIVES(LSI_RULE_CALL, .name = "call A", .peer_name = "call B"), LS_ERR_MISMATCH,
		"node 5 made call A; node 7 made call B" },
	{ SENDS(LSI_RULE_PEER_STAYS, .other = 0), LS_ERR_LEFT,
		"node 5 waits to send to node 7 in round 3 (allreduce), but that node has ended" },
	{ RECEIVES(LSI_RULE_PEER_STAYS, .other = 0), LS_ERR_LEFT,
		"node 5 waits to receive from node 7 in round 3 (allreduce), but that node has ended" },
	{ SENDS(LSI_RULE_READER_STAYS, .other = 0), LS_ERR_LEFT,
		"node 5 waits until node 7 has read its message in round 3 (allreduce), "
		"but that node has ended" },
};

static void test_describe(void)
{
	enum { RULES = LSI_RULE_READER_STAYS + 1 };
	bool seen[RULES] = { false };
	char text[256];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct row *row = &rows[i];

		CHECK(lsi_message_describe(&row->error, text, sizeof text) == row->kind, "kind of: %s",
			row->text);
		CHECK(strcmp(text, row->text) == 0, "'%s', expected '%s'", text, row->text);
		seen[row->error.rule] = true;
	}
	for (int rule = LSI_RULES_KEPT + 1; rule < RULES; rule++)
		CHECK(seen[rule], "rule %d has a row", rule);
}

/* A text longer than its buffer is cut, and ends. */
static void test_cut(void)
{
	char text[12];

	for (size_t bytes = 1; bytes <= sizeof text; bytes++) {
		memset(text, 'x', sizeof text);
		lsi_message_describe(&rows[0].error, text, bytes);
		CHECK(strlen(text) == bytes - 1, "%zu bytes hold '%s'", bytes, text);
		CHECK(strncmp(text, rows[0].text, bytes - 1) == 0, "'%s' is cut", text);
	}
}

int main(void)
{
	test_check();
	test_describe();
	test_cut();
	return test_result();
}
