/*
 * The reader of plans takes any bytes: it refuses them in one line, or makes a plan of them that
 * can be proved or refuted, is written as text again, and read from there as the same plan.
 *
 * Alone, the program tries plans of the table and everything one changed byte away from them.  With
 * -DLSI_FUZZ it is the target of libFuzzer: see fuzz_topology.c.
 */
/* variants: release checked asan chaos */
#include <stdlib.h>
#include <string.h>

#include <lockstep/check.h>

#include "support/cells.h"
#include "test.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void test_same(const ls_plan *plan, const ls_topology *t)
{
	struct text first = text_of(plan), second;
	struct ls_error why = { .size = sizeof why };
	ls_plan *again;

	CHECK(ls_plan_read(first.at, first.length, t, &again, &why) == LS_OK, "%s\n%s", why.text,
		first.at);
	second = text_of(again);
	CHECK(!strcmp(first.at, second.at), "written as\n%sand as\n%s", first.at, second.at);
	CHECK(ls_plan_steps(again) == ls_plan_steps(plan), "steps");
	ls_plan_destroy(again);
	free(first.at);
	free(second.at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static ls_topology *t;
	struct ls_certificate certificate = { .size = sizeof certificate };
	struct ls_error why = { .size = sizeof why };
	ls_plan *plan;

	t = t ? t : topology_of("ring:4");
	if (ls_plan_read((const char *)data, size, t, &plan, &why) != LS_OK) {
		CHECK(!plan && why.text[0] && !strchr(why.text, '\n'), "'%s'", why.text);
		return 0;
	}
	const int status = ls_check(plan, 5, NULL, &certificate);

	CHECK(status != LS_ERR_LAW || certificate.text[0], "refuted without a reason");
	test_same(plan, t);
	ls_plan_destroy(plan);
	return 0;
}

#ifndef LSI_FUZZ

static const char changes[] = " \n;:,.[]()+=#0189INOSTUVsrlbpe-";

static void test_cell(const struct cell *cell, void *context)
{
	struct ls_plan *plan = plan_of(cell);
	struct text text = text_of(plan);

	(void)context;
	LLVMFuzzerTestOneInput((const uint8_t *)text.at, text.length);
	for (size_t i = 0; i < text.length; i += 1 + text.length / 200) {
		const char was = text.at[i];

		text.at[i] = changes[(i * 7 + text.length) % (sizeof changes - 1)];
		LLVMFuzzerTestOneInput((const uint8_t *)text.at, text.length);
		text.at[i] = was;
		LLVMFuzzerTestOneInput((const uint8_t *)text.at, i);
	}
	free(text.at);
	ls_plan_destroy(plan);
}

int main(void)
{
	ls_topology *t = topology_of("ring:4");

	each_cell(t, 1, test_cell, NULL);
	ls_topology_destroy(t);
	return test_result();
}

#endif
