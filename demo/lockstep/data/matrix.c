#include "data/matrix.h"

#include "base/messages.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(
	__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "raw and .npy files are written as memory is");

/* Two lines: processors fetch them in pairs.  Rows a page apart would share cache sets. */
enum { APART = 128, PAGE = 4096 };

/* SIZE_MAX: the size overflows. */
static size_t stride_of(struct element element, size_t columns)
{
	size_t bytes, stride;

	if (__builtin_mul_overflow(columns, element.bytes, &bytes) || bytes > SIZE_MAX - PAGE)
		return SIZE_MAX;
	stride = (bytes + APART - 1) / APART * APART;
	return stride % PAGE == 0 ? stride + APART : stride;
}

size_t matrix_bytes(struct element element, int64_t rows, size_t columns)
{
	size_t bytes;

	return __builtin_mul_overflow((size_t)rows + 1, stride_of(element, columns), &bytes) ? SIZE_MAX
																						 : bytes;
}

struct matrix matrix_make(struct element element, int64_t rows, size_t columns)
{
	struct matrix matrix = {
		.element = element, .rows = rows, .columns = columns, .stride = stride_of(element, columns)
	};

	matrix.memory = require_memory(calloc((size_t)rows + 1, matrix.stride));
	matrix.bytes = (unsigned char *)matrix.memory + APART - (uintptr_t)matrix.memory % APART;
	return matrix;
}

void matrix_clear(struct matrix *matrix)
{
	memset(matrix->bytes, 0, (size_t)matrix->rows * matrix->stride);
}

void matrix_destroy(struct matrix *matrix)
{
	free(matrix->memory);
	matrix->memory = matrix->bytes = NULL;
}

enum matrix_format matrix_format_of(const char *path)
{
	const size_t length = strlen(path);

	if (length >= 4 && strcmp(path + length - 4, ".npy") == 0)
		return MATRIX_NPY;
	if (length >= 4 && strcmp(path + length - 4, ".csv") == 0)
		return MATRIX_CSV;
	return MATRIX_RAW;
}

static void write_npy_header(const struct matrix *matrix, int64_t rows, FILE *file)
{
	enum { ALIGN = 64, FIXED = 10 };
	const struct element *element = &matrix->element;
	char type[120], header[256];
	int length;

	snprintf(type, sizeof type, "'%s'", element->npy);
	if (element->pair && element->size < 8)
		snprintf(type, sizeof type, "[('value', '%s'), ('', '|V%zu'), ('index', '<i8')]",
			element->npy, 8 - element->size);
	else if (element->pair)
		snprintf(type, sizeof type, "[('value', '%s'), ('index', '<i8')]", element->npy);
	length = snprintf(header, sizeof header,
		"{'descr': %s, 'fortran_order': False, 'shape': (%" PRId64 ", %zu), }", type, rows,
		matrix->columns);

	const int padded = (FIXED + length + 1 + ALIGN - 1) / ALIGN * ALIGN - FIXED;

	fwrite("\x93NUMPY\x01\x00", 1, 8, file);
	fputc(padded & 255, file);
	fputc(padded >> 8, file);
	fprintf(file, "%-*s\n", padded - 1, header);
}

static void write_csv(const struct matrix *matrix, FILE *file)
{
	for (int64_t row = 0; row < matrix->rows; row++) {
		for (size_t column = 0; column < matrix->columns; column++) {
			char text[120];

			value_print(&matrix->element,
				element_load(&matrix->element, matrix_at(matrix, row, column)), text, sizeof text);
			fprintf(file, "%s%s", column ? "," : "", text);
		}
		fputc('\n', file);
	}
}

void matrix_write_head(
	const struct matrix *matrix, int64_t rows, enum matrix_format format, FILE *file)
{
	if (format == MATRIX_NPY)
		write_npy_header(matrix, rows, file);
}

void matrix_write_rows(const struct matrix *matrix, enum matrix_format format, FILE *file)
{
	if (format == MATRIX_CSV)
		write_csv(matrix, file);
	for (int64_t row = 0; row < matrix->rows && format != MATRIX_CSV; row++)
		fwrite(matrix_at(matrix, row, 0), matrix->element.bytes, matrix->columns, file);
}
