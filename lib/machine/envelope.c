/*
 * The text of an envelope.  Types and operators are 16-bit hashes of their ids.  The ids of
 * built-in ones are small numbers, so their names are known here; all others are "user-defined",
 * with the hash of an operator.
 */
#include "machine/envelope.h"

#include <inttypes.h>

#include "collective/algorithm.h"

static const char *const type_name[] = {
#define NAME_OF(NAME, name) [LSI_TYPE_##name] = #name,
	LS_FOR_TYPES(NAME_OF)
#undef NAME_OF
#define NAME_OF(NAME, name) [LSI_TYPE_pair_##name] = #name " pair",
		LS_FOR_TYPES(NAME_OF)
#undef NAME_OF
};
static const char *const op_name[] = {
#define NAME_OF(NAME, name) [LSI_OP_##NAME] = #name,
	LS_FOR_OPS(NAME_OF)
#undef NAME_OF
};

#define NAME_IN(names, id) ((id) < sizeof names / sizeof *names ? names[id] : "user-defined")

/* A plan of the caller has an algorithm that is not in the table. */
static const char *algorithm_name(unsigned number)
{
	unsigned i = 0;

	while (lsi_algorithms[i] && i < number)
		i++;
	return lsi_algorithms[i] ? lsi_algorithms[i]->name : "of the caller";
}

struct lsi_call_text lsi_call_describe(const uint64_t call[3])
{
	struct lsi_call_text description;
	const unsigned operation = (unsigned)(call[2] >> 56);
	const enum ls_operation kind = (enum ls_operation)(operation & ~(unsigned)LSI_CALL_COUNTED);
	const bool counted = operation & LSI_CALL_COUNTED;
	char count[48] = "", lengths[20] = "", operator[32] = "", rank[32] = "";

	if (!lsi_call_is_collective(call)) {
		snprintf(description.text, sizeof description.text,
			"a point-to-point call of group %" PRIu32, (uint32_t)call[0]);
		return description;
	}
	if (kind != LS_BARRIER)
		snprintf(count, sizeof count, " of %" PRIu64 " %s", counted ? call[1] << 24 >> 24 : call[1],
			NAME_IN(type_name, call[2] >> 16 & 0xffff));
	if (counted)
		snprintf(lengths, sizeof lengths, " in lengths %06x", (unsigned)(call[1] >> 40));
	if (lsi_operation_combines(kind) && (call[2] & 0xffff) < LSI_OPS)
		snprintf(operator, sizeof operator, " by %s", op_name[call[2] & 0xffff]);
	else if (lsi_operation_combines(kind))
		snprintf(operator, sizeof operator, " by user-defined %04x", (unsigned)call[2] & 0xffff);
	if (kind == LS_SHIFT || lsi_operations[kind].from_root || lsi_operations[kind].at_root)
		snprintf(rank, sizeof rank, ", %s %u", kind == LS_SHIFT ? "distance" : "root",
			(unsigned)(call[2] >> 32 & 0xffff));
	snprintf(description.text, sizeof description.text,
		"call %" PRIu64 " of group %" PRIu32 ": %s%s%s%s%s, algorithm %s", call[0] >> 32,
		(uint32_t)call[0], ls_operation_name(kind), count, lengths, operator, rank,
		algorithm_name((unsigned)(call[2] >> 48 & 0xff)));
	return description;
}
