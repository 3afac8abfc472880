/*
 * Tables, JSON documents, operands, maps, layouts, records and refutations with changed fields: the
 * tool uses each file, or refuses it in one line.
 *
 * The first byte of an input names its kind, the second chooses options; the files of
 * test/corpus/inputs are the texts to begin with.  See fuzz_text.h.
 */
/* variants: release checked asan */
/* tool: in this process */
#include "fuzz_text.h"
#include "support/xml.h"
#include "tool_call.h"

static const char graph[] = "0 1\n1 2\n2 3\n3 0\n";

/* ---- Kinds */

static const char *const no_names[] = { NULL };
static const char *const table_words[] = { "", "0", "-1", "1e300", "1e-300", "nan", "inf", "0x10",
	"1e999", "\"a\"\"b\"", "\"", "ok", "operation", "status", "bytes", "rounds", "volume_bytes",
	"time_ns.median", "\xef\xbb\xbf", "\xff", "# comment", NULL };
static const char *const json_words[] = { "null", "true", "\"\"", "\"\\u0000\"", "\"\\ud800\"", "{",
	"}", "[", "]", "[[[[[[[[", "-", "1e999", "01", "\"schema\"", "\"results\"", "\"time_ns\"",
	"\"median\"", "\"status\"", "\"mailboxes\"", "\"ok\"", "9007199254740993", NULL };
static const char *const operand_words[] = { "nan", "inf", "-inf", "1e308", "1+2i", "i", "3:1",
	"300", "-129", "18446744073709551616", "0x7f", "1e400", "", "1.5", "# comment", "\r", NULL };
static const char *const header_words[] = { "'descr'", "'fortran_order'", "'shape'", "False",
	"True", "'<i2'", "'>i2'", "'<f8'", "'|u1'", "'<c16'", "(4, 2)", "(4,)", "()", "(8, 1)",
	"(4, 4611686018427387904)", "{", "}", NULL };
static const char *const number_words[] = { "0", "1", "2", "3", "4", "-1", "0.5", "1e9", "nan", "#",
	"", "d", "c", "sum", "rounds", "LS_SCAN", "LS_ALLGATHER", "0x0", "{", "}", "\"\"", NULL };

