/*
 * Positions from files: what is read, and a message for each kind of damage; names of layouts that
 * do not exist; and failures of allocations.
 */
/* link: -Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc */
/* link: -Wl,--wrap=free,--wrap=mmap,--wrap=munmap */
/* link: -Wl,--wrap=pthread_create */
#include <unistd.h>

#include "layout_lines.h"
#include "support/inject.h"

static void write_text(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");

	if (!file || fputs(text, file) < 0 || fclose(file))
		exit(1);
}

/* ---- What is read */

/* Whether the positions in `text` are those of ring:4, up to their size, with links 1 long. */
static void check_read(const ls_topology *t, const char *text)
{
	struct drawing d;

	write_text("places", text);
	d = draw(t, "places");
	CHECK(strcmp(d.layout->name, "file") == 0, "%s", d.layout->name);
	CHECK(
		bend(&d, LSI_LINE_LINK, 0, 1) == 0 && fabs(bend(&d, LSI_LINE_MESSAGE, 0, 1) - 0.13) < 1e-9,
		"the lines of a file are bent");
	for (int64_t u = 0; u < 4; u++)
		CHECK(fabs(distance(d.at[u], d.at[(u + 1) % 4]) - 1) < 1e-9, "%s: link %lld", text,
			(long long)u);
	CHECK(d.at[0].x == d.at[3].x && d.at[0].x < d.at[1].x && d.at[0].y == d.at[1].y
			&& d.at[0].y < d.at[3].y,
		"%s: not a square", text);
	free(d.at);
}

static void check_reading(const ls_topology *t)
{
	check_read(t, "0 0 0\n1 1 0\n2 1 1\n3 0 1\n");
	check_read(t, "# by hand\n3 -50. +150 # a corner\n\n\t0 -5e1 50\r\n2 .5E+2 150\n1 50.00 50");
	/* As neato writes them: y is up. */
	check_read(t,
		"graph 1.0 2.6833 2.5\n"
		"node 3  0.375 0.25 0.75 0.5 3 solid ellipse black lightgrey\n"
		"node \"0\" 0.375 2.25 0.75 0.5 \"a label\" solid ellipse black \"#ff0000\"\n"
		"node 1 2.375 2.25 0.75 0.5 1 solid ellipse black lightgrey\n"
		"node 2 2.375 0.25 0.75 0.5 2 solid ellipse black lightgrey\n"
		"edge 0 1 4 0.6 1.9 0.6 1.9 0.6 1.9 0.6 1.9 solid black\nstop\n");
}

/* Links of length 1 would put vertices on each other: the drawing is larger. */
static void check_scale(const ls_topology *t)
{
	struct drawing d;

	write_text("places", "0 0 0\n2 0.1 0\n1 10 0\n3 10.1 0\n");
	d = draw(t, "places");
	CHECK(fabs(distance(d.at[0], d.at[2]) - 0.4) < 1e-9, "%g", distance(d.at[0], d.at[2]));
	free(d.at);
}

/* ---- Messages */

static void check_refusal(const ls_topology *t, const char *name, const char *text)
{
	struct ls_error why = { .size = sizeof why };
	double xy[64];
	const int status = ls_layout(t, name, xy, &why);

	CHECK(status == LS_ERR_SPEC, "%s gives %s", name, ls_status_name(status));
	CHECK(!strcmp(why.text, text), "%s gives the text\n\t%s\nnot\n\t%s", name, why.text, text);
}

