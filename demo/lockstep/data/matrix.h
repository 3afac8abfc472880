/*
 * A matrix of elements, one row a node, and the files that hold one: raw little-endian, .npy, .csv.
 *
 * The ending of the name says the format; raw is what has neither ending.  A .csv has a line for
 * each row; lines that begin with '#' are comments.
 */
#ifndef LOCKSTEP_DATA_MATRIX_H
#define LOCKSTEP_DATA_MATRIX_H

#include "data/element.h"

struct matrix {
	struct element element;
	int64_t rows;
	size_t columns;
	size_t stride; /* bytes from row to row */
	unsigned char *bytes;
	void *memory;
};

/* All 0; no two rows share a cache line: a node that writes its own disturbs no other. */
struct matrix matrix_make(struct element, int64_t rows, size_t columns);
/* Bytes that it takes; SIZE_MAX: too many to be counted. */
size_t matrix_bytes(struct element, int64_t rows, size_t columns);
void matrix_clear(struct matrix *);
void matrix_destroy(struct matrix *);

static inline unsigned char *matrix_at(const struct matrix *m, int64_t row, size_t column)
{
	return m->bytes + (size_t)row * m->stride + column * m->element.bytes;
}

/*
 * Read a file of numbers with `rows` rows; exit code.  *type NULL: what a .npy says, else double,
 * and is set.  *columns: elements that a row must have, 0: any, and is set.  pairs: each number
 * gets its row as index.
 */
int matrix_read(
	const char *path, ls_type *type, bool pairs, int64_t rows, size_t *columns, struct matrix *out);

enum matrix_format { MATRIX_RAW, MATRIX_NPY, MATRIX_CSV };
enum matrix_format matrix_format_of(const char *path);

/* The caller looks for errors of the file. */
void matrix_write(const struct matrix *, enum matrix_format, FILE *);

#endif
