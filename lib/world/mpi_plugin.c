/*
 * The plug-in: a transport over MPI.  It is built apart, once for each MPI, and is the only file
 * that uses one.  No call waits, except to begin and to end MPI.
 */
#include <lockstep/status.h>

#include "world/transport.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

struct mpi_state {
	struct lsi_transport transport; /* first: both have one address */
	MPI_Comm communicator;
	MPI_Message found; /* by `probe`, for `take` */
	int found_bytes;
	char library[64], host[MPI_MAX_PROCESSOR_NAME];
};

_Static_assert(sizeof(MPI_Request) <= sizeof((struct lsi_transfer){ 0 }.word), "no room");

/* MPI starts at most once in a process, and ends with the last transport. */
static bool has_started;
static int open_transports;

static MPI_Comm communicator_of(struct lsi_transport *transport)
{
	return ((struct mpi_state *)transport->state)->communicator;
}

/* The status of a result; a failure leaves its text, in one line, in the transport. */
static int status_of(struct lsi_transport *transport, int result)
{
	char text[MPI_MAX_ERROR_STRING] = "";
	int length;

	if (result == MPI_SUCCESS)
		return LS_OK;
	MPI_Error_string(result, text, &length);
	for (char *c = text; *c; c++)
		if (*c == '\n')
			*c = ' ';
	snprintf(transport->failure, sizeof transport->failure, "%.255s", text);
	return LS_ERR_STOPPED;
}

/* As status_of, of a call that began an operation. */
static int begun(
	struct lsi_transport *transport, int result, MPI_Request request, struct lsi_transfer *transfer)
{
	transfer->begun = result == MPI_SUCCESS;
	memcpy(transfer->word, &request, sizeof request);
	return status_of(transport, result);
}

static int send_bytes(struct lsi_transport *transport, int to, int tag, const void *data,
	size_t bytes, struct lsi_transfer *transfer)
{
	MPI_Request request = MPI_REQUEST_NULL;
	const int result =
		MPI_Isend(data, (int)bytes, MPI_BYTE, to, tag, communicator_of(transport), &request);

	return begun(transport, result, request, transfer);
}

static int receive_bytes(struct lsi_transport *transport, int from, int tag, void *data,
	size_t bytes, struct lsi_transfer *transfer)
{
	MPI_Request request = MPI_REQUEST_NULL;
	const int result =
		MPI_Irecv(data, (int)bytes, MPI_BYTE, from, tag, communicator_of(transport), &request);

	return begun(transport, result, request, transfer);
}

static int probe(struct lsi_transport *transport, int tag, int *from, size_t *bytes)
{
	struct mpi_state *state = transport->state;
	MPI_Status status;
	int found = 0;
	int result =
		MPI_Improbe(MPI_ANY_SOURCE, tag, state->communicator, &found, &state->found, &status);

	*from = -1;
	if (result != MPI_SUCCESS || !found)
		return status_of(transport, result);
	result = MPI_Get_count(&status, MPI_BYTE, &state->found_bytes);
	*from = status.MPI_SOURCE;
	*bytes = (size_t)state->found_bytes;
	return status_of(transport, result);
}

static int take(struct lsi_transport *transport, void *data, struct lsi_transfer *transfer)
{
	struct mpi_state *state = transport->state;
	MPI_Request request = MPI_REQUEST_NULL;
	const int result = MPI_Imrecv(data, state->found_bytes, MPI_BYTE, &state->found, &request);

	return begun(transport, result, request, transfer);
}

static int test(struct lsi_transport *transport, struct lsi_transfer *transfer, bool *done)
{
	MPI_Request request;
	int complete = 1, result = MPI_SUCCESS;

	if (transfer->begun) {
		memcpy(&request, transfer->word, sizeof request);
		result = MPI_Test(&request, &complete, MPI_STATUS_IGNORE);
		memcpy(transfer->word, &request, sizeof request);
	}
	*done = complete;
	transfer->begun = !complete;
	return status_of(transport, result);
}

static int reduce(struct lsi_transport *transport, void *number, int n, MPI_Datatype type,
	MPI_Op op, struct lsi_transfer *transfer)
{
	MPI_Request request = MPI_REQUEST_NULL;
	const int result =
		MPI_Iallreduce(MPI_IN_PLACE, number, n, type, op, communicator_of(transport), &request);

	return begun(transport, result, request, transfer);
}

