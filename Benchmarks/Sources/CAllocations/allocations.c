// Counts allocations by standing in for the C library's functions, which glibc also offers under names of its own:
// https://sourceware.org/glibc/manual/latest/html_node/Replacing-malloc.html
#include "CAllocations.h"

#include <stddef.h>
#include <stdlib.h>

static uint64_t count;

uint64_t allocations_so_far(void) { return __atomic_load_n(&count, __ATOMIC_RELAXED); }

#ifdef __GLIBC__
#include <errno.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t number, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static inline void note(void) { __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED); }

void *malloc(size_t size) {
  note();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  note();
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  note();
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  note();
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}
#endif
