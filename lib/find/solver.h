/*
 * The program that solves formulas: it reads a DIMACS file, prints `s` and `v` lines, and writes a
 * proof in the form DRAT to a second file.  Nothing is linked, and nothing that it says is
 * believed: the caller verifies models and proofs.
 *
 * The budget is CPU time of the program.  A program that waits without using its CPU time is
 * charged a share of the elapsed time, and is ended after a multiple of the budget.
 */
#ifndef LSI_FIND_SOLVER_H
#define LSI_FIND_SOLVER_H

#include "find/formula.h"

/* The program that is looked for in PATH, and the package that has it. */
#define LSI_SOLVER         "cadical"
#define LSI_SOLVER_PACKAGE "cadical"

struct lsi_solver {
	const char *program; /* NULL: LSI_SOLVER */
	uint64_t seed;
	double budget; /* CPU seconds */
	/*
	 * Give the program other numbers for the variables, drawn by the seed, so that it finds another
	 * model.  Seeds of the program often have no effect.  Its refutation is then of no use.
	 */
	bool renumbers;
};

enum lsi_verdict { LSI_SATISFIABLE, LSI_UNSATISFIABLE, LSI_UNDECIDED };

struct lsi_answer {
	enum lsi_verdict verdict;
	bool is_missing; /* the program is not there */
	double seconds;  /* of the budget: CPU time, or a share of the elapsed time */
	bool *value;     /* satisfiable: of each variable, from 1 */
	char *proof;     /* unsatisfiable: the contents of the proof file; NULL: it is too long */
	size_t proof_bytes;
};

/*
 * LS_OK, also if the budget ended first; LS_ERR_UNSUPPORTED: the program is not there, or did not
 * answer as a solver does; LS_ERR_MEMORY.  Release the answer in all cases.
 */
int lsi_solver_run(const struct lsi_solver *, const struct lsi_clauses *, struct lsi_answer *,
	struct ls_error *why_or_null);
void lsi_answer_fini(struct lsi_answer *);

#endif
