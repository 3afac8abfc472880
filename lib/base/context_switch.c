/*
 * The switch in assembler, for x86-64 and arm64; elsewhere, and with SWITCH=ucontext, by
 * swapcontext, which is about 25 times as slow: it also saves the signal mask by a system call.
 *
 * In assembler, the registers that a call preserves are pushed on the stack of the old context, and
 * popped from that of the new one:
 *
 *   x86-64   | mxcsr, x87 control | r15 r14 r13 r12 rbx rbp | return address |
 *   arm64    | d8 .. d15 | x19 .. x28 | x29, return address | fpcr |
 *            ^ saved                                          higher addresses -->
 *
 * A new context begins in lsi_switch_start, which finds entry and argument in two of these
 * registers.  It is the end of every backtrace: its caller is undefined.
 */
#include "base/context.h"

#include <stdint.h>
#include <string.h>

#if defined(LSI_SWITCH_UCONTEXT)

#include <ucontext.h>

/* makecontext passes int arguments only. */
static void start(unsigned entry_high, unsigned entry_low, unsigned high, unsigned low)
{
	void (*entry)(void *) =
		(void (*)(void *))((uintptr_t)((uint64_t)entry_high << 32 | (uint64_t)entry_low));

	entry((void *)(uintptr_t)((uint64_t)high << 32 | (uint64_t)low));
}

/* The ucontext_t of a new context is at the top of its stack. */
void *lsi_switch_prepare(char *stack, size_t bytes, void (*entry)(void *), void *argument)
{
	const uint64_t function = (uint64_t)(uintptr_t)entry, value = (uint64_t)(uintptr_t)argument;
	const uintptr_t top = ((uintptr_t)stack + bytes - sizeof(ucontext_t)) & ~(uintptr_t)63;
	ucontext_t *context = (ucontext_t *)top;

	getcontext(context);
	context->uc_link = NULL;
	context->uc_stack.ss_sp = stack;
	context->uc_stack.ss_size = (size_t)(top - (uintptr_t)stack);
	makecontext(context, (void (*)(void))start, 4, (unsigned)(function >> 32), (unsigned)function,
		(unsigned)(value >> 32), (unsigned)value);
	return context;
}

/* While a context does not run, its ucontext_t is on its stack, in the frame of this function. */
void lsi_switch(void **saved, void *to)
{
	ucontext_t here;

	*saved = &here;
	swapcontext(&here, to);
}

#else

void lsi_switch_start(void);

#if defined(__x86_64__)

/*
 * The jump at the end is predicted from its own history.  A return would be predicted from the
 * calls of this thread, and so to the wrong context.  The control words are loaded only if they
 * differ: a load is slower than the whole rest.
 */
__asm__(".text\n"
		".p2align 4\n"
		".globl lsi_switch\n"
		".hidden lsi_switch\n"
		".type lsi_switch, @function\n"
		"lsi_switch:\n"
		"	.cfi_startproc\n"
		"	pushq %rbp\n"
		"	.cfi_adjust_cfa_offset 8\n"
		"	.cfi_rel_offset %rbp, 0\n"
		"	pushq %rbx\n"
		"	.cfi_adjust_cfa_offset 8\n"
		"	.cfi_rel_offset %rbx, 0\n"
		"	pushq %r12\n"
		"	.cfi_adjust_cfa_offset 8\n"
		"	.cfi_rel_offset %r12, 0\n"
		"	pushq %r13\n"
		"	.cfi_adjust_cfa_offset 8\n"
		"	.cfi_rel_offset %r13, 0\n"
		"	pushq %r14\n"
		"	.cfi_adjust_cfa_offset 8\n"
		"	.cfi_rel_offset %r14, 0\n"
		"	pushq %r15\n"
		"	.cfi_adjust_cfa_offset 8\n"
		"	.cfi_rel_offset %r15, 0\n"
		"	subq $8, %rsp\n"
		"	.cfi_adjust_cfa_offset 8\n"
		"	stmxcsr (%rsp)\n"
		"	fnstcw 4(%rsp)\n"
		"	movl (%rsp), %eax\n"
		"	movzwl 4(%rsp), %ecx\n"
		"	movq %rsp, (%rdi)\n"
		"	movq %rsi, %rsp\n"
		"	cmpl %eax, (%rsp)\n"
		"	je 1f\n"
		"	ldmxcsr (%rsp)\n"
		"1:	cmpw %cx, 4(%rsp)\n"
		"	je 2f\n"
		"	fldcw 4(%rsp)\n"
		"2:	addq $8, %rsp\n"
		"	.cfi_adjust_cfa_offset -8\n"
		"	popq %r15\n"
		"	.cfi_adjust_cfa_offset -8\n"
		"	popq %r14\n"
		"	.cfi_adjust_cfa_offset -8\n"
		"	popq %r13\n"
		"	.cfi_adjust_cfa_offset -8\n"
		"	popq %r12\n"
		"	.cfi_adjust_cfa_offset -8\n"
		"	popq %rbx\n"
		"	.cfi_adjust_cfa_offset -8\n"
		"	popq %rbp\n"
		"	.cfi_adjust_cfa_offset -8\n"
		"	popq %rdx\n"
		"	.cfi_adjust_cfa_offset -8\n"
		"	.cfi_register %rip, %rdx\n"
		"	jmp *%rdx\n"
		"	.cfi_endproc\n"
		".size lsi_switch, . - lsi_switch\n"
		"\n"
		".p2align 4\n"
		".globl lsi_switch_start\n"
		".hidden lsi_switch_start\n"
		".type lsi_switch_start, @function\n"
		"lsi_switch_start:\n"
		"	.cfi_startproc\n"
		"	.cfi_undefined %rip\n"
		"	movq %r12, %rdi\n"
		"	call *%r13\n"
		"	ud2\n"
		"	.cfi_endproc\n"
		".size lsi_switch_start, . - lsi_switch_start\n");

