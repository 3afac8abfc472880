#include "support/changed_text.h"

#include <string.h>

#include "support/guard.h"

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

	if (first.at + first.length > second.at)
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
