#include "collective/cost_bound.h"

#include <math.h>

#include "collective/round_bound.h"
#include "collective/words_bound.h"

enum { ROUNDS = 1 << 12 }; /* for more rounds, the bound of the words alone counts */

/* The numbers N(k), from k = 1 on; see the header. */
struct steps {
	int64_t delays;                   /* of nodes that a word reaches: 0 .. delays - 1 */
	double part[LSI_SPREAD_ROUNDS];   /* w */
	double number[LSI_SPREAD_ROUNDS]; /* N(k) at k mod LSI_SPREAD_ROUNDS */
};

static double next_number(struct steps *s, int64_t k)
{
	double sum = 1;

	for (int64_t t = 1; t < s->delays && t < k; t++)
		sum += s->part[t] * s->number[(k - t) % LSI_SPREAD_ROUNDS];
	return s->number[k % LSI_SPREAD_ROUNDS] = sum / (1 - s->part[0]);
}

static struct steps make_steps(const struct lsi_problem *problem)
{
	int64_t fresh[LSI_SPREAD_ROUNDS];
	struct steps s = { .delays = lsi_spread_rounds(problem, fresh) };

	for (int64_t t = 0; t < s.delays; t++)
		s.part[t] = (double)fresh[t + 1] / (double)(problem->nodes - 1);
	return s;
}

/* If all other nodes receive in the first round, words need not spread. */
static bool spreads(const struct lsi_problem *problem, const struct steps *s)
{
	return (problem->operation == LS_BROADCAST || problem->operation == LS_REDUCE) && s->delays > 1;
}

double lsi_cost_bound(
	const struct lsi_problem *problem, int64_t rounds, size_t n, double t_s, double per_element)
{
	const int64_t words = lsi_words_bound(problem, n);
	struct steps steps;
	double least = INFINITY;

	if (problem->nodes == 1)
		return 0;
	if (words < 0)
		return -1;
	steps = make_steps(problem);
	if (!spreads(problem, &steps))
		return (double)rounds * t_s + (double)words * per_element;
	for (int64_t k = 1; rounds - 1 + k < ROUNDS; k++) {
		const double volume = (double)n * (1 + 1 / next_number(&steps, k)) / problem->ports;

		least =
			fmin(least, (double)(rounds - 1 + k) * t_s + fmax(volume, (double)words) * per_element);
	}
	return fmin(least, fmax((double)rounds, ROUNDS) * t_s + (double)words * per_element);
}
