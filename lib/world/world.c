/*
 * Worlds: which plug-in is opened, what is refused, and the public calls.
 *
 *   no launcher, or LOCKSTEP_MPI=off      one process, without a transport
 *   LOCKSTEP_MPI=PATH                     the plug-in of this path
 *   a launcher                            the first plug-in of its families that is found
 */
#include "world/agreement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dlfcn.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/math.h"
#include "base/thread.h"
#include "world/launcher.h"
#include "world/use.h"

/* ---- The plug-in */

/* The value of LOCKSTEP_MPI; NULL: not set, or empty. */
static const char *requested(void)
{
	const char *value = secure_getenv("LOCKSTEP_MPI");

	return value && *value ? value : NULL;
}

static bool is_off(void)
{
	return requested() && strcmp(requested(), "off") == 0;
}

int ls_world_launched(int *process_or_null)
{
	int processes = 1, process = 0;

	if (!is_off())
		lsi_launcher_find(&processes, &process);
	if (process_or_null)
		*process_or_null = process;
	return processes;
}

static int fail_without_plugin(
	const struct lsi_launcher *launcher, int processes, struct ls_error *why)
{
	return lsi_error_set(why, LS_ERR_UNSUPPORTED,
		"started by %s, but built without MPI; try apt install %s, make, or LOCKSTEP_MPI=off to "
		"run %d copies",
		launcher->name, launcher->package, processes);
}

/* Each process of another MPI is the only one of its own. */
static int fail_other_mpi(const struct lsi_launcher *launcher, int processes,
	const struct lsi_transport *transport, struct ls_error *why)
{
	char plugin[LSI_PATH], remedy[LSI_PATH + 32] = "";

	if (requested() && lsi_plugin_find(launcher, plugin))
		snprintf(remedy, sizeof remedy, ", or LOCKSTEP_MPI=%s", plugin);
	return lsi_error_set(why, LS_ERR_ARGUMENT,
		"%s started %d processes, but this MPI (%s) sees 1; try mpirun.%s%s", launcher->name,
		processes, transport->library,
		strncmp(transport->library, "Open MPI", 8) == 0 ? "openmpi" : "mpich", remedy);
}

/* dlerror names the file, and the library of MPI if that is what is missing. */
static int fail_loading(const char *path, struct ls_error *why)
{
	const char *text = dlerror();

	return lsi_error_set(why, requested() ? LS_ERR_ARGUMENT : LS_ERR_UNSUPPORTED,
		"cannot open the plug-in: %s; try %sLOCKSTEP_MPI=off", text ? text : path,
		requested() ? "without LOCKSTEP_MPI, or " : "");
}

static int load_plugin(const char *path, struct lsi_transport **out, struct ls_error *why)
{
	void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	lsi_transport_open_function *open = NULL;
	char text[256] = "";

	if (plugin)
		*(void **)&open = dlsym(plugin, "lsi_transport_open");
	if (!open)
		return fail_loading(path, why);
	*out = open(text);
	return *out ? LS_OK : lsi_error_set(why, LS_ERR_UNSUPPORTED, "%s", text);
}

/* MPI starts threads.  Signals are blocked in them, so that those of the program take them. */
static int open_plugin(const char *path, struct lsi_transport **out, struct ls_error *why)
{
	const sigset_t blocked = lsi_asynchronous_signals();
	sigset_t before;

	pthread_sigmask(SIG_BLOCK, &blocked, &before);

	const int status = load_plugin(path, out, why);

	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return status;
}

/* The path of the plug-in to open; "": one process without MPI. */
static int choose_plugin(
	const struct lsi_launcher *launcher, int processes, char path[LSI_PATH], struct ls_error *why)
{
	path[0] = '\0';
	if (is_off() || (!launcher && !requested()))
		return LS_OK;
	if (requested() && strchr(requested(), '/'))
		snprintf(path, LSI_PATH, "%s", requested());
	else if (requested())
		return lsi_error_set(why, LS_ERR_ARGUMENT,
			"LOCKSTEP_MPI is '%s'; expected 'off' or the path of a plug-in, with a '/'",
			lsi_quote_make(requested(), strlen(requested())).text);
	else if (!lsi_plugin_find(launcher, path))
		return fail_without_plugin(launcher, processes, why);
	return LS_OK;
}

