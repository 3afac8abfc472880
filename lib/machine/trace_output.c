/*
 * The file of a run.  Its number counts the runs that wrote a trace for the same LOCKSTEP_TRACE,
 * over all machines of the process: a program with several machines overwrites none of its files.
 */
#include "machine/trace_output.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

static const char variable_name[] = "LOCKSTEP_TRACE", times_name[] = "LOCKSTEP_TRACE_TIMES";

/* ---- The name of a file */

/* The name of a device: no number is added to it. */
static bool is_device(const char *path)
{
	return strncmp(path, "/dev/", 5) == 0;
}

/* "trace.csv" of run 2: "trace.2.csv".  The caller frees it; NULL: no memory. */
static char *numbered_path(const char *path, unsigned number)
{
	const char *const slash = strrchr(path, '/'), *const base = slash ? slash + 1 : path;
	const char *const dot = strrchr(base, '.');
	const size_t stem = dot && dot > base ? (size_t)(dot - path) : strlen(path);
	char *name;

	if (number == 1 || is_device(path))
		return strdup(path);
	return asprintf(&name, "%.*s.%u%s", (int)stem, path, number, path + stem) < 0 ? NULL : name;
}

/* Standard streams are duplicated: opened by name, a file would be written from its beginning. */
static FILE *open_path(const char *path)
{
	const int stream = strcmp(path, "/dev/stdout") == 0 ? STDOUT_FILENO
		: strcmp(path, "/dev/stderr") == 0              ? STDERR_FILENO
														: -1;
	FILE *file;
	int copy;

	if (stream < 0)
		return fopen(path, "we");
	copy = dup(stream);
	file = copy < 0 ? NULL : fdopen(copy, "w");
	if (!file && copy >= 0)
		close(copy);
	return file;
}

/* ---- The number of a run, over all machines of the process */

/* The runs that have written a trace for one value of LOCKSTEP_TRACE. */
struct traced_runs {
	struct traced_runs *next;
	unsigned runs;
	char path[];
};

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct traced_runs *list; /* entries are never freed */

/* The caller holds list_lock.  NULL: no memory. */
static struct traced_runs *runs_of(const char *path)
{
	const size_t bytes = strlen(path) + 1;
	struct traced_runs *entry = list;

	while (entry && strcmp(entry->path, path) != 0)
		entry = entry->next;
	if (entry || !(entry = malloc(sizeof *entry + bytes)))
		return entry;
	*entry = (struct traced_runs){ .next = list };
	memcpy(entry->path, path, bytes);
	list = entry;
	return entry;
}

/* Open the file of the next run.  NULL: errno has the reason. */
static FILE *open_next_file(const char *path)
{
	struct traced_runs *entry;
	char *name = NULL;
	FILE *file = NULL;

	pthread_mutex_lock(&list_lock);
	entry = runs_of(path);
	if (entry)
		name = numbered_path(path, entry->runs + 1);
	if (name)
		file = open_path(name);
	if (file)
		entry->runs++;

	const int reason = errno;

	free(name);
	pthread_mutex_unlock(&list_lock);
	errno = reason;
	return file;
}

/* ---- The trace of a machine */

static bool is_requested(const char *variable)
{
	const char *value = secure_getenv(variable);

	return value && *value && strcmp(value, "0") != 0;
}

bool lsi_trace_output_make(struct lsi_trace_output *output, bool times)
{
	const char *path = secure_getenv(variable_name);

	*output = (struct lsi_trace_output){ .times = times };
	if (!path || !*path)
		return true;

	const size_t bytes = strlen(path) + 1;

	output->times = times || is_requested(times_name);
	output->path = lsi_alloc(bytes);
	if (output->path)
		memcpy(output->path, path, bytes);
	return output->path;
}

void lsi_trace_output_destroy(struct lsi_trace_output *output)
{
	lsi_free(output->path);
}

/* The error of a file; reason: errno. */
static int set_error(struct ls_error *error, const char *path, int reason)
{
	*error = (struct ls_error){ sizeof *error, LS_ERR_ARGUMENT, -1, -1, -1, -1, "trace", "" };
	snprintf(error->text, sizeof error->text,
		"the trace file '%.120s' cannot be written: %s; set %s to a writable file", path,
		strerror(reason), variable_name);
	return LS_ERR_ARGUMENT;
}

static void write_head(const struct lsi_trace_output *output, const struct lsi_trace_head *head)
{
	fprintf(output->file, "# topology=%s mode=%s", head->topology,
		head->mode == LS_HOP ? "hop" : "routed");
	for (int64_t i = 0; head->core && i < head->nodes; i++)
		fprintf(output->file, "%s%d", i == 0 ? " cores=" : ",", head->core[i]);
	fprintf(output->file, "\nround,src,dst,words%s\n",
		output->times ? ",sent_ns,received_ns,waited_ns" : "");
}

int lsi_trace_output_open(
	struct lsi_trace_output *output, const struct lsi_trace_head *head, struct ls_error *error)
{
	if (!output->path)
		return LS_OK;

	output->file = open_next_file(output->path);
	if (!output->file)
		return set_error(error, output->path, errno);
	write_head(output, head);
	lsi_trace_output_flush(output);
	return LS_OK;
}

void lsi_trace_output_write(struct lsi_trace_output *output, const struct ls_record *record)
{
	if (!output->file)
		return;
	fprintf(output->file, "%" PRId64 ",%" PRId64 ",%" PRId64 ",%zu", record->round, record->src,
		record->dst, record->words);
	if (output->times)
		fprintf(output->file, ",%" PRId64 ",%" PRId64 ",%" PRId64, record->sent_ns,
			record->received_ns, record->waited_ns);
	fputc('\n', output->file);
}

void lsi_trace_output_flush(struct lsi_trace_output *output)
{
	if (output->file)
		fflush(output->file);
}

void lsi_trace_output_close(struct lsi_trace_output *output, struct ls_error *error)
{
	if (!output->file)
		return;
	errno = 0;

	const bool failed = fflush(output->file) != 0 || ferror(output->file);
	const int reason = errno ? errno : EIO;

	if ((fclose(output->file) != 0 || failed) && error->kind == LS_OK)
		set_error(error, output->path, reason);
	output->file = NULL;
}
