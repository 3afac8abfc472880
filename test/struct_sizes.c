/*
 * Structs that begin with their size, given by programs that were built against another version of
 * the headers.
 *
 * A call writes at most out->size bytes, which it does not change: every shorter struct, down to
 * the size alone, is followed by a guard.  Options that are shorter count as if the rest were zero;
 * longer ones are refused unless what the library does not know is zero.
 */
#include <lockstep.h>

#include <stdlib.h>
#include <string.h>

#include "test.h"

enum { GUARD = 0xa5, TAIL = 64, ROOM = 4096 };

static ls_topology *ring, *product;
static ls_machine *machine;
static ls_plan *plan, *composed;

static struct ls_request request_on(const ls_topology *topology, const char *algorithm)
{
	struct ls_request r = { .size = sizeof r, .topology = topology, .operation = LS_ALLREDUCE };

	r.algorithm = algorithm;
	return r;
}

/* ---- Structs that the library fills */

static void get_algorithm(void *out)
{
	CHECK(ls_algorithm_list(1, out), "no algorithm");
}

static void get_candidate(void *out)
{
	const struct ls_request r = request_on(ring, NULL);

	CHECK(ls_candidate_list(&r, 0, out), "no candidate");
}

static void get_topology(void *out)
{
	CHECK(ls_topology_list(1, out), "no topology");
}

static void get_embedding(void *out)
{
	CHECK(ls_embedding_list(1, out), "no map");
}

static void get_request(void *out)
{
	ls_plan_request(plan, out);
}

static void get_part(void *out)
{
	CHECK(ls_plan_part_list(composed, 1, out), "no part");
}

static void get_load(void *out)
{
	CHECK(ls_plan_round_load(plan, NULL, 0, 100, out) == LS_OK, "no load");
}

static void get_certificate(void *out)
{
	CHECK(ls_check(plan, 100, NULL, out) == LS_OK, "the plan breaks a law");
}

static int read_contents(void *out_or_null, const ls_replay *replay)
{
	return out_or_null ? ls_replay_contents(replay, 1, LS_INPUT, 0, out_or_null) : LS_OK;
}

static int use_observer(const void *observer)
{
	const struct ls_check_options options = { .size = sizeof options, .observer = observer };
	struct ls_certificate found = { .size = sizeof found };

	return ls_check(plan, 100, &options, &found);
}

static void get_contents(void *out)
{
	const struct ls_observer observer = { sizeof observer, read_contents, out, 0, NULL, NULL,
		false };

	CHECK(use_observer(&observer) == LS_OK, "node 1 has no operand");
}

static void get_placement(void *out)
{
	CHECK(ls_placement_read(out) == LS_OK, "no placement");
}

static void get_stats(void *out)
{
	ls_machine_stats(machine, out);
}

static void get_last_error(void *out)
{
	CHECK(ls_last_error(machine, out) == LS_ERR_DEADLOCK, "no deadlock");
}

static void get_wait_state(void *out)
{
	CHECK(ls_blocked_on(machine, 0, out), "node 0 does not wait");
}

static void get_why(void *out)
{
	ls_topology *none;

	CHECK(ls_topology_make("ring:0", &none, out) == LS_ERR_SPEC, "ring:0 exists");
}

/* One that fails at once: what a sweep measures differs from call to call. */
static void get_sweep_result(void *out)
{
	const struct ls_sweep sweep = { .size = sizeof sweep };

	CHECK(ls_sweep_run(&sweep, out) == LS_ERR_ARGUMENT, "swept no plan");
}

static const struct filled {
	const char *name;
	size_t bytes;
	void (*get)(void *out);
	size_t varies; /* bytes from here on differ from call to call; 0: none */
} filled[] = {
	{ "algorithm_info", sizeof(struct ls_algorithm_info), get_algorithm,
		offsetof(struct ls_algorithm_info, identical) + sizeof(bool) }, /* then padding */
	{ "candidate", sizeof(struct ls_candidate), get_candidate, 0 },
	{ "topology_info", sizeof(struct ls_topology_info), get_topology, 0 },
	{ "embedding_info", sizeof(struct ls_embedding_info), get_embedding, 0 },
	{ "request", sizeof(struct ls_request), get_request, 0 },
	{ "plan_part", sizeof(struct ls_plan_part), get_part, 0 },
	{ "round_load", sizeof(struct ls_round_load), get_load, 0 },
	{ "certificate", sizeof(struct ls_certificate), get_certificate, 0 },
	{ "contents", sizeof(struct ls_contents), get_contents,
		offsetof(struct ls_contents, repeated) + sizeof(bool) }, /* then padding */
	{ "placement", sizeof(struct ls_placement), get_placement, 0 },
	{ "stats", sizeof(struct ls_stats), get_stats, 0 },
	{ "last error", sizeof(struct ls_error), get_last_error, 0 },
	{ "wait_state", sizeof(struct ls_wait_state), get_wait_state, 0 },
	{ "error", sizeof(struct ls_error), get_why, 0 },
	{ "sweep_result", sizeof(struct ls_sweep_result), get_sweep_result,
		offsetof(struct ls_sweep_result, seconds) },
};

