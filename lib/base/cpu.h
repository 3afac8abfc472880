/*
 * Instruction sets for which kernels are compiled, from the weakest to the strongest.
 *
 * A processor that has one has all before it: what can run here is every set up to ls_cpu_isa().
 */
#ifndef LS_BASE_CPU_H
#define LS_BASE_CPU_H

#if defined(__x86_64__)
#define LS_FOR_ISAS(X) X(BASELINE, baseline) X(AVX2, avx2) X(AVX512, avx512)
#else
#define LS_FOR_ISAS(X) X(BASELINE, baseline)
#endif

#define LS_ENUM_ISA(NAME, name) LS_ISA_##NAME,
enum ls_isa { LS_FOR_ISAS(LS_ENUM_ISA) LS_ISAS };
#undef LS_ENUM_ISA

/* The strongest set that this processor and its operating system support; costs a few loads. */
enum ls_isa ls_cpu_isa(void);

#endif
