#include "check/expect.h"

#include "base/messages.h"
#include "base/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[EXPECT_COUNTS] = {
	[EXPECT_ROUNDS] = "rounds",
	[EXPECT_MESSAGES] = "messages",
	[EXPECT_WORDS] = "words",
	[EXPECT_LOAD] = "load",
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

struct expectation {
	int count;
	const struct relation *relation;
	int64_t value;
};

/* "rounds<=3"; false: not of this form. */
static bool read_expectation(const char *text, size_t length, struct expectation *out)
{
	char part[80];
	size_t name;

	if (length >= sizeof part)
		return false;
	memcpy(part, text, length);
	part[length] = '\0';
	name = strcspn(part, "<>=");
	for (out->count = 0; out->count < EXPECT_COUNTS; out->count++)
		if (strlen(names[out->count]) == name && strncmp(part, names[out->count], name) == 0)
			break;
	if (out->count == EXPECT_COUNTS)
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
				"<=, = or >=, then a number: rounds<=3,messages=7",
				(int)length, rest);
		rest += length;
		if (*rest == '\0')
			return EXIT_SUCCESS;
	}
}

int expect_compare(const char *list, const int64_t count[EXPECT_COUNTS])
{
	struct expectation e;

	for (const char *rest = list; *rest; rest += *rest == ',') {
		const size_t length = strcspn(rest, ",");

		if (read_expectation(rest, length, &e) && !e.relation->holds(count[e.count], e.value))
			return print_error(EXIT_WRONG, "%s %" PRId64 ", expected %s %" PRId64, names[e.count],
				count[e.count], e.relation->sign, e.value);
		rest += length;
	}
	return EXIT_SUCCESS;
}
