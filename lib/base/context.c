/*
 * Switches of contexts, announced to the sanitizers and to Valgrind.
 */
#include "base/context.h"

#if defined(__has_include)
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif
#endif
#ifndef VALGRIND_STACK_REGISTER
#define VALGRIND_STACK_REGISTER(start, end) ((void)(start), (void)(end))
#endif

#ifdef LSI_ASAN
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>

static _Thread_local const struct lsi_context *entered;

static void announce(struct lsi_context *from, const struct lsi_context *to, int ends)
{
	entered = to;
	__sanitizer_start_switch_fiber(ends ? NULL : &from->fake_stack, to->stack, to->bytes);
}

static void arrive(void)
{
	__sanitizer_finish_switch_fiber(entered->fake_stack, NULL, NULL);
}

static void set_stack(struct lsi_context *context, const void *stack, size_t bytes)
{
	context->stack = stack;
	context->bytes = bytes;
	context->fake_stack = NULL;
}

static void find_stack(struct lsi_context *context)
{
	pthread_attr_t attributes;
	void *stack;
	size_t bytes;

	pthread_getattr_np(pthread_self(), &attributes);
	pthread_attr_getstack(&attributes, &stack, &bytes);
	pthread_attr_destroy(&attributes);
	set_stack(context, stack, bytes);
}

#else
#define announce(from, to, ends)         ((void)(from), (void)(to), (void)(ends))
#define arrive()                         ((void)0)
#define set_stack(context, stack, bytes) ((void)0)
#define find_stack(context)              ((void)0)
#endif

#ifdef LSI_TSAN
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned);
void __tsan_destroy_fiber(void *);
void __tsan_switch_to_fiber(void *, unsigned);
#endif

void lsi_context_of_thread(struct lsi_context *context)
{
	context->saved = NULL;
	find_stack(context);
#ifdef LSI_TSAN
	context->fiber = __tsan_get_current_fiber();
#endif
}

void lsi_context_make(
	struct lsi_context *context, char *stack, size_t bytes, void (*entry)(void *), void *argument)
{
	context->saved = lsi_switch_prepare(stack, bytes, entry, argument);
	set_stack(context, stack, bytes);
	VALGRIND_STACK_REGISTER(stack, stack + bytes);
#ifdef LSI_TSAN
	context->fiber = __tsan_create_fiber(0);
#endif
}

void lsi_context_enter(void)
{
	arrive();
}

/*
 * ThreadSanitizer changes the context before the switch, and follows returns: so the call to it and
 * the switch are in one function, which is inlined.
 */
static inline __attribute__((always_inline)) void leave(
	struct lsi_context *from, const struct lsi_context *to, int ends)
{
	announce(from, to, ends);
#ifdef LSI_TSAN
	__tsan_switch_to_fiber(to->fiber, 0);
#endif
	lsi_switch(&from->saved, to->saved);
}

void lsi_context_switch(struct lsi_context *from, const struct lsi_context *to)
{
	leave(from, to, 0);
	arrive();
}

void lsi_context_exit(struct lsi_context *from, const struct lsi_context *to)
{
	leave(from, to, 1);
	__builtin_unreachable();
}

void lsi_context_destroy(struct lsi_context *context)
{
#ifdef LSI_TSAN
	if (context->fiber)
		__tsan_destroy_fiber(context->fiber);
	context->fiber = NULL;
#else
	(void)context;
#endif
}
