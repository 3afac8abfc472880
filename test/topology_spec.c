/*
 * The network that a spec makes, or the message that refuses it.
 */
#include "topology_specs.h"

static const struct {
	const char *spec;
	int64_t nodes, degree, diameter, links;
} known[] = {
	{ "ring:1", 1, 0, 0, 0 },
	{ "ring:2", 2, 1, 1, 1 },
	{ "ring:3", 3, 2, 1, 3 },
	{ "ring:8", 8, 2, 4, 8 },
	{ "linear:1", 1, 0, 0, 0 },
	{ "linear:8", 8, 2, 7, 7 },
	{ "torus:2x2", 4, 2, 2, 4 },
	{ "torus:1x1", 1, 0, 0, 0 },
	{ "torus:4x4", 16, 4, 4, 32 },
	{ "mesh:4x4", 16, 4, 6, 24 },
	{ "mesh:2x3x4", 24, 5, 6, 46 },
	{ "complete:1", 1, 0, 0, 0 },
	{ "complete:6", 6, 5, 1, 15 },
	{ "hypercube:0", 1, 0, 0, 0 },
	{ "hypercube:7", 128, 7, 7, 448 },
	{ "hypercube:10", 1024, 10, 10, 5120 },
	{ "star:1", 1, 0, 0, 0 },
	{ "star:4", 24, 3, 4, 36 },
	{ "star:5", 120, 4, 6, 240 },
	{ "star:6", 720, 5, 7, 1800 },
	{ "star:7", 5040, 6, 9, 15120 },
	{ "star:19", 121645100408832000, 18, 27, 1094805903679488000 },
	{ "star:20", 2432902008176640000, 19, 28, INT64_MAX },
	{ "hypercube:5", 32, 5, 5, 80 },
	{ "tree:1", 1, 0, 0, 0 },
	{ "tree:2", 2, 2, 2, 2 },
	{ "tree:4", 4, 3, 4, 6 },
	{ "tree:8", 8, 3, 6, 14 },
	{ "tree:4611686018427387904", LS_NODES_MAX, 3, 124, INT64_MAX - 1 },
	{ "bintree:1", 1, 0, 0, 0 },
	{ "bintree:2", 3, 2, 2, 2 },
	{ "bintree:3", 7, 3, 4, 6 },
	{ "bintree:62", LS_NODES_MAX - 1, 3, 122, LS_NODES_MAX - 2 },
	{ "debruijn:0", 1, 0, 0, 0 },
	{ "debruijn:1", 2, 1, 1, 1 },
	{ "debruijn:2", 4, 3, 2, 5 },
	{ "debruijn:3", 8, 4, 3, 13 },
	{ "debruijn:7", 128, 4, 7, 253 },
	{ "debruijn:10", 1024, 4, 10, 2045 },
	{ "debruijn:62", LS_NODES_MAX, 4, 62, INT64_MAX - 2 },
	{ "pancake:1", 1, 0, 0, 0 },
	{ "pancake:2", 2, 1, 1, 1 },
	{ "pancake:3", 6, 2, 3, 6 },
	{ "pancake:4", 24, 3, 4, 36 },
	{ "pancake:7", 5040, 6, 8, 15120 },
	{ "pancake:19", 121645100408832000, 18, 22, 1094805903679488000 },
	{ "bubblesort:1", 1, 0, 0, 0 },
	{ "bubblesort:3", 6, 2, 3, 6 },
	{ "bubblesort:4", 24, 3, 6, 36 },
	{ "bubblesort:20", 2432902008176640000, 19, 190, INT64_MAX },
	{ "hypercube:62", LS_NODES_MAX, 62, 62, INT64_MAX },
	{ "ring:4611686018427387904", LS_NODES_MAX, 2, LS_NODES_MAX / 2, LS_NODES_MAX },
	{ "linear:4611686018427387904", LS_NODES_MAX, 2, LS_NODES_MAX - 1, LS_NODES_MAX - 1 },
	{ "complete:4611686018427387904", LS_NODES_MAX, LS_NODES_MAX - 1, 1, INT64_MAX },
	{ "complete:4294967296", 4294967296, 4294967295, 1, 9223372034707292160 },
	{ "torus:2147483648x2147483648", LS_NODES_MAX, 4, 2147483648, INT64_MAX },
	{ "mesh:2147483648x2147483648", LS_NODES_MAX, 4, 4294967294, INT64_MAX - 4294967295 },
	{ "star:4*star:3", 144, 5, 7, 360 },
	{ "star:5*star:3", 720, 6, 9, 2160 },
	{ "hypercube:3*star:3", 48, 5, 6, 120 },
	{ "mct:1,1", 1, 0, 0, 0 },
	{ "mct:62,1", 1, 0, 0, 0 },
	{ "mct:1,3", 7, 3, 4, 6 },
	{ "mct:4,2", 81, 8, 8, 216 },
	{ "mct:4,3", 2401, 12, 16, 8232 },
	{ "mct:6,2", 729, 12, 12, 2916 },
	{ "mct:6,3", 117649, 18, 24, 605052 },
	{ "ring:3*mct:2,2*linear:2", 54, 7, 6, 153 },
	{ "graph:test/data/petersen", 10, 3, 2, 15 },
	{ "graph:test/data/path", 5, 2, 4, 4 },
	{ "graph:test/data/claw", 4, 3, 2, 3 },
	{ "graph:test/data/claw*graph:test/data/path", 20, 5, 6, 31 },
	{ "hypercube:31*ring:2147483648", LS_NODES_MAX, 33, 1073741855, INT64_MAX },
	{ "complete:2147483648*complete:2147483648", LS_NODES_MAX, 4294967294, 2, INT64_MAX },
	{ "mesh:1x4611686018427387904x1", LS_NODES_MAX, 2, LS_NODES_MAX - 1, LS_NODES_MAX - 1 },
};

