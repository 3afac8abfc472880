/*
 * Search for plans of the fewest rounds, and proofs that fewer rounds are impossible.
 *
 * A program that solves formulas, such as cadical, searches for the directed links that carry a
 * message in each round.  The contents of the messages follow.  Nothing that the program says is
 * believed: a plan is checked by ls_check, and a refutation by a checker of this library.
 *
 *   5 rounds   refuted: no plan has 5 rounds        the bound is 6
 *   6 rounds   found: a plan                        it has the fewest rounds
 *
 * The search is in hop mode, and counts rounds only: messages may have any length.
 */
#ifndef LOCKSTEP_FIND_H
#define LOCKSTEP_FIND_H

#include <lockstep/plan.h>

LS_BEGIN_DECLS

/* The most nodes of a network that is searched. */
enum { LS_FIND_NODES = 128 };

enum ls_find_outcome {
	LS_FIND_FOUND,     /* a plan */
	LS_FIND_REFUTED,   /* no plan has so few rounds; the refutation was checked */
	LS_FIND_UNCHECKED, /* the solver refutes it, but the refutation is too long to check */
	LS_FIND_UNDECIDED  /* the budget of the step was spent */
};

/* One number of rounds that was tried. */
struct ls_find_step {
	size_t size;
	enum ls_find_outcome outcome;
	int64_t rounds, variables, clauses;
	double seconds;      /* of the budget */
	int64_t proof_bytes; /* of a refutation */
	int64_t symmetry;    /* of a plan: it stays as it is under this many renamings of the nodes */
};

/*
 * What is searched.  Set size to the size of the struct, and request.  Zero in any other field
 * selects its default.
 */
struct ls_find_options {
	size_t size;
	const struct ls_request *request; /* algorithm, count, type and op are ignored */
	int64_t within;                   /* > 0: decide only whether this number of rounds is enough */
	/* CPU seconds of the solver, or a twentieth of the time that it takes; in all; default 60. */
	double budget;
	uint64_t seed;      /* of the solver: same seed, same plan */
	const char *solver; /* program; default: cadical, found in PATH */
	bool no_symmetry;   /* do not try symmetric schedules first */
	void *context;      /* of the functions below; each may be NULL */
	void (*step)(void *context, const struct ls_find_step *);
	/* Receives the text of the last refutation, for ls_bound_check; not 0: the call fails. */
	int (*refutation)(void *context, const char *text, size_t length);
	/*
	 * Receives a row of the table of records: the plan that the search found, or the bound if it
	 * proves that the default plan has the fewest rounds.  Not 0: the call fails.
	 */
	int (*record)(void *context, const char *text);
	/*
	 * On a Cayley graph: search only plans in whose first rounds all nodes use these links, one for
	 * each round, by the numbers of ls_link_label.  Without `refutation`: fewer rounds may be
	 * impossible for these plans only.
	 */
	const int64_t *prefix;
	int64_t prefix_rounds; /* 0: any plan */
	/*
	 * Search also for plans of up to this many rounds more than the result has, which cost less for
	 * long messages: of each number of rounds the plan of least volume.  A solver is not required.
	 */
	int64_t more_rounds;
	/* Receives each such plan that has less volume than those of fewer rounds; owns it. */
	void (*longer)(void *context, ls_plan *);
};

struct ls_found {
	size_t size;
	int64_t rounds;      /* of the plan */
	int64_t bound;       /* every plan needs at least this many rounds */
	int64_t known_bound; /* the bound before the search */
	bool searched;       /* the search found the plan; else it is the default plan, or a record */
	bool recorded;       /* the plan is a record: an earlier search found it */
	bool undecided;      /* it is not known whether fewer rounds are enough */
	bool no_solver;      /* the search had no solver */
	bool bound_recorded; /* the bound is that of a record: an earlier search refuted fewer rounds */
	int64_t
		prefix_bound; /* with a prefix: every plan that has it needs at least this many rounds */
};

