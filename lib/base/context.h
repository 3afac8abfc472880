/*
 * Contexts: a stack and the registers that a call preserves.  A switch saves the context of the
 * caller and continues another one.
 *
 * A switch preserves the floating-point control words, but neither errno nor the signal mask.
 *
 * AddressSanitizer and ThreadSanitizer follow contexts only if each switch is announced to them;
 * Valgrind needs to know the stacks.
 */
#ifndef LSI_BASE_CONTEXT_H
#define LSI_BASE_CONTEXT_H

#include <stddef.h>

#if !defined(LSI_SWITCH_UCONTEXT) && !defined(__x86_64__) && !defined(__aarch64__)
#define LSI_SWITCH_UCONTEXT
#endif

#if defined(__SANITIZE_ADDRESS__)
#define LSI_ASAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LSI_ASAN
#endif
#endif

struct lsi_context {
	void *saved; /* where the registers are: the stack pointer, or a ucontext_t */
#ifdef LSI_ASAN
	void *fake_stack;
	const void *stack;
	size_t bytes;
#endif
#ifdef LSI_TSAN
	void *fiber;
#endif
};

/* The context of the calling thread, on its own stack. */
void lsi_context_of_thread(struct lsi_context *);

/*
 * Make a context that will call entry(argument) on a stack of `bytes` bytes.  entry must not
 * return; it ends with lsi_context_exit.
 */
void lsi_context_make(
	struct lsi_context *, char *stack, size_t bytes, void (*entry)(void *), void *argument);

/* The first act of `entry`. */
void lsi_context_enter(void);

/*
 * Save the calling context in *from, and continue *to.  Returns when another switch continues
 * *from.
 */
void lsi_context_switch(struct lsi_context *from, const struct lsi_context *to);

/* Continue *to; the calling context ends. */
_Noreturn void lsi_context_exit(struct lsi_context *from, const struct lsi_context *to);

/* Release what a sanitizer keeps of a context that has ended or was never entered. */
void lsi_context_destroy(struct lsi_context *);

/* ---- One way to switch, for context.c */

/* Prepare a stack; returns the value of `saved`. */
void *lsi_switch_prepare(char *stack, size_t bytes, void (*entry)(void *), void *argument);
/* Save the registers, store where they are in *saved, and continue `to`. */
void lsi_switch(void **saved, void *to);

#endif
