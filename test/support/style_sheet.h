/*
 * The style sheet of a picture: rules `selector, selector { property: value; .. }`.
 */
#ifndef LOCKSTEP_TEST_STYLE_SHEET_H
#define LOCKSTEP_TEST_STYLE_SHEET_H

struct style_value {
	char text[80];
};

/* The value of a property in the last rule that has it for a selector; "": there is none. */
struct style_value style_value(const char *sheet, const char *selector, const char *property);

/* The value of a property for the last class of an element that has it; "": there is none. */
struct style_value style_of_classes(
	const char *sheet, const char *classes_or_null, const char *property);

/* The contrast of two colors "#rrggbb", 1 .. 21, by WCAG 2.1; 0: one is not a color. */
double contrast(const char *one, const char *other);

#endif
