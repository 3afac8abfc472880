/*
 * Reads matrices from raw, .npy and .csv files.
 */
#include "base/messages.h"
#include "base/text_file.h"
#include "data/matrix.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct source {
	const char *path;
	FILE *file; /* NULL: of text */
	ls_type *type;
	bool pairs;
	int64_t rows;
	size_t *columns;
};

static int wrong_rows(const struct source *source, int64_t found)
{
	return print_error(EXIT_USAGE, "%s has %" PRId64 " rows; expected %" PRId64 ", one per node",
		source->path, found, source->rows);
}

/*
 * Check the number of columns of a line, or of the file if line is 0.  The first call sets it,
 * unless it is known.  Exit code.
 */
static int set_columns(const struct source *source, size_t line, size_t found)
{
	const char *noun = found == 1 ? "element" : "elements";

	if (*source->columns == 0)
		*source->columns = found;
	if (*source->columns == found)
		return EXIT_SUCCESS;
	if (line > 0)
		return print_error(EXIT_USAGE, "%s:%zu: %zu %s; expected %zu", source->path, line, found,
			noun, *source->columns);
	return print_error(EXIT_USAGE, "%s has %zu %s per row; expected %zu", source->path, found, noun,
		*source->columns);
}

static bool read_pair(
	const struct source *source, const struct element *element, int64_t row, void *to)
{
	char number[16];

	if (fread(number, element->size, 1, source->file) != 1)
		return false;

	struct value value = element->load(number);

	value.index = row;
	element_store(element, to, value);
	return true;
}

/* False: a regular file has another size than the numbers, whose memory may not exist. */
static bool fits_file(const struct source *source, size_t element_size)
{
	struct stat about;
	size_t bytes;

	if (fstat(fileno(source->file), &about) || !S_ISREG(about.st_mode))
		return true;
	return !__builtin_mul_overflow((size_t)source->rows * element_size, *source->columns, &bytes)
		&& bytes == (uint64_t)(about.st_size - ftell(source->file));
}

/* The file must end after the numbers. */
static int read_numbers(const struct source *source, struct matrix *out)
{
	const struct element element = element_of(*source->type, source->pairs);
	const size_t columns = *source->columns;
	bool whole = fits_file(source, element.size);

	if (whole)
		*out = matrix_make(element, source->rows, columns);
	for (int64_t row = 0; row < source->rows && whole; row++) {
		if (!source->pairs)
			whole = fread(matrix_at(out, row, 0), element.size, columns, source->file) == columns;
		for (size_t i = 0; source->pairs && whole && i < columns; i++)
			whole = read_pair(source, &element, row, matrix_at(out, row, i));
	}
	if (!whole || fgetc(source->file) != EOF)
		return print_error(EXIT_USAGE,
			"%s does not hold %" PRId64 " rows of %zu %s; expected a file of that size",
			source->path, source->rows, *source->columns, element.name);
	return EXIT_SUCCESS;
}

static int read_raw(const struct source *source, struct matrix *out)
{
	const struct element element = element_of(*source->type ? *source->type : LS_DOUBLE, false);
	const size_t column = (size_t)source->rows * element.size; /* bytes */
	struct stat stat;

	*source->type = ls_type_find(element.name);
	if (fstat(fileno(source->file), &stat) || !S_ISREG(stat.st_mode))
		return print_error(EXIT_USAGE,
			"%s is not a regular file; expected a raw, .npy or .csv file", source->path);
	if (*source->columns == 0) {
		if (stat.st_size == 0 || (size_t)stat.st_size % column != 0)
			return print_error(EXIT_USAGE,
				"%s has %jd bytes; expected a multiple of %zu bytes (%" PRId64 " rows of %s)",
				source->path, (intmax_t)stat.st_size, column, source->rows, element.name);
		*source->columns = (size_t)stat.st_size / column;
	}
	return read_numbers(source, out);
}

static const char *after(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at ? at + strlen(key) + strspn(at + strlen(key), " :") : "";
}

/* The header of version 1.0 to 3.0: a Python dict, after its length in 2 or 4 bytes. */
static bool read_npy_header(FILE *file, char *header, size_t size)
{
	unsigned char start[12];
	size_t length, wide;

	if (fread(start, 1, 10, file) != 10 || memcmp(start, "\x93NUMPY", 6) != 0 || start[6] < 1
		|| start[6] > 3)
		return false;
	wide = start[6] == 1 ? 0 : 2;
	if (fread(start + 10, 1, wide, file) != wide)
		return false;
	length = start[8] | (size_t)start[9] << 8;
	if (wide)
		length |= (size_t)start[10] << 16 | (size_t)start[11] << 24;
	if (length >= size || fread(header, 1, length, file) != length)
		return false;
	header[length] = '\0';
	return true;
}

