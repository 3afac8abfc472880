/*
 * The transport of a plug-in: test/mpi.sh runs this program by mpirun.  Alone it is one process,
 * which has no transport.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "test.h"
#include "world/agreement.h"

enum { TAG = LSI_TAG_ENGINES, OTHER_TAG = LSI_TAGS - 1, ORDERED = 200 };

static ls_world *world;
static struct lsi_transport *transport;

static int me(void)
{
	return ls_world_process(world);
}

static int processes(void)
{
	return ls_world_processes(world);
}

static void finish(struct lsi_transfer *transfer)
{
	CHECK(lsi_world_wait(world, transfer, NULL) == LS_OK && !transfer->begun, "process %d: %s",
		me(), transport->failure);
}

static unsigned char byte_of(int from, int to, size_t i)
{
	return (unsigned char)(i * 31 + i / 4093 + (size_t)from * 7 + (size_t)to * 13);
}

static void fill(unsigned char *data, size_t bytes, int from, int to)
{
	for (size_t i = 0; i < bytes; i++)
		data[i] = byte_of(from, to, i);
}

static size_t count_wrong(const unsigned char *data, size_t bytes, int from, int to)
{
	size_t wrong = 0;

	for (size_t i = 0; i < bytes; i++)
		wrong += data[i] != byte_of(from, to, i);
	return wrong;
}

/* Every process sends to every other one at the same time. */
static void test_all_pairs(size_t bytes)
{
	const size_t n = (size_t)processes();
	unsigned char *out = lsi_alloc(n * bytes + 1), *in = lsi_alloc_zero(n, bytes + 1);
	struct lsi_transfer *transfer = lsi_alloc_zero(2 * n, sizeof *transfer);

	for (int peer = 0; peer < processes(); peer++) {
		const size_t at = (size_t)peer * bytes;

		if (peer == me())
			continue;
		fill(out + at, bytes, me(), peer);
		CHECK(transport->receive(transport, peer, TAG, in + at, bytes, &transfer[peer]) == LS_OK
				&& transport->send(transport, peer, TAG, out + at, bytes, &transfer[(int)n + peer])
					== LS_OK,
			"process %d: %s", me(), transport->failure);
	}
	for (size_t i = 0; i < 2 * n; i++)
		finish(&transfer[i]);
	for (int peer = 0; peer < processes(); peer++)
		CHECK(peer == me() || count_wrong(in + (size_t)peer * bytes, bytes, peer, me()) == 0,
			"%zu bytes from %d to %d", bytes, peer, me());
	lsi_free(out);
	lsi_free(in);
	lsi_free(transfer);
}

/* Messages of a pair arrive in order, and those of another tag do not mix with them. */
static void test_order(void)
{
	const int right = (me() + 1) % processes(), left = (me() + processes() - 1) % processes();
	int out[ORDERED], in[ORDERED], other = -1, mine = me();
	struct lsi_transfer sent[ORDERED + 1] = { 0 }, received = { 0 };

	transport->send(transport, right, OTHER_TAG, &mine, sizeof mine, &sent[ORDERED]);
	for (int i = 0; i < ORDERED; i++) {
		out[i] = me() * ORDERED + i;
		transport->send(transport, right, TAG, &out[i], sizeof *out, &sent[i]);
	}
	for (int i = 0; i < ORDERED; i++) {
		transport->receive(transport, left, TAG, &in[i], sizeof *in, &received);
		finish(&received);
		CHECK(in[i] == left * ORDERED + i, "message %d from %d is %d", i, left, in[i]);
	}
	transport->receive(transport, left, OTHER_TAG, &other, sizeof other, &received);
	finish(&received);
	CHECK(other == left, "the other tag: %d from %d", other, left);
	for (int i = 0; i <= ORDERED; i++)
		finish(&sent[i]);
}

/* Take a message of unknown size from whoever sends it. */
static void take_any(int *senders)
{
	struct lsi_transfer transfer = { 0 };
	size_t bytes = 0;
	int from = -1;

	while (from < 0)
		CHECK(transport->probe(transport, TAG, &from, &bytes) == LS_OK, "%s", transport->failure);

	unsigned char *data = lsi_alloc(bytes + 1);

	CHECK(from < processes() && !senders[from]++, "a second message from %d", from);
	CHECK(bytes == (size_t)from * 1000, "%zu bytes from %d", bytes, from);
	transport->take(transport, data, &transfer);
	finish(&transfer);
	CHECK(count_wrong(data, bytes, from, 0) == 0, "bytes from %d", from);
	lsi_free(data);
}

static void test_probe(void)
{
	struct lsi_transfer transfer = { 0 };
	unsigned char data[64 * 1000];
	const size_t bytes = (size_t)(me() % 64) * 1000;
	int senders[1024] = { 0 }, from = 0;
	size_t found = 0;

	CHECK(transport->probe(transport, OTHER_TAG, &from, &found) == LS_OK && from == -1,
		"a message from %d that no process sent", from);
	fill(data, bytes, me(), 0);
	if (me() > 0)
		transport->send(transport, 0, TAG, data, bytes, &transfer);
	for (int i = 1; me() == 0 && i < processes(); i++)
		take_any(senders);
	finish(&transfer);
}

