/*
 * The word by which a run ends without its communication thread (computing.h).  The thread begins
 * and ends operators; the run tries to abandon it at any moment.  One of them decides each time,
 * and who abandons sees what the thread did before.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "base/atomic.h"
#include "base/futex.h"
#include "machine/processes/computing.h"
#include "support/guard.h"
#include "test.h"

enum { ROUNDS = 400, OPERATORS = 20 };

struct round {
	LSI_ATOMIC(uint32_t) word;
	int begun;              /* by the thread: operators; COMPUTE publishes it */
	atomic_bool is_refused; /* the thread found the run ended */
	atomic_int ended;       /* operators that returned in time */
};

static void *compute(void *context)
{
	struct round *r = context;

	for (int i = 0; i < OPERATORS; i++) {
		r->begun++;
		lsi_computing_begin(&r->word);
		if (i % 4 == 3)
			lsi_yield();
		if (!lsi_computing_end(&r->word)) {
			atomic_store(&r->is_refused, true);
			return NULL;
		}
		atomic_fetch_add(&r->ended, 1);
	}
	return NULL;
}

/* True: the run has ended without the thread. */
static bool abandon(struct round *r, int tries)
{
	for (int i = 0; i < tries; i++) {
		if (lsi_computing_abandon(&r->word))
			return true;
		lsi_yield();
	}
	return false;
}

static bool play_round(int tries)
{
	struct round r = { .begun = 0 };
	pthread_t thread = start_thread(compute, &r);
	const bool abandoned = abandon(&r, tries);
	const int begun = abandoned ? r.begun : 0;

	CHECK(!abandoned || (begun > 0 && !lsi_computing_abandon(&r.word)), "%d", begun);
	pthread_join(thread, NULL);
	CHECK(atomic_load(&r.is_refused) == abandoned, "%d tries: abandoned %d, refused %d", tries,
		abandoned, atomic_load(&r.is_refused));
	CHECK(atomic_load(&r.ended) == (abandoned ? begun - 1 : OPERATORS), "%d operators of %d",
		atomic_load(&r.ended), begun);
	CHECK(lsi_load(&r.word, acquire)
			== (uint32_t)(abandoned ? LSI_COMPUTING_ABANDONED : LSI_COMPUTING_IDLE),
		"the state at the end");
	return abandoned;
}

int main(void)
{
	const int rounds = is_fast() ? ROUNDS / 4 : ROUNDS;
	int abandoned = 0, i = 0;

	/* On a busy computer it may take longer until a round is abandoned; without end, it hangs. */
	for (; i < rounds || abandoned == 0; i++)
		abandoned += play_round(1 + i % 40);
	printf("%d of %d rounds abandoned\n", abandoned, i);
	return test_result();
}
