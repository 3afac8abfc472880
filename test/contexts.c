/*
 * Contexts: a switch preserves the registers that a call preserves and the floating-point control
 * words, a new context inherits those of its maker, its stack is aligned, and a backtrace ends at
 * its first frame.
 */
/* variants: release checked chaos */
#include "base/context.h"

#include <fenv.h>
#include <stdint.h>
#include <unwind.h>

#include "test.h"

enum { CONTEXTS = 3, ROUNDS = 1000, STACK = 64 << 10, FRAMES = 64 };

/* ---- A call between a load and a store of all preserved registers */

/* In assembler: call function(argument) with the registers *in; store them in *out afterwards. */
void call_with(const uint64_t *in, uint64_t *out, void (*function)(void *), void *argument);

#if defined(__x86_64__)

enum { REGISTERS = 6 };

__asm__(".text\n"
		".globl call_with\n"
		".type call_with, @function\n"
		"call_with:\n"
		"	.cfi_startproc\n"
		"	pushq %rbp\n"
		"	pushq %rbx\n"
		"	pushq %r12\n"
		"	pushq %r13\n"
		"	pushq %r14\n"
		"	pushq %r15\n"
		"	pushq %rsi\n"
		"	.cfi_adjust_cfa_offset 56\n"
		"	movq (%rdi), %rbp\n"
		"	movq 8(%rdi), %rbx\n"
		"	movq 16(%rdi), %r12\n"
		"	movq 24(%rdi), %r13\n"
		"	movq 32(%rdi), %r14\n"
		"	movq 40(%rdi), %r15\n"
		"	movq %rcx, %rdi\n"
		"	call *%rdx\n"
		"	popq %rsi\n"
		"	.cfi_adjust_cfa_offset -8\n"
		"	movq %rbp, (%rsi)\n"
		"	movq %rbx, 8(%rsi)\n"
		"	movq %r12, 16(%rsi)\n"
		"	movq %r13, 24(%rsi)\n"
		"	movq %r14, 32(%rsi)\n"
		"	movq %r15, 40(%rsi)\n"
		"	popq %r15\n"
		"	popq %r14\n"
		"	popq %r13\n"
		"	popq %r12\n"
		"	popq %rbx\n"
		"	popq %rbp\n"
		"	.cfi_adjust_cfa_offset -48\n"
		"	ret\n"
		"	.cfi_endproc\n"
		".size call_with, . - call_with\n");

#elif defined(__aarch64__)

enum { REGISTERS = 19 };

/* Moves d8 .. d15 and x19 .. x29 from or to the memory at `base`. */
#define MOVE(how, base) \
	"	" how "p d8, d9, [" base "]\n" \
	"	" how "p d10, d11, [" base ", #16]\n" \
	"	" how "p d12, d13, [" base ", #32]\n" \
	"	" how "p d14, d15, [" base ", #48]\n" \
	"	" how "p x19, x20, [" base ", #64]\n" \
	"	" how "p x21, x22, [" base ", #80]\n" \
	"	" how "p x23, x24, [" base ", #96]\n" \
	"	" how "p x25, x26, [" base ", #112]\n" \
	"	" how "p x27, x28, [" base ", #128]\n" \
	"	" how "r x29, [" base ", #144]\n"

__asm__(".text\n"
		".globl call_with\n"
		".type call_with, %function\n"
		"call_with:\n"
		"	.cfi_startproc\n"
		"	sub sp, sp, #176\n"
		"	.cfi_adjust_cfa_offset 176\n"
		"	stp x30, x1, [sp, #160]\n"
		"	.cfi_rel_offset x30, 160\n" MOVE("st", "sp")
			MOVE("ld", "x0") "	mov x0, x3\n"
							 "	blr x2\n"
							 "	ldp x30, x1, [sp, #160]\n" MOVE("st", "x1")
								 MOVE("ld", "sp") "	add sp, sp, #176\n"
												  "	.cfi_adjust_cfa_offset -176\n"
												  "	ret\n"
												  "	.cfi_endproc\n"
												  ".size call_with, . - call_with\n");

#else

enum { REGISTERS = 1 };

void call_with(const uint64_t *in, uint64_t *out, void (*function)(void *), void *argument)
{
	*out = *in;
	function(argument);
}

#endif

/* ---- Contexts, resumed in turn */

static struct job {
	struct lsi_context context;
	_Alignas(64) char stack[STACK];
	int rounds, frames, rounding;
} jobs[CONTEXTS];

static struct lsi_context home;

/* Not backtrace(): that one also ends where two frames are equal. */
static _Unwind_Reason_Code count_frame(struct _Unwind_Context *frame, void *frames)
{
	(void)frame;
	return ++*(int *)frames < FRAMES ? _URC_NO_REASON : _URC_NORMAL_STOP;
}

static void leave(void *job)
{
	lsi_context_switch(&((struct job *)job)->context, &home);
}

static void keep_registers(struct job *job)
{
	uint64_t in[REGISTERS] = { 0 }, out[REGISTERS] = { 0 };

	for (int i = 0; i < REGISTERS; i++)
		in[i] = (uint64_t)(job - jobs + 1) << 40 | (uint64_t)job->rounds << 8 | (uint64_t)i;
	call_with(in, out, leave, job);
	for (int i = 0; i < REGISTERS; i++)
		CHECK(out[i] == in[i], "register %d: %llx became %llx", i, (unsigned long long)in[i],
			(unsigned long long)out[i]);
}

static void body(void *argument)
{
	struct job *job = argument;
	_Alignas(16) volatile char aligned;

	lsi_context_enter();
	CHECK(((uintptr_t)&aligned & 15) == 0, "stack of %p", argument);
	CHECK(fegetround() == FE_UPWARD, "a new context rounds as its maker, not %d", fegetround());
	fesetround(job->rounding);
	_Unwind_Backtrace(count_frame, &job->frames);
	for (job->rounds = 0; job->rounds < ROUNDS; job->rounds++) {
		keep_registers(job);
		CHECK(fegetround() == job->rounding, "rounding %d became %d", job->rounding, fegetround());
	}
	lsi_context_exit(&job->context, &home);
}

int main(void)
{
	static const int rounding[] = { FE_TONEAREST, FE_DOWNWARD, FE_TOWARDZERO };

	lsi_context_of_thread(&home);
	fesetround(FE_UPWARD);
	for (int i = 0; i < CONTEXTS; i++) {
		jobs[i].rounding = rounding[i];
		lsi_context_make(&jobs[i].context, jobs[i].stack, STACK, body, &jobs[i]);
	}
	for (int round = 0; round <= ROUNDS; round++)
		for (int i = 0; i < CONTEXTS; i++) {
			lsi_context_switch(&home, &jobs[i].context);
			CHECK(fegetround() == FE_UPWARD, "round %d: the thread rounds to %d", round,
				fegetround());
		}
	fesetround(FE_TONEAREST);
	for (int i = 0; i < CONTEXTS; i++) {
		CHECK(jobs[i].rounds == ROUNDS, "context %d: %d rounds", i, jobs[i].rounds);
		CHECK(jobs[i].frames >= 1 && jobs[i].frames <= 3, "a backtrace has %d frames",
			jobs[i].frames);
		lsi_context_destroy(&jobs[i].context);
	}
	return test_result();
}
