#include "report/terminal.h"

#include "base/number.h"
#include "base/output.h"

#include <stdlib.h>
#include <sys/ioctl.h>

static int window_columns(FILE *file)
{
	struct winsize size;

	return is_terminal(file) && ioctl(fileno(file), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static int environment_columns(void)
{
	enum { MOST = 10000 };
	const char *text = getenv("COLUMNS");
	int64_t columns;

	return text && read_int(text, &columns) && columns > 0 && columns <= MOST ? (int)columns : 0;
}

int terminal_width(FILE *file)
{
	int columns = window_columns(file);

	if (columns <= 0)
		columns = environment_columns();
	if (columns <= 0)
		columns = TEXT_WIDTH;
	return columns < TEXT_WIDTH_LEAST ? TEXT_WIDTH_LEAST : columns;
}
