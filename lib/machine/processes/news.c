/*
 * News: a list to which all threads of the process push, and which the communication thread takes
 * as a whole.
 */
#include "base/futex.h"
#include "machine/processes/far_internal.h"

/* It may be about to sleep: SLEEP orders what was changed before against its last load. */
void lsi_communication_wake(struct lsi_processes *p)
{
	if (lsi_load(&p->asleep, seq_cst) && lsi_exchange(&p->asleep, 0u, seq_cst)) /* SLEEP */
		lsi_futex_wake(&p->asleep, 1);
}

/* News that are in the list already will be taken, with all that precedes this call. */
void lsi_news_put(struct lsi_processes *p, struct lsi_news *news)
{
	struct lsi_news *newest;

	if (lsi_exchange(&news->listed, 1u, seq_cst)) /* NEWS */
		return;
	newest = lsi_load(&p->newest, relaxed); /* a first guess */
	do
		news->next = newest;
	while (!lsi_compare_swap(&p->newest, &newest, news, seq_cst)); /* NEWS, SLEEP */
	lsi_communication_wake(p);
}

/* Binary search: the last process whose first rank is not above the rank. */
int lsi_process_of(const struct lsi_processes *p, int64_t rank)
{
	int low = 0, high = p->count - 1;

	while (low < high) {
		const int middle = (low + high + 1) / 2;

		if (p->first_rank[middle] <= rank)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

void lsi_processes_notify(struct ls_machine *machine)
{
	lsi_communication_wake(machine->processes);
}

void lsi_processes_decide(struct ls_machine *machine, bool early)
{
	struct lsi_processes *p = machine->processes;

	if (early)
		lsi_store(&p->early, 1u, release); /* a flag without data */
	lsi_communication_wake(p);
}

void lsi_processes_notify_gone(struct lsi_node_state *me)
{
	struct lsi_processes *p = me->machine->processes;

	lsi_news_put(p, &p->gone_node[me->rank - me->machine->first_local].news);
}
