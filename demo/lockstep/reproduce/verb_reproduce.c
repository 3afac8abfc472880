/*
 * lockstep reproduce: prints what the sources print, each figure marked right, or wrong with what
 * is right and why.
 */
#include "reproduce/reproduce.h"
#include "report/document.h"
#include "report/text_table.h"
#include "base/names.h"
#include "cli/verb.h"

#include <stdlib.h>
#include <string.h>

static const struct source_document *const documents[] = { &source_star, &source_slides,
	&source_prefix, &source_allgather, &source_broadcast };

enum { WIDTH = 100, VERDICT = 8 };

struct tally {
	int count[VERDICTS];
};

/* What is found for the claims of one item. */
struct finding {
	char found[FOUND_SIZE];
	enum verdict verdict;
};

static struct finding *find_all(const struct source_item *item, struct tally *tally)
{
	struct finding *finding = require_memory(calloc(item->claims + 1, sizeof *finding));

	for (size_t i = 0; i < item->claims; i++) {
		item->claim[i].find(&item->claim[i], finding[i].found);
		finding[i].verdict = compare_claim(&item->claim[i], finding[i].found);
		tally->count[finding[i].verdict]++;
	}
	return finding;
}

/* "table2/8/[11]": the item, the claim, its column. */
static void id_text(const struct source_item *item, size_t i, char *text, size_t size)
{
	size_t columns = 0;

	while (item->column && item->column[columns])
		columns++;
	if (columns > 0)
		snprintf(
			text, size, "%s/%s/%s", item->name, item->claim[i].name, item->column[i % columns]);
	else
		snprintf(text, size, "%s/%s", item->name, item->claim[i].name);
}

/* Text ----------------------------------------------------------------------------------------- */

static const char *marked(const struct output *output, enum verdict verdict)
{
	static const char *const color[] = { "\033[32m", "\033[33m", "\033[36m", "\033[1;31m",
		"\033[36m" };
	static char text[40];

	if (colored(output, stdout))
		snprintf(
			text, sizeof text, "%s%-*s\033[0m", color[verdict], VERDICT - 2, verdict_name(verdict));
	else
		snprintf(text, sizeof text, "%-*s", VERDICT - 2, verdict_name(verdict));
	return text;
}

/* Words, behind `column` columns, in lines of WIDTH. */
static void print_wrapped(const char *text, int column)
{
	const int indent = column;

	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		const int length = (int)strcspn(text, " ");

		if (column > indent && column + 1 + length > WIDTH) {
			printf("\n%*s", indent, "");
			column = indent;
		}
		column += printf("%s%.*s", column > indent ? " " : "", length, text);
		text += length;
	}
	putchar('\n');
}

static bool measures_network(const struct claim *claim)
{
	return claim->find == find_size || claim->find == find_degree || claim->find == find_diameter;
}

/* How the reader sees the first of the plans. */
static void print_command(const struct claim *claim)
{
	const struct claim_run *run = &claim->run;
	const char *networks = run->networks;
	char spec[64], shift[32] = "";

	if (!networks || !next_spec(&networks, spec))
		return;
	if (measures_network(claim)) {
		printf("  %*slockstep list topologies -t %s\n", VERDICT, "", spec);
		return;
	}
	if (run->shift)
		snprintf(shift, sizeof shift, " -q %d", (int)run->shift);
	printf("  %*slockstep steps %s -t ", VERDICT, "", ls_operation_name(run->operation));
	if (run->routes_of && strchr(run->routes_of, ':'))
		printf("%s -a %s/%s --map %s%s\n", run->routes_of, spec, run->algorithm,
			run->vertex_of ? "gray" : "identity", shift);
	else
		printf("%s%s%s%s%s\n", spec, run->algorithm ? " -a " : "",
			run->algorithm ? run->algorithm : "", run->mode == LS_ROUTED ? " --mode routed" : "",
			shift);
}

static void print_claim(
	const struct output *output, const struct claim *claim, const struct finding *finding)
{
	char text[4 * FOUND_SIZE];
	const bool differs = !claim->printed || strcmp(claim->printed, finding->found) != 0;
	const char *printed = claim->printed ? claim->printed : "";

	snprintf(text, sizeof text, "%s: %s%s%s%s%s%s", claim->name, printed,
		claim->printed && differs ? "; found: " : "", differs ? finding->found : "",
		claim->reason ? ". " : "", claim->reason ? claim->reason : "", claim->reason ? "." : "");
	if (finding->verdict == VERDICT_UNEXPLAINED && claim->expected)
		snprintf(
			text + strlen(text), sizeof text - strlen(text), " (should be: %s)", claim->expected);
	printf("  %s  ", marked(output, finding->verdict));
	print_wrapped(text, 2 + VERDICT);
	if (output->verbose)
		print_command(claim);
}

