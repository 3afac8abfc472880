/*
 * The division of ranks among processes, on every network; the agreement of processes on a
 * transport of one process whose calls can fail.
 */
#include "topology_specs.h"

#include "world/agreement.h"

/* ---- Ranks */

enum { PROCESSES = 9 };

static int64_t largest(const ls_topology *t, int processes, int64_t *least)
{
	int64_t most = 0;

	*least = INT64_MAX;
	for (int i = 0; i < processes; i++) {
		const int64_t nodes = ls_first_rank(t, processes, i + 1) - ls_first_rank(t, processes, i);

		most = nodes > most ? nodes : most;
		*least = nodes < *least ? nodes : *least;
	}
	return most;
}

/* Complete, disjoint, ordered; no process has more than 17/16 of the average, or one node more. */
static void check_division(const ls_topology *t)
{
	const int64_t nodes = ls_topology_nodes(t);

	for (int p = 1; p <= PROCESSES; p++) {
		int64_t least;
		const int64_t most = largest(t, p, &least);

		CHECK(ls_first_rank(t, p, 0) == 0 && ls_first_rank(t, p, p) == nodes,
			"%s over %d processes is not complete", ls_topology_spec(t), p);
		CHECK(least >= 0 && most <= (nodes + p - 1) / p + nodes / (16 * p),
			"%s over %d processes: %lld to %lld nodes", ls_topology_spec(t), p, (long long)least,
			(long long)most);
	}
	CHECK(ls_first_rank(t, 0, 0) == -1 && ls_first_rank(t, 3, 4) == -1
			&& ls_first_rank(t, 3, -1) == -1,
		"%s: processes that do not exist", ls_topology_spec(t));
}

/* Every boundary is a multiple of the unit, and of no larger part that the balance allows. */
static void check_unit(const char *spec, int processes, int64_t unit, int64_t most)
{
	ls_topology *t = topology(spec);
	int64_t least;

	for (int i = 0; i <= processes; i++)
		CHECK(ls_first_rank(t, processes, i) % unit == 0, "%s over %d: process %d begins at %lld",
			spec, processes, i, (long long)ls_first_rank(t, processes, i));
	CHECK(largest(t, processes, &least) == most, "%s over %d: %lld nodes", spec, processes,
		(long long)largest(t, processes, &least));
	ls_topology_destroy(t);
}

static void test_units(void)
{
	enum { F7 = 5040, F8 = 8 * F7, F9 = 9 * F8, F10 = 10 * F9 };
	const int64_t f11 = (int64_t)F10 * 11, f12 = f11 * 12;

	check_unit("star:9", 2, F7, 36 * F7);
	check_unit("star:9", 4, F7, 18 * F7);
	check_unit("star:9", 9, F8, F8);
	check_unit("star:13", 2, f11, 78 * f11);
	check_unit("star:13", 13, f12, f12);
	check_unit("star:13", 16, f11, 10 * f11);
	check_unit("star:13", 64, F10, 27 * (int64_t)F10);
	check_unit("pancake:8", 8, F7, F7);
	check_unit("hypercube:33", 4, (int64_t)1 << 31, (int64_t)1 << 31);
	check_unit("hypercube:62", 8, (int64_t)1 << 59, (int64_t)1 << 59);
	check_unit("mesh:1000x30", 2, 30, 15000);
	check_unit("torus:6x4x5", 3, 20, 40);
	check_unit("tree:64", 8, 8, 8);
	check_unit("star:8*ring:3", 8, F7 * 3, F7 * 3);
	check_unit("ring:4*star:8", 4, F8, F8);
	check_unit("ring:5", 7, 1, 1);
}

/* ---- Agreement */

/* A process whose partners send what it receives; calls fail after `good` ones. */
struct scripted {
	struct lsi_transport transport;
	int good, looks; /* calls that succeed; looks until an operation is complete */
	char sent[64], incoming[64];
	size_t sent_bytes, incoming_bytes;
	bool closed;
};

static int step(struct lsi_transport *transport)
{
	struct scripted *s = transport->state;

	if (s->good-- > 0)
		return LS_OK;
	snprintf(transport->failure, sizeof transport->failure, "MPI_ERR_TRUNCATE: truncated");
	return LS_ERR_STOPPED;
}

static int begin(struct lsi_transport *transport, struct lsi_transfer *transfer)
{
	struct scripted *s = transport->state;

	transfer->begun = true;
	transfer->word[0] = (uint64_t)s->looks;
	return step(transport);
}

static int send_text(struct lsi_transport *transport, int to, int tag, const void *data,
	size_t bytes, struct lsi_transfer *transfer)
{
	struct scripted *s = transport->state;

	if (tag == LSI_TAG_MEETING) /* read at once */
		return LS_OK;
	CHECK(
		to >= 0 && to < transport->processes && tag == LSI_TAG_AGREEMENT, "to %d, tag %d", to, tag);
	CHECK(s->sent_bytes + bytes <= sizeof s->sent, "%zu bytes", bytes);
	memcpy(s->sent + s->sent_bytes, data, bytes);
	s->sent_bytes += bytes;
	return begin(transport, transfer);
}

