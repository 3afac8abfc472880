#include "base/number.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* strtoll and strtod skip leading blanks; here the whole text must be the number. */
static bool begins_like_number(const char *text)
{
	return *text && strchr("+-.0123456789iInN", *text);
}

bool read_int(const char *text, int64_t *out)
{
	char *end;

	if (!begins_like_number(text))
		return false;
	errno = 0;
	*out = strtoll(text, &end, 10);
	return errno == 0 && end != text && *end == '\0';
}

bool read_unsigned(const char *text, uint64_t *out)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*out = strtoull(text, &end, 10);
	return errno == 0 && *end == '\0';
}

static int binary_prefix(char c)
{
	return c == 'K' || c == 'k' ? 10 : c == 'M' || c == 'm' ? 20 : c == 'G' || c == 'g' ? 30 : 0;
}

bool read_size(const char *text, size_t *out)
{
	const size_t digits = strspn(text, "0123456789");
	const int shift = digits > 0 ? binary_prefix(text[digits]) : 0;
	char *end;

	errno = 0;
	*out = strtoull(text, &end, 10);
	if (digits == 0 || errno || end[shift > 0] != '\0' || *out > SIZE_MAX >> shift)
		return false;
	*out <<= shift;
	return true;
}

bool read_real(const char *text, double *out)
{
	char *end;

	if (!begins_like_number(text))
		return false;
	errno = 0;
	*out = strtod(text, &end);
	return (errno == 0 || fabs(*out) < 1) && end != text && *end == '\0';
}

void rate_text(double rate, char *text, size_t size)
{
	static const char *const prefix[] = { "", " k", " M", " G", " T" };
	int i = 0;

	for (; rate >= 999.5 && i < 4; i++)
		rate /= 1000;
	snprintf(text, size, "%.3g%s", rate, prefix[i]);
}

void bytes_text(double bytes, char *text, size_t size)
{
	static const char *const unit[] = { "bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	int i = 0;

	for (; bytes >= 1023.5 && i < 6; i++)
		bytes /= 1024;
	snprintf(text, size, "%.*g %s", bytes >= 99.95 ? 4 : 3, bytes, unit[i]);
}