static void print_claims(
	const struct output *output, const struct source_item *item, const struct finding *finding)
{
	for (size_t i = 0; i < item->claims; i++)
		print_claim(output, &item->claim[i], &finding[i]);
}

/* A cell: what is printed; where that is wrong also what is found. */
static void print_grid(const struct source_item *item, const struct finding *finding)
{
	const char *head[12] = { "" };
	size_t columns = 0;

	for (; item->column[columns]; columns++)
		head[columns + 1] = item->column[columns];

	struct table table = table_begin(head);

	for (size_t i = 0; i < item->claims; i++) {
		const char *printed = item->claim[i].printed, *found = finding[i].found;

		if (i % columns == 0)
			table_cell(&table, "%s", item->claim[i].name);
		switch (finding[i].verdict) {
		case VERDICT_RIGHT:
		case VERDICT_ADDED:
			table_cell(&table, "%s", found);
			break;
		case VERDICT_NOT_RUN:
			table_cell(&table, NOT_RUN);
			break;
		case VERDICT_WRONG:
			table_cell(&table, "%s, is %s", printed, found);
			break;
		default:
			table_cell(&table, "%s, UNEXPLAINED: %s", printed ? printed : "", found);
		}
	}
	table_text(&table, 0);
	table_end(&table);
}

/* The claims of a table that need a word. */
static void print_reasons(
	const struct output *output, const struct source_item *item, const struct finding *finding)
{
	size_t columns = 0;
	char text[3 * FOUND_SIZE];

	while (item->column[columns])
		columns++;
	for (size_t i = 0; i < item->claims; i++) {
		const struct claim *claim = &item->claim[i];

		if (finding[i].verdict == VERDICT_RIGHT || finding[i].verdict == VERDICT_ADDED)
			continue;
		if (finding[i].verdict == VERDICT_NOT_RUN)
			snprintf(text, sizeof text, "%s, %s: %s", claim->name, item->column[i % columns],
				finding[i].found + strlen(NOT_RUN ": "));
		else
			snprintf(text, sizeof text, "%s, %s: %s; found: %s. %s", claim->name,
				item->column[i % columns], claim->printed ? claim->printed : "", finding[i].found,
				claim->reason ? claim->reason : "");
		printf("  %s  ", marked(output, finding[i].verdict));
		print_wrapped(text, 2 + VERDICT);
	}
}

static void print_misprint(const struct misprint *misprint)
{
	char text[2 * FOUND_SIZE];

	snprintf(text, sizeof text, "%s -- %s", misprint->printed, misprint->correction);
	printf("  ");
	print_wrapped(text, 2);
}

static void print_item(
	const struct output *output, const struct source_item *item, const struct finding *finding)
{
	printf("\n%s  %s\n\n", item->name, item->title);
	if (item->draw) {
		item->draw();
		putchar('\n');
	}
	if (item->column) {
		print_grid(item, finding);
		putchar('\n');
		print_reasons(output, item, finding);
	} else {
		print_claims(output, item, finding);
	}
	if (item->misprints)
		printf("\n  Misprints:\n");
	for (size_t i = 0; i < item->misprints; i++)
		print_misprint(&item->misprint[i]);
}

/* No word: everything.  A word names a document, or an item. */
static bool is_wanted(const char *const *words, const char *document, const char *item)
{
	for (int i = 0; words[i]; i++)
		if (strcmp(words[i], document) == 0 || strcmp(words[i], item) == 0)
			return true;
	return !words[0];
}

/* JSON ----------------------------------------------------------------------------------------- */

static void item_json(struct json *json, const struct source_document *document,
	const struct source_item *item, const struct finding *finding)
{
	char id[200];

	for (size_t i = 0; i < item->claims; i++) {
		id_text(item, i, id, sizeof id);
		json_object(json, NULL);
		json_text(json, "id", id);
		json_text(json, "document", document->name);
		json_text(json, "printed", item->claim[i].printed);
		json_text(json, "found", finding[i].found);
		json_text(json, "verdict", verdict_name(finding[i].verdict));
		json_text(json, "why", item->claim[i].reason);
		json_end(json);
	}
}

