/*
 * A hash table that numbers texts from 0, in the order in which they first appear.  It is at most
 * half full, and a text whose slot is taken goes to the next free one:
 *
 *   hash(text) % slots ---> slot[ 0 | 3 | 1 | 0 | .. ]    0: free
 *                                     |
 *                                     v                   slot - 1 is the number
 *                           text[ "(0)" | "(1)" | "(0..3)" ]
 */
#include "draw/text_numbers.h"

#include <string.h>

#include <lockstep/status.h>

#include "base/alloc.h"
#include "base/math.h"

enum { FIRST_SLOTS = 128, FIRST_ROOM = 64 };

void lsi_text_numbers_release(struct lsi_text_numbers *table)
{
	lsi_arena_release(&table->arena);
	lsi_free(table->text);
	lsi_free(table->slot);
}

/* The slot that holds a text, or the free one where it belongs. */
static int64_t *find_slot(const struct lsi_text_numbers *table, const char *text)
{
	uint64_t hash = 0;
	int64_t at;

	for (const char *c = text; *c; c++)
		hash = lsi_mix(hash + (unsigned char)*c + 1);
	at = (int64_t)(hash & (uint64_t)(table->slots - 1));
	while (table->slot[at] && strcmp(table->text[table->slot[at] - 1], text) != 0)
		at = (at + 1) & (table->slots - 1);
	return &table->slot[at];
}

static bool grow(struct lsi_text_numbers *table)
{
	const int64_t slots = table->slots ? 2 * table->slots : FIRST_SLOTS;
	int64_t *slot = lsi_alloc_zero((size_t)slots, sizeof *slot);
	const char **text = slot ? lsi_alloc_grow(table->text, (size_t)table->texts * sizeof *text,
							(size_t)slots / 2 * sizeof *text)
							 : NULL;

	if (!text) {
		lsi_free(slot);
		return false;
	}
	lsi_free(table->slot);
	table->text = text;
	table->slot = slot;
	table->slots = slots;
	for (int64_t i = 0; i < table->texts; i++)
		*find_slot(table, text[i]) = i + 1;
	return true;
}

int64_t lsi_text_numbers_find(struct lsi_text_numbers *table, const char *text)
{
	int64_t *slot;
	char *copy;

	if (2 * table->texts >= table->slots && !grow(table))
		return -1;
	slot = find_slot(table, text);
	if (*slot)
		return *slot - 1;
	copy = lsi_arena_take(&table->arena, strlen(text) + 1, 1);
	if (!copy)
		return -1;
	table->text[table->texts++] = strcpy(copy, text);
	*slot = table->texts;
	return table->texts - 1;
}

int lsi_text_buffer_put(void *context, const char *text)
{
	struct lsi_text_buffer *buffer = context;
	const size_t length = strlen(text);

	if (buffer->length + length >= buffer->room) {
		const size_t room = 2 * (buffer->length + length) + FIRST_ROOM;
		char *larger = lsi_alloc_grow(buffer->text, buffer->length, room);

		if (!larger)
			return LS_ERR_MEMORY;
		buffer->text = larger;
		buffer->room = room;
	}
	memcpy(buffer->text + buffer->length, text, length + 1);
	buffer->length += length;
	return LS_OK;
}