static void check_damage(const ls_topology *t)
{
	static const struct {
		const char *text, *why;
	} refusals[] = {
		{ "", "places: no line places vertex 0; expected a line 'rank x y' for each of 0..3" },
		{ "0 0 0\n1 1 1\n3 2 0\n",
			"places: no line places vertex 2; expected a line 'rank x y' for each of 0..3" },
		{ "0 0 0\n\n1 5\n", "places:3: 2 words, the first is '1'; expected 'rank x y'" },
		{ "0\n", "places:1: 1 word, the first is '0'; expected 'rank x y'" },
		{ "0 1 2 3\n", "places:1: 4 words, the first is '0'; expected 'rank x y'" },
		{ "node 1 2\n", "places:1: 3 words, the first is 'node'; expected 'rank x y'" },
		{ "a 1 2\n", "places:1: 'a' is not a vertex; expected its rank" },
		{ "-1 1 2\n", "places:1: '-1' is not a vertex; expected its rank" },
		{ "node \"0 1\" 1 2\n", "places:1: '\"0' is not a vertex; expected its rank" },
		{ "4 1 2\n", "places:1: vertex 4 is out of range; expected 0..3" },
		{ "99999999999999999999 1 2\n",
			"places:1: vertex 9223372036854775807 is out of range; expected 0..3" },
		{ "0 x 2\n", "places:1: 'x' is not a coordinate; expected a number up to 1e9" },
		{ "0 1 1,5\n", "places:1: '1,5' is not a coordinate; expected a number up to 1e9" },
		{ "0 1 1.5.2\n", "places:1: '1.5.2' is not a coordinate; expected a number up to 1e9" },
		{ "0 1 1e\n", "places:1: '1e' is not a coordinate; expected a number up to 1e9" },
		{ "0 1 .\n", "places:1: '.' is not a coordinate; expected a number up to 1e9" },
		{ "0 nan 1\n", "places:1: 'nan' is not a coordinate; expected a number up to 1e9" },
		{ "0 1 2e9\n", "places:1: '2e9' is not a coordinate; expected a number up to 1e9" },
		{ "0 1 1e99999999999999999999\n",
			"places:1: '1e99999999999999999999' is not a coordinate; expected a number up to 1e9" },
		{ "0 1 1\n1 2 2\n\n0 3 3\n",
			"places:4: vertex 0 has two positions; the first is in line 1" },
		{ "0 1 1\n1 2 2\n2 1 1\n3 0 0\n",
			"places: two vertices have one position; move one of them" },
		{ "0 1 1\n1 1 1\n2 1 1\n3 1 1\n",
			"places: two vertices have one position; move one of them" },
	};
	static char long_line[70000];

	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
		write_text("places", refusals[i].text);
		check_refusal(t, "places", refusals[i].why);
	}
	memset(long_line, ' ', sizeof long_line - 1);
	write_text("places", long_line);
	check_refusal(
		t, "places", "places:1: too much text; expected a line 'rank x y' for each vertex");
	check_refusal(
		t, "/dev/zero", "/dev/zero:1: too much text; expected a line 'rank x y' for each vertex");
	check_refusal(t, "./none", "cannot read './none': No such file or directory");
	check_refusal(t, "./", "cannot read './': Is a directory");
}

static void check_names(const ls_topology *t)
{
	double xy[64];
	struct ls_error why = { .size = sizeof why };

	check_refusal(t, "cirle", "ring has no layout 'cirle'; did you mean 'circle'?");
	check_refusal(t, "hexagons",
		"ring has no layout 'hexagons'; expected two-rows, circle, row, forces, or a file of "
		"positions");
	check_refusal(t, "",
		"ring has no layout ''; expected two-rows, circle, row, forces, or a file "
		"of positions");
	CHECK(ls_layout(NULL, NULL, xy, &why) == LS_ERR_ARGUMENT, "no topology");
	CHECK(ls_layout(t, NULL, NULL, &why) == LS_ERR_ARGUMENT, "no room");
	CHECK(!ls_layout_list(NULL, 0), "layouts of no topology");
}

/* ---- Memory */

struct request {
	const ls_topology *t;
	const char *name;
};

static int play(const void *context)
{
	const struct request *const r = context;
	double xy[256];

	return ls_layout(r->t, r->name, xy, NULL);
}

static void check_memory(const char *spec, const char *name)
{
	ls_topology *t = topology(spec);
	const struct request r = { t, name };

	const long long before = atomic_load(&held);

	CHECK(play(&r) == LS_OK && atomic_load(&held) == before, "%s keeps memory", spec);
	fail_memory(&(struct faulty){ .name = spec, .play = play, .context = &r });
	ls_topology_destroy(t);
}

int main(void)
{
	char folder[] = "/tmp/lockstep-XXXXXX";
	ls_topology *ring = topology("ring:4");

	check_memory("graph:test/data/petersen", NULL);
	check_memory("linear:3*graph:test/data/petersen", NULL);
	check_memory("linear:120", "forces");
	if (!mkdtemp(folder) || chdir(folder))
		return EXIT_FAILURE;
	check_reading(ring);
	check_scale(ring);
	check_memory("ring:4", "places");
	check_damage(ring);
	check_names(ring);
	unlink("places");
	ls_topology_destroy(ring);
	return rmdir(folder) == 0 ? test_result() : EXIT_FAILURE;
}
