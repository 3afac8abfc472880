#include "report/document.h"

#include "base/host.h"
#include "base/messages.h"
#include "base/processes.h"
#include "base/shared_run.h"
#include "report/format.h"

#include <string.h>

static bool is_begun; /* an error is then a member of that document, not a document of its own */

static void put_host(struct json *json)
{
	struct host host;

	host_read(&host);
	json_object(json, "machine");
	json_text(json, "cpu", host.cpu);
	json_text(json, "system", host.system);
	json_int(json, "cores", host.cores);
	json_int(json, "cores_allowed", host.allowed);
	json_int(json, "memory_bytes", host.memory);
	json_end(json);
}

static void put_processes(struct json *json)
{
	const struct processes *processes = processes_here();
	const struct crossing *crossing = last_crossing();

	json_object(json, "processes");
	json_int(json, "count", processes->count);
	json_int(json, "hosts", processes->hosts);
	if (crossing->counted || !shared_world()) {
		json_int(json, "crossing_messages", crossing->messages);
		json_int(json, "crossing_bytes", crossing->bytes);
		json_int(json, "crossing_rounds", crossing->rounds);
	}
	json_text(json, "library", processes->library);
	json_end(json);
}

struct json document_begin(const struct output *output)
{
	struct json json = { .file = output->file };

	is_begun = true;
	json_object(&json, NULL);
	json_int(&json, "schema", 1);
	json_text(&json, "tool", "lockstep");
	json_text(&json, "version", ls_version());
	json_array(&json, "command");
	for (char **word = output->command; *word; word++)
		json_text(&json, NULL, *word);
	json_end(&json);
	put_host(&json);
	if (processes_here()->count > 1)
		put_processes(&json);
	return json;
}

static const char *exit_code_name(int exit_code)
{
	switch (exit_code) {
	case EXIT_WRONG:
		return "wrong";
	case EXIT_RESOURCE:
		return "resources";
	case EXIT_UNAVAILABLE:
		return "unsupported";
	case EXIT_STUCK:
		return "stopped";
	default:
		return "interrupted";
	}
}

void document_put_error(struct json *json, int exit_code)
{
	json_object(json, "error");
	json_text(json, "kind", exit_code_name(exit_code));
	json_int(json, "exit_code", exit_code);
	json_text(json, "text", last_message());
	json_end(json);
}

void document_error(const struct output *output, int exit_code)
{
	if (exit_code == EXIT_SUCCESS || exit_code == EXIT_USAGE || output->quiet || is_begun
		|| !output->format || strcmp(output->format->name, "json") != 0)
		return;

	struct json json = document_begin(output);

	json_text(&json, "status", exit_code_name(exit_code));
	document_put_error(&json, exit_code);
	json_end(&json);
}

/* INT64_MAX stands for "that many or more": null. */
static void document_count(struct json *json, const char *name, int64_t count)
{
	if (count == INT64_MAX)
		json_text(json, name, NULL);
	else
		json_int(json, name, count);
}

void document_topology(struct json *json, const ls_topology *topology)
{
	json_object(json, "topology");
	json_text(json, "spec", ls_topology_spec(topology));
	json_int(json, "nodes", ls_topology_nodes(topology));
	document_count(json, "degree", ls_topology_degree(topology));
	document_count(json, "diameter", ls_topology_diameter(topology));
	document_count(json, "links", ls_topology_links(topology));
	json_end(json);
}
