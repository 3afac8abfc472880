#include "collective/cayley/matching_table.h"

enum { LINKS = LSI_MATCHING_SYMBOLS_MAX - 1, ROW = 88 };

/*
 * Links to the parents of the representatives 1, 2, .. of S_3, then of S_4, and so on to S_8, by
 * rank. A character holds two of them: '@' + (first - 2) + 7 (second - 2), without '\'.
 */
static const char packed[][ROW + 1] = {
#include "collective/cayley/matching_links.inc"
};

struct schedule {
	int n;
	uint8_t *link, *round;
};

int lsi_matching_rounds(int n)
{
	static const uint8_t rounds[LSI_MATCHING_SYMBOLS_MAX + 1] = { 0, 0, 1, 3, 5, 8, 10, 13, 16 };

	return rounds[n];
}

static uint8_t unpack(int64_t entry)
{
	const char text = packed[entry / 2 / ROW][entry / 2 % ROW];
	const int code = text - '@' - (text > '\\');

	return (uint8_t)(2 + (entry % 2 ? code / LINKS : code % LINKS));
}

static int64_t first_entry(int n)
{
	int64_t entry = 0;

	for (int i = 3; i < n; i++)
		entry += lsi_factorial(i) / 2 - 1;
	return entry;
}

static void unpack_links(int n, uint8_t *link)
{
	int64_t entry = first_entry(n);

	link[0] = 0;
	for (int64_t u = 1; u < lsi_factorial(n); u++) {
		const int64_t v = lsi_matching_representative(u, n);

		link[u] = v == 0 ? 2 : v < u ? link[v] : unpack(entry++);
	}
}

/* The children of u, those with larger round[] first; returns their number. */
static int find_children(const struct schedule *s, int64_t u, int64_t child[LINKS])
{
	int count = 0;

	for (int k = 2; k <= s->n; k++) {
		const int64_t v = lsi_star_neighbor(u, k);
		int i = count;

		if (s->link[v] != k)
			continue;
		for (; i > 0 && s->round[child[i - 1]] < s->round[v]; i--)
			child[i] = child[i - 1];
		child[i] = v;
		count++;
	}
	return count;
}

/* Set round[] of a node to the number of rounds that its descendants need after it has received. */
static void measure(const struct schedule *s, int64_t u)
{
	int64_t child[LINKS];
	int most = 0, count;

	for (int k = 2; k <= s->n; k++) {
		const int64_t v = lsi_star_neighbor(u, k);

		if (s->link[v] == k)
			measure(s, v);
	}
	count = find_children(s, u, child);
	for (int i = 0; i < count; i++) {
		const int end = i + 1 + s->round[child[i]];

		most = end > most ? end : most;
	}
	s->round[u] = (uint8_t)most;
}

/* Send first to the child whose descendants need most rounds; this is optimal for a given tree. */
static void assign_rounds(const struct schedule *s, int64_t u, int round)
{
	int64_t child[LINKS];
	const int count = find_children(s, u, child);

	s->round[u] = (uint8_t)round;
	for (int i = 0; i < count; i++)
		assign_rounds(s, child[i], round + i + 1);
}

void lsi_matching_schedule(int n, uint8_t *link, uint8_t *round)
{
	const struct schedule s = { .n = n, .link = link, .round = round };

	unpack_links(n, link);
	measure(&s, 0);
	assign_rounds(&s, 0, 0);
}
