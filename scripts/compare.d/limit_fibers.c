/*
 * The time that light nodes need for each operation at least: the work that no implementation on
 * fibers can avoid, without any verification.  Command line and output are those of contest.h.
 *
 * all-reduce, barrier
 *     Every fiber of a core but one leaves the core once: it is put into a list of waiting
 *     fibers, taken from the run queue, and switched to.  The last fibers of all cores meet at a
 *     counter.
 *
 * broadcast, rotating
 *     The root writes a vector and a flag into a ring of 128 lines that all nodes read.  A fiber
 *     that finds no vector lets the next fiber run.  With one root, the root waits while the ring
 *     is full.
 */
#include <stdalign.h>
#include <string.h>

#include "../../test/bench/bare_fibers.h"

enum { SLOTS = 128, ROUNDS = 3 };

struct mail {
	alignas(LSI_CACHE_LINE) LSI_ATOMIC(int64_t) turn;
	char data[];
};

struct progress {
	alignas(LSI_CACHE_LINE) LSI_ATOMIC(int64_t) turn;
};

static struct {
	size_t bytes, stride;
	char *ring, *operand, *result; /* the last two have `bytes` for each fiber */
	struct progress *progress;     /* of each fiber */
} all;

static struct mail *mail_of(int64_t turn)
{
	return (struct mail *)(void *)(all.ring + (size_t)(turn % SLOTS) * all.stride);
}

static void reach(struct fiber *me, const LSI_ATOMIC(int64_t) * at, int64_t turn)
{
	while (lsi_load(at, acquire) < turn)
		yield_fiber(me);
}

static void write_mail(const struct fiber *me, int64_t turn)
{
	struct mail *mail = mail_of(turn);

	memcpy(mail->data, all.operand + (size_t)rank_of(me) * all.bytes, all.bytes);
	lsi_store(&mail->turn, turn, release);
}

static void read_mail(struct fiber *me, int64_t turn)
{
	struct mail *mail = mail_of(turn);

	reach(me, &mail->turn, turn);
	memcpy(all.result + (size_t)rank_of(me) * all.bytes, mail->data, all.bytes);
}

static void broadcast(struct fiber *me, int64_t turn)
{
	const int64_t rank = rank_of(me), p = me->scheduler->team->fibers;
	const bool reports = turn % (SLOTS / 2) == 0;

	if (rank != 0) {
		read_mail(me, turn);
		if (reports)
			lsi_store(&all.progress[rank].turn, turn, release);
		return;
	}
	for (int64_t r = 1; r < p && reports; r++)
		reach(me, &all.progress[r].turn, turn - SLOTS / 2);
	write_mail(me, turn);
}

/* A root has read all vectors before its own, so at most p - 1 vectors of the ring are unread. */
static void rotate(struct fiber *me, int64_t turn)
{
	if (turn % me->scheduler->team->fibers == rank_of(me))
		write_mail(me, turn);
	else
		read_mail(me, turn);
}

static void begin_sample(int64_t p)
{
	for (int64_t i = 0; i < SLOTS; i++)
		lsi_store(&mail_of(i)->turn, 0, relaxed); /* no fiber runs */
	for (int64_t r = 0; r < p; r++)
		lsi_store(&all.progress[r].turn, 0, relaxed); /* no fiber runs */
}

static double time_sample(struct team *team, double target)
{
	double ns = 1e5;

	for (int i = 0; i < ROUNDS; i++) {
		begin_sample(team->fibers);
		team->repetitions = (int64_t)(i == 0 ? 10 : target / ns) + 2;
		ns = time_of_turn(team);
	}
	return ns;
}

static void *memory(size_t bytes)
{
	return memset(need(lsi_alloc_cache_aligned(bytes)), 0, bytes);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*work)(struct fiber *, int64_t);
	} operations[] = { { "allreduce", wait_for_all }, { "barrier", wait_for_all },
		{ "broadcast", broadcast }, { "rotating", rotate } };
	struct team team = { .fibers = argc == 6 ? atoll(argv[3]) : 0 };

	for (size_t i = 0; argc == 6 && i < sizeof operations / sizeof *operations; i++)
		if (strcmp(argv[1], operations[i].name) == 0)
			team.work = operations[i].work;
	if (!team.work || team.fibers < 1 || (team.work == rotate && team.fibers > SLOTS)) {
		puts("failed: usage: OPERATION BYTES P MSms SAMPLES; a rotating broadcast has 128 nodes at "
			 "most");
		return 1;
	}
	all.bytes = strtoul(argv[2], NULL, 10);
	all.stride =
		(sizeof(struct mail) + all.bytes + LSI_CACHE_LINE - 1) / LSI_CACHE_LINE * LSI_CACHE_LINE;
	all.ring = memory(SLOTS * all.stride);
	all.operand = memory((size_t)team.fibers * all.bytes + 1);
	all.result = memory((size_t)team.fibers * all.bytes + 1);
	all.progress = memory((size_t)team.fibers * sizeof *all.progress);
	for (int i = 0; i < atoi(argv[5]); i++)
		printf("%.1f\n", time_sample(&team, atof(argv[4]) * 1e6));
	puts("ok");
	return 0;
}
