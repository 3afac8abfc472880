#include "engine/mailboxes/moves.h"

#include <string.h>

/* Whether the next `bytes` bytes lie in the first piece. */
static inline bool is_in_first(const struct lsi_piece_list *list, size_t bytes)
{
	return list->view->bytes >= list->skip + bytes;
}

static inline void *at(const struct lsi_piece_list *list)
{
	return (void *)(list->base + list->view->at + list->skip);
}

/* The memory at the front of a list; *bytes is reduced to its first piece. */
static void *front(struct lsi_piece_list *list, size_t *bytes)
{
	while (list->skip >= list->view->bytes) {
		list->skip -= list->view->bytes;
		list->view++;
	}
	if (list->view->bytes - list->skip < *bytes)
		*bytes = list->view->bytes - list->skip;
	return at(list);
}

void lsi_move_copy(struct lsi_piece_list dst, struct lsi_piece_list a, size_t bytes)
{
	for (size_t chunk = bytes; bytes > 0; bytes -= chunk, chunk = bytes) {
		void *to = front(&dst, &chunk);
		const void *from = front(&a, &chunk);

		if (to != from)
			memcpy(to, from, chunk);
		dst.skip += chunk;
		a.skip += chunk;
	}
}

void lsi_move_combine(const struct lsi_operator *combine, struct lsi_piece_list dst,
	struct lsi_piece_list a, struct lsi_piece_list b, size_t bytes)
{
	if (bytes > 0 && is_in_first(&dst, bytes) && is_in_first(&a, bytes) && is_in_first(&b, bytes)) {
		lsi_combine(combine, at(&dst), at(&a), at(&b), bytes / combine->size);
		return;
	}
	for (size_t chunk = bytes; bytes > 0; bytes -= chunk, chunk = bytes) {
		void *to = front(&dst, &chunk);
		const void *left = front(&a, &chunk);
		const void *right = front(&b, &chunk);

		lsi_combine(combine, to, left, right, chunk / combine->size);
		dst.skip += chunk;
		a.skip += chunk;
		b.skip += chunk;
	}
}

void lsi_move_fold(const struct lsi_operator *combine, struct lsi_piece_list dst,
	struct lsi_piece_list a, size_t parts, size_t bytes)
{
	struct lsi_piece_list part = a;

	if (bytes == 0)
		return;
	if (is_in_first(&dst, bytes) && is_in_first(&a, parts * bytes)) {
		lsi_fold(combine, at(&dst), at(&a), parts, bytes, bytes / combine->size);
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