static void check_counts(void)
{
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		ls_topology *t = topology(known[i].spec);

		CHECK(ls_topology_nodes(t) == known[i].nodes && ls_topology_degree(t) == known[i].degree
				&& ls_topology_diameter(t) == known[i].diameter
				&& ls_topology_links(t) == known[i].links,
			"%s: %lld nodes, degree %lld, diameter %lld, %lld links", known[i].spec,
			(long long)ls_topology_nodes(t), (long long)ls_topology_degree(t),
			(long long)ls_topology_diameter(t), (long long)ls_topology_links(t));
		CHECK(!strcmp(ls_topology_spec(t), known[i].spec)
				&& !strncmp(strchr(known[i].spec, '*') ? "product:" : known[i].spec,
					ls_topology_kind(t), strlen(ls_topology_kind(t))),
			"%s is called %s, a %s", known[i].spec, ls_topology_spec(t), ls_topology_kind(t));
		ls_topology_destroy(t);
	}
}

/* ---- Refusals */

static const struct {
	const char *spec, *text;
} refusals[] = {
	{ "star:0",
		"'0' is too small in topology 'star:0'; "
		"star:N takes whole numbers from 1 to 20" },
	{ "star:21",
		"'21' is too large in topology 'star:21'; "
		"star:N takes whole numbers from 1 to 20" },
	{ "mesh:4x",
		"a number is missing in topology 'mesh:4x'; "
		"mesh:RxC[xD..] takes whole numbers from 1 to 4611686018427387904" },
	{ "mesh:x4",
		"a number is missing in topology 'mesh:x4'; "
		"mesh:RxC[xD..] takes whole numbers from 1 to 4611686018427387904" },
	{ "mesh:4x*ring:3",
		"a number is missing in topology 'mesh:4x'; "
		"mesh:RxC[xD..] takes whole numbers from 1 to 4611686018427387904" },
	{ "ring:3*", "a factor is missing in topology 'ring:3*'; write 'A*B' as in 'ring:3*star:3'" },
	{ "*", "a factor is missing in topology '*'; write 'A*B' as in 'ring:3*star:3'" },
	{ "ring:3**ring:3",
		"a factor is missing in topology 'ring:3**ring:3'; write 'A*B' as in 'ring:3*star:3'" },
	{ "ring:3*ring", "topology 'ring' has no size; expected 'ring:P'" },
	{ "ring:3*tree:4",
		"'tree:4' in topology 'ring:3*tree:4' has switches; "
		"try factors without switches, for example 'bintree:L' for a tree" },
	{ "hypercube:31*hypercube:32",
		"topology 'hypercube:31*hypercube:32' has more than 2^62 nodes; "
		"give smaller factors" },
	{ "complete:4611686018427387904*complete:4611686018427387904*complete:4611686018427387904",
		"topology 'complete:4611686018427387904*complete:461168...' has more than 2^62 nodes; "
		"give smaller factors" },
	{ "mct:3", "topology 'mct:3' has 1 number; write 'mct:R,L', R trees of L levels" },
	{ "mct:3,2,1", "topology 'mct:3,2,1' has 3 numbers; write 'mct:R,L', R trees of L levels" },
	{ "mct:0,2",
		"'0' is too small in topology 'mct:0,2'; "
		"mct:R,L takes whole numbers from 1 to 62" },
	{ "mct:2,63",
		"'63' is too large in topology 'mct:2,63'; "
		"mct:R,L takes whole numbers from 1 to 62" },
	{ "mct:2,",
		"a number is missing in topology 'mct:2,'; "
		"mct:R,L takes whole numbers from 1 to 62" },
	{ "mct:2x3",
		"'2x3' is not a whole number in topology 'mct:2x3'; "
		"mct:R,L takes whole numbers from 1 to 62" },
	{ "mct:23,3", "topology 'mct:23,3' has more than 2^62 nodes; give smaller factors" },
	{ "mct:40,1*mct:25,1",
		"topology 'mct:40,1*mct:25,1' has too many factors; a product takes at most 64" },
	{ "hypercube:63",
		"'63' is too large in topology 'hypercube:63'; "
		"hypercube:D takes whole numbers from 0 to 62" },
	{ "hypercube:64",
		"'64' is too large in topology 'hypercube:64'; "
		"hypercube:D takes whole numbers from 0 to 62" },
	{ "torus:3x-1",
		"'-1' is not a whole number in topology 'torus:3x-1'; "
		"torus:RxC[xD..] takes whole numbers from 1 to 4611686018427387904" },
	{ "torus:3x0",
		"'0' is too small in topology 'torus:3x0'; "
		"torus:RxC[xD..] takes whole numbers from 1 to 4611686018427387904" },
	{ "ring:99999999999999999999",
		"'99999999999999999999' is too large in topology "
		"'ring:99999999999999999999'; "
		"ring:P takes whole numbers from 1 to 4611686018427387904" },
	{ "ring:4611686018427387905",
		"'4611686018427387905' is too large in topology "
		"'ring:4611686018427387905'; "
		"ring:P takes whole numbers from 1 to 4611686018427387904" },
	{ "ring:8 ",
		"'8 ' is not a whole number in topology 'ring:8 '; "
		"ring:P takes whole numbers from 1 to 4611686018427387904" },
	{ "ring:\n8",
		"'?8' is not a whole number in topology 'ring:?8'; "
		"ring:P takes whole numbers from 1 to 4611686018427387904" },
	{ "ring:08",
		"'08' begins with 0 in topology 'ring:08'; "
		"ring:P takes whole numbers from 1 to 4611686018427387904" },
	{ "ring:8x8",
		"'8x8' is not a whole number in topology 'ring:8x8'; "
		"ring:P takes whole numbers from 1 to 4611686018427387904" },
	{ "star:+4",
		"'+4' is not a whole number in topology 'star:+4'; "
		"star:N takes whole numbers from 1 to 20" },
	{ "star:4.0",
		"'4.0' is not a whole number in topology 'star:4.0'; "
		"star:N takes whole numbers from 1 to 20" },
	{ "mesh:4294967296x4294967296",
		"topology 'mesh:4294967296x4294967296' has more than 2^62 nodes; "
		"give smaller sides" },
	{ "torus:2147483648x2147483649",
		"topology 'torus:2147483648x2147483649' has more than 2^62 nodes; "
		"give smaller sides" },
	{ "tree:6",
		"'6' is not a power of 2 in topology 'tree:6'; "
		"the nearest are 'tree:4' and 'tree:8'" },
	{ "tree:4611686018427387903",
		"'4611686018427387903' is not a power of 2 in topology 'tree:4611686018427387903'; "
		"the nearest are 'tree:2305843009213693952' and 'tree:4611686018427387904'" },
	{ "tree:0",
		"'0' is too small in topology 'tree:0'; "
		"tree:P takes whole numbers from 1 to 4611686018427387904" },
	{ "bintree:0",
		"'0' is too small in topology 'bintree:0'; "
		"bintree:L takes whole numbers from 1 to 62" },
	{ "debruijn:63",
		"'63' is too large in topology 'debruijn:63'; "
		"debruijn:D takes whole numbers from 0 to 62" },
	{ "pancake:20",
		"'20' is too large in topology 'pancake:20'; "
		"pancake:N takes whole numbers from 1 to 19" },
	{ "ring", "topology 'ring' has no size; expected 'ring:P'" },
	{ "ring:", "topology 'ring:' has no size; expected 'ring:P'" },
	{ "torus", "topology 'torus' has no size; expected 'torus:RxC[xD..]'" },
	{ "", "the topology is empty; try one like 'ring:8'" },
	{ "RING:8", "no topology 'RING'; did you mean 'ring:P'?" },
	{ "rnig:8", "no topology 'rnig'; did you mean 'ring:P'?" },
	{ "hypercub", "no topology 'hypercub'; did you mean 'hypercube:D'?" },
	{ "tours:4x4", "no topology 'tours'; did you mean 'torus:RxC[xD..]'?" },
	{ " ring:8", "no topology ' ring'; did you mean 'ring:P'?" },
};

