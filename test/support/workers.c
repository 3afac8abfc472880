#include "support/workers.h"

#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

enum { WORKERS = 2 };

void *memory_of_all(size_t bytes)
{
	void *m = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (m == MAP_FAILED)
		exit(1);
	return m;
}

void share_work(int items, void (*visit)(int, void *), void *context)
{
	atomic_int *next = memory_of_all(sizeof *next);
	pid_t worker[WORKERS];
	int status;

	fflush(NULL);
	for (int i = 0; i < WORKERS; i++) {
		worker[i] = fork();
		if (worker[i])
			continue;
		for (int item; (item = atomic_fetch_add(next, 1)) < items;)
			visit(item, context);
		exit(atomic_load(&test_failures) > 0);
	}
	for (int i = 0; i < WORKERS; i++)
		CHECK(worker[i] > 0 && waitpid(worker[i], &status, 0) == worker[i] && status == 0,
			"worker %d failed", i);
	munmap(next, sizeof *next);
}