/* ---- Open and close */

/* Whether the plug-in was built with this transport.h. */
static bool is_known(const struct lsi_transport *transport)
{
	return transport->version == LSI_TRANSPORT_VERSION && transport->size == sizeof *transport;
}

static int fail_version(const char *plugin, struct ls_error *why)
{
	return lsi_error_set(why, LS_ERR_UNSUPPORTED,
		"%s belongs to another version of Lockstep; try make, and make install", plugin);
}

/* *out NULL and LS_OK: one process.  A transport that is refused is closed. */
static int open_transport(struct lsi_transport **out, char path[LSI_PATH], struct ls_error *why)
{
	int processes, process;
	const struct lsi_launcher *launcher = lsi_launcher_find(&processes, &process);
	int status = choose_plugin(launcher, processes, path, why);

	*out = NULL;
	if (status != LS_OK || !*path)
		return status;
	status = open_plugin(path, out, why);
	if (status != LS_OK)
		return status;
	if (!is_known(*out))
		status = fail_version(path, why);
	else if (launcher && (*out)->processes == 1)
		status = fail_other_mpi(launcher, processes, *out, why);
	if (status != LS_OK)
		(*out)->close(*out);
	return status;
}

/* Each turn counts the host of the least number that is not counted. */
static int count_hosts(ls_world *world)
{
	const int64_t mine = (int64_t)(lsi_mix_text(0, ls_world_host(world)) >> 2);
	bool counted = false;

	for (world->hosts = 0;; world->hosts++) {
		int64_t least = counted ? INT64_MAX : mine;
		const int status = lsi_world_least(world, &least, 1, NULL);

		if (status != LS_OK || least == INT64_MAX)
			return status;
		counted |= least == mine;
	}
}

/* Counting the hosts is the first message: a network that does not work is found here. */
int lsi_world_make(struct lsi_transport *transport, ls_world **out, struct ls_error *why)
{
	ls_world *world = lsi_alloc_zero(1, sizeof *world);

	*out = NULL;
	if (world && transport)
		world->meeting = lsi_meeting_make(transport->processes);
	if (!world || (transport && !world->meeting)) {
		if (transport)
			transport->close(transport);
		lsi_free(world);
		return lsi_error_set(why, LS_ERR_MEMORY, "no memory for a world");
	}
	world->transport = transport;
	pthread_mutex_init(&world->lock, NULL);
	if (count_hosts(world) != LS_OK || lsi_world_divide_cores(world) != LS_OK) {
		lsi_world_failure(world, why);
		ls_world_close(world);
		return LS_ERR_STOPPED;
	}
	*out = world;
	return LS_OK;
}

int ls_world_open(ls_world **out, struct ls_error *why)
{
	struct lsi_transport *transport;
	char path[LSI_PATH];
	int status;

	if (!out)
		return lsi_error_set(why, LS_ERR_ARGUMENT, "out is NULL; expected the address of a world");
	*out = NULL;
	status = open_transport(&transport, path, why);
	if (status == LS_OK)
		status = lsi_world_make(transport, out, why);
	if (status == LS_OK)
		snprintf((*out)->plugin, sizeof(*out)->plugin, "%s", path);
	return status;
}

/* The plug-in cannot call the library: a program may contain it without exporting its symbols. */
int ls_world_over(void *transport, ls_world **out, struct ls_error *why)
{
	if (!out)
		return lsi_error_set(why, LS_ERR_ARGUMENT, "out is NULL; expected the address of a world");
	*out = NULL;
	if (!transport)
		return lsi_error_set(why, LS_ERR_ARGUMENT,
			"transport is NULL; expected that of ls_world_of in lockstep/mpi.h");
	if (!is_known(transport))
		return fail_version("the plug-in", why);
	return lsi_world_make(transport, out, why);
}

