/*
 * Declarations that the claims of the star paper share.
 */
#ifndef LOCKSTEP_REPRODUCE_STAR_PAPER_H
#define LOCKSTEP_REPRODUCE_STAR_PAPER_H

#include "reproduce/reproduce.h"

/* star_paper_figures.c: Figures 1 and 3, and three readings of the procedure of Figure 2. */
void draw_star_3(void);
void draw_star_4(void);
void find_reading_received(const struct claim *, char *found);
void find_reading_own(const struct claim *, char *found);
void find_reading_growing(const struct claim *, char *found);

/* star_theorems.c: the structure of S_n, the proof of Theorem 2, and comparisons. */
void find_substar_links(const struct claim *, char *found);
void find_first_links(const struct claim *, char *found);
void find_neighbors(const struct claim *, char *found);
void find_holders(const struct claim *, char *found);
void find_adjacent_holders(const struct claim *, char *found);
void find_nodup(const struct claim *, char *found);
void find_sheu_crossover(const struct claim *, char *found);
void find_broadcast_crossover(const struct claim *, char *found);
void find_rounded_logarithms(const struct claim *, char *found);
void find_tseng_formula(const struct claim *, char *found);
void find_tseng_diameter(const struct claim *, char *found);
void find_product(const struct claim *, char *found);

/* star_tables.c */
enum { TABLE1 = 40, TABLE2 = 40 }; /* cells */
extern const struct claim star_table1[TABLE1], star_table2[TABLE2];
extern const char *const star_table1_columns[], *const star_table2_columns[];

#endif
