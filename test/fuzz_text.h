/*
 * The frame of fuzzers whose input is a text behind HEAD bytes that choose what is done with it.
 *
 * Alone, such a program tries the files of its corpus, and random texts with a few changes.  With
 * -DLSI_FUZZ it is the target of libFuzzer, with the same changes: `make fuzz`.  An
 * argument is a file, or the seed of one random text.
 */
#ifndef LOCKSTEP_TEST_FUZZ_TEXT_H
#define LOCKSTEP_TEST_FUZZ_TEXT_H

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "support/changed_text.h"
#include "support/guard.h"
#include "test.h"

enum { HEAD = 3, ROOM = 16384 };

/* What a fuzzer defines: its name, and random texts per run. */
struct fuzzer {
	const char *name;
	uint64_t fast, full, very_long;
	void (*begin)(struct edit *, uint8_t head[HEAD]); /* a text to change */
	void (*change)(struct edit *, const uint8_t head[HEAD]);
	void (*try)(const uint8_t head[HEAD], const char *text, size_t length);
	void (*also)(void); /* what the program tries besides; or NULL */
};
static const struct fuzzer fuzzer;
static char source[600] = "libFuzzer"; /* of the input */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char text[ROOM];
	const size_t length = size - HEAD;

	if (size <= HEAD || size > ROOM)
		return 0;
	memcpy(text, data + HEAD, length);
	text[length] = '\0';
	fuzzer.try(data, text, length);
	if (test_failures) {
		fprintf(stderr, "%s\nhead %d %d %d:\n%s\n", source, data[0], data[1], data[2], text);
		abort();
	}
	return 0;
}

static void begin_input(struct edit *e, uint8_t head[HEAD])
{
	for (int i = 0; i < HEAD; i++)
		head[i] = (uint8_t)(' ' + below(e, 95));
	fuzzer.begin(e, head);
}

#ifdef LSI_FUZZ

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
	static struct edit e;

	e.state = seed;
	if (size > HEAD && size < EDITED && below(&e, 8) == 0)
		return LLVMFuzzerMutate(data, size, room);
	if (room < ROOM)
		return size;
	if (size <= HEAD || size >= EDITED || below(&e, 32) == 0) {
		begin_input(&e, data);
	} else {
		edit_set(&e, (const char *)data + HEAD, size - HEAD);
		if (below(&e, 4) == 0)
			data[below(&e, HEAD)] = (uint8_t)(' ' + below(&e, 95));
		fuzzer.change(&e, data);
	}
	memcpy(data + HEAD, e.text, e.length);
	return HEAD + e.length;
}

#else

/* A text with up to four changes. */
static void try_seed(uint64_t seed)
{
	static struct edit e;
	static uint8_t input[ROOM];

	e.state = seed;
	begin_input(&e, input);
	for (size_t changes = below(&e, 5); changes > 0; changes--)
		fuzzer.change(&e, input);
	memcpy(input + HEAD, e.text, e.length);
	snprintf(source, sizeof source, "%s: seed %llu", fuzzer.name, (unsigned long long)seed);
	guard("%s", source);
	LLVMFuzzerTestOneInput(input, HEAD + e.length);
}

static void try_file(const char *path)
{
	static uint8_t input[ROOM + 1];
	FILE *file = fopen(path, "rb");
	const size_t size = file ? fread(input, 1, sizeof input, file) : 0;

	snprintf(source, sizeof source, "%s", path);
	guard("%s", source);
	CHECK(size > 0, "%s cannot be read", path);
	LLVMFuzzerTestOneInput(input, size);
	if (file)
		fclose(file);
}

/* Inputs that once failed, and examples. */
static void try_corpus(void)
{
	char path[512], *folder = realpath("test/corpus", NULL);
	DIR *files;

	snprintf(path, sizeof path, "%s/%s", folder ? folder : ".", fuzzer.name);
	files = opendir(path);
	for (struct dirent *file; files && (file = readdir(files));) {
		snprintf(path, sizeof path, "%s/%s/%s", folder, fuzzer.name, file->d_name);
		if (file->d_name[0] != '.')
			try_file(path);
	}
	if (files)
		closedir(files);
	free(folder);
}

int main(int argc, char **argv)
{
	const uint64_t inputs = is_long() ? fuzzer.very_long
		: is_fast() || is_thin()      ? fuzzer.fast
									  : fuzzer.full;

	if (argc > 1 && strspn(argv[1], "0123456789") == strlen(argv[1]))
		try_seed(strtoull(argv[1], NULL, 10));
	else if (argc > 1)
		try_file(argv[1]);
	else
		try_corpus();
	for (uint64_t seed = 1; seed <= inputs && argc == 1; seed++)
		try_seed(seed);
	if (argc == 1 && fuzzer.also)
		fuzzer.also();
	return test_result();
}

#endif

#endif
