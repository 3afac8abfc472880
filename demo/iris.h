/*
 * Fisher's Iris data: demo/data/README.md.
 */
#ifndef IRIS_H
#define IRIS_H

#include "demo.h"

enum { FLOWERS = 150, MEASURES = 4, SPECIES = 3 };

struct iris {
	double flower[FLOWERS][MEASURES];
	int species[FLOWERS];
	char name[SPECIES][16];
};

/* Reads the file and closes it. */
static inline void iris_read(struct iris *iris, FILE *file)
{
	require(fscanf(file, "150,4,%15[^,],%15[^,],%15s", iris->name[0], iris->name[1], iris->name[2])
			== SPECIES,
		"line 1");
	for (int i = 0; i < FLOWERS; i++) {
		double *x = iris->flower[i];

		require(fscanf(file, "%lf,%lf,%lf,%lf,%d", &x[0], &x[1], &x[2], &x[3], &iris->species[i])
					== MEASURES + 1
				&& (unsigned)iris->species[i] < SPECIES,
			"line %d", i + 2);
	}
	fclose(file);
}

/* The square of the Euclidean distance. */
static inline double iris_distance(const double *x, const double *y)
{
	double sum = 0;

	for (int d = 0; d < MEASURES; d++)
		sum += (x[d] - y[d]) * (x[d] - y[d]);
	return sum;
}

#endif
