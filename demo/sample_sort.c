/*
 * Sample sort: section 9.5 of A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel
 * Computing, 2nd edition, 2003.
 *
 * Each node sorts its share and takes p - 1 evenly spaced words as a sample; all get all samples,
 * and agree on p - 1 splitters among them.  A total exchange of unequal parts then brings to node s
 * what lies between splitters s and s + 1.  The words are those of the README.
 */
#include "demo.h"

#include <ctype.h>
#include <string.h>

enum { N = 8192, P = 32 }; /* most words, most nodes */

typedef char word[16]; /* lower-case letters, then zeros */
static ls_type WORD;

struct problem {
	size_t n, biggest;
	word given[N], sorted[N];
};

static int compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(word));
}

static int program(ls_node *me, void *arg)
{
	struct problem *pb = arg;
	const size_t p = (size_t)ls_size(me), r = (size_t)ls_rank(me);
	word *mine = pb->given + r * pb->n / p, sample[P], samples[P * P];
	const size_t n = (r + 1) * pb->n / p - r * pb->n / p;
	size_t to[P] = { 0 }, from[P], total = 0, before = 0, bucket = 0;

	qsort(mine, n, sizeof *mine, compare);
	for (size_t s = 1; s < p; s++)
		memcpy(sample[s - 1], mine[s * n / p], sizeof(word));
	if (ls_allgather(me, sample, samples, p - 1, WORD))
		return 1;
	qsort(samples, p * (p - 1), sizeof *samples, compare);
	for (size_t i = 0; i < n; i++) { /* splitter s is samples[s (p - 1)] */
		while (bucket + 1 < p && compare(samples[(bucket + 1) * (p - 1)], mine[i]) <= 0)
			bucket++;
		to[bucket]++;
	}
	if (ls_alltoall(me, to, from, 1, LS_UINT64))
		return 1;
	for (size_t s = 0; s < p; s++)
		total += from[s];
	if (ls_exscan(me, &total, &before, 1, LS_UINT64, LS_SUM)
		|| ls_alltoallv(me, mine, to, pb->sorted + before, from, WORD))
		return 1;
	qsort(pb->sorted + before, total, sizeof(word), compare);
	return ls_reduce(me, &total, &pb->biggest, 1, LS_UINT64, LS_MAX, 0);
}

static void pose(struct problem *pb)
{
	FILE *text = input_open("README.md");
	size_t length = 0;

	memset(pb, 0, sizeof *pb);
	for (int c; pb->n < N && (c = fgetc(text)) != EOF;) {
		if (isalpha(c) && length < sizeof(word) - 1)
			pb->given[pb->n][length++] = (char)tolower(c);
		else if (!isalpha(c) && length > 0)
			length = 0, pb->n++;
	}
	fclose(text);
}

static void sort_on(const char *spec)
{
	const struct network net = network_make(spec, NULL);
	const size_t p = (size_t)ls_topology_nodes(net.topology);
	static struct problem pb;
	static word alone[N];

	pose(&pb);
	require(p <= P && p * p <= pb.n, "%s: too many nodes for %d words", spec, (int)pb.n);
	memcpy(alone, pb.given, sizeof alone);
	qsort(alone, pb.n, sizeof *alone, compare);

	const struct ls_stats sent = network_run(net, program, &pb);

	require(!memcmp(pb.sorted, alone, pb.n * sizeof(word)), "%s: not sorted", spec);
	report(net, sent, "%d words, %s .. %s; at most %d on a node, n/p = %d", (int)pb.n, pb.sorted[0],
		pb.sorted[pb.n - 1], (int)pb.biggest, (int)(pb.n / p));
	network_destroy(net);
}

int main(int argc, char **argv)
{
	static const char *const networks[] = { "ring:8", "mesh:3x4", "torus:4x4", "hypercube:3",
		"star:4", "complete:16", NULL };

	(void)argc;
	require(!ls_type_make(sizeof(word), &WORD), "no memory");
	on_networks(argv, networks, sort_on);
	ls_type_destroy(WORD);
	return EXIT_SUCCESS;
}