static void check_refusal(const char *spec, const char *text)
{
	struct ls_error why = { .size = sizeof why, .text = "untouched" };
	ls_topology *t = NULL;
	const int status = ls_topology_make(spec, &t, &why);

	CHECK(status == LS_ERR_SPEC && !t, "'%s' gives %s", spec, ls_status_name(status));
	CHECK(!strcmp(why.text, text), "'%s' gives the text\n\t%s\nnot\n\t%s", spec, why.text, text);
	CHECK(why.kind == LS_ERR_SPEC && why.size == sizeof why && why.node == -1 && why.peer == -1
			&& why.round == -1 && why.link == -1 && !why.operation,
		"'%s': fields that do not apply", spec);
	CHECK(ls_topology_make(spec, &t, NULL) == LS_ERR_SPEC && !t, "'%s' without an error to fill",
		spec);
}

/* A name that resembles none: all are listed. */
static void check_unknown(const char *spec, const char *quoted)
{
	struct ls_topology_info info = { .size = sizeof info };
	struct ls_error why = { .size = sizeof why };
	ls_topology *t = NULL;
	char text[sizeof why.text];
	int length = snprintf(text, sizeof text, "no topology '%s'; expected one of", quoted);

	for (size_t i = 0; ls_topology_list(i, &info); i++)
		if (strcmp(info.name, "product"))
			length += snprintf(text + length, sizeof text - (size_t)length, " %s", info.name);
	CHECK(ls_topology_make(spec, &t, &why) == LS_ERR_SPEC && !t, "'%s' is taken", spec);
	CHECK(!strcmp(why.text, text), "'%s' gives the text\n\t%s\nnot\n\t%s", spec, why.text, text);
}

