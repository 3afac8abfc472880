#include "check/expect.h"

#include "base/messages.h"
#include "base/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const counts[EXPECT_COUNTS] = {
	[EXPECT_ROUNDS] = "rounds",
	[EXPECT_MESSAGES] = "messages",
	[EXPECT_WORDS] = "words",
	[EXPECT_LOAD] = "load",
};

static const char *const properties[EXPECT_PROPERTIES] = {
	[EXPECT_ORDERED] = "ordered",
	[EXPECT_IDENTICAL] = "identical",
};

static bool is_at_most(int64_t a, int64_t b)
{
	return a <= b;
}

static bool is_at_least(int64_t a, int64_t b)
{
	return a >= b;
}

static bool is_equal(int64_t a, int64_t b)
{
	return a == b;
}

static const struct relation {
	const char *sign;
	bool (*holds)(int64_t, int64_t);
} relations[] = { { "<=", is_at_most }, { ">=", is_at_least }, { "=", is_equal } };

/* A count with its relation and value; or, with relation NULL, a property. */
struct expectation {
	int number; /* of the count or property */
	const struct relation *relation;
	int64_t value;
};

/* The number of a name in a table, `size` if it is not there. */
static int find(const char *const *table, int size, const char *name, size_t length)
{
	int i = 0;

	while (i < size && (strlen(table[i]) != length || strncmp(name, table[i], length) != 0))
		i++;
	return i;
}

/* "rounds<=3" or "ordered"; false: of neither form. */
static bool read_expectation(const char *text, size_t length, struct expectation *out)
{
	char part[80];
	size_t name;

	if (length >= sizeof part)
		return false;
	memcpy(part, text, length);
	part[length] = '\0';
	name = strcspn(part, "<>=");
	out->relation = NULL;
	out->number = find(properties, EXPECT_PROPERTIES, part, length);
	if (out->number < EXPECT_PROPERTIES)
		return true;
	out->number = find(counts, EXPECT_COUNTS, part, name);
	if (out->number == EXPECT_COUNTS)
		return false;
	for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
		const size_t sign = strlen(relations[i].sign);

		if (strncmp(part + name, relations[i].sign, sign) != 0)
			continue;
		out->relation = &relations[i];
		return read_int(part + name + sign, &out->value) && out->value >= 0;
	}
	return false;
}

int expect_check_syntax(const char *list)
{
	struct expectation e;

	for (const char *rest = list;; rest++) {
		const size_t length = strcspn(rest, ",");

		if (!read_expectation(rest, length, &e))
			return print_error(EXIT_USAGE,
				"'%.*s' is not an expectation; expected rounds, messages, words or load, then "
				"<=, = or >=, then a number; or ordered, or identical: rounds<=3,ordered",
				(int)length, rest);
		rest += length;
		if (*rest == '\0')
			return EXIT_SUCCESS;
	}
}

bool expect_names(const char *list, enum expected_property property)
{
	struct expectation e;
	bool names = false;

	for (const char *rest = list; *rest; rest += *rest == ',') {
		const size_t length = strcspn(rest, ",");

		names |= read_expectation(rest, length, &e) && !e.relation && e.number == (int)property;
		rest += length;
	}
	return names;
}

/* "rounds 4, expected <= 3"; "" if it is met. */
static void unmet_text(
	const struct expectation *e, const struct expect_found *found, char *text, size_t size)
{
	text[0] = '\0';
	if (e->relation && !e->relation->holds(found->count[e->number], e->value))
		snprintf(text, size, "%s %" PRId64 ", expected %s %" PRId64, counts[e->number],
			found->count[e->number], e->relation->sign, e->value);
	else if (!e->relation && found->lacks[e->number])
		snprintf(text, size, "%s, expected %s", found->lacks[e->number], properties[e->number]);
}

int expect_compare(const char *list, const struct expect_found *found)
{
	char all[400] = "";

	for (const char *rest = list; *rest; rest += *rest == ',') {
		const size_t length = strcspn(rest, ","), used = strlen(all);
		struct expectation e;
		char text[200] = "";

		if (read_expectation(rest, length, &e))
			unmet_text(&e, found, text, sizeof text);
		if (text[0])
			snprintf(all + used, sizeof all - used, "%s%s", used ? "; " : "", text);
		rest += length;
	}
	return all[0] ? print_error(EXIT_WRONG, "%s", all) : EXIT_SUCCESS;
}