struct kind {
	char letter;
	const char *file;
	struct grammar grammar;
	const char *line[4]; /* of calls that read the file */
};
static const struct kind kinds[] = {
	{ 'f', "in.csv", { ",\n", "\n", NULL, no_names, table_words },
		{ "fit in.csv", "fit in.csv --json", "fit in.csv in.csv --csv", "fit in.csv --quiet" } },
	{ 'c', "in.csv", { ",\n", "\n", NULL, no_names, table_words },
		{ "chart in.csv out.svg", "chart in.csv out.svg --axes bytes,rounds --series engine",
			"chart in.csv out.svg --axes m,time_ns.median,time_ns.q1,time_ns.q3 --title T",
			"chart in.csv out.svg --axes rounds,words --theme mono --width 60" } },
	{ 'j', "in.json", { ",:{}[]", ",", NULL, no_names, json_words },
		{ "bench allreduce -t ring:2 -m 1 -e sweep --samples 1 -i 1 --compare in.json",
			"bench allreduce -t ring:2 -m 1 -e sweep --samples 1 -i 1 --json --compare in.json",
			"bench scan -t ring:2 -m 1 -e sweep --samples 1 -i 1 --csv --compare in.json",
			"bench allreduce -t ring:2 -m 1:2 -e sweep --samples 1 -i 1 -v --compare in.json" } },
	{ 'o', "in.csv", { ",\n", "\n", NULL, no_names, operand_words },
		{ "run allreduce -t ring:4 --input in.csv -e sweep --output out.csv --quiet",
			"run allgather -t ring:4 --input in.csv -d int16 -e sweep --output out.npy --quiet",
			"run reduce -t ring:4 --input in.csv -o maxloc -e sweep --quiet --output out.raw",
			"run scan -t ring:4 --input in.csv -d cdouble --quiet --json" } },
	{ 'n', "in.npy", { ",:{} ", ",", NULL, no_names, header_words },
		{ "run allreduce -t ring:4 --input in.npy -e sweep --quiet",
			"run alltoall -t ring:4 --input in.npy -e sweep --output out.csv --quiet",
			"run broadcast -t ring:4 --input in.npy -d int16 -e cooperative --quiet",
			"run scatter -t ring:2 --input in.npy -m 4 -e sweep --json" } },
	{ 'm', "in.map", { " \n", "\n", NULL, no_names, number_words },
		{ "run allgather -t ring:4 -a linear:4/ --map in.map --quiet",
			"check allgather -t ring:4 -a linear:4/ --map in.map --json",
			"draw allgather -t ring:4 -a linear:4/ --map in.map --format svg",
			"steps scan -t hypercube:3 -a ring:4/ --map in.map" } },
	{ 'l', "in.layout", { " \n", "\n", NULL, no_names, number_words },
		{ "draw -t ring:4 --layout in.layout out.svg",
			"draw broadcast -t ring:4 --layout in.layout --format svg",
			"draw allgather -t ring:4 --layout in.layout --format tikz",
			"draw -t mesh:2x2 --layout in.layout --format dot" } },
	{ 'b', "in.drat", { " \n", "\n", NULL, no_names, number_words },
		{ "check shift -t star:3 --bound in.drat", "check shift -t star:3 --bound in.drat --json",
			"check scan -t star:3 --bound in.drat",
			"check shift -t star:3 --bound in.drat -q 2" } },
	{ 'r', "in.graph.records", { " ,\n", "\n", NULL, no_names, number_words },
		{ "records -t graph:in.graph", "check allgather -t graph:in.graph --quiet",
			"run allreduce -t graph:in.graph --quiet -e sweep",
			"list algorithms scan -t graph:in.graph" } },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const struct kind *kind_of(uint8_t letter)
{
	for (int i = 0; i < KINDS; i++)
		if (kinds[i].letter == letter)
			return &kinds[i];
	return &kinds[letter % KINDS];
}

/* ---- Inputs */

static void check_picture(void)
{
	static char text[1 << 20];
	FILE *file = fopen("out.svg", "rb");
	const size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
	struct xml xml;

	if (!file)
		return;
	fclose(file);
	unlink("out.svg");
	text[length] = '\0';
	CHECK(length == sizeof text - 1 || xml_read(text, &xml), "%s", xml.why);
	if (length < sizeof text - 1)
		xml_release(&xml);
}

static void try_input(const uint8_t head[HEAD], const char *text, size_t length)
{
	const struct kind *kind = kind_of(head[0]);
	struct tool_call made = { 0 };

	tool_put_file("in.graph", graph, sizeof graph - 1);
	tool_put_file(kind->file, text, length);
	tool_do(&made, "%s", kind->line[head[1] % 4]);
	check_picture();
	tool_release(&made);
}

/* The texts of the corpus: they are read before the test changes its folder. */
struct seed {
	size_t size;
	char text[EDITED];
};

static int read_seeds(struct seed *seeds, int most)
{
	static const char path[] = "test/corpus/inputs";
	DIR *files = opendir(path);
	char name[300];
	int n = 0;

	for (struct dirent *entry; files && n < most && (entry = readdir(files));) {
		FILE *file;

		snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
		file = entry->d_name[0] == '.' ? NULL : fopen(name, "rb");
		seeds[n].size = file ? fread(seeds[n].text, 1, EDITED, file) : 0;
		n += seeds[n].size > HEAD;
		if (file)
			fclose(file);
	}
	if (files)
		closedir(files);
	return n;
}

static void begin(struct edit *e, uint8_t head[HEAD])
{
	enum { SEEDS = 64 };
	static struct seed seeds[SEEDS];
	static int n;

	n = n ? n : read_seeds(seeds, SEEDS);
	if (n == 0) {
		edit_set(e, graph, sizeof graph - 1);
		return;
	}

	const struct seed *seed;

	do
		seed = &seeds[below(e, (size_t)n)];
	while (seed->text[0] == 'j' && below(e, 8)); /* bench takes long */
	head[0] = (uint8_t)seed->text[0];
	edit_set(e, seed->text + HEAD, seed->size - HEAD);
}

static void change_input(struct edit *e, const uint8_t head[HEAD])
{
	change_structure(e, &kind_of(head[0])->grammar);
}

static const struct fuzzer fuzzer = { .name = "inputs",
	.fast = 500,
	.full = 8000,
	.very_long = 1000000,
	.begin = begin,
	.change = change_input,
	.try = try_input };
