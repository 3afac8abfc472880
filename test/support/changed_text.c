#include "support/changed_text.h"

#include <stdbool.h>
#include <string.h>

#include "support/random_numbers.h"

struct piece {
	size_t at, length;
};

size_t below(struct edit *e, size_t n)
{
	return (size_t)random_below(&e->state, (int64_t)(n ? n : 1));
}

static struct piece any_line(struct edit *e)
{
	size_t at = below(e, e->length), end = at;

	while (at > 0 && e->text[at - 1] != '\n')
		at--;
	while (end < e->length && e->text[end] != '\n')
		end++;
	return (struct piece){ at, end + (end < e->length) - at };
}

/* The first number at or behind a random place, or nothing there. */
static struct piece any_number(struct edit *e)
{
	size_t at = below(e, e->length);

	at += strcspn(e->text + at, "0123456789");
	while (at > 0 && e->text[at] && strchr("0123456789", e->text[at - 1]))
		at--;
	return (struct piece){ at, strspn(e->text + at, "0123456789") };
}

static void replace(struct edit *e, struct piece piece, const char *with, size_t n)
{
	if (e->length - piece.length + n + 1 > EDITED)
		return;
	memmove(e->text + piece.at + n, e->text + piece.at + piece.length,
		e->length - piece.at - piece.length + 1);
	memcpy(e->text + piece.at, with, n);
	e->length += n - piece.length;
}

static void copy(struct edit *e, struct piece from, struct piece to)
{
	static char held[EDITED];

	memcpy(held, e->text + from.at, from.length);
	replace(e, to, held, from.length);
}

static void swap(struct edit *e, struct piece a, struct piece b)
{
	static char held[EDITED];
	const struct piece first = a.at < b.at ? a : b, second = a.at < b.at ? b : a;

	if (first.at + first.length > second.at
		|| e->length - first.length + second.length + 1 > EDITED)
		return;
	memcpy(held, e->text + first.at, first.length);
	copy(e, second, first);
	replace(e, (struct piece){ second.at + second.length - first.length, second.length }, held,
		first.length);
}

static void change_number(struct edit *e)
{
	static const char *const numbers[] = { "0", "1", "2", "3", "4", "5", "7", "8", "9", "16", "63",
		"64", "65", "255", "1000", "65536", "1000000", "4194304", "2147483647", "4294967296",
		"4611686018427387904", "9223372036854775807", "18446744073709551615", "-1" };
	/* Large ones are refused early: most changes are small. */
	const size_t count = sizeof numbers / sizeof *numbers;
	const char *number = numbers[below(e, below(e, 16) ? 10 : count)];

	replace(e, any_number(e), number, strlen(number));
}

void change(struct edit *e)
{
	static const char bytes[] = " \n;:,.[]()+=#0189INOSTUVsrlbpe-";

	switch (below(e, 9)) {
	case 0:
		replace(e, any_line(e), "", 0);
		break;
	case 1:
		copy(e, any_line(e), (struct piece){ any_line(e).at, 0 });
		break;
	case 2:
		swap(e, any_line(e), any_line(e));
		break;
	case 3:
		swap(e, any_number(e), any_number(e));
		break;
	case 4:
		copy(e, any_number(e), any_number(e));
		break;
	case 5:
		replace(e, (struct piece){ below(e, e->length), 0 }, bytes + below(e, sizeof bytes - 1), 1);
		break;
	default:
		change_number(e);
	}
}

/* ---- Structure */

/* From a random byte back and forth to bytes of `ends`; the byte behind it belongs to it, too. */
static struct piece any_between(struct edit *e, const char *ends, bool with_end)
{
	size_t at = below(e, e->length), end;

	while (at > 0 && !strchr(ends, e->text[at - 1]))
		at--;
	end = at + strcspn(e->text + at, ends);
	return (struct piece){ at, end + (with_end && end < e->length) - at };
}

/* The start of the next line that begins with the word; the end of the text if none does. */
static size_t next_line(const struct edit *e, size_t at, const char *word)
{
	for (const char *line = e->text + at; (line = strchr(line, '\n'));)
		if (strncmp(++line, word, strlen(word)) == 0)
			return (size_t)(line - e->text);
	return e->length;
}

/* The whole text if it has no blocks. */
static struct piece any_block(struct edit *e, const struct grammar *grammar)
{
	size_t at = below(e, e->length), begin = 0, end;

	if (!grammar->block)
		return (struct piece){ 0, e->length };
	for (end = next_line(e, 0, grammar->block); end <= at && end < e->length;) {
		begin = end;
		end = next_line(e, begin, grammar->block);
	}
	return (struct piece){ begin, end - begin };
}

static bool names_node(const struct edit *e, size_t at, const char *const *names)
{
	if (at == 0 || e->text[at - 1] == '\n')
		return true;
	for (; *names; names++) {
		const size_t n = strlen(*names);

		if (at >= n && strncmp(e->text + at - n, *names, n) == 0)
			return true;
	}
	return false;
}

/* Two nodes of a block change their names, of one digit. */
static void rename_nodes(struct edit *e, const struct grammar *grammar)
{
	const struct piece block = any_block(e, grammar);
	const char a = (char)('0' + below(e, 6)), b = (char)('0' + below(e, 6));

	for (size_t at = block.at; at < block.at + block.length; at++) {
		const char name = e->text[at], next = e->text[at + 1];

		if ((name == a || name == b) && !(next >= '0' && next <= '9')
			&& names_node(e, at, grammar->names))
			e->text[at] = name == a ? b : a;
	}
}

static void put_word(struct edit *e, const struct grammar *grammar)
{
	size_t words = 0;
	const char *word;

	while (grammar->words[words])
		words++;
	word = grammar->words[below(e, words)];
	replace(e, any_between(e, grammar->between_fields, false), word, strlen(word));
}

void change_structure(struct edit *e, const struct grammar *grammar)
{
	const char *fields = grammar->between_fields, *parts = grammar->between_parts;

	switch (below(e, 16)) {
	case 0:
	case 1:
		put_word(e, grammar);
		break;
	case 2:
		copy(e, any_between(e, fields, false), any_between(e, fields, false));
		break;
	case 3:
		swap(e, any_between(e, fields, false), any_between(e, fields, false));
		break;
	case 4:
		replace(e, any_between(e, parts, true), "", 0);
		break;
	case 5:
		copy(e, any_between(e, parts, true), (struct piece){ any_between(e, parts, true).at, 0 });
		break;
	case 6:
		swap(e, any_between(e, parts, false), any_between(e, parts, false));
		break;
	case 7:
		replace(e, any_block(e, grammar), "", 0);
		break;
	case 8:
		copy(e, any_block(e, grammar), (struct piece){ any_block(e, grammar).at, 0 });
		break;
	case 9:
		swap(e, any_block(e, grammar), any_block(e, grammar));
		break;
	case 10:
	case 11:
		rename_nodes(e, grammar);
		break;
	default:
		change(e);
	}
}

void edit_set(struct edit *e, const char *text, size_t length)
{
	e->length = length < EDITED - 1 ? length : EDITED - 1;
	memcpy(e->text, text, e->length);
	e->text[e->length] = '\0';
}

void edit_append(struct edit *e, const char *text)
{
	replace(e, (struct piece){ e->length, 0 }, text, strlen(text));
}
