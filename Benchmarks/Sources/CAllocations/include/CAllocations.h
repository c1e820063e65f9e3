#ifndef BENCHMARKS_ALLOCATIONS_H
#define BENCHMARKS_ALLOCATIONS_H

#include <stdint.h>

/// How often the process has asked for memory so far; 0 where that can't be counted.
uint64_t allocations_so_far(void);

#endif
