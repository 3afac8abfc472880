#include "engine/mailboxes/moves.h"

#include <string.h>

/* Whether the next `bytes` bytes are in one piece, the first. */
static inline bool is_in_first(const struct lsi_piece_list *list, size_t bytes)
{
	return list->view->bytes >= list->skip + bytes;
}

static inline void *address_of(const struct lsi_piece_list *list)
{
	return (void *)(list->base + list->view->at + list->skip);
}

/* Drop the pieces that are skipped; return the next byte.  *bytes is reduced to its piece. */
static void *take_front(struct lsi_piece_list *list, size_t *bytes)
{
	while (list->skip >= list->view->bytes) {
		list->skip -= list->view->bytes;
		list->view++;
	}
	if (list->view->bytes - list->skip < *bytes)
		*bytes = list->view->bytes - list->skip;
	return address_of(list);
}

void lsi_move_copy(struct lsi_piece_list dst, struct lsi_piece_list a, size_t bytes)
{
	for (size_t n = bytes; bytes > 0; bytes -= n, n = bytes) {
		void *to = take_front(&dst, &n);
		const void *from = take_front(&a, &n);

		if (to != from)
			memcpy(to, from, n);
		dst.skip += n;
		a.skip += n;
	}
}

void lsi_move_combine(const struct lsi_operator *combine, struct lsi_piece_list dst,
	struct lsi_piece_list a, struct lsi_piece_list b, size_t bytes)
{
	if (bytes > 0 && is_in_first(&dst, bytes) && is_in_first(&a, bytes) && is_in_first(&b, bytes)) {
		lsi_combine(
			combine, address_of(&dst), address_of(&a), address_of(&b), bytes / combine->size);
		return;
	}
	for (size_t n = bytes; bytes > 0; bytes -= n, n = bytes) {
		void *to = take_front(&dst, &n);
		const void *left = take_front(&a, &n);
		const void *right = take_front(&b, &n);

		lsi_combine(combine, to, left, right, n / combine->size);
		dst.skip += n;
		a.skip += n;
		b.skip += n;
	}
}

void lsi_move_fold(const struct lsi_operator *combine, struct lsi_piece_list dst,
	struct lsi_piece_list a, size_t parts, size_t bytes)
{
	struct lsi_piece_list part = a;

	if (bytes == 0)
		return;
	if (is_in_first(&dst, bytes) && is_in_first(&a, parts * bytes)) {
		lsi_fold(combine, address_of(&dst), address_of(&a), parts, bytes, bytes / combine->size);
		return;
	}
	if (parts == 1) {
		lsi_move_copy(dst, a, bytes);
		return;
	}
	part.skip += bytes;
	lsi_move_combine(combine, dst, a, part, bytes);
	for (size_t i = 2; i < parts; i++) {
		part.skip += bytes;
		lsi_move_combine(combine, dst, dst, part, bytes);
	}
}
