#include "run/result_file.h"

#include "base/messages.h"
#include "base/processes.h"
#include "job/embedded.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 1 << 20 }; /* that a process hands over at once, unless a row is longer */

/* Rows without gaps. */
static struct matrix chunk_for(const struct matrix *results)
{
	struct matrix chunk = *results;

	chunk.stride = results->columns * results->element.bytes;
	chunk.rows =
		chunk.stride > 0 && chunk.stride < CHUNK_BYTES ? CHUNK_BYTES / (int64_t)chunk.stride : 1;
	chunk.memory = require_memory(malloc((size_t)chunk.rows * chunk.stride + 1));
	chunk.bytes = chunk.memory;
	return chunk;
}

static void copy_rows(const struct matrix *results, int64_t first, const struct matrix *chunk)
{
	for (int64_t row = 0; row < chunk->rows; row++)
		memcpy(matrix_at(chunk, row, 0), matrix_at(results, first + row, 0), chunk->stride);
}

/* All rows of a process other than 0: it hands them over, and process 0 writes them. */
static void pass_rows(
	const struct matrix *results, int process, int64_t rows, struct output_file *file)
{
	struct matrix chunk = chunk_for(results);
	const int64_t most = chunk.rows;

	for (int64_t row = 0; row < rows; row += most) {
		chunk.rows = rows - row < most ? rows - row : most;
		if (processes_here()->number == process)
			copy_rows(results, row, &chunk);
		fetch_bytes(process, chunk.bytes, (size_t)chunk.rows * chunk.stride);
		if (processes_is_first())
			matrix_write_rows(&chunk, matrix_format_of(file->path), file->file);
	}
	matrix_destroy(&chunk);
}

void result_file_write(const struct workload *workload, struct output_file *file)
{
	const ls_topology *topology = operand_network(&workload->job);
	const struct matrix *results = &workload->results;
	const int processes = shared_world() ? processes_here()->count : 1;

	if (processes_is_first()) {
		output_truncate(file);
		matrix_write_head(
			results, ls_topology_nodes(topology), matrix_format_of(file->path), file->file);
		matrix_write_rows(results, matrix_format_of(file->path), file->file);
	}
	for (int i = 1; i < processes && !workload->first_rank; i++) { /* else process 0 has all */
		const struct local_ranks ranks = ranks_of_process(topology, i);

		pass_rows(results, i, ranks.end - ranks.first, file);
	}
}