static void check_lengths(void)
{
	ls_topology *t = topology(repeated("mesh:1", "x1", 63));

	CHECK(ls_topology_nodes(t) == 1, "%s", ls_topology_spec(t));
	ls_topology_destroy(t);
	t = topology(repeated("torus:2", "x2", 61));
	CHECK(ls_topology_nodes(t) == LS_NODES_MAX && ls_topology_links(t) == INT64_MAX, "%s",
		ls_topology_spec(t));
	ls_topology_destroy(t);

	check_refusal(repeated("mesh:1", "x1", 64),
		"topology 'mesh:1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1...' "
		"has too many sides; mesh takes at most 64");
	check_refusal(repeated("torus:2", "x2", 62),
		"topology 'torus:2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x...' "
		"has more than 2^62 nodes; give smaller sides");
	t = topology(repeated("ring:1", "*ring:1", 63));
	CHECK(ls_topology_nodes(t) == 1 && ls_label(t, 0, NULL, 0) == 129, "%s", ls_topology_spec(t));
	ls_topology_destroy(t);
	check_refusal(repeated("ring:1", "*ring:1", 64),
		"topology 'ring:1*ring:1*ring:1*ring:1*ring:1*ring:1*ri...' "
		"has too many factors; a product takes at most 64");
	check_refusal(repeated("mesh:1x1x1", "*mesh:1x1x1", 31),
		"topology 'mesh:1x1x1*mesh:1x1x1*mesh:1x1x1*mesh:1x1x1*...' "
		"has labels of more than 255 characters; give fewer factors");
	t = topology(repeated("hypercube:5", "*mesh:1x1x1", 31));
	CHECK(ls_label(t, 0, NULL, 0) == 255, "%s", ls_topology_spec(t));
	ls_topology_destroy(t);
	check_refusal(repeated("hypercube:6", "*mesh:1x1x1", 31),
		"topology 'hypercube:6*mesh:1x1x1*mesh:1x1x1*mesh:1x1x1...' "
		"has labels of more than 255 characters; give fewer factors");
	check_refusal(repeated("ring:", "9", 99000),
		"'99999999999999999999999999999999999999999999...' is too large in topology "
		"'ring:999999999999999999999999999999999999999...'; "
		"ring:P takes whole numbers from 1 to 4611686018427387904");
}