static int receive_text(struct lsi_transport *transport, int from, int tag, void *data,
	size_t bytes, struct lsi_transfer *transfer)
{
	struct scripted *s = transport->state;

	CHECK(from >= 0 && from < transport->processes && tag == LSI_TAG_AGREEMENT, "from %d, tag %d",
		from, tag);
	memcpy(data, s->incoming + s->incoming_bytes, bytes);
	s->incoming_bytes += bytes;
	return begin(transport, transfer);
}

static int test(struct lsi_transport *transport, struct lsi_transfer *transfer, bool *done)
{
	*done = !transfer->begun || transfer->word[0]-- == 0;
	transfer->begun = !*done;
	return step(transport);
}

static int least(
	struct lsi_transport *transport, int64_t *number, int n, struct lsi_transfer *transfer)
{
	(void)number, (void)n;
	return begin(transport, transfer);
}

static int sum(
	struct lsi_transport *transport, uint64_t *number, int n, struct lsi_transfer *transfer)
{
	for (int i = 0; i < n; i++)
		number[i] *= (uint64_t)transport->processes;
	return begin(transport, transfer);
}

/* The partners are gone when the world is closed. */
static int probe(struct lsi_transport *transport, int tag, int *from, size_t *bytes)
{
	CHECK(tag == LSI_TAG_MEETING, "tag %d", tag);
	*from = -1;
	*bytes = 0;
	snprintf(transport->failure, sizeof transport->failure, "gone");
	return LS_ERR_STOPPED;
}

static void abort_scripted(struct lsi_transport *transport, int code, const char *text)
{
	CHECK(code == LSI_EXIT_BROKEN && strstr(text, transport->failure), "%d: %s", code, text);
}

static void close_scripted(struct lsi_transport *transport)
{
	struct scripted *s = transport->state;

	s->closed = true;
}

static ls_world *open_scripted(struct scripted *s, int processes, int process)
{
	struct ls_error why = { .size = sizeof why };
	ls_world *world;

	*s = (struct scripted){ .good = 100000, .looks = 300 };
	s->transport = (struct lsi_transport){ .size = sizeof s->transport,
		.version = LSI_TRANSPORT_VERSION,
		.processes = processes,
		.process = process,
		.library = "script",
		.host = "here",
		.state = s,
		.send = send_text,
		.receive = receive_text,
		.probe = probe,
		.test = test,
		.least = least,
		.sum = sum,
		.abort = abort_scripted,
		.close = close_scripted };
	CHECK(ls_world_over(&s->transport, &world, &why) == LS_OK, "%s", why.text);
	CHECK(ls_world_processes(world) == processes && ls_world_process(world) == process
			&& ls_world_hosts(world) == 1 && !strcmp(ls_world_library(world), "script")
			&& !strcmp(ls_world_host(world), "here") && !*ls_world_plugin(world),
		"the world of process %d", process);
	return world;
}

static void test_first_process(void)
{
	struct scripted s;
	ls_world *world = open_scripted(&s, 3, 0);
	uint64_t total = 5;
	char rows[3][7];
	static const char incoming[] = "first  second rows";

	CHECK(ls_world_broadcast(world, "word", 4, NULL) == LS_OK && s.sent_bytes == 8
			&& !memcmp(s.sent, "wordword", 8),
		"broadcast sent %zu bytes", s.sent_bytes);
	memcpy(s.incoming, incoming, sizeof incoming - 1);
	CHECK(ls_world_gather(world, "my row ", rows[0], sizeof rows[0], NULL) == LS_OK
			&& !memcmp(rows, "my row first  second ", sizeof rows),
		"gathered %.21s", rows[0]);
	CHECK(ls_world_fetch(world, 2, rows[0], 4, NULL) == LS_OK && !memcmp(rows, "rows", 4),
		"fetched %.4s", rows[0]);
	CHECK(ls_world_fetch(world, 0, rows[0], 4, NULL) == LS_OK && !memcmp(rows, "rows", 4),
		"its own %.4s", rows[0]);
	CHECK(lsi_world_sum(world, &total, 1, NULL) == LS_OK && total == 15, "sum %d", (int)total);
	ls_world_close(world);
	CHECK(s.closed, "the transport is open");
}