static void test_agreement(void)
{
	enum { MANY = 3 * LSI_MESSAGE_BYTES / 8 / 2 };
	int64_t least[3] = { me(), -me(), 5 };
	uint64_t *sum = lsi_alloc(MANY * sizeof *sum);
	const int n = processes();
	char *rows = lsi_alloc_zero((size_t)n, 32), text[32];
	size_t bytes = LSI_MESSAGE_BYTES + 5;
	unsigned char *data = lsi_alloc_zero(1, bytes);

	CHECK(lsi_world_least(world, least, 3, NULL) == LS_OK && least[0] == 0 && least[1] == 1 - n
			&& least[2] == 5,
		"least %d %d %d", (int)least[0], (int)least[1], (int)least[2]);
	for (size_t i = 0; i < MANY; i++)
		sum[i] = i + (uint64_t)me() - 1;
	CHECK(
		lsi_world_sum(world, sum, MANY, NULL) == LS_OK, "%s", transport ? transport->failure : "");
	for (size_t i = 0; i < MANY; i += 997)
		CHECK(sum[i] == (i - 1) * (uint64_t)n + (uint64_t)(n * (n - 1) / 2), "sum %zu", i);
	if (me() == 0)
		fill(data, bytes, 0, 0);
	CHECK(ls_world_broadcast(world, data, bytes, NULL) == LS_OK, "broadcast");
	CHECK(count_wrong(data, bytes, 0, 0) == 0, "broadcast at %d", me());
	snprintf(text, sizeof text, "process %d", me());
	CHECK(ls_world_gather(world, text, rows, 32, NULL) == LS_OK, "gather");
	for (int i = 0; me() == 0 && i < n; i++) {
		snprintf(text, sizeof text, "process %d", i);
		CHECK(strcmp(rows + (size_t)i * 32, text) == 0, "row %d: %s", i, rows + (size_t)i * 32);
	}
	for (int i = 0; i < n; i++) {
		if (me() == i)
			fill(data, bytes, i, 1);
		CHECK(ls_world_fetch(world, i, data, bytes, NULL) == LS_OK, "fetch");
		CHECK(me() > 0 || count_wrong(data, bytes, i, 1) == 0, "bytes of process %d", i);
	}
	lsi_free(sum);
	lsi_free(rows);
	lsi_free(data);
}

/* A message longer than its receiver expects: the text names it, and the transport still works. */
static void test_failure(void)
{
	struct lsi_transfer transfer = { 0 };
	char data[8] = "";
	int status = LS_OK;

	if (me() == 1)
		transport->send(transport, 0, TAG, data, 8, &transfer);
	if (me() == 0)
		transport->receive(transport, 1, TAG, data, 4, &transfer);
	status = lsi_world_wait(world, &transfer, NULL);
	CHECK(status == (me() == 0 ? LS_ERR_STOPPED : LS_OK), "process %d: %d", me(), status);
	CHECK(me() != 0 || strstr(transport->failure, "runcate"), "text '%s'", transport->failure);
	transport->failure[0] = '\0'; /* else the world would close without the other processes */
}

static bool is_late(void *looks)
{
	return ++*(int *)looks == 3000;
}

/* A wait for a message that does not come ends by `stop`; the message then comes. */
static void test_stop(void)
{
	struct lsi_transfer transfer = { 0 };
	int looks = 0, data = 0;

	if (me() == 0) {
		transport->receive(transport, 1, TAG, &data, sizeof data, &transfer);
		CHECK(lsi_world_wait(world, &transfer, &(struct lsi_stop){ is_late, &looks })
				== LS_ERR_STOPPED,
			"no stop after %d looks", looks);
	}
	CHECK(lsi_world_least(world, &(int64_t){ 0 }, 1, NULL) == LS_OK, "least");
	data = 7;
	if (me() == 1)
		transport->send(transport, 0, TAG, &data, sizeof data, &transfer);
	finish(&transfer);
	CHECK(me() > 1 || data == 7, "%d", data);
}

int main(int argc, char **argv)
{
	struct ls_error why = { .size = sizeof why };
	const size_t sizes[] = { 0, 1, 7, 4096, 65537, LSI_MESSAGE_BYTES };

	CHECK(ls_world_open(&world, &why) == LS_OK, "%s", why.text);
	if (!world)
		return test_result();
	CHECK(argc < 2 || processes() == atoi(argv[1]), "%d processes", processes());
	CHECK(ls_world_hosts(world) == 1, "%d hosts", ls_world_hosts(world));
	transport = world->transport;
	test_agreement();
	if (processes() > 1) {
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
			test_all_pairs(sizes[i]);
		test_order();
		test_probe();
		test_stop();
		test_failure();
		test_all_pairs(100);
	}
	ls_world_close(world);
	return test_result();
}
