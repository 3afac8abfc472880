/*
 * Where the ticks of an axis are:
 *
 *   linear              multiples of 1, 2 or 5 times a power of ten; of bytes, of a power of two
 *   logarithmic         1, 2, 5, 10, 20, ..; if these are too many, powers of ten
 *   logarithmic, bytes  powers of two
 *
 *   low     least                      most    high
 *    |-------.----|-----------|----------.-----|       The axis is a little longer than the range
 *   from                                       to      of the numbers, so that it ends at a tick.
 *
 * With powers of ten, the ends are still among 1, 2, 5, .., and need not be ticks.
 *
 * Where not all labels fit, every second, third, .. tick has one.  A logarithmic axis counts ticks
 * by an index, so that no error adds up:
 *
 *   index      -3   -2   -1    0    1    2    3    4    5
 *   decimal   0.1  0.2  0.5    1    2    5   10   20   50
 *
 * `from` and `to` are px.  `from` is the greater one if numbers grow upward.
 */
#include "draw/chart_axis.h"

#include <math.h>
#include <stdio.h>

/* Powers of ten that are written as digits. */
enum { PLAIN_LEAST = -3, PLAIN_MOST = 4 };
/* Rounding errors of logarithms and quotients. */
static const double SLACK = 1e-9;

/* ---- Text */

/* Prefixes of powers of 1000, from 10^-9, and of powers of 1024, from 1. */
static const char *const seconds[] = { "ns", "\302\265s", "ms", "s" };
static const char *const thousands[] = { "", "k", "M", "G", "T" };
static const char *const bytes[] = { "", "K", "M", "G", "T", "P", "E" };

static int clamp(int value, int least, int most)
{
	return value < least ? least : value > most ? most : value;
}

/* The last power k of `base` <= number, as far as it has a prefix. */
static int prefix_of(double number, double base, int least, int most)
{
	if (!(number > 0))
		return least;
	return clamp((int)floor(log(number) / log(base) + SLACK), least, most);
}

/* An integer times 2^k. */
static void put_bytes(char *text, size_t size, double number)
{
	const int k = prefix_of(number, 1024, 0, 6);

	snprintf(text, size, "%.6g%s", number / pow(1024, k), bytes[k]);
}

static void put_power(char *text, size_t size, int power)
{
	static const char *const digit[] = { "\342\201\260", "\302\271", "\302\262", "\302\263",
		"\342\201\264", "\342\201\265", "\342\201\266", "\342\201\267", "\342\201\270",
		"\342\201\271" };
	const int n = power < 0 ? -power : power;
	int used = snprintf(text, size, "10%s", power < 0 ? "\342\201\273" : "");

	for (int ten = n >= 100 ? 100 : n >= 10 ? 10 : 1; ten > 0; ten /= 10)
		used += snprintf(text + used, size - (size_t)used, "%s", digit[n / ten % 10]);
}

/* factor * 10^power, factor 1, 2 or 5; `plain`: in digits. */
static void put_decimal(
	char *text, size_t size, enum ls_unit unit, int factor, int power, bool plain)
{
	if (unit == LS_UNIT_SECONDS) {
		const int k = clamp((int)floor(power / 3.0), -3, 0);

		snprintf(text, size, "%.6g %s", factor * pow(10, power - 3 * k), seconds[k + 3]);
	} else if (plain) {
		snprintf(text, size, "%.*f", power < 0 ? -power : 0, factor * pow(10, power));
	} else {
		const int used = factor > 1 ? snprintf(text, size, "%d\302\267", factor) : 0;

		put_power(text + used, size - (size_t)used, power);
	}
}

struct lsi_number_text lsi_number_write(enum ls_unit unit, double number)
{
	struct lsi_number_text out = { "" };

	if (unit == LS_UNIT_BYTES) {
		put_bytes(out.text, sizeof out.text, number);
	} else if (unit == LS_UNIT_SECONDS) {
		const int k = prefix_of(fabs(number), 1000, -3, 0);

		snprintf(out.text, sizeof out.text, "%.4g %s", number / pow(1000, k), seconds[k + 3]);
	} else {
		snprintf(out.text, sizeof out.text, "%.6g", number);
	}
	return out;
}

/* ---- Ticks */

/* The new tick has no label yet; beyond LSI_TICKS it is one that is not drawn. */
static struct lsi_tick *add_tick(struct lsi_chart_axis *axis, double at)
{
	static struct lsi_tick none;
	struct lsi_tick *tick = axis->ticks < LSI_TICKS ? &axis->tick[axis->ticks++] : &none;

	*tick = (struct lsi_tick){ .at = at };
	return tick;
}

/* 1, 2, 5, 10, 20, .. */
static double decimal(int index)
{
	static const double factor[] = { 1, 2, 5 };
	const int power = (int)floor(index / 3.0);

	return factor[index - 3 * power] * pow(10, power);
}

/* The index of the last number of 1, 2, 5, .. that is <= number. */
static int decimal_below(double number)
{
	int index = 3 * ((int)floor(log10(number)) - 1);

	while (decimal(index + 1) <= number * (1 + SLACK))
		index++;
	return index;
}

/* Between 10^k and 10^(k + 1). */
static void add_minor_ticks(struct lsi_chart_axis *axis, int k)
{
	for (int factor = 2; factor < 10; factor++) {
		const double at = factor * pow(10, k);

		if (at > axis->low * (1 + SLACK) && at < axis->high * (1 - SLACK))
			add_tick(axis, at);
	}
}

