#include "progress.h"

#include <inttypes.h>
#include <unistd.h>

bool progress_wanted(const struct options *options)
{
	return !options->quiet && isatty(STDERR_FILENO);
}

static void left_text(const struct ls_sweep_progress *p, char *text, size_t size)
{
	const double left = p->messages > 0
		? p->seconds * ((double)p->messages_in_all / (double)p->messages - 1)
		: -1;

	if (p->rounds >= p->rounds_in_all)
		snprintf(text, size, "results are verified");
	else if (left < 0)
		snprintf(text, size, "%.0f s", p->seconds);
	else if (left < 100)
		snprintf(text, size, "%.0f s left", left);
	else
		snprintf(text, size, "%.0f:%02d min left", left / 60 - .5, (int)left % 60);
}

void progress_show(const struct ls_sweep_progress *p)
{
	char done[32], all[32], rate[32], left[40];

	rate_text((double)p->messages, done, sizeof done);
	rate_text((double)p->messages_in_all, all, sizeof all);
	rate_text(p->seconds > 0 ? (double)p->messages / p->seconds : 0, rate, sizeof rate);
	left_text(p, left, sizeof left);
	fprintf(stderr,
		"\r\033[Kround %" PRId64 " of %" PRId64 "  %s of %s messages  %s messages/s  %s",
		p->rounds < p->rounds_in_all ? p->rounds + 1 : p->rounds_in_all, p->rounds_in_all, done, all,
		rate, left);
	fflush(stderr);
}

void progress_erase(void)
{
	fputs("\r\033[K", stderr);
	fflush(stderr);
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