/*
 * A run that begins in another process while this one closes the world fails with LS_ERR_LEFT; else
 * it would wait for ever.  After a failure of the transport no agreement is possible.
 */
static void agree_to_close(ls_world *world)
{
	struct ls_error why = { .size = sizeof why };
	int status = LS_ERR_LEFT;

	while (status == LS_ERR_LEFT && !*world->transport->failure)
		status = lsi_world_begin(world, LSI_USE_CLOSE, NULL, 0, NULL, NULL);
	if (status != LS_ERR_STOPPED)
		return;
	lsi_world_failure(world, &why);
	ls_world_abort(world, LSI_EXIT_BROKEN, why.text);
}

/*
 * The thread that uses the world would go on with freed memory.  The other processes may wait for
 * this one, or for its call: end all.
 */
static void abort_close(ls_world *world)
{
	char text[128];

	snprintf(text, sizeof text,
		"process %d closes its world during a run; expected ls_world_abort if a machine stays busy",
		ls_world_process(world));
	ls_world_abort(world, LSI_EXIT_BROKEN, text);
}

void ls_world_close(ls_world *world)
{
	if (!world)
		return;
	if (lsi_world_is_used(world)) {
		abort_close(world);
		return;
	}
	if (ls_world_processes(world) > 1)
		agree_to_close(world);
	if (world->transport) {
		lsi_meeting_free(world);
		world->transport->close(world->transport);
	}
	pthread_mutex_destroy(&world->lock);
	lsi_free(world);
}

void ls_world_abort(ls_world *world, int exit_code, const char *text)
{
	if (ls_world_processes(world) > 1)
		world->transport->abort(world->transport, exit_code, text ? text : "");
}

/* ---- Queries */

int ls_world_processes(const ls_world *world)
{
	return world && world->transport ? world->transport->processes : 1;
}

int ls_world_process(const ls_world *world)
{
	return world && world->transport ? world->transport->process : 0;
}

int ls_world_hosts(const ls_world *world)
{
	return world ? world->hosts : 1;
}

const char *ls_world_library(const ls_world *world)
{
	return world && world->transport ? world->transport->library : "";
}

const char *ls_world_plugin(const ls_world *world)
{
	return world ? world->plugin : "";
}

const char *ls_world_host(const ls_world *world)
{
	return world && world->transport ? world->transport->host : "";
}

/* ---- Agreement of programs */

/* The transport has failed: nothing stops the waits of these calls. */
static int report(const ls_world *world, int status, struct ls_error *why)
{
	return status == LS_OK ? LS_OK : lsi_world_failure(world, why);
}

static int refuse_null(struct ls_error *why)
{
	return lsi_error_set(why, LS_ERR_ARGUMENT, "an argument is NULL; expected data");
}

int ls_world_least(ls_world *world, int64_t *number, size_t n, struct ls_error *why)
{
	if (!number)
		return refuse_null(why);
	return report(world, lsi_world_least(world, number, n, NULL), why);
}

int ls_world_broadcast(ls_world *world, void *data, size_t bytes, struct ls_error *why)
{
	if (!data)
		return refuse_null(why);
	return report(world, lsi_world_broadcast(world, data, bytes, NULL), why);
}

int ls_world_gather(
	ls_world *world, const void *data, void *rows, size_t bytes, struct ls_error *why)
{
	if (!data || (!rows && ls_world_process(world) == 0))
		return refuse_null(why);
	return report(world, lsi_world_gather(world, data, rows, bytes, NULL), why);
}

int ls_world_fetch(ls_world *world, int process, void *data, size_t bytes, struct ls_error *why)
{
	if (!data)
		return refuse_null(why);
	if (process < 0 || process >= ls_world_processes(world))
		return lsi_error_set(why, LS_ERR_ARGUMENT, "process %d does not exist; expected 0..%d",
			process, ls_world_processes(world) - 1);
	return report(world, lsi_world_fetch(world, process, data, bytes, NULL), why);
}