static void test_other_process(void)
{
	struct scripted s;
	ls_world *world = open_scripted(&s, 3, 2);
	char word[8] = "";

	memcpy(s.incoming, "code", 4);
	CHECK(ls_world_broadcast(world, word, 4, NULL) == LS_OK && !strcmp(word, "code"), "%s", word);
	CHECK(ls_world_gather(world, "text", NULL, 4, NULL) == LS_OK && s.sent_bytes == 4
			&& !memcmp(s.sent, "text", 4),
		"sent %zu bytes", s.sent_bytes);
	CHECK(ls_world_fetch(world, 2, word, 4, NULL) == LS_OK && s.sent_bytes == 8
			&& !memcmp(s.sent, "textcode", 8),
		"sent %zu bytes", s.sent_bytes);
	CHECK(ls_world_fetch(world, 1, word, 4, NULL) == LS_OK && s.sent_bytes == 8, "of another");
	ls_world_close(world);
}

static bool count_down(void *context)
{
	return --*(int *)context == 0;
}

static void test_failing(void)
{
	struct ls_error why = { .size = sizeof why };
	struct scripted s;
	ls_world *world = open_scripted(&s, 4, 2);
	int64_t number = 1;
	int looks = 250;

	CHECK(lsi_world_least(world, &number, 1, &(struct lsi_stop){ count_down, &looks })
				== LS_ERR_STOPPED
			&& looks == 0,
		"%d looks left", looks);
	s.good = 1;
	CHECK(ls_world_least(world, &number, 1, &why) == LS_ERR_STOPPED
			&& !strcmp(why.text, "MPI (script) in process 2: MPI_ERR_TRUNCATE: truncated"),
		"%s", why.text);
	CHECK(ls_world_broadcast(world, &number, 1, &why) == LS_ERR_STOPPED, "a broadcast");
	CHECK(ls_world_gather(world, "", NULL, 1, &why) == LS_ERR_STOPPED, "a gather");
	CHECK(ls_world_fetch(world, 2, &number, 1, &why) == LS_ERR_STOPPED, "a fetch");
	s.closed = false;
	CHECK(lsi_world_make(&s.transport, &(ls_world *){ NULL }, &why) == LS_ERR_STOPPED && s.closed,
		"a world of a transport that fails");
	ls_world_close(world);
	s.transport.version++;
	CHECK(ls_world_over(&s.transport, &world, &why) == LS_ERR_UNSUPPORTED && !world
			&& strstr(why.text, "the plug-in belongs to another version"),
		"a transport of another version: %s", why.text);
}

static void test_alone(void)
{
	struct ls_error why = { .size = sizeof why };
	ls_world *world = NULL;
	int64_t number = 7;
	int process = 9;
	char row[5];

	CHECK(ls_world_launched(&process) == 1 && process == 0, "process %d", process);
	CHECK(ls_world_open(&world, &why) == LS_OK, "%s", why.text);
	for (int i = 0; i < 2; i++) {
		CHECK(ls_world_processes(world) == 1 && ls_world_process(world) == 0
				&& ls_world_hosts(world) == 1 && !*ls_world_library(world),
			"a world of one");
		CHECK(ls_world_least(world, &number, 1, NULL) == LS_OK && number == 7, "least");
		CHECK(ls_world_broadcast(world, &number, 8, NULL) == LS_OK && number == 7, "broadcast");
		CHECK(ls_world_gather(world, "alone", row, sizeof row, NULL) == LS_OK
				&& !memcmp(row, "alone", 5),
			"%.5s", row);
		CHECK(ls_world_fetch(world, 0, row, sizeof row, NULL) == LS_OK
				&& ls_world_fetch(world, 1, row, sizeof row, &why) == LS_ERR_ARGUMENT,
			"%s", why.text);
		ls_world_abort(world, 3, "no effect");
		ls_world_close(world);
		world = NULL;
	}
}

/* Environments, and the status and text of ls_world_open. */
static void test_refused(void)
{
	static const struct {
		const char *setting;
		int status;
		const char *text;
	} refused[] = {
		{ "/nonexistent/plugin.so", LS_ERR_ARGUMENT, "without LOCKSTEP_MPI" },
		{ "plugin.so", LS_ERR_ARGUMENT, "expected 'off'" },
		{ "off", LS_OK, "" },
	};

	setenv("PMI_SIZE", "2", 1);
	setenv("PMI_RANK", "1", 1);
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		struct ls_error why = { .size = sizeof why };
		ls_world *world;
		int process = 0;

		setenv("LOCKSTEP_MPI", refused[i].setting, 1);
		CHECK(ls_world_launched(&process) == (refused[i].status ? 2 : 1)
				&& process == (refused[i].status ? 1 : 0),
			"process %d with %s", process, refused[i].setting);
		CHECK(ls_world_open(&world, &why) == refused[i].status && strstr(why.text, refused[i].text),
			"%s: %s", refused[i].setting, why.text);
		ls_world_close(world);
	}
}

int main(void)
{
	static const char *const variables[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS",
		"LOCKSTEP_MPI" };

	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
		unsetenv(variables[i]);
	visit_small(check_division);
	visit_sizes("star", 6, 9, check_division);
	visit_sizes("hypercube", 8, 12, check_division);
	test_units();
	test_first_process();
	test_other_process();
	test_failing();
	test_alone();
	test_refused();
	return test_result();
}