static void check_arguments(void)
{
	struct ls_error why = { .size = sizeof why };
	ls_topology *t = NULL;

	CHECK(ls_topology_make(NULL, &t, &why) == LS_ERR_ARGUMENT && !t, "no spec: %s", why.text);
	CHECK(!strncmp(why.text, "spec is NULL; ", 14), "%s", why.text);
	CHECK(ls_topology_make("ring:8", NULL, &why) == LS_ERR_ARGUMENT, "nowhere to put it: %s",
		why.text);
	CHECK(!strncmp(why.text, "out is NULL; ", 13), "%s", why.text);
	ls_topology_destroy(NULL);
}

static int64_t examples, odd, even;

static void count_example(const ls_topology *t)
{
	examples++;
	odd += ls_topology_nodes(t) % 2;
	even += ls_topology_nodes(t) % 2 == 0;
}

/* The first example of each kind is public, and every kind but graph has one, of its name. */
static void check_list(void)
{
	struct ls_topology_info info = { .size = sizeof info };
	size_t kinds = 0;

	for (; ls_topology_list(kinds, &info); kinds++) {
		CHECK(
			*info.name && *info.form && *info.text && info.size == sizeof info, "kind %zu", kinds);
		CHECK((info.example == NULL) == !strcmp(info.name, "graph"), "%s: example", info.name);
		if (info.example) {
			ls_topology *t = topology(info.example);

			CHECK(!strcmp(ls_topology_kind(t), info.name), "%s is no %s", info.example, info.name);
			ls_topology_destroy(t);
		}
	}
	visit_examples(count_example);
	CHECK(examples > 4 * (int64_t)kinds && odd > (int64_t)kinds && even > (int64_t)kinds,
		"%lld examples", (long long)examples);
	CHECK(kinds >= 7 && !ls_topology_list(SIZE_MAX, &info), "%zu kinds", kinds);
	info = (struct ls_topology_info){ .size = offsetof(struct ls_topology_info, form),
		.form = "kept" };
	CHECK(ls_topology_list(1, &info) && !strcmp(info.name, "ring") && !strcmp(info.form, "kept"),
		"a smaller struct");
}

/* Sides and coordinates of grids; -1 where there are none. */
static void test_sides(void)
{
	ls_topology *mesh, *star;

	CHECK(ls_topology_make("mesh:2x3x4", &mesh, NULL) == LS_OK, "mesh:2x3x4");
	CHECK(ls_topology_make("star:3", &star, NULL) == LS_OK, "star:3");
	CHECK(ls_topology_dims(mesh) == 3 && ls_topology_dims(star) == 0, "dimensions");
	for (int dim = -1; dim <= 3; dim++) {
		const int64_t side = dim < 0 || dim > 2 ? -1 : dim + 2;
		const int64_t at[] = { 1, 2, 3 };

		CHECK(ls_topology_side(mesh, dim) == side, "side %d", dim);
		CHECK(ls_topology_side(star, dim) == -1, "side %d of a star", dim);
		CHECK(ls_topology_coordinate(mesh, 23, dim) == (side < 0 ? -1 : at[dim]), "axis %d", dim);
		CHECK(ls_topology_coordinate(mesh, 24, dim) == -1, "a rank that does not exist");
		CHECK(ls_topology_coordinate(star, 0, dim) == -1, "axis %d of a star", dim);
	}
	ls_topology_destroy(mesh);
	ls_topology_destroy(star);
}

int main(void)
{
	check_counts();
	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
		check_refusal(refusals[i].spec, refusals[i].text);
	check_unknown(":", "");
	check_unknown(":8", "");
	check_unknown("8", "8");
	check_unknown("butterfly:3", "butterfly");
	check_unknown("mesh:4*4", "4");
	check_unknown("product:3", "product");
	check_unknown(repeated("", "ring", 20000), "ringringringringringringringringringringring...");
	check_lengths();
	check_arguments();
	check_list();
	test_sides();
	return test_result();
}
