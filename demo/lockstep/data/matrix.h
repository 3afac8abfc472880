/*
 * A matrix of elements, one row per node, and the files that hold one: raw little-endian, .npy,
 * .csv.
 *
 * The ending of the name gives the format; a file with another ending is raw.  A .csv has one line
 * per row; lines that begin with '#' are comments.
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

/* All elements are 0; rows share no cache line, so that nodes do not disturb each other. */
struct matrix matrix_make(struct element, int64_t rows, size_t columns);
/* Size in bytes; SIZE_MAX: the size overflows. */
size_t matrix_bytes(struct element, int64_t rows, size_t columns);
void matrix_clear(struct matrix *);
void matrix_destroy(struct matrix *);

static inline unsigned char *matrix_at(const struct matrix *m, int64_t row, size_t column)
{
	return m->bytes + (size_t)row * m->stride + column * m->element.bytes;
}

/*
 * Read a file of numbers with `rows` rows; exit code.  *type NULL: set to that of the
 * .npy, else double.  *columns: elements per row; 0: any, set to that of the file.  pairs: the
 * index of each number is its row.
 */
int matrix_read(
	const char *path, ls_type *type, bool pairs, int64_t rows, size_t *columns, struct matrix *out);

enum matrix_format { MATRIX_RAW, MATRIX_NPY, MATRIX_CSV };
enum matrix_format matrix_format_of(const char *path);

/*
 * The head of a file with `rows` rows like those of the matrix; then its rows, in parts.  The
 * caller checks the file for errors.
 */
void matrix_write_head(const struct matrix *, int64_t rows, enum matrix_format, FILE *);
void matrix_write_rows(const struct matrix *, enum matrix_format, FILE *);

#endif
