/*
 * The functions of lib/base that compose error messages, and its arithmetic.
 */
#include "base/error.h"
#include "base/futex.h"
#include "base/math.h"
#include "base/suggest.h"

#include <errno.h>
#include <string.h>

#include "test.h"

static bool is_named(int status)
{
	return strcmp(ls_status_name(status), "unknown");
}

static void check_names(void)
{
	int status = LS_OK;

	for (; is_named(status); status--)
		for (int other = LS_OK; other > status; other--)
			CHECK(strcmp(ls_status_name(status), ls_status_name(other)), "%d and %d share a name",
				status, other);
	CHECK(status < LS_ERR_BUSY, "%d has no name", status);
	CHECK(!is_named(1) && !is_named(INT32_MIN) && !is_named(INT32_MAX), "a status that is none");
	CHECK(!strcmp(ls_status_name(LS_ERR_DEADLOCK), "deadlock"), "%s",
		ls_status_name(LS_ERR_DEADLOCK));
}

static void check_errors(void)
{
	struct ls_error small = { .size = offsetof(struct ls_error, text), .text = "kept" };
	struct ls_error full = { .size = sizeof full };

	CHECK(lsi_error_set(&small, LS_ERR_LAW, "%d", 1) == LS_ERR_LAW && small.kind == LS_ERR_LAW
			&& !strcmp(small.text, "kept"),
		"a smaller struct");
	CHECK(lsi_error_set(&full, LS_ERR_LAW, "%300d", 1) == LS_ERR_LAW
			&& strlen(full.text) == sizeof full.text - 1,
		"a text too long");
	CHECK(!strcmp(lsi_quote_make("a\tb\x80", 4).text, "a?b?") && !*lsi_quote_make("abc", 0).text,
		"quotes");
}

static void check_nearest(void)
{
	static const char *const name[] = { "allreduce", "allgather", "broadcast", "reduce", "scan",
		"exscan" };
	static const struct {
		const char *word, *name;
	} known[] = {
		{ "alreduce", "allreduce" },
		{ "ALLGATHER", "allgather" },
		{ "brodcast", "broadcast" },
		{ "reduc", "reduce" },
		{ "exscam", "exscan" },
		{ "scna", "scan" },
		{ "x", NULL },
		{ "matrix", NULL },
		{ "", NULL },
	};

	char endless[200] = "";

	memset(endless, 'x', sizeof endless - 1);
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct lsi_suggestion nearest = lsi_suggest_begin(known[i].word, strlen(known[i].word));

		for (size_t j = 0; j < sizeof name / sizeof *name; j++)
			lsi_suggest_offer(&nearest, name[j]);
		lsi_suggest_offer(&nearest, endless);
		CHECK(nearest.name && known[i].name ? !strcmp(nearest.name, known[i].name)
											: nearest.name == known[i].name,
			"'%s' is nearest to %s", known[i].word, nearest.name ? nearest.name : "nothing");
		CHECK(ls_name_suggest(known[i].word, name, sizeof name / sizeof *name) == nearest.name,
			"'%s' among all names", known[i].word);
	}
}

static void check_arithmetic(void)
{
	CHECK(lsi_wrap(-1, 8) == 7 && lsi_wrap(8, 8) == 0 && lsi_wrap(-16, 8) == 0
			&& lsi_wrap(-9, 8) == 7,
		"mod");
	CHECK(lsi_add_sat(INT64_MAX, 1) == INT64_MAX && lsi_add_sat(2, 3) == 5
			&& lsi_mul_sat(INT64_MAX, 2) == INT64_MAX && lsi_mul_sat(3, 4) == 12,
		"saturation");
	for (int64_t x = 1; x < 5000; x++) {
		const int floor = lsi_log2_floor(x), ceil = lsi_log2_ceil(x);

		CHECK(x >> floor == 1 && ((int64_t)1 << ceil) >= x
				&& (x == 1 || ((int64_t)1 << ceil) < 2 * x),
			"log2 of %lld: %d and %d", (long long)x, floor, ceil);
	}
}

/* A wait ends at once if the word has another value, or at its deadline: errno stays as it was. */
static void check_waits(void)
{
	LSI_ATOMIC(uint32_t) word;

	lsi_store(&word, 1u, relaxed);
	errno = 5;
	lsi_futex_wait(&word, 0, 0);
	CHECK(errno == 5, "another value: %d", errno);
	lsi_futex_wait(&word, 1, lsi_now_ns() + 1000);
	CHECK(errno == 5, "a deadline: %d", errno);
	lsi_futex_wake(&word, 1);
	CHECK(errno == 5, "a wake: %d", errno);
}

int main(void)
{
	check_waits();
	check_names();
	check_errors();
	check_nearest();
	check_arithmetic();
	return test_result();
}
