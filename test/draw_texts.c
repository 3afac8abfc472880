/*
 * Texts of the caller in pictures: whole, valid in the format, and broken between characters.
 */
/* variants: release checked asan */
#include <stdlib.h>
#include <string.h>

#include <lockstep.h>

#include "support/xml.h"
#include "test.h"

enum { LONG = 5000 };

struct page {
	char text[1 << 17];
	size_t length;
};

static int keep(void *context, const char *text)
{
	struct page *page = context;
	const size_t length = strlen(text);

	if (page->length + length >= sizeof page->text)
		return LS_ERR_MEMORY;
	memcpy(page->text + page->length, text, length + 1);
	page->length += length;
	return LS_OK;
}

/* A ring with a text in all three places; of the words there is one picture. */
static const struct page *draw(const char *text, const char *format)
{
	static struct page page;
	struct ls_error why = { .size = sizeof why };
	struct ls_drawing drawing = {
		.size = sizeof drawing, .title = text, .caption = text, .command = text
	};
	ls_topology *t = NULL;

	page.length = 0;
	CHECK(ls_topology_make("ring:4", &t, &why) == LS_OK, "%s", why.text);
	drawing.topology = t;
	CHECK(ls_draw(&drawing, format, keep, &page, &why) == LS_OK, "%s: %s", format, why.text);
	ls_topology_destroy(t);
	return &page;
}

/* The same, as a chart. */
static const struct page *draw_chart(const char *text, const char *format)
{
	static struct page page;
	static const double numbers[] = { 1, 2, 3 };
	const struct ls_series series = { .name = text, .points = 3, .x = numbers, .y = numbers };
	const struct ls_chart chart = { .size = sizeof chart,
		.page = { .title = text, .caption = text, .command = text },
		.x.label = text,
		.series = &series,
		.n_series = 1 };
	struct ls_error why = { .size = sizeof why };

	page.length = 0;
	CHECK(ls_chart_draw(&chart, format, keep, &page, &why) == LS_OK, "%s: %s", format, why.text);
	return &page;
}

/* ---- Valid characters */

static void check_characters(const char *text, const char *what)
{
	for (const char *at = text; *at;) {
		const size_t length = xml_character(at);

		if (length == 0) {
			CHECK(false, "%s: byte 0x%02x at %zu", what, (unsigned char)*at, (size_t)(at - text));
			return;
		}
		at += length;
	}
}

static void check_xml(const struct page *page, const char *what)
{
	struct xml xml;

	CHECK(xml_read(page->text, &xml), "%s: %s", what, xml.why);
	xml_release(&xml);
}

/* Every byte alone and between letters, and what is nearly UTF-8. */
static void test_bytes(void)
{
	static const char *const near[] = { "\xc3", "a\xe2\x82", "\xf0\x9f\x98", "\xc0\xaf",
		"\xe0\x80\xaf", "\xed\xa0\x80", "\xef\xbf\xbe", "\xef\xbf\xbf", "\xf4\x90\x80\x80",
		"\xf8\x88\x80\x80\x80", "\xe2\x28\xa1", "]]>", "--><!--", "\r\n\t" };
	static const char *const formats[] = { "svg", "html", "tikz", "dot" };
	char every[3 * 256 + 1] = "";

	for (int i = 1; i < 256; i++)
		memcpy(every + 3 * (i - 1), (const char[]){ 'a', (char)i, 'b' }, 3);
	for (int k = 0; k < 4; k++) {
		check_characters(draw(every, formats[k])->text, formats[k]);
		for (size_t i = 0; i < sizeof near / sizeof *near; i++)
			check_characters(draw(near[i], formats[k])->text, formats[k]);
	}
	check_xml(draw(every, "svg"), "every byte");
	check_xml(draw_chart(every, "svg"), "every byte in a chart");
	for (size_t i = 0; i < sizeof near / sizeof *near; i++)
		check_xml(draw(near[i], "svg"), near[i]);
}

/* ---- Whole texts */

/* The texts of a class, one after the other. */
static void join_texts(const struct xml *xml, const char *class, char *out)
{
	*out = '\0';
	for (int i = 0; i < xml->elements; i++) {
		if (xml_has_class(&xml->element[i], class))
			out += sprintf(out, "%s", xml->element[i].text);
	}
}

/* A long text of one piece, which lines break anywhere. */
static void check_whole(const char *piece)
{
	static char text[LONG + 8], seen[1 << 17];
	const size_t length = strlen(piece);
	struct xml xml;

	*text = '\0';
	for (size_t used = 0; used + length < LONG; used += length)
		memcpy(text + used, piece, length + 1);
	CHECK(xml_read(draw(text, "svg")->text, &xml), "%s: %s", piece, xml.why);
	for (int i = 0; i < 2; i++) {
		join_texts(&xml, i ? "caption" : "title", seen);
		CHECK(strcmp(seen, text) == 0, "%s: %zu of %zu bytes in the %s", piece, strlen(seen),
			strlen(text), i ? "caption" : "title");
	}
	xml_release(&xml);
}

/* Lines are broken between words, and no word is lost. */
static void test_lines(void)
{
	static const char text[] =
		"\u00fcber die gr\u00f6\u00dften S\u00e4tze: \u2200 n \u2208 \u2115, die L\u00e4nge des "
		"l\u00e4ngsten Weges w\u00e4chst, so da\u00df er niemals endet.";
	char seen[sizeof text + 8] = "";
	struct xml xml;
	int lines = 0;

	CHECK(xml_read(draw(text, "svg")->text, &xml), "%s", xml.why);
	for (int i = 0; i < xml.elements; i++) {
		if (!xml_has_class(&xml.element[i], "caption"))
			continue;
		strcat(seen, lines++ ? " " : "");
		strcat(seen, xml.element[i].text);
	}
	CHECK(lines == 2 && strcmp(seen, text) == 0, "%d lines: %s", lines, seen);
	xml_release(&xml);
}

int main(void)
{
	test_bytes();
	test_lines();
	check_whole("x");
	check_whole("\xc3\xa9");
	check_whole("a\xe2\x88\x80");
	check_whole("\xf0\x9f\x98\x80");
	return test_result();
}
