#include "report/progress.h"

#include "base/number.h"

#include <inttypes.h>
#include <stdarg.h>

bool progress_is_visible(const struct output *output)
{
	return !output->quiet && is_terminal(stderr);
}

static void left_text(const struct ls_sweep_progress *p, char *text, size_t size)
{
	const double share = (double)p->messages / (double)p->messages_total;
	const int64_t left = p->messages > 0 ? (int64_t)(p->seconds * (1 / share - 1)) : -1;

	if (p->rounds >= p->rounds_total)
		snprintf(text, size, "verifying results");
	else if (left < 0)
		snprintf(text, size, "%.0f s", p->seconds);
	else if (left < 100)
		snprintf(text, size, "%" PRId64 " s left", left);
	else
		snprintf(text, size, "%" PRId64 ":%02d min left", left / 60, (int)(left % 60));
}

void progress_show(const struct ls_sweep_progress *p)
{
	char done[32], all[32], rate[32], left[40];

	rate_text((double)p->messages, done, sizeof done);
	rate_text((double)p->messages_total, all, sizeof all);
	rate_text(p->seconds > 0 ? (double)p->messages / p->seconds : 0, rate, sizeof rate);
	left_text(p, left, sizeof left);
	progress_text("round %" PRId64 " of %" PRId64 "  %s of %s messages  %s messages/s  %s",
		p->rounds < p->rounds_total ? p->rounds + 1 : p->rounds_total, p->rounds_total, done, all,
		rate, left);
}

void progress_text(const char *format, ...)
{
	va_list arguments;

	fputs("\r\033[K", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fflush(stderr);
}

void progress_erase(void)
{
	fputs("\r\033[K", stderr);
	fflush(stderr);
}
