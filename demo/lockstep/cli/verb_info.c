/*
 * lockstep info: version, build, computer, limits, settings in force.
 */
#include "base/host.h"
#include "base/processes.h"
#include "cli/features.h"
#include "cli/verb.h"
#include "report/document.h"
#include "report/terminal.h"
#include "report/text_table.h"

#include <inttypes.h>
#include <stdlib.h>

#ifdef LSI_CHECKED
#define ASSERTIONS "runtime assertions on"
#else
#define ASSERTIONS "optimized"
#endif

static void row(struct table *table, const char *name, const char *text)
{
	table_cell(table, "%s", name);
	table_cell(table, "%s", text);
}

static void budget_row(
	struct table *table, const char *name, struct budget budget, int64_t unit, const char *what)
{
	char text[120];

	if (budget.left == INT64_MAX)
		snprintf(text, sizeof text, "no limit known");
	else
		snprintf(
			text, sizeof text, "%" PRId64 " %s left (%s)", budget.left / unit, what, budget.limit);
	row(table, name, text);
}

static void cores_rows(struct table *table, const struct host *host)
{
	char text[160];

	snprintf(text, sizeof text, "%d allowed, %d processing units of %d online, in the order of %s",
		host->allowed, host->units, host->cores, host->hwloc ? "hwloc" : "their numbers");
	row(table, "cores", text);
	snprintf(text, sizeof text, "the time of %.4g cores (control group)", host->quota);
	row(table, "quota", host->quota > 0 ? text : "no limit known");
}

/* Where the first nodes would run, with one node per place. */
static void bind_row(struct table *table, const char *name, enum ls_bind bind, int nodes)
{
	enum { SHOWN = 8, WIDTH = 40 };
	char text[SHOWN * (WIDTH + 24)], where[WIDTH];
	int used = snprintf(text, sizeof text, "%d nodes:", nodes), i = 0;

	for (; i < nodes && i < SHOWN; i++)
		if (ls_placement_node(bind, i, nodes, where, sizeof where) == LS_OK)
			used += snprintf(text + used, sizeof text - (size_t)used, "%s %d on %s", i ? "," : "",
				i, *where ? where : "any");
	if (i < nodes)
		snprintf(text + used, sizeof text - (size_t)used, ", ..");
	row(table, name, text);
}

static void add_settings(struct table *table, const struct output *output)
{
	const char *no_color = getenv("NO_COLOR");
	const struct ls_cost_model model = ls_cost_model_default;
	char text[160];

	snprintf(text, sizeof text, "%s (NO_COLOR %s)", colored(output, stdout) ? "on" : "off",
		no_color && *no_color ? "set" : "not set");
	row(table, "color", text);
	snprintf(text, sizeof text, "t_s %g, t_w %g per byte, t_h %g per hop", model.t_s, model.t_w,
		model.t_h);
	row(table, "cost model", text);
	row(table, "defaults",
		"engine mailboxes (bench: auto), rounds lockstep, mode hop (routed on tree), one port, "
		"mailbox of 4, double, sum");
}

static void add_processes(struct table *table)
{
	const struct processes *processes = processes_here();
	char text[40];

	processes_text(text, sizeof text);
	row(table, "processes", processes->count > 1 ? text : "1, without mpirun");
	if (!*processes->library)
		return;
	row(table, "MPI", processes->library);
	row(table, "plug-in", processes->plugin);
}

static struct table collect(const struct output *output)
{
	static const char *const head[] = { "name", "value", NULL };
	struct table table = table_begin(head);
	struct host host;
	char text[160];

	host_read(&host);
	row(&table, "version", ls_version());
	add_processes(&table);
	snprintf(text, sizeof text, "compiler %.80s, %s", __VERSION__, ASSERTIONS);
	row(&table, "build", text);
	row(&table, "cpu", host.cpu);
	row(&table, "system", host.system);
	cores_rows(&table, &host);
	bind_row(&table, "bind core", LS_BIND_CORE, host.allowed);
	bind_row(&table, "bind pu", LS_BIND_PU, host.units);
	snprintf(text, sizeof text, "%" PRId64 " MiB", host.memory >> 20);
	row(&table, "memory", text);
	budget_row(&table, "free memory", host_memory(), 1 << 20, "MiB");
	budget_row(&table, "threads", host_threads(), 1, "threads");
	add_environment(&table);
	add_settings(&table, output);
	return table;
}

static int write_text(const struct output *output, const void *document)
{
	const struct table *table = document;
	const int width = terminal_width(output->file);

	for (size_t i = 0; i < table->cells; i += 2)
		print_words(output->file, fprintf(output->file, "%-14s ", table->cell[i]), width,
			table->cell[i + 1]);
	return EXIT_SUCCESS;
}

static int write_csv(const struct output *output, const void *document)
{
	table_csv(document, output->file);
	return EXIT_SUCCESS;
}

static int write_json(const struct output *output, const void *document)
{
	const struct table *table = document;
	struct json json = document_begin(output);

	json_object(&json, "info");
	for (size_t i = 0; i < table->cells; i += 2)
		json_text(&json, table->cell[i], table->cell[i + 1]);
	json_end(&json);
	json_end(&json);
	return EXIT_SUCCESS;
}

const struct format info_formats[] = {
	{ "text", NULL, write_text },
	{ "csv", NULL, write_csv },
	{ "json", NULL, write_json },
	{ 0 },
};

int verb_info(const struct options *options)
{
	struct table table = collect(&options->output);

	options->output.format->write(&options->output, &table);
	table_end(&table);
	return EXIT_SUCCESS;
}
