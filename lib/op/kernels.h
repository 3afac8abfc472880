/* A table of kernels for each instruction set: [operator][type or pair], NULL where undefined. */
#ifndef LSI_OP_KERNELS_H
#define LSI_OP_KERNELS_H

#include "op/op_internal.h"

#define LSI_DECLARE_KERNELS(NAME, name) \
	extern const lsi_kernel lsi_kernels_##name[LSI_OPS][LSI_TYPES_AND_PAIRS];
LSI_FOR_ISAS(LSI_DECLARE_KERNELS)
#undef LSI_DECLARE_KERNELS

#endif
