#include "report/document.h"

#include "job/host.h"

struct json document_begin(const struct output *output)
{
	struct json json = { .file = output->file };

	json_object(&json, NULL);
	json_int(&json, "schema", 1);
	json_text(&json, "tool", "lockstep");
	json_text(&json, "version", ls_version());
	json_array(&json, "command");
	for (char **word = output->command; *word; word++)
		json_text(&json, NULL, *word);
	json_end(&json);
	host_json(&json, "machine");
	return json;
}

void document_count(struct json *json, const char *name, int64_t count)
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