static int least(
	struct lsi_transport *transport, int64_t *number, int n, struct lsi_transfer *transfer)
{
	return reduce(transport, number, n, MPI_INT64_T, MPI_MIN, transfer);
}

static int sum(
	struct lsi_transport *transport, uint64_t *number, int n, struct lsi_transfer *transfer)
{
	return reduce(transport, number, n, MPI_UINT64_T, MPI_SUM, transfer);
}

static void abort_all(struct lsi_transport *transport, int code, const char *text)
{
	if (*text)
		fprintf(stderr, "lockstep: %s\n", text);
	MPI_Abort(communicator_of(transport), code);
}

static void close_transport(struct lsi_transport *transport)
{
	MPI_Comm_free(&((struct mpi_state *)transport)->communicator);
	free(transport);
	if (--open_transports == 0 && has_started)
		MPI_Finalize();
}

/* "Open MPI v4.1.4, package: ..", "MPICH Version:      4.0.2\nMPICH Release date: .." */
static void name_library(char *text, size_t size)
{
	char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int length, major, minor, patch;

	MPI_Get_library_version(version, &length);
	if (sscanf(version, "Open MPI v%d.%d.%d", &major, &minor, &patch) == 3)
		snprintf(text, size, "Open MPI %d.%d.%d", major, minor, patch);
	else if (sscanf(version, "MPICH Version: %d.%d.%d", &major, &minor, &patch) == 3)
		snprintf(text, size, "MPICH %d.%d.%d", major, minor, patch);
	else
		snprintf(text, size, "%.*s", (int)strcspn(version, "\n,"), version);
}

static struct mpi_state *make_state(MPI_Comm communicator)
{
	struct mpi_state *state = calloc(1, sizeof *state);
	int length;

	if (!state || MPI_Comm_dup(communicator, &state->communicator) != MPI_SUCCESS) {
		free(state);
		return NULL;
	}
	state->transport = (struct lsi_transport){ .size = sizeof state->transport,
		.version = LSI_TRANSPORT_VERSION,
		.library = state->library,
		.host = state->host,
		.state = state,
		.send = send_bytes,
		.receive = receive_bytes,
		.probe = probe,
		.take = take,
		.test = test,
		.least = least,
		.sum = sum,
		.abort = abort_all,
		.close = close_transport };
	MPI_Comm_set_errhandler(state->communicator, MPI_ERRORS_RETURN);
	MPI_Comm_size(state->communicator, &state->transport.processes);
	MPI_Comm_rank(state->communicator, &state->transport.process);
	MPI_Get_processor_name(state->host, &length);
	name_library(state->library, sizeof state->library);
	open_transports++;
	return state;
}

EXPORTED void *lsi_transport_of(MPI_Comm communicator)
{
	return make_state(communicator);
}

/* Open MPI before 3.0 works only if its own plug-ins see the symbols of this one. */
static bool is_old(void)
{
	char name[64];
	int major;

	name_library(name, sizeof name);
	return sscanf(name, "Open MPI %d", &major) == 1 && major < 3;
}

static const char *start(void)
{
	int initialized = 0, provided = MPI_THREAD_SERIALIZED;

	if (is_old())
		return "Open MPI before 3.0 is not supported; try a newer one, or LOCKSTEP_MPI=off";
	MPI_Initialized(&initialized);
	if (has_started && open_transports == 0)
		return "MPI has ended in this process; try to open the world once";
	if (!initialized) {
		if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided))
			return "MPI cannot start; see its messages, or try LOCKSTEP_MPI=off";
		has_started = true;
		/* To these MPI assigns the errors of requests. */
		MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
		MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	}
	return provided < MPI_THREAD_SERIALIZED
		? "this MPI does not support threads; try one that does, or LOCKSTEP_MPI=off"
		: NULL;
}

EXPORTED struct lsi_transport *lsi_transport_open(char why[256])
{
	const char *problem = start();
	struct mpi_state *state = problem ? NULL : make_state(MPI_COMM_WORLD);

	if (!state)
		snprintf(why, 256, "%s", problem ? problem : "MPI cannot duplicate its communicator");
	return state ? &state->transport : NULL;
}
