#include "op/kernels.h"

#include <string.h>

#include "base/alloc.h"

/* What distinguishes the built-in operators; all of them are commutative. */
enum {
	ROUNDING = 1u << LSI_OP_SUM | 1u << LSI_OP_PROD,
	NOT_IDEMPOTENT = ROUNDING | 1u << LSI_OP_LXOR | 1u << LSI_OP_BXOR,
};

#define OP(NAME, op) \
	const struct ls_op_info ls_op_##op = { \
		.name = #op, \
		.id = LSI_OP_##NAME, \
		.commutative = true, \
		.idempotent = (NOT_IDEMPOTENT >> LSI_OP_##NAME & 1u) == 0, \
		.rounds = (ROUNDING >> LSI_OP_##NAME & 1u) != 0, \
	};
LS_FOR_OPS(OP)

#define OP_ENTRY(NAME, op) [LSI_OP_##NAME] = &ls_op_##op,
static const struct ls_op_info *const ops[LSI_OPS] = { LS_FOR_OPS(OP_ENTRY) };

/* THE table of kernels. */
#define ISA_ENTRY(NAME, isa) [LSI_ISA_##NAME] = lsi_kernels_##isa,
static const lsi_kernel (*const kernels[LSI_ISAS])[LSI_TYPES_AND_PAIRS] = { LSI_FOR_ISAS(
	ISA_ENTRY) };

/* A user's operator with its name; info comes first, so that a pointer to it is one to all. */
struct user_op {
	struct ls_op_info info;
	char name[];
};

static bool is_user_defined(ls_op op)
{
	return op->combine != NULL;
}

struct lsi_operator lsi_kernel_on(enum lsi_isa isa, ls_op op, ls_type type)
{
	struct lsi_operator c = {
		.kernel = op->combine, .context = op->context, .size = type->size, .built_in = !op->combine
	};

	if (!is_user_defined(op) && type->kind != LSI_KIND_USER)
		c.kernel = kernels[isa][op->id][type->id];
	return c;
}

struct lsi_operator lsi_kernel_for(ls_op op, ls_type type)
{
	return lsi_kernel_on(lsi_cpu_isa(), op, type);
}

const char *ls_op_name(ls_op op)
{
	return op->name;
}

ls_op ls_op_find(const char *name)
{
	for (size_t i = 0; i < LSI_OPS; i++)
		if (strcmp(ops[i]->name, name) == 0)
			return ops[i];
	return NULL;
}

bool ls_op_defined(ls_op op, ls_type type)
{
	return lsi_kernel_on(LSI_ISA_BASELINE, op, type).kernel != NULL;
}

bool ls_op_commutative(ls_op op)
{
	return op->commutative;
}

bool ls_op_idempotent(ls_op op)
{
	return op->idempotent;
}

bool ls_op_exact(ls_op op, ls_type type)
{
	const bool floating = type->kind == LSI_KIND_REAL || type->kind == LSI_KIND_COMPLEX;

	return ls_op_defined(op, type) && !is_user_defined(op) && !(op->rounds && floating);
}

/* The part of the options that the caller's version of the header has; the rest is zero. */
static struct ls_op_options options_known(const struct ls_op_options *given)
{
	struct ls_op_options o = { 0 };

	if (given != NULL)
		memcpy(&o, given, given->size < sizeof o ? given->size : sizeof o);
	return o;
}

int ls_op_make(const struct ls_op_options *options, ls_op *out)
{
	const struct ls_op_options o = options_known(options);
	const char *name = o.name != NULL ? o.name : "user-defined";
	struct user_op *user;

	if (o.combine == NULL || out == NULL)
		return LS_ERR_ARGUMENT;
	user = lsi_alloc(sizeof *user + strlen(name) + 1);
	if (user == NULL)
		return LS_ERR_MEMORY;
	user->info = (struct ls_op_info){
		.name = strcpy(user->name, name),
		.id = (uintptr_t)user,
		.commutative = o.commutative,
		.idempotent = o.idempotent,
		.combine = o.combine,
		.context = o.context,
	};
	*out = &user->info;
	return LS_OK;
}

void ls_op_destroy(ls_op op)
{
	if (op != NULL && is_user_defined(op))
		lsi_free((void *)op);
}
