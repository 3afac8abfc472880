/*
 * One table of kinds and texts.  A text names its fields in braces: it reads like the message, and
 * the code does not depend on the order of the fields.
 */
#include "machine/message_rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <lockstep/status.h>

/*
 *   {field}        a field of the error
 *   {from} {to}    the two ends of the message
 *   {a|b}          a if the node sends, b if it receives
 *   {s}            "s" unless limit is 1
 */
#define WHEN    "in round {round} ({operation})"
#define MESSAGE "node {node} {sends to|receives from} node {peer} " WHEN
#define EXPECTS "node {node} expects a message from node {peer} " WHEN
#define EXPECTS_SIZE \
	"node {node} expects {limit} {name} from node {peer} " WHEN ", but {count} arrived"

static const struct {
	int kind;
	const char *text;
} rules[] = {
	[LSI_RULE_RANK] = { LS_ERR_LINK, MESSAGE "; expected a rank from 0 to {limit}" },
	[LSI_RULE_SELF] = { LS_ERR_LINK,
		"node {node} {sends to|receives from} itself " WHEN "; expected the rank of another node" },
	[LSI_RULE_PORT] = { LS_ERR_PORT,
		MESSAGE ", but it already {sent to|received from} node {other}; "
				"a node has {limit} {send|receive} port{s}" },
	[LSI_RULE_PEER] = { LS_ERR_PORT,
		MESSAGE " on ports {count} and {limit}; "
				"a node sends at most one message to another node in a round" },
	[LSI_RULE_LINK] = { LS_ERR_LINK,
		"node {node} has no link {to|from} node {peer} " WHEN
		": in hop mode messages reach only neighbors on {name}; try routed mode" },
	[LSI_RULE_LINK_UP] = { LS_ERR_LINK,
		"the link between node {node} and node {peer} is down " WHEN "; try routed mode" },
	[LSI_RULE_NODE_UP] = { LS_ERR_LINK, MESSAGE ", but node {node} is down" },
	[LSI_RULE_PEER_UP] = { LS_ERR_LINK, MESSAGE ", but node {peer} is down" },
	[LSI_RULE_PATH_UP] = { LS_ERR_LINK,
		"no path from node {node} to node {peer} is up " WHEN "; cut by {name}" },
	[LSI_RULE_PATH_MEMORY] = { LS_ERR_MEMORY,
		"no memory for a path from node {node} to node {peer} around what is down " WHEN },
	[LSI_RULE_STRICT] = { LS_ERR_CONGESTION,
		"{count} messages cross the link from node {other} to node {limit} " WHEN
		"; strict mode allows one" },
	[LSI_RULE_RECEIVE] = { LS_ERR_UNTAKEN,
		"the message of round {round} from node {from} to node {to} was not received "
		"({operation}); "
		"a message must be received in the round in which it is sent" },
	[LSI_RULE_LATE] = { LS_ERR_UNTAKEN,
		"the message of round {other} from node {from} to node {to} was not received; "
		"node {node} is in round {round} ({operation})" },
	[LSI_RULE_SEND] = { LS_ERR_MATCH, EXPECTS ", but that node sends none" },
	[LSI_RULE_ROUND] = { LS_ERR_MATCH, EXPECTS ", but the next one is of round {other}" },
	[LSI_RULE_SIZE] = { LS_ERR_MATCH, EXPECTS_SIZE },
	[LSI_RULE_LENGTHS] = { LS_ERR_MISMATCH, EXPECTS_SIZE },
	[LSI_RULE_CALL] = { LS_ERR_MISMATCH, "node {node} made {name}; node {peer} made {peer_name}" },
	[LSI_RULE_PEER_STAYS] = { LS_ERR_LEFT,
		"node {node} waits to {send to|receive from} node {peer} " WHEN
		", but that node has ended" },
	[LSI_RULE_READER_STAYS] = { LS_ERR_LEFT,
		"node {node} waits until node {peer} has read its message " WHEN
		", but that node has ended" },
};

/* ---- Expand a text */

struct output {
	char *text;
	size_t bytes, used; /* used < bytes: room for the final 0 */
};

/* Append n bytes, or as many as there is room for. */
static void append(struct output *out, const char *text, size_t n)
{
	const size_t room = out->bytes - 1 - out->used;

	n = n < room ? n : room;
	memcpy(out->text + out->used, text, n);
	out->used += n;
}

static void append_string(struct output *out, const char *text)
{
	append(out, text, strlen(text));
}

static void append_number(struct output *out, int64_t number)
{
	char digits[24];

	append(out, digits, (size_t)snprintf(digits, sizeof digits, "%" PRId64, number));
}

/* Append a or b of a field {a|b}.  False: it is another field. */
static bool append_choice(
	struct output *out, const struct lsi_message_error *e, const char *field, size_t n)
{
	const char *bar = memchr(field, '|', n);

	if (!bar)
		return false;
	if (e->sends)
		append(out, field, (size_t)(bar - field));
	else
		append(out, bar + 1, n - (size_t)(bar + 1 - field));
	return true;
}

static void append_field(
	struct output *out, const struct lsi_message_error *e, const char *field, size_t n)
{
	const struct {
		const char *name, *text;
		int64_t number; /* text is NULL */
	} fields[] = { { "node", NULL, e->node }, { "peer", NULL, e->peer },
		{ "from", NULL, e->sends ? e->node : e->peer },
		{ "to", NULL, e->sends ? e->peer : e->node }, { "round", NULL, e->round },
		{ "other", NULL, e->other }, { "count", NULL, e->count }, { "limit", NULL, e->limit },
		{ "operation", e->operation, 0 }, { "name", e->name, 0 }, { "peer_name", e->peer_name, 0 },
		{ "s", e->limit == 1 ? "" : "s", 0 } };

	if (append_choice(out, e, field, n))
		return;
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
		if (strlen(fields[i].name) != n || memcmp(fields[i].name, field, n) != 0)
			continue;
		if (fields[i].text)
			append_string(out, fields[i].text);
		else
			append_number(out, fields[i].number);
	}
}

int lsi_message_describe(const struct lsi_message_error *e, char *text, size_t bytes)
{
	struct output out = { text, bytes, 0 };
	const char *at = rules[e->rule].text;

	while (*at) {
		const size_t plain = strcspn(at, "{");

		append(&out, at, plain);
		at += plain;
		if (*at) {
			const size_t n = strcspn(++at, "}");

			append_field(&out, e, at, n);
			at += n + 1;
		}
	}
	text[out.used] = '\0';
	return rules[e->rule].kind;
}
