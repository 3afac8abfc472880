#include "engine/sweep/crossing_rounds.h"

#include <string.h>

#include "base/atomic.h"
#include "base/math.h"
#include "engine/sweep/sweep_exchange.h"

/* The memory may be that of an earlier sweep. */
lsi_step_mark *lsi_crossing_rounds_layout(
	const struct lsi_sweep_state *s, struct lsi_memory_layout *layout)
{
	const size_t bytes = s->world ? (size_t)s->steps * sizeof(lsi_step_mark) : 0;
	lsi_step_mark *marks = lsi_memory_layout_take(layout, bytes, 1);

	if (marks)
		memset(marks, 0, bytes);
	return marks;
}

void lsi_crossing_rounds_mark(struct lsi_sweep_worker *w, int64_t step, int64_t before)
{
	if (w->crossing_messages > before)
		lsi_store(&w->sweep->exchange->crossed[step], true, relaxed); /* read after the workers */
}

int lsi_crossing_rounds_put(const struct lsi_sweep_state *s, int64_t first, int64_t *least)
{
	const int n = s->exchange && s->exchange->counted
		? (int)lsi_min(s->steps - first, LSI_CROSSED_AT_ONCE)
		: 0;

	for (int i = 0; i < n; i++)
		least[i] = -lsi_load(&s->exchange->crossed[first + i], relaxed); /* the workers ended */
	return n;
}

bool lsi_crossing_rounds_add(
	struct lsi_sweep_state *s, int64_t least[LSI_CROSSED_AT_ONCE], int n, int64_t *rounds)
{
	int64_t first = 0;

	*rounds = 0;
	for (;;) {
		for (int i = 0; i < n; i++)
			*rounds -= least[i];
		first += n;
		n = n > 0 ? lsi_crossing_rounds_put(s, first, least) : 0;
		if (n == 0)
			return true;
		if (!lsi_exchange_least(s, least, (size_t)n))
			return false;
	}
}
