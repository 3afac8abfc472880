/*
 * What a process holds: memory, threads, files, mappings.  Samples of a long run show whether one
 * of these grows.  A program that uses it states the flags of support/inject.h.
 */
#ifndef LOCKSTEP_TEST_RESOURCES_H
#define LOCKSTEP_TEST_RESOURCES_H

/* held: pieces of memory of the program and the library; resident, heap: KiB of the process. */
enum resource { HELD, THREADS, DESCRIPTORS, MAPPINGS, HEAP, RESIDENT, RESOURCES };
extern const char *const resource_name[RESOURCES];

/* The allocator takes memory from one heap, so that samples are comparable. */
void resources_begin(void);

enum { SAMPLES_MOST = 1000 };
struct samples {
	int count;
	long value[SAMPLES_MOST][RESOURCES];
};
/* Nothing may be in use but what the program keeps.  Samples beyond the most are left out. */
void samples_add(struct samples *);
/*
 * Checks that no resource has grown: pieces of memory, threads and descriptors at no sample, the
 * others, which the system rounds and keeps for reuse, from the first third of the samples to the
 * last one by their medians.
 */
void samples_check(const struct samples *);
void samples_print(const struct samples *);

#endif
