/*
 * The built-in operators, and operators that users make.
 */
#include "op/kernels.h"

#include <string.h>

#include "base/alloc.h"
#include "base/atomic.h"
#include "base/sized.h"

/* Properties of the built-in operators, all of which are commutative, as sets of bits. */
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

/* The kernels of each instruction set. */
#define ISA_ENTRY(NAME, isa) [LSI_ISA_##NAME] = lsi_kernels_##isa,
static const lsi_kernel (*const kernels[LSI_ISAS])[LSI_TYPES_AND_PAIRS] = { LSI_FOR_ISAS(
	ISA_ENTRY) };

/*
 * A user's operator with its name.  info is the first member: a pointer to it is one to the whole.
 */
struct user_op {
	struct ls_op_info info;
	char name[];
};

static bool is_user_defined(ls_op op)
{
	return op->combine != NULL;
}

/* An undefined combination has a NULL kernel; a user's function replaces the kernel. */
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
	return op ? op->name : NULL;
}

ls_op ls_op_find(const char *name)
{
	for (size_t i = 0; name && i < LSI_OPS; i++)
		if (strcmp(ops[i]->name, name) == 0)
			return ops[i];
	return NULL;
}

bool ls_op_defined(ls_op op, ls_type type)
{
	return op && type && lsi_kernel_on(LSI_ISA_BASELINE, op, type).kernel != NULL;
}

bool ls_op_commutative(ls_op op)
{
	return op && op->commutative;
}

bool ls_op_idempotent(ls_op op)
{
	return op && op->idempotent;
}

/* Rounding makes sums and products of floating-point numbers depend on their order. */
bool ls_op_exact(ls_op op, ls_type type)
{
	const bool floating = type && (type->kind == LSI_KIND_REAL || type->kind == LSI_KIND_COMPLEX);

	return ls_op_defined(op, type) && !is_user_defined(op) && !(op->rounds && floating);
}

/* Each operator has a number of its own, also if it gets the memory of one that was destroyed. */
static uint64_t next_id(void)
{
	static LSI_ATOMIC(uint64_t) made;

	return LSI_OPS + lsi_fetch_add(&made, 1u, relaxed); /* counter only */
}

int ls_op_make(const struct ls_op_options *options, ls_op *out)
{
	struct ls_op_options o;
	struct user_op *user;

	if (out)
		*out = NULL;
	if (!options || !out || !lsi_sized_read(&o, sizeof o, options) || !o.combine)
		return LS_ERR_ARGUMENT;

	const char *name = o.name ? o.name : "user-defined";

	user = lsi_alloc(sizeof *user + strlen(name) + 1);
	if (user == NULL)
		return LS_ERR_MEMORY;
	user->info = (struct ls_op_info){
		.name = strcpy(user->name, name),
		.id = next_id(),
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
