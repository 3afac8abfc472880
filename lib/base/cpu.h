/*
 * Instruction sets for which kernels are compiled, from the weakest to the strongest.
 *
 * A processor that has a set also has all sets before it.  So it can execute every set up to
 * lsi_cpu_isa().
 */
#ifndef LSI_BASE_CPU_H
#define LSI_BASE_CPU_H

#if defined(__x86_64__)
#define LSI_FOR_ISAS(X) X(BASELINE, baseline) X(AVX2, avx2) X(AVX512, avx512)
#else
#define LSI_FOR_ISAS(X) X(BASELINE, baseline)
#endif

#define LSI_ENUM_ISA(NAME, name) LSI_ISA_##NAME,
enum lsi_isa { LSI_FOR_ISAS(LSI_ENUM_ISA) LSI_ISAS };
#undef LSI_ENUM_ISA

/* The strongest set that this processor and its operating system support; costs a few loads. */
enum lsi_isa lsi_cpu_isa(void);

#endif