static size_t size_of(const unsigned char *memory)
{
	size_t size;

	memcpy(&size, memory, sizeof size);
	return size;
}

/* The struct whose size says `size`, in memory that is all guard. */
static void get(const struct filled *f, unsigned char memory[ROOM], size_t size)
{
	memset(memory, GUARD, ROOM);
	memcpy(memory, &size, sizeof size);
	f->get(memory);
	CHECK(size_of(memory) == size, "%s of %zu bytes: its size became %zu", f->name, size,
		size_of(memory));
}

static bool is_guard(const unsigned char *memory, size_t from)
{
	while (from < ROOM && memory[from] == GUARD)
		from++;
	return from == ROOM;
}

/* Fields, not padding: a byte counts where the whole struct was written over the guard. */
static void check_filled(const struct filled *f)
{
	static _Alignas(16) unsigned char whole[ROOM], part[ROOM];
	const size_t same = f->varies ? f->varies : f->bytes;

	get(f, whole, f->bytes);
	CHECK(is_guard(whole, f->bytes), "%s: written behind its end", f->name);
	get(f, part, f->bytes + TAIL);
	CHECK(is_guard(part, f->bytes), "%s: written behind the fields that are known", f->name);
	for (size_t size = sizeof size; size < f->bytes; size += sizeof(int)) {
		size_t differ = sizeof size;

		get(f, part, size);
		CHECK(is_guard(part, size), "%s of %zu bytes: written behind its end", f->name, size);
		while (differ < size && differ < same && part[differ] == whole[differ])
			differ++;
		CHECK(differ >= size || differ >= same, "%s of %zu bytes: byte %zu differs", f->name, size,
			differ);
	}
}

/* ---- Structs that the library reads */

static void combine(void *dst, const void *a, const void *b, size_t n, void *context)
{
	(void)dst, (void)a, (void)b, (void)n, (void)context;
}

static int use_op_options(const void *options)
{
	ls_op made = NULL;
	const int status = ls_op_make(options, &made);

	if (status == LS_OK)
		ls_op_destroy(made);
	return status;
}

static int use_machine_options(const void *options)
{
	ls_machine *made = NULL;
	const int status = ls_machine_make(ring, options, &made);

	ls_machine_destroy(made);
	return status;
}

static int use_check_options(const void *options)
{
	struct ls_certificate found = { .size = sizeof found };

	return ls_check(plan, 100, options, &found);
}

static int use_request(const void *r)
{
	ls_plan *made = NULL;
	const int status = ls_plan_make(r, &made, NULL);

	ls_plan_destroy(made);
	return status;
}

static int use_request_to_list(const void *r)
{
	struct ls_candidate found = { .size = sizeof found };

	return ls_candidate_list(r, 0, &found) ? LS_OK : LS_ERR_ARGUMENT;
}

static int use_sweep(const void *sweep)
{
	struct ls_sweep_result found = { .size = sizeof found };

	return ls_sweep_run(sweep, &found);
}

static int use_sweep_memory(const void *sweep)
{
	return ls_sweep_memory(sweep) ? LS_OK : LS_ERR_ARGUMENT;
}

static const void *call_given;

static int call_program(ls_node *me, void *status)
{
	const int returned = ls_collective(me, call_given);

	if (ls_rank(me) == 0)
		*(int *)status = returned;
	return 0;
}

static int use_call(const void *call)
{
	int status = LS_OK;

	call_given = call;
	CHECK(ls_run(machine, call_program, &status) == LS_OK, "the run failed");
	return status;
}

