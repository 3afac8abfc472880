/*
 * Which rows `lockstep bench` calls noisy and moved.  docs/benchmarks.md states both: the exchange
 * time doubled or halved; the deviation exceeds 10 % of the median, or other programs used more
 * than 10 % of the time.
 */
/* tool: in this process */
#include "bench/bench_rows.h"
#include "test.h"

static const struct {
	double before, after; /* exchange times, ns */
	bool moved;
} exchange[] = {
	{ 45, 45, false }, { 45, 89, false }, { 45, 91, true }, { 45, 400, true }, { 89, 45, false },
	{ 91, 45, true }, { 400, 45, true }, { 0, 0, false }, /* not measured */
};

static const struct {
	double median, deviation, others;
	bool noisy;
} spread[] = {
	{ 100, 0, 0, false },
	{ 100, 9, 0.09, false },
	{ 100, 11, 0, true },
	{ 100, 0, 0.11, true },
	{ 100, 11, 0.11, true },
	{ 1000, 11, 0, false },
};

int main(void)
{
	for (size_t i = 0; i < sizeof exchange / sizeof *exchange; i++) {
		const struct conditions c = { exchange[i].before, exchange[i].after, 0 };

		CHECK(bench_is_moved(&c) == exchange[i].moved, "from %g to %g ns", c.exchange_before,
			c.exchange_after);
	}
	for (size_t i = 0; i < sizeof spread / sizeof *spread; i++) {
		const struct conditions c = { 45, 45, spread[i].others };
		struct variant v = { .samples = 0 };

		v.outcome.timing.median = spread[i].median;
		v.outcome.timing.mad = spread[i].deviation;
		CHECK(bench_is_noisy(&v, &c) == spread[i].noisy, "%g ns +- %g, others %g", spread[i].median,
			spread[i].deviation, c.others);
	}
	return test_result();
}
