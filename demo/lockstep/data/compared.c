#include "data/compared.h"

void comparison_add(struct comparison *sum, const struct comparison *more)
{
	const int64_t wrong = sum->wrong + more->wrong;
	const bool identical = sum->identical && more->identical;

	if (more->wrong > 0 && (sum->node < 0 || more->node < sum->node))
		*sum = *more;
	sum->wrong = wrong;
	sum->identical = identical;
}

struct comparison compared_in_all(const struct compared *parts, int count)
{
	struct comparison sum = { .node = -1, .identical = true };
	const struct compared *first = NULL;

	for (const struct compared *part = parts; part < parts + count; part++) {
		comparison_add(&sum, &part->found);
		if (part->seen && !first)
			first = part;
		if (part->seen && part->first != first->first)
			sum.identical = false;
	}
	return sum;
}
