#ifndef BENCHMARKS_SHIM_H
#define BENCHMARKS_SHIM_H

#include <sqlite3.h>

// Casts to pointers, which Swift does not import.

/// Binds a text that stays where it is until the statement has been stepped.
static inline int bench_bind_static_text(sqlite3_stmt *statement, int position, const char *text, int length) {
  return sqlite3_bind_text(statement, position, text ? text : "", length, SQLITE_STATIC);
}

/// Binds a text, of which SQLite takes a copy.
static inline int bench_bind_text(sqlite3_stmt *statement, int position, const char *text, int length) {
  return sqlite3_bind_text(statement, position, text ? text : "", length, SQLITE_TRANSIENT);
}

#endif
