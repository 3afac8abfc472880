/*
 * The reader of JSON: values, paths, and the message and line of each error.
 */
/* compile: -Idemo/lockstep */
#include "../demo/lockstep/base/messages.c"
#include "../demo/lockstep/report/json_read.c"
#include "test.h"

static const char document[] =
	"{\n \"a\": {\"b\": [1, -2.5e3, 0, \"x\"], \"empty\": {}, \"none\": []},\n"
	" \"text\": \"q\\\" s\\\\ \\/ n\\n u\\u00e9 \\ud83d\\ude00 \\ud83d \\u0000\",\r\n"
	" \"t\": true, \"f\": false, \"n\": null, \"aa\": 7, \"a\": 8 }\n ";

static void check_tree(void)
{
	char error[80] = "";
	struct json_value *d = json_read(document, error, sizeof error);
	const struct json_value *list = json_find(d, "a.b"), *text = json_find(d, "text");

	CHECK(d && d->kind == JSON_OBJECT, "%s", error);
	CHECK(list && list->kind == JSON_LIST && list->first->number == 1
			&& list->first->next->number == -2500 && list->first->next->next->number == 0
			&& strcmp(list->first->next->next->next->text, "x") == 0
			&& !list->first->next->next->next->next,
		"the list");
	CHECK(text && strcmp(text->text, "q\" s\\ / n\n u\u00e9 \ufffd\ufffd \ufffd \ufffd") == 0,
		"the text is '%s'", text ? text->text : "");
	CHECK(json_find(d, "t")->kind == JSON_TRUE && json_find(d, "f")->kind == JSON_FALSE
			&& json_find(d, "n")->kind == JSON_NULL,
		"words");
	CHECK(json_find(d, "aa")->number == 7 && json_find(d, "a")->kind == JSON_OBJECT,
		"a name that begins like another, and the first of two");
	CHECK(json_find(d, "a.empty")->first == NULL && json_find(d, "a.none")->kind == JSON_LIST,
		"empty values");
	CHECK(!json_find(d, "b") && !json_find(d, "a.b.c") && !json_find(d, "text.x")
			&& !json_find(NULL, "a"),
		"paths that lead nowhere");
	json_destroy(d);
}

static const struct {
	const char *text, *error;
} bad[] = {
	{ "", "1: expected a value" },
	{ " \n\n", "3: expected a value" },
	{ "{\n\"a\": 1,\n}", "3: expected a name in quotes" },
	{ "{\n\"a\" 1}", "2: expected ':'" },
	{ "{\"a\": 1\n\"b\": 2}", "2: expected ',' or '}'" },
	{ "[1,\n2,\n3", "3: expected ',' or ']'" },
	{ "[1,]", "1: expected a value" },
	{ "[-]", "1: expected a value" },
	{ "[nan]", "1: expected a value" },
	{ "[+1]", "1: expected a value" },
	{ "1 2", "1: expected the end of the document" },
	{ "{}\n]", "2: expected the end of the document" },
	{ "[\"abc", "1: expected '\"' at the end of a text" },
	{ "[\"a\nb\"]", "1: expected '\"' at the end of a text" },
	{ "[\"\\x\"]", "1: expected an escape such as \\n or \\u00e9" },
	{ "[\"\\u12", "1: expected an escape such as \\n or \\u00e9" },
	{ "[\"\\", "1: expected an escape such as \\n or \\u00e9" },
	{ "{\"a\":\n\"\\u12g4\"}", "2: expected an escape such as \\n or \\u00e9" },
};

static void check_errors(void)
{
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char error[80] = "";
		struct json_value *value = json_read(bad[i].text, error, sizeof error);

		CHECK(!value && strcmp(error, bad[i].error) == 0, "'%s': '%s', not '%s'", bad[i].text,
			error, bad[i].error);
		json_destroy(value);
	}
}

/* Every beginning of a document is refused, and none is read past its end. */
static void check_beginnings(void)
{
	const size_t end = (size_t)(strrchr(document, '}') - document);
	char error[80];

	for (size_t length = 0; length <= end; length++) {
		char *copy = strndup(document, length);
		struct json_value *value = json_read(copy, error, sizeof error);

		CHECK(!value, "the first %zu characters", length);
		json_destroy(value);
		free(copy);
	}
}

static void check_depth(void)
{
	char text[200] = "", error[80] = "";

	memset(text, '[', 64);
	memset(text + 64, ']', 64);

	struct json_value *value = json_read(text, error, sizeof error);

	CHECK(value, "64 brackets: %s", error);
	json_destroy(value);
	memset(text, '[', 65);
	CHECK(!json_read(text, error, sizeof error), "65 brackets");
	CHECK(strcmp(error, "1: expected fewer brackets inside brackets") == 0, "%s", error);
}

int main(void)
{
	check_tree();
	check_errors();
	check_beginnings();
	check_depth();
	return test_result();
}