/* "(24, 1024)", "(24,)": rows, and elements per row. */
static bool read_shape(const char *text, int64_t *rows, size_t *columns)
{
	char *end;

	if (*text++ != '(')
		return false;
	*rows = strtoll(text, &end, 10);
	*columns = 1;
	for (text = end; *text == ','; text = end) {
		const char *next = text + 1 + strspn(text + 1, " ");

		if (*next == ')')
			return true;

		const unsigned long long side = strtoull(next, &end, 10);

		if (end == next || __builtin_mul_overflow(*columns, side, columns))
			return false;
	}
	return *text == ')';
}

static int read_npy(const struct source *source, struct matrix *out)
{
	char header[4096], descr[16] = "";
	int64_t rows;
	size_t columns;
	ls_type type;

	if (!read_npy_header(source->file, header, sizeof header)
		|| !read_shape(after(header, "'shape'"), &rows, &columns))
		return print_error(EXIT_USAGE,
			"%s is not a .npy file; expected a file that numpy.save wrote", source->path);
	sscanf(after(header, "'descr'"), "'%15[^']'", descr);
	if (strlen(descr) < 3 || !element_of_npy(descr, &type))
		return print_error(EXIT_USAGE,
			"%s holds elements %s; expected little-endian numbers of a type that -d takes",
			source->path, descr);
	if (*source->type && *source->type != type)
		return print_error(EXIT_USAGE, "%s holds %s; try -d %s", source->path, ls_type_name(type),
			ls_type_name(type));
	*source->type = type;
	if (strncmp(after(header, "'fortran_order'"), "False", 5) != 0)
		return print_error(
			EXIT_USAGE, "%s is in Fortran order; try numpy.ascontiguousarray", source->path);
	if (rows != source->rows)
		return wrong_rows(source, rows);

	const int failed = set_columns(source, 0, columns);

	return failed ? failed : read_numbers(source, out);
}

/* The next cell of a line, without blanks around it; NULL: none is left. */
static char *next_cell(char **line)
{
	char *cell = *line, *end;

	if (!cell)
		return NULL;
	*line = strchr(cell, ',');
	if (*line)
		*(*line)++ = '\0';
	cell += strspn(cell, " \t");
	for (end = cell + strlen(cell); end > cell && strchr(" \t\r\n", end[-1]); end--)
		;
	*end = '\0';
	return cell;
}

/* line: one of the file, with its number */
static int read_csv_row(
	const struct source *source, char *line, size_t number, int64_t row, struct matrix *out)
{
	size_t columns = 1, column = 0;
	struct value value;
	char *cell;

	for (const char *c = line; *c; c++)
		columns += *c == ',';

	const int failed = set_columns(source, number, columns);

	if (failed)
		return failed;
	if (!out->bytes)
		*out = matrix_make(element_of(*source->type, source->pairs), source->rows, columns);
	for (; (cell = next_cell(&line)); column++) {
		if (!value_read(&out->element, cell, &value))
			return print_error(EXIT_USAGE,
				"%s:%zu: '%s' is not a number of type %s; expected numbers separated by commas",
				source->path, number, cell, out->element.name);
		value.index = row;
		element_store(&out->element, matrix_at(out, row, column), value);
	}
	return EXIT_SUCCESS;
}

static int read_csv(const struct source *source, struct matrix *out)
{
	struct text_file text;
	int64_t row = 0;
	int failed = text_open(source->path, 0, &text);

	if (!*source->type)
		*source->type = LS_DOUBLE;
	while (!failed && text_next_line(&text)) {
		if (text.text[0] == '#' || text.text[strspn(text.text, " \t\r\n")] == '\0')
			continue;
		if (row < source->rows)
			failed = read_csv_row(source, text.text, text.line, row, out);
		row++;
	}
	failed = text_close(&text) ? text.failed : failed;
	return !failed && row != source->rows ? wrong_rows(source, row) : failed;
}

/* Reads by `read` from the file, opened. */
static int read_binary(
	struct source *source, int (*read)(const struct source *, struct matrix *), struct matrix *out)
{
	int failed;

	source->file = fopen(source->path, "rb");
	if (!source->file)
		return print_unreadable(source->path);
	failed = read(source, out);
	fclose(source->file);
	return failed;
}

int matrix_read(
	const char *path, ls_type *type, bool pairs, int64_t rows, size_t *columns, struct matrix *out)
{
	const enum matrix_format format = matrix_format_of(path);
	struct source source = { path, NULL, type, pairs, rows, columns };
	int failed;

	*out = (struct matrix){ .rows = rows };
	failed = format == MATRIX_CSV
		? read_csv(&source, out)
		: read_binary(&source, format == MATRIX_NPY ? read_npy : read_raw, out);
	if (failed)
		matrix_destroy(out);
	return failed;
}
