// SQLite's own memory, of which some is refused: the n-th allocation, or all from it on.
// https://www.sqlite.org/c3ref/c_config_covering_index_scan.html#sqliteconfigmalloc
#include "CFaultVFS.h"

#include <sqlite3.h>
#include <stdatomic.h>

static atomic_long allocations, refused, first, count;
static sqlite3_mem_methods original;

void fault_memory_fail(long number, long how_many) {
  atomic_store(&first, 0);
  atomic_store(&allocations, 0);
  atomic_store(&refused, 0);
  atomic_store(&count, how_many);
  atomic_store(&first, number);
}

long fault_memory_faults(void) { return atomic_load(&refused); }

static int is_refused(void) {
  long number = atomic_fetch_add(&allocations, 1) + 1;
  long from = atomic_load(&first);
  if (from == 0 || number < from || number - from >= atomic_load(&count)) return 0;
  atomic_fetch_add(&refused, 1);
  return 1;
}

static void *allocate(int size) { return is_refused() ? 0 : original.xMalloc(size); }
static void *reallocate(void *memory, int size) { return is_refused() ? 0 : original.xRealloc(memory, size); }

int fault_memory_install(void) {
  static sqlite3_mem_methods shim;
  if (original.xMalloc) return SQLITE_OK;
  // Each connection's own small store of memory, of which none can be refused, is left out.
  int result = sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
  if (result == SQLITE_OK) result = sqlite3_config(SQLITE_CONFIG_GETMALLOC, &original);
  if (result != SQLITE_OK) return result;
  shim = original;
  shim.xMalloc = allocate;
  shim.xRealloc = reallocate;
  return sqlite3_config(SQLITE_CONFIG_MALLOC, &shim);
}