/*
 * Find a plan of the fewest rounds.
 *
 * The search begins with the plan of ls_plan_make, which may be that of a record
 * (ls_find_record_list), and tries fewer rounds, upwards from the known lower bound.  If no solver
 * is there, or the budget is spent, the best plan so far is the result, and a record may state a
 * higher bound.  An all-reduce may get another plan of the fewest rounds, one that merges sums.
 *
 * With a prefix, the plan is one that has it, and has the fewest rounds of these: neither a record
 * nor that of ls_plan_make.
 *
 * With `within`, *out is NULL if no plan was found.  Then found->undecided tells whether one may
 * exist.
 *
 * Owns       The caller owns *out and releases it by ls_plan_destroy.
 * Returns    LS_OK: the plan obeys every law that it claims
 *            LS_ERR_ARGUMENT     a field is out of range
 *            LS_ERR_UNSUPPORTED  the network has switches or more than LS_FIND_NODES nodes, the
 *                                mode is not hop, `solver` is not a solver; with `within` or
 *                                `refutation` also: no solver is there
 *            LS_ERR_LAW          the solver gave a wrong model, or a wrong refutation; or a known
 *                                bound exceeds the rounds of a plan: an internal error
 *            LS_ERR_MEMORY
 *            the value of `refutation` or `record`, if it is not 0
 */
LS_API LS_MUST_CHECK int ls_find(const struct ls_find_options *, ls_plan **out,
	struct ls_found *found, struct ls_error *why_or_null);

/*
 * Check a refutation, as ls_find gives it: a text in the form DRAT that begins with comments.  The
 * comment `c rounds T` states what is refuted, and `c sum H` is a checksum of formula and text.
 * The formula is written again from the network.  No program is run.
 *
 * Shape      *bound becomes T + 1: every plan for the request needs at least this many rounds.
 * Returns    LS_OK               the refutation is right
 *            LS_ERR_SPEC         a comment is missing, or a line cannot be read
 *            LS_ERR_LAW          the refutation is wrong, or is not the one that was written for
 *                                this network, operation, root, shift and ports
 *            LS_ERR_UNSUPPORTED  as ls_find, or the formula is too long
 *            LS_ERR_MEMORY
 */
LS_API LS_MUST_CHECK int ls_bound_check(const struct ls_request *, const char *text, size_t length,
	int64_t *bound, struct ls_error *why_or_null);

/*
 * A schedule that an earlier search found.  It serves all operations for which the same nodes must
 * hear of the same others, with one port in hop mode.
 */
struct ls_find_record {
	size_t size;
	const char *network; /* spec */
	enum ls_operation operation;
	int64_t root, shift, rounds;
	int64_t bound; /* every plan needs at least this many rounds */
	uint64_t seed; /* of the search */
	/* The algorithm `found` makes its plan.  False: a default plan has as many rounds. */
	bool has_schedule;
};
/* List the records.  Returns false if index is past the last.  The caller sets out->size. */
LS_API bool ls_find_record_list(size_t index, struct ls_find_record *out);

/* Whether a record is one of this network; a graph is known by its edges.  False: no such index. */
LS_API bool ls_find_record_serves(size_t index, const ls_topology *);

/*
 * Use records of the caller for a network: the rows that `record` of ls_find_options received, one
 * after the other.  If the links of one do not complete its operation, none is used.  Bounds in the
 * rows do not count.  A plan of a row is checked before it can be chosen: it obeys every law.
 *
 * The caller adds them before it makes a plan for the network.
 *
 * Returns    LS_OK               the algorithm `found` uses them
 *            LS_ERR_SPEC         a row cannot be read, or has a wrong checksum
 *            LS_ERR_LAW          a row is of another network, or does not complete its operation
 *            LS_ERR_UNSUPPORTED  the network has switches or more than LS_FIND_NODES nodes
 *            LS_ERR_ARGUMENT, LS_ERR_MEMORY
 */
LS_API LS_MUST_CHECK int ls_find_records_add(
	const ls_topology *, const char *text, struct ls_error *why_or_null);

/* The program that ls_find looks for in PATH; it is in the Debian package of the same name. */
LS_API const char *ls_find_solver(void);

LS_END_DECLS
#endif
