#include "base/cpu.h"

#if defined(__x86_64__)

enum lsi_isa lsi_cpu_isa(void)
{
	if (!__builtin_cpu_supports("avx2"))
		return LSI_ISA_BASELINE;
	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
		&& __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
		return LSI_ISA_AVX512;
	return LSI_ISA_AVX2;
}

#else

enum lsi_isa lsi_cpu_isa(void)
{
	return LSI_ISA_BASELINE;
}

#endif