/* The calling convention wants the stack at a multiple of 16 before a call. */
void *lsi_switch_prepare(char *stack, size_t bytes, void (*entry)(void *), void *argument)
{
	struct frame {
		uint32_t mxcsr;
		uint16_t x87, unused;
		void *r15, *r14;
		void (*r13)(void *);
		void *r12, *rbx, *rbp;
		void (*start)(void);
	};
	const uintptr_t top = ((uintptr_t)stack + bytes) & ~(uintptr_t)15;
	struct frame *frame = (struct frame *)(top - sizeof *frame);

	*frame = (struct frame){ .r13 = entry, .r12 = argument, .start = lsi_switch_start };
	__asm__("stmxcsr %0" : "=m"(frame->mxcsr));
	__asm__("fnstcw %0" : "=m"(frame->x87));
	return frame;
}

#elif defined(__aarch64__)

/*
 * The jump is predicted as above.  Code for branch target identification (-mbranch-protection)
 * allows a jump only to landing pads, which the place after a call is not: there it is a return.
 */
#if defined(__ARM_FEATURE_BTI_DEFAULT)
#define JUMP "ret"
#else
#define JUMP "br x30"
#endif

__asm__(".text\n"
		".p2align 4\n"
		".globl lsi_switch\n"
		".hidden lsi_switch\n"
		".type lsi_switch, %function\n"
		"lsi_switch:\n"
		"	.cfi_startproc\n"
		"	hint #34\n" /* a landing pad; else no operation */
		"	sub sp, sp, #176\n"
		"	.cfi_adjust_cfa_offset 176\n"
		"	stp d8, d9, [sp]\n"
		"	stp d10, d11, [sp, #16]\n"
		"	stp d12, d13, [sp, #32]\n"
		"	stp d14, d15, [sp, #48]\n"
		"	stp x19, x20, [sp, #64]\n"
		"	stp x21, x22, [sp, #80]\n"
		"	stp x23, x24, [sp, #96]\n"
		"	stp x25, x26, [sp, #112]\n"
		"	stp x27, x28, [sp, #128]\n"
		"	stp x29, x30, [sp, #144]\n"
		"	.cfi_rel_offset x29, 144\n"
		"	.cfi_rel_offset x30, 152\n"
		"	mrs x9, fpcr\n"
		"	str x9, [sp, #160]\n"
		"	mov x10, sp\n"
		"	str x10, [x0]\n"
		"	mov sp, x1\n"
		"	ldr x10, [sp, #160]\n"
		"	cmp x9, x10\n"
		"	b.eq 1f\n"
		"	msr fpcr, x10\n"
		"1:	ldp d8, d9, [sp]\n"
		"	ldp d10, d11, [sp, #16]\n"
		"	ldp d12, d13, [sp, #32]\n"
		"	ldp d14, d15, [sp, #48]\n"
		"	ldp x19, x20, [sp, #64]\n"
		"	ldp x21, x22, [sp, #80]\n"
		"	ldp x23, x24, [sp, #96]\n"
		"	ldp x25, x26, [sp, #112]\n"
		"	ldp x27, x28, [sp, #128]\n"
		"	ldp x29, x30, [sp, #144]\n"
		"	.cfi_restore x29\n"
		"	.cfi_restore x30\n"
		"	add sp, sp, #176\n"
		"	.cfi_adjust_cfa_offset -176\n"
		"	" JUMP "\n"
		"	.cfi_endproc\n"
		".size lsi_switch, . - lsi_switch\n"
		"\n"
		".p2align 4\n"
		".globl lsi_switch_start\n"
		".hidden lsi_switch_start\n"
		".type lsi_switch_start, %function\n"
		"lsi_switch_start:\n"
		"	.cfi_startproc\n"
		"	.cfi_undefined x30\n"
		"	mov x0, x19\n"
		"	blr x20\n"
		"	brk #0\n"
		"	.cfi_endproc\n"
		".size lsi_switch_start, . - lsi_switch_start\n");

void *lsi_switch_prepare(char *stack, size_t bytes, void (*entry)(void *), void *argument)
{
	struct frame {
		double d[8];
		void *x19;
		void (*x20)(void *);
		void *x21_to_29[9];
		void (*x30)(void);
		uint64_t fpcr, unused;
	};
	const uintptr_t top = ((uintptr_t)stack + bytes) & ~(uintptr_t)15;
	struct frame *frame = (struct frame *)(top - sizeof *frame);

	memset(frame, 0, sizeof *frame);
	frame->x19 = argument;
	frame->x20 = entry;
	frame->x30 = lsi_switch_start;
	__asm__("mrs %0, fpcr" : "=r"(frame->fpcr));
	return frame;
}

#endif
#endif
