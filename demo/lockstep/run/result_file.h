/*
 * The file of --output.  In a shared run process 0 writes it; the others hand over their rows.
 */
#ifndef LOCKSTEP_RUN_RESULT_FILE_H
#define LOCKSTEP_RUN_RESULT_FILE_H

#include "base/output_file.h"
#include "job/workload.h"

/* The file is open at process 0 only.  The caller checks it for errors. */
void result_file_write(const struct workload *, struct output_file *);

#endif
