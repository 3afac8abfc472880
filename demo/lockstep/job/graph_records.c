#include "job/graph_records.h"

#include "base/messages.h"
#include "base/text_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char scheme[] = "graph:";

char *graph_records_path(const char *file)
{
	static const char suffix[] = ".records";
	char *path = require_memory(malloc(strlen(file) + sizeof suffix));

	sprintf(path, "%s%s", file, suffix);
	return path;
}

/* Any failure but one of memory is named, and none of the file is used. */
static int add_file(const ls_topology *t, const char *path)
{
	struct ls_error why = { .size = sizeof why };
	struct text_file file;
	int failed = text_open(path, 0, &file), status = LS_OK;

	if (!failed)
		failed = text_read_rest(&file);
	if (!failed)
		status = ls_find_records_add(t, file.text, &why);
	if (status != LS_OK)
		failed = print_error(
			status == LS_ERR_MEMORY ? EXIT_RESOURCE : EXIT_SUCCESS, "%s: %s", path, why.text);
	text_close(&file);
	return failed == EXIT_RESOURCE ? failed : EXIT_SUCCESS;
}

int add_graph_records(const ls_topology *t)
{
	const char *spec = ls_topology_spec(t), *name = spec + strlen(scheme);
	char *path;
	int failed = EXIT_SUCCESS;

	/* Networks with factors have names of several files, or of none. */
	if (strncmp(spec, scheme, strlen(scheme)) != 0 || ls_topology_nodes(t) > LS_FIND_NODES)
		return EXIT_SUCCESS;
	path = graph_records_path(name);
	if (access(path, F_OK) == 0)
		failed = add_file(t, path);
	free(path);
	return failed;
}
