/*
 * Records of the user, which lie beside the file of a graph: FILE.records of graph:FILE.
 */
#ifndef LOCKSTEP_JOB_GRAPH_RECORDS_H
#define LOCKSTEP_JOB_GRAPH_RECORDS_H

#include <lockstep.h>

/* The name of the records of a graph in a file; the caller frees it. */
char *graph_records_path(const char *file);
/*
 * Use the records of the network, if it has a file.  Records that do not hold are named in one
 * line, and left out.  Exit code.
 */
int add_graph_records(const ls_topology *);

#endif
