#include "cli/option_search.h"

#include "base/number.h"
#include "base/names.h"
#include "cli/options.h"
#include "cli/option_values.h"

#include <string.h>

int set_search_bound(struct options *options, const char *value)
{
	options->search.bound = value;
	return EXIT_SUCCESS;
}

int set_search_solver(struct options *options, const char *value)
{
	options->search.solver = value;
	return EXIT_SUCCESS;
}

int set_search_proof(struct options *options, const char *value)
{
	options->search.proof = value;
	return EXIT_SUCCESS;
}

int set_search_record(struct options *options, const char *value)
{
	options->search.record = value;
	return EXIT_SUCCESS;
}

int set_search_within(struct options *options, const char *value)
{
	if (!read_int(value, &options->search.within) || options->search.within < 1)
		return print_unexpected(value, "a number of rounds", "an integer >= 1");
	return EXIT_SUCCESS;
}

int set_search_budget(struct options *options, const char *value)
{
	if (!read_real(value, &options->search.budget) || !(options->search.budget > 0)
		|| options->search.budget > 1e9)
		return print_unexpected(value, "a budget", "CPU seconds > 0, for example 60");
	return EXIT_SUCCESS;
}

int set_search_symmetry(struct options *options, const char *value)
{
	static const char *const words[] = { "auto", "none", NULL };
	int found = 0;
	const int failed = set_word(value, words, "symmetry", &found);

	options->search.no_symmetry = found == 1;
	return failed;
}

int set_search_prefix(struct options *options, const char *value)
{
	struct search_choice *choice = &options->search;
	char word[24];

	choice->prefix_rounds = 0;
	for (const char *at = value; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		snprintf(word, sizeof word, "%.*s", (int)strcspn(at, ","), at);
		if (choice->prefix_rounds == PREFIX_ROUNDS
			|| !read_int(word, &choice->prefix[choice->prefix_rounds++]))
			return print_unexpected(
				value, "a list of links", "at most 64 numbers of links, for example 2,3,4");
	}
	return EXIT_SUCCESS;
}