/* From 10^first to 10^last; every step-th power has a label, and there are at most `labels`. */
static void add_powers_of_ten(
	struct lsi_chart_axis *axis, enum ls_unit unit, int first, int last, int labels)
{
	const int step = (last - first + labels) / labels;
	const bool plain = first >= PLAIN_LEAST && last <= PLAIN_MOST;

	if (step == 1)
		add_minor_ticks(axis, first - 1);
	for (int k = first; k <= last; k++) {
		struct lsi_tick *tick = add_tick(axis, pow(10, k));

		if ((k - first) % step == 0)
			put_decimal(tick->label, sizeof tick->label, unit, 1, k, plain);
		if (step == 1)
			add_minor_ticks(axis, k);
	}
}

static void make_decimal(
	struct lsi_chart_axis *axis, enum ls_unit unit, double least, double most, int labels)
{
	int first = decimal_below(least), last = decimal_below(most);

	last += decimal(last) * (1 + SLACK) < most;
	if (first == last) {
		first--;
		last++;
	}
	axis->low = decimal(first);
	axis->high = decimal(last);
	if (last - first + 1 > labels) {
		add_powers_of_ten(axis, unit, (int)ceil(first / 3.0), (int)floor(last / 3.0), labels);
		return;
	}

	const bool plain = first >= 3 * PLAIN_LEAST && last <= 3 * PLAIN_MOST + 2;

	for (int i = first; i <= last; i++) {
		static const int factor[] = { 1, 2, 5 };
		const int power = (int)floor(i / 3.0);
		struct lsi_tick *tick = add_tick(axis, decimal(i));

		put_decimal(tick->label, sizeof tick->label, unit, factor[i - 3 * power], power, plain);
	}
}

/* Powers of two. */
static void make_binary(struct lsi_chart_axis *axis, double least, double most, int labels)
{
	int first = (int)floor(log2(least) + SLACK), last = (int)ceil(log2(most) - SLACK);

	if (first >= last) {
		last = first + 1;
		first--;
	}

	const int step = (last - first + labels) / labels;

	axis->low = exp2(first);
	axis->high = exp2(last);
	for (int k = first; k <= last; k++) {
		struct lsi_tick *tick = add_tick(axis, exp2(k));

		if ((k - first) % step == 0)
			put_bytes(tick->label, sizeof tick->label, tick->at);
	}
}

/* The least of 1, 2, 5, .. times a power of ten, of bytes of 1, 2, 4, .., that fits `labels`. */
static double step_of(enum ls_unit unit, double span, int labels)
{
	const double least = span / (labels - 1);
	int index;

	if (unit == LS_UNIT_BYTES)
		return exp2(ceil(log2(least) - SLACK));
	index = decimal_below(least);
	return decimal(index) * (1 + SLACK) < least ? decimal(index + 1) : decimal(index);
}

/* Ticks of a linear axis share a prefix: that of the greatest. */
static void put_linear(
	char *text, size_t size, enum ls_unit unit, double at, double step, double most)
{
	const int k = unit == LS_UNIT_SECONDS ? prefix_of(most, 1000, -3, 0)
		: most >= pow(10, PLAIN_MOST)     ? prefix_of(most, 1000, 0, 4)
										  : 0;
	const double scaled = step / pow(1000, k);
	const int digits = clamp(-(int)floor(log10(scaled) + SLACK), 0, 12);

	if (at == 0)
		snprintf(text, size, "0");
	else if (unit == LS_UNIT_BYTES)
		put_bytes(text, size, at);
	else if (scaled < 1e-6 || most >= 1e16)
		snprintf(text, size, "%.4g%s%s", at / pow(1000, k), unit == LS_UNIT_SECONDS ? " " : "",
			unit == LS_UNIT_SECONDS ? seconds[k + 3] : thousands[k]);
	else
		snprintf(text, size, "%.*f%s%s", digits, at / pow(1000, k),
			unit == LS_UNIT_SECONDS ? " " : "",
			unit == LS_UNIT_SECONDS ? seconds[k + 3] : thousands[k]);
}

static void make_linear(
	struct lsi_chart_axis *axis, enum ls_unit unit, double least, double most, int labels)
{
	const double greatest = fmax(fabs(least), fabs(most));

	if ((least >= 0 && least <= most / 2) || most - least <= greatest * SLACK) {
		least = fmin(0, least);
		most = fmax(0, most);
	}
	if (least == most)
		most = 1;

	const double step = step_of(unit, most - least, labels);
	const double first = floor(least / step + SLACK), last = ceil(most / step - SLACK);

	axis->low = first * step;
	axis->high = last * step;
	for (int i = 0; i <= (int)(last - first); i++) {
		const double at = (first + i) * step;
		struct lsi_tick *tick = add_tick(axis, at);

		put_linear(tick->label, sizeof tick->label, unit, at, step, greatest);
	}
}

void lsi_chart_axis_make(
	struct lsi_chart_axis *axis, const struct ls_axis *shown, double least, double most, int labels)
{
	*axis = (struct lsi_chart_axis){ .logarithmic = shown->logarithmic };
	if (!shown->logarithmic)
		make_linear(axis, shown->unit, least, most, labels);
	else if (shown->unit == LS_UNIT_BYTES)
		make_binary(axis, least, most, labels);
	else
		make_decimal(axis, shown->unit, least, most, labels);
}

double lsi_chart_axis_place(const struct lsi_chart_axis *axis, double number)
{
	const double share = axis->logarithmic
		? (log(number) - log(axis->low)) / (log(axis->high) - log(axis->low))
		: (number - axis->low) / (axis->high - axis->low);

	return axis->from + share * (axis->to - axis->from);
}
