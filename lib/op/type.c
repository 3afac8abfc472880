/*
 * The built-in element types, and types that users make.
 */
#include "op/op_internal.h"

#include <string.h>

#include "base/alloc.h"

#define TYPE(NAME, type) \
	const struct ls_type_info ls_type_##type = { \
		.name = #type, \
		.size = sizeof(lsi_##type), \
		.id = LSI_TYPE_##type, \
		.kind = LSI_JOIN(LSI_KIND_, LSI_KIND_##type), \
	};
LS_FOR_TYPES(TYPE)

#define TYPE_ENTRY(NAME, type) [LSI_TYPE_##type] = &ls_type_##type,
static const struct ls_type_info *const types[LSI_TYPES] = { LS_FOR_TYPES(TYPE_ENTRY) };

/* Pairs of a value and an index, for minloc and maxloc: only values with an order have them. */
#define PAIR_ENTRY(NAME, type) \
	[LSI_TYPE_##type] = { \
		.name = "pair-" #type, \
		.size = sizeof(lsi_pair_##type), \
		.id = LSI_TYPE_pair_##type, \
		.kind = LSI_KIND_PAIR, \
	},
static const struct ls_type_info pairs[LSI_TYPES] = { LS_FOR_TYPES(PAIR_ENTRY) };

size_t ls_type_size(ls_type type)
{
	return type ? type->size : 0;
}

const char *ls_type_name(ls_type type)
{
	return type ? type->name : NULL;
}

ls_type ls_type_pair(ls_type value)
{
	const bool is_real = value && (value->kind == LSI_KIND_INTEGER || value->kind == LSI_KIND_REAL);

	return is_real ? &pairs[value->id] : NULL;
}

ls_type ls_type_find(const char *name)
{
	for (size_t i = 0; name && i < LSI_TYPES; i++) {
		const ls_type pair = ls_type_pair(types[i]);

		if (strcmp(types[i]->name, name) == 0)
			return types[i];
		if (pair != NULL && strcmp(pair->name, name) == 0)
			return pair;
	}
	return NULL;
}

int ls_type_make(size_t bytes, ls_type *out)
{
	struct ls_type_info *type;

	if (out != NULL)
		*out = NULL;
	if (bytes == 0 || out == NULL)
		return LS_ERR_ARGUMENT;
	type = lsi_alloc(sizeof *type);
	if (type == NULL)
		return LS_ERR_MEMORY;
	*type = (struct ls_type_info){
		.name = "user-defined",
		.size = bytes,
		.id = LSI_TYPES_AND_PAIRS + bytes,
		.kind = LSI_KIND_USER,
	};
	*out = type;
	return LS_OK;
}

void ls_type_destroy(ls_type type)
{
	if (type != NULL && type->kind == LSI_KIND_USER)
		lsi_free((void *)type);
}
