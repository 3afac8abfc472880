#include "topology/bits.h"

void lsi_bits_label(const struct ls_topology *t, int64_t rank, char text[LSI_LABEL_MAX])
{
	const int bits = t->number[0] ? (int)t->number[0] : 1;

	for (int i = 0; i < bits; i++)
		text[i] = rank >> (bits - 1 - i) & 1 ? '1' : '0';
	text[bits] = '\0';
}

/* Reads any text: the caller compares it with the label of the result. */
int64_t lsi_bits_rank_of(const struct ls_topology *t, const char *text)
{
	int64_t rank = 0;

	for (int i = 0; i < t->number[0] && text[i]; i++)
		rank = 2 * rank + (text[i] == '1');
	return rank;
}
