/*
 * The bytes show the form: a text has only digits, signs, blanks, line ends and the letter d,
 * while the first byte of a binary proof that adds a clause is 'a'.
 */
#include "find/proof_reader.h"

#include <limits.h>
#include <string.h>

#include "base/alloc.h"
#include "plan/plan_table.h"

/* Whether a byte occurs in a binary proof only; bytes of text are digits, signs, spaces, d. */
static bool is_binary(const char *proof, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if (proof[i] == '\0' || !strchr("0123456789- d\r\n\t", proof[i]))
			return true;
	return false;
}

/* Comments stand at the beginning of a text. */
static void skip_comments(struct lsi_proof_reader *r)
{
	while (r->at + 1 < r->end && r->at[0] == 'c' && r->at[1] == ' ') {
		const char *line = memchr(r->at, '\n', (size_t)(r->end - r->at));

		r->at = line ? line + 1 : r->end;
	}
}

void lsi_proof_open(struct lsi_proof_reader *r, const char *proof, size_t bytes)
{
	*r = (struct lsi_proof_reader){ .at = proof, .end = proof + bytes };
	skip_comments(r);
	r->binary = is_binary(r->at, (size_t)(r->end - r->at));
}

void lsi_proof_close(struct lsi_proof_reader *r)
{
	lsi_free(r->literal);
}

static bool keep_literal(struct lsi_proof_reader *r, int literal)
{
	r->no_memory = !lsi_table_grow(&r->literal, r->count, &r->room, sizeof *r->literal);
	r->is_broken = r->no_memory;
	if (!r->no_memory)
		r->literal[r->count++] = literal;
	return !r->no_memory;
}

/* ---- Binary */

static bool read_number(struct lsi_proof_reader *r, unsigned *out)
{
	unsigned number = 0;

	for (int shift = 0; r->at < r->end && shift < 28; shift += 7) {
		const unsigned char byte = (unsigned char)*r->at++;

		number |= (unsigned)(byte & 127) << shift;
		if (byte < 128) {
			*out = number;
			return true;
		}
	}
	return false;
}

static bool read_binary(struct lsi_proof_reader *r)
{
	unsigned number;

	r->deletes = *r->at == 'd';
	r->is_broken = *r->at != 'a' && *r->at != 'd';
	r->at++;
	while (!r->is_broken && read_number(r, &number)) {
		if (number == 0)
			return true;
		keep_literal(r, number & 1 ? -(int)(number >> 1) : (int)(number >> 1));
	}
	r->is_broken = true;
	return false;
}

/* ---- Text */

static void skip_space(struct lsi_proof_reader *r)
{
	while (r->at < r->end && strchr(" \t\r\n", *r->at))
		r->at++;
}

static bool read_literal(struct lsi_proof_reader *r, int *out)
{
	const bool negative = r->at < r->end && *r->at == '-';
	const char *digits = r->at += negative;
	int number = 0;

	for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) {
		if (number > (INT_MAX - 9) / 10)
			return false;
		number = 10 * number + (*r->at - '0');
	}
	*out = negative ? -number : number;
	return r->at > digits;
}

static bool read_text(struct lsi_proof_reader *r)
{
	int literal;

	r->deletes = *r->at == 'd';
	r->at += r->deletes;
	for (;;) {
		skip_space(r);
		if (!read_literal(r, &literal))
			break;
		if (literal == 0)
			return true;
		if (!keep_literal(r, literal))
			return false;
	}
	r->is_broken = true;
	return false;
}

bool lsi_proof_next(struct lsi_proof_reader *r)
{
	r->count = 0;
	if (!r->binary)
		skip_space(r);
	if (r->is_broken || r->at >= r->end)
		return false;
	return r->binary ? read_binary(r) : read_text(r);
}
