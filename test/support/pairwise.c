#include "support/pairwise.h"

#include <string.h>

#include "support/guard.h"

enum { CANDIDATES = 30 };

void pairwise_init(struct pairwise *p, int factors, const int levels[])
{
	memset(p, 0, sizeof *p);
	p->factors = factors;
	for (int f = 0; f < factors; f++) {
		p->levels[f] = levels[f];
		for (int g = 0; g < f; g++)
			p->existing += levels[f] * levels[g];
	}
}

static int gain(const struct pairwise *p, const int row[])
{
	int pairs = 0;

	for (int f = 0; f < p->factors; f++) {
		for (int g = 0; g < f; g++)
			pairs += !p->met[f][row[f]][g][row[g]];
	}
	return pairs;
}

/* A pair that has not met, from a random place on; false: there is none. */
static bool open_pair(struct pairwise *p, int row[])
{
	const int start = (int)random_below(&p->state, p->factors * p->factors);

	for (int i = 0; i < p->factors * p->factors; i++) {
		const int f = (start + i) % (p->factors * p->factors) / p->factors,
				  g = (start + i) % p->factors;

		for (int a = 0; a < p->levels[f] && g < f; a++) {
			for (int b = 0; b < p->levels[g]; b++) {
				if (p->met[f][a][g][b])
					continue;
				row[f] = a;
				row[g] = b;
				return true;
			}
		}
	}
	return false;
}

bool pairwise_next(struct pairwise *p, int row[])
{
	int best = 0, pair[PAIRWISE_FACTORS];

	for (int candidate = 0; candidate < CANDIDATES; candidate++) {
		for (int f = 0; f < p->factors; f++)
			pair[f] = (int)random_below(&p->state, p->levels[f]);
		if (!open_pair(p, pair))
			return false;
		/* Each factor in turn to the level that gains most. */
		for (int f = 0; f < p->factors; f++) {
			const int old = pair[f], most = gain(p, pair);
			int level = old;

			for (int a = 0, high = most; a < p->levels[f]; a++) {
				pair[f] = a;
				if (gain(p, pair) > high) {
					high = gain(p, pair);
					level = a;
				}
			}
			pair[f] = level;
		}
		if (gain(p, pair) > best) {
			best = gain(p, pair);
			memcpy(row, pair, sizeof *row * (size_t)p->factors);
		}
	}
	for (int f = 0; f < p->factors; f++) {
		for (int g = 0; g < f; g++)
			p->met[f][row[f]][g][row[g]] = true;
	}
	p->covered += best;
	return true;
}