static const struct read {
	const char *name;
	size_t bytes, least; /* least: what has the fields without a default */
	int (*use)(const void *);
} reads[] = {
	{ "op_options", sizeof(struct ls_op_options), offsetof(struct ls_op_options, context),
		use_op_options },
	{ "machine_options", sizeof(struct ls_machine_options), sizeof(size_t), use_machine_options },
	{ "check_options", sizeof(struct ls_check_options), sizeof(size_t), use_check_options },
	{ "request", sizeof(struct ls_request), offsetof(struct ls_request, mode), use_request },
	{ "request", sizeof(struct ls_request), offsetof(struct ls_request, mode),
		use_request_to_list },
	{ "sweep", sizeof(struct ls_sweep), offsetof(struct ls_sweep, type), use_sweep },
	{ "sweep", sizeof(struct ls_sweep), offsetof(struct ls_sweep, type), use_sweep_memory },
	{ "call", sizeof(struct ls_call), offsetof(struct ls_call, algorithm), use_call },
	{ "observer", sizeof(struct ls_observer), offsetof(struct ls_observer, context), use_observer },
};

static void fill(size_t reader, unsigned char memory[ROOM])
{
	struct ls_op_options op = { .size = sizeof op, .combine = combine };
	struct ls_request r = request_on(ring, NULL);
	struct ls_sweep sweep = { .size = sizeof sweep, .plan = plan };
	struct ls_call call = { .size = sizeof call, .operation = LS_BARRIER };
	struct ls_observer observer = { .size = sizeof observer, .observe = read_contents };

	memset(memory, 0, ROOM);
	switch (reader) {
	case 0:
		memcpy(memory, &op, sizeof op);
		break;
	case 3:
	case 4:
		memcpy(memory, &r, sizeof r);
		break;
	case 5:
	case 6:
		memcpy(memory, &sweep, sizeof sweep);
		break;
	case 7:
		memcpy(memory, &call, sizeof call);
		break;
	case 8:
		memcpy(memory, &observer, sizeof observer);
		break;
	default:
		break;
	}
}

/* With `size`, and garbage behind it: only what lies within the size may count. */
static int use(size_t reader, size_t size, size_t zeros)
{
	static _Alignas(16) unsigned char memory[ROOM];

	fill(reader, memory);
	memset(memory + zeros, GUARD, ROOM - zeros);
	memcpy(memory, &size, sizeof size);
	return reads[reader].use(memory);
}

static void check_read(size_t i)
{
	const struct read *r = &reads[i];

	CHECK(use(i, 0, r->bytes) == LS_ERR_ARGUMENT, "%s without a size is taken", r->name);
	for (size_t size = r->least; size <= r->bytes; size += sizeof(void *))
		CHECK(use(i, size, size) == LS_OK, "%s of %zu bytes is refused", r->name, size);
	CHECK(use(i, r->bytes + TAIL, r->bytes + TAIL) == LS_OK,
		"%s with zeros behind what is known is refused", r->name);
	CHECK(use(i, r->bytes + TAIL, r->bytes) == LS_ERR_ARGUMENT,
		"%s with unknown fields that are set is taken", r->name);
	CHECK(use(i, r->bytes + TAIL, r->bytes + TAIL - 1) == LS_ERR_ARGUMENT,
		"%s whose last unknown byte is set is taken", r->name);
}

/* ---- The machine that the calls ask */

static int wait_for_neighbor(ls_node *me, void *unused)
{
	char byte;

	(void)unused;
	return ls_receive(me, (ls_rank(me) + 1) % ls_size(me), &byte, 1);
}

static void setup(void)
{
	struct ls_request r;

	CHECK(ls_topology_make("ring:4", &ring, NULL) == LS_OK, "no ring");
	CHECK(ls_topology_make("star:3*hypercube:2", &product, NULL) == LS_OK, "no product");
	CHECK(ls_machine_make(ring, NULL, &machine) == LS_OK, "no machine");
	r = request_on(ring, NULL);
	CHECK(ls_plan_make(&r, &plan, NULL) == LS_OK, "no plan");
	r = request_on(product, "product");
	CHECK(ls_plan_make(&r, &composed, NULL) == LS_OK, "no plan of parts");
	CHECK(ls_run(machine, wait_for_neighbor, NULL) == LS_ERR_DEADLOCK, "no deadlock");
}

int main(void)
{
	setup();
	for (size_t i = 0; i < sizeof filled / sizeof *filled; i++)
		check_filled(&filled[i]);
	for (size_t i = 0; i < sizeof reads / sizeof *reads; i++)
		check_read(i);
	ls_plan_destroy(composed);
	ls_plan_destroy(plan);
	ls_machine_destroy(machine);
	ls_topology_destroy(product);
	ls_topology_destroy(ring);
	return test_result();
}
