/*
 * lockstep reproduce: selects the claims of the source documents, checks them, and reports a
 * verdict for each.
 */
#include "reproduce/claim_text.h"
#include "reproduce/evidence.h"
#include "report/document.h"
#include "report/text_table.h"
#include "base/names.h"
#include "cli/verb.h"
#include "draw/named_figures.h"

#include <stdlib.h>
#include <string.h>

const struct source_document *const source_documents[] = { &source_star, &source_slides,
	&source_prefix, &source_allgather, &source_broadcast, NULL };

struct tally {
	int count[VERDICTS];
};

static void find_claim(const struct claim *claim, struct finding *finding)
{
	evidence_begin();
	claim->find(claim, finding->found);
	if (missing_resource()[0])
		snprintf(finding->found, FOUND_SIZE, NOT_RUN ": %s", missing_resource());
	else
		write_evidence(finding->how);
	finding->verdict = compare_claim(claim, finding->found);
}

static struct finding *find_all(const struct source_item *item, struct tally *tally)
{
	struct finding *finding = require_memory(calloc(item->claims + 1, sizeof *finding));

	for (size_t i = 0; i < item->claims; i++) {
		find_claim(&item->claim[i], &finding[i]);
		tally->count[finding[i].verdict]++;
	}
	return finding;
}

/* "table2/8/Tseng [11]": the item, the claim, and the column if the item has columns. */
static void id_text(const struct source_item *item, size_t i, char *text, size_t size)
{
	if (item->column)
		snprintf(text, size, "%s/%s/%s", item->name, item->claim[i].name,
			item->column[i % count_columns(item)]);
	else
		snprintf(text, size, "%s/%s", item->name, item->claim[i].name);
}

/* "figure4.24" names the item that checks this figure. */
static const char *item_of_word(const char *word)
{
	const struct named_figure *figure = find_figure(word);

	return figure ? figure_item(figure) : word;
}

/* Each word names a document, an item or a figure; no words select everything. */
static bool is_selected(const char *const *words, const char *document, const char *item)
{
	for (int i = 0; words[i]; i++)
		if (strcmp(words[i], document) == 0 || strcmp(item_of_word(words[i]), item) == 0)
			return true;
	return !words[0];
}

/* ---- JSON */

static void add_claims(struct table *table, const struct source_document *document,
	const struct source_item *item, const struct finding *finding)
{
	char id[200];

	for (size_t i = 0; i < item->claims; i++) {
		const struct claim *claim = &item->claim[i];

		id_text(item, i, id, sizeof id);
		table_cells(table, 7, id, document->name, claim->printed ? claim->printed : "",
			finding[i].found, finding[i].how, verdict_name(finding[i].verdict),
			claim->reason ? claim->reason : "");
	}
}

static void misprints_json(struct json *json, const char *const *words)
{
	json_array(json, "misprints");
	for (const struct source_document *const *d = source_documents; *d; d++)
		for (size_t i = 0; i < (*d)->items; i++) {
			const struct source_item *item = &(*d)->item[i];

			if (!is_selected(words, (*d)->name, item->name))
				continue;
			for (size_t k = 0; k < item->misprints; k++) {
				json_object(json, NULL);
				json_text(json, "document", (*d)->name);
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

/* ---- The verb */

static int check_words(const char *const *words)
{
	const char *names[200 + FIGURES_MOST];
	size_t count = list_figures(names, FIGURES_MOST);

	for (const struct source_document *const *d = source_documents; *d; d++) {
		names[count++] = (*d)->name;
		for (size_t i = 0; i < (*d)->items && count < ARRAY_LENGTH(names); i++)
			names[count++] = (*d)->item[i].name;
	}
	for (int w = 0; words[w]; w++) {
		bool known = false;

		for (size_t i = 0; i < count && !known; i++)
			known = strcmp(names[i], words[w]) == 0;
		if (!known)
			return print_unknown(
				"document or item", words[w], names, count, "'lockstep help reproduce' lists all");
	}
	return EXIT_SUCCESS;
}

static void show_document(const char *const *words, const struct output *output,
	const struct source_document *document, struct table *table, struct tally *tally)
{
	bool is_titled = output->quiet || table;

	for (size_t i = 0; i < document->items; i++) {
		const struct source_item *item = &document->item[i];

		if (!is_selected(words, document->name, item->name))
			continue;

		const bool is_first = tally->count[VERDICT_RIGHT] == 0;
		struct finding *finding = find_all(item, tally);

		if (!is_titled)
			printf("%s%s  %s\n", is_first ? "" : "\n", document->name, document->title);
		is_titled = true;
		if (table)
			add_claims(table, document, item, finding);
		else if (!output->quiet)
			print_item(output, item, finding);
		free(finding);
	}
}

static void print_tally(const struct tally *tally)
{
	const int *count = tally->count;
	const int claims = count[VERDICT_RIGHT] + count[VERDICT_WRONG] + count[VERDICT_UNEXPLAINED]
		+ count[VERDICT_NOT_RUN];

	printf("\n%d %s: %d right, %d wrong in the source and explained, %d unexplained", claims,
		claims == 1 ? "claim" : "claims", count[VERDICT_RIGHT], count[VERDICT_WRONG],
		count[VERDICT_UNEXPLAINED]);
	if (count[VERDICT_NOT_RUN] > 0)
		printf(", %d not run", count[VERDICT_NOT_RUN]);
	putchar('\n');
}

/* Words of the command line, and the verdicts of the claims that they select. */
struct selection {
	const char *const *words;
	struct tally *tally;
};

static int write_text(const struct output *output, const void *document)
{
	const struct selection *selection = document;

	for (const struct source_document *const *d = source_documents; *d; d++)
		show_document(selection->words, output, *d, NULL, selection->tally);
	if (!output->quiet)
		print_tally(selection->tally);
	return EXIT_SUCCESS;
}

static struct table collect(const struct output *output, const struct selection *selection)
{
	static const char *const head[] = { "id", "document", "printed", "found", "how", "verdict",
		"why", NULL };
	struct table table = table_begin(head);

	for (const struct source_document *const *d = source_documents; *d; d++)
		show_document(selection->words, output, *d, &table, selection->tally);
	return table;
}

static int write_csv(const struct output *output, const void *document)
{
	struct table table = collect(output, document);

	return table_finish_csv(&table, output->file);
}

static int write_json(const struct output *output, const void *document)
{
	const struct selection *selection = document;
	struct table table = collect(output, selection);
	struct json json = document_begin(output);

	table_json(&table, &json, "claims");
	table_end(&table);
	misprints_json(&json, selection->words);
	tally_json(&json, selection->tally);
	json_end(&json);
	return EXIT_SUCCESS;
}

const struct format reproduce_formats[] = {
	{ "text", NULL, write_text },
	{ "csv", NULL, write_csv },
	{ "json", NULL, write_json },
	{ 0 },
};

int verb_reproduce(const struct options *options)
{
	struct tally tally = { 0 };
	const struct selection selection = { options->word, &tally };
	const int unknown = check_words(options->word);

	if (unknown)
		return unknown;
	options->output.format->write(&options->output, &selection);
	return tally.count[VERDICT_UNEXPLAINED] ? EXIT_WRONG : EXIT_SUCCESS;
}
