/*
 * A part of a subject: the messages between some of its nodes.
 */
#include "base/alloc.h"
#include "draw/subject.h"

/* The contents stay those of the whole. */
static int share_contents(struct lsi_subject *s, const struct lsi_subject *whole, int64_t first)
{
	const size_t nodes = (size_t)s->nodes, entries = (s->rounds + 1) * nodes;

	if (!whole->contents)
		return LS_OK;
	s->contents = lsi_alloc(entries * sizeof *s->contents);
	for (size_t i = 0; s->contents && i < entries; i++)
		s->contents[i] =
			whole->contents[i / nodes * (size_t)whole->nodes + (size_t)first + i % nodes];
	return s->contents ? LS_OK : LS_ERR_MEMORY;
}

static bool has_node(const struct lsi_subject *s, int64_t node)
{
	return node >= 0 && node < s->nodes;
}

/* Append the messages of a round that stay inside. */
static void copy_round(struct lsi_subject *s, const struct lsi_subject *whole,
	const struct lsi_drawn_round *from, int64_t first)
{
	struct lsi_drawn_round *round = &s->round[s->rounds++];

	*round = (struct lsi_drawn_round){ .first = s->messages, .number = from->number };
	for (size_t i = 0; i < from->n; i++) {
		struct ls_record m = whole->message[from->first + i];

		m.src -= first;
		m.dst -= first;
		if (has_node(s, m.src) && has_node(s, m.dst))
			s->message[s->messages++] = m;
	}
	round->n = s->messages - round->first;
	s->most = round->n > s->most ? round->n : s->most;
}

int lsi_subject_make_part(const struct lsi_subject *whole, const struct ls_drawing *drawing,
	int64_t first, struct lsi_subject *s)
{
	*s = (struct lsi_subject){ .drawing = drawing, .topology = drawing->topology };
	s->nodes = ls_topology_nodes(s->topology);
	s->vertices = ls_topology_vertices(s->topology);
	s->root = has_node(s, whole->root - first) ? whole->root - first : LS_NO_RANK;
	s->message = lsi_alloc((whole->messages + 1) * sizeof *s->message);
	s->round = lsi_alloc((whole->rounds + 1) * sizeof *s->round);
	if (!s->message || !s->round)
		return LS_ERR_MEMORY;
	for (size_t k = 0; k < whole->rounds; k++)
		copy_round(s, whole, &whole->round[k], first);
	if (share_contents(s, whole, first) != LS_OK)
		return LS_ERR_MEMORY;
	return lsi_subject_find_repeats(s);
}