static void misprints_json(struct json *json, const char *const *words)
{
	json_array(json, "misprints");
	for (size_t d = 0; d < ARRAY_LENGTH(documents); d++)
		for (size_t i = 0; i < documents[d]->items; i++) {
			const struct source_item *item = &documents[d]->item[i];

			if (!is_wanted(words, documents[d]->name, item->name))
				continue;
			for (size_t k = 0; k < item->misprints; k++) {
				json_object(json, NULL);
				json_text(json, "document", documents[d]->name);
				json_text(json, "printed", item->misprint[k].printed);
				json_text(json, "right", item->misprint[k].correction);
				json_end(json);
			}
		}
	json_end(json);
}

static void tally_json(struct json *json, const struct tally *tally)
{
	json_object(json, "count");
	for (int i = 0; i < VERDICTS; i++)
		json_int(json, verdict_name((enum verdict)i), tally->count[i]);
	json_end(json);
}

/* The verb ------------------------------------------------------------------------------------- */

static int check_words(const char *const *words)
{
	const char *names[200];
	size_t count = 0;

	for (size_t d = 0; d < ARRAY_LENGTH(documents); d++) {
		names[count++] = documents[d]->name;
		for (size_t i = 0; i < documents[d]->items && count < ARRAY_LENGTH(names); i++)
			names[count++] = documents[d]->item[i].name;
	}
	for (int w = 0; words[w]; w++) {
		bool known = false;

		for (size_t i = 0; i < count && !known; i++)
			known = strcmp(names[i], words[w]) == 0;
		if (!known)
			return print_unknown("document or item", words[w], names, count,
				"expected 000, 001, 002, 003, 004, or an item such as table2");
	}
	return EXIT_SUCCESS;
}

static void show_document(const char *const *words, const struct output *output,
	const struct source_document *document, struct json *json, struct tally *tally)
{
	bool is_titled = output->quiet || json;

	for (size_t i = 0; i < document->items; i++) {
		const struct source_item *item = &document->item[i];

		if (!is_wanted(words, document->name, item->name))
			continue;

		const bool is_first = tally->count[VERDICT_RIGHT] == 0;
		struct finding *finding = find_all(item, tally);

		if (!is_titled)
			printf("%s%s  %s\n", is_first ? "" : "\n", document->name, document->title);
		is_titled = true;
		if (json)
			item_json(json, document, item, finding);
		else if (!output->quiet)
			print_item(output, item, finding);
		free(finding);
	}
}

static void print_tally(const struct tally *tally)
{
	const int *count = tally->count;

	printf("\n%d claims: %d right, %d wrong in the source and explained, %d unexplained",
		count[VERDICT_RIGHT] + count[VERDICT_WRONG] + count[VERDICT_UNEXPLAINED]
			+ count[VERDICT_NOT_RUN],
		count[VERDICT_RIGHT], count[VERDICT_WRONG], count[VERDICT_UNEXPLAINED]);
	if (count[VERDICT_NOT_RUN] > 0)
		printf(", %d not run", count[VERDICT_NOT_RUN]);
	putchar('\n');
}

/* The claims that the words select; the tally is of those that were shown. */
struct selected {
	const char *const *words;
	struct tally *tally;
};

static int write_text(const struct output *output, const void *document)
{
	const struct selected *selected = document;

	for (size_t d = 0; d < ARRAY_LENGTH(documents); d++)
		show_document(selected->words, output, documents[d], NULL, selected->tally);
	if (!output->quiet)
		print_tally(selected->tally);
	return EXIT_SUCCESS;
}

static int write_json(const struct output *output, const void *document)
{
	const struct selected *selected = document;
	struct json json = document_begin(output);

	json_array(&json, "claims");
	for (size_t d = 0; d < ARRAY_LENGTH(documents); d++)
		show_document(selected->words, output, documents[d], &json, selected->tally);
	json_end(&json);
	misprints_json(&json, selected->words);
	tally_json(&json, selected->tally);
	json_end(&json);
	return EXIT_SUCCESS;
}

const struct format reproduce_formats[] = {
	{ "text", NULL, write_text },
	{ "json", NULL, write_json },
	{ 0 },
};

int verb_reproduce(const struct options *options)
{
	struct tally tally = { 0 };
	const struct selected selected = { options->word, &tally };
	const int unknown = check_words(options->word);

	if (unknown)
		return unknown;
	options->output.format->write(&options->output, &selected);
	return tally.count[VERDICT_UNEXPLAINED] ? EXIT_WRONG : EXIT_SUCCESS;
}
