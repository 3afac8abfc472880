#include "job/operand_file.h"

#include "base/messages.h"
#include "base/processes.h"
#include "base/shared_run.h"
#include "data/operand_shape.h"

/* What the file states, or the command line. */
struct shape {
	char type[16];
	int64_t count, columns;
};

static struct shape shape_of_file(const struct query *query, const struct matrix *operands)
{
	struct shape shape = { "", (int64_t)query->count, (int64_t)operands->columns };

	snprintf(shape.type, sizeof shape.type, "%s", ls_type_name(query->type));
	return shape;
}

static void take_shape(struct query *query, enum ls_operation operation, const struct shape *shape,
	int64_t nodes, struct matrix *out)
{
	query->type = ls_type_find(shape->type);
	query->count = (size_t)shape->count;
	*out = matrix_make(
		element_of(query->type, takes_pairs(operation, query->op)), nodes, (size_t)shape->columns);
}

int operand_file_read(
	struct query *query, enum ls_operation operation, int64_t nodes, struct matrix *out)
{
	struct shape shape = { 0 };
	int failed = EXIT_SUCCESS;

	if (processes_is_first())
		failed = operands_read(query, operation, nodes, out);
	failed = agree_on_failure(failed);
	if (failed || !shared_world())
		return failed;
	if (processes_is_first())
		shape = shape_of_file(query, out);
	share_bytes(&shape, sizeof shape);
	if (!processes_is_first())
		take_shape(query, operation, &shape, nodes, out);
	share_bytes(out->bytes, (size_t)out->rows * out->stride);
	return EXIT_SUCCESS;
}
