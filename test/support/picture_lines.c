#include "support/picture_lines.h"

#include <stdio.h>
#include <string.h>

/* "% round 1: 0 -> 4, words 1" or "% round 1: 0 <-> 4, words 1 and 1" */
size_t read_tikz_message(const char *line, struct ls_record out[2])
{
	long long round, src, dst, words, back;
	const char *comment = strstr(line, "% round ");

	if (!comment)
		return 0;
	if (sscanf(comment, "%% round %lld: %lld -> %lld, words %lld", &round, &src, &dst, &words)
		== 4) {
		out[0] = (struct ls_record){ round, src, dst, (size_t)words, 0, -1, -1, -1 };
		return 1;
	}
	if (sscanf(comment, "%% round %lld: %lld <-> %lld, words %lld and %lld", &round, &src, &dst,
			&words, &back)
		!= 5)
		return 0;
	out[0] = (struct ls_record){ round, src, dst, (size_t)words, 0, -1, -1, -1 };
	out[1] = (struct ls_record){ round, dst, src, (size_t)back, 0, -1, -1, -1 };
	return 2;
}

/* "0 -> 4 [label=\"1\", .." */
size_t read_dot_message(const char *line, struct ls_record out[2])
{
	long long round, src, dst;

	if (sscanf(line, " %lld -> %lld [label=\"%lld\"", &src, &dst, &round) != 3)
		return 0;
	out[0] = (struct ls_record){ .round = round, .src = src, .dst = dst };
	return 1;
}

size_t read_messages(char *text, message_reader *read_message, struct ls_record *out, size_t room)
{
	size_t n = 0;

	for (char *rest = text, *line; (line = strsep(&rest, "\n")) && n < room;)
		n += read_message(line, out + n);
	sort_messages(out, n);
	return n;
}
