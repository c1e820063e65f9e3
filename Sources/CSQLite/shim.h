// The system's SQLite, and what Swift can't import of it: functions with variable arguments and casts to pointers.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <errno.h>
#include <stdint.h>
#include <sqlite3.h>

// Extended result codes are written as expressions, which Swift does not import.
enum {
  CSQLITE_CONSTRAINT_CHECK = SQLITE_CONSTRAINT_CHECK,
  CSQLITE_CONSTRAINT_FOREIGNKEY = SQLITE_CONSTRAINT_FOREIGNKEY,
  CSQLITE_CONSTRAINT_NOTNULL = SQLITE_CONSTRAINT_NOTNULL,
  CSQLITE_CONSTRAINT_PRIMARYKEY = SQLITE_CONSTRAINT_PRIMARYKEY,
  CSQLITE_CONSTRAINT_ROWID = SQLITE_CONSTRAINT_ROWID,
  CSQLITE_CORRUPT_VTAB = SQLITE_CORRUPT_VTAB,
  CSQLITE_CONSTRAINT_UNIQUE = SQLITE_CONSTRAINT_UNIQUE,
};

/// Makes "text" in double quotes a name and nothing else: by default, SQLite takes a misspelt column for a text.
/// https://www.sqlite.org/quirks.html, section 8
static inline int csqlite_refuse_double_quoted_strings(sqlite3 *db) {
  int result = sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
  if (result != SQLITE_OK) return result;
  return sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
}

/// Refuses statements that write to the schema, to what a virtual table keeps, or to pages: https://www.sqlite.org/security.html
///
/// SQLITE_DBCONFIG_TRUSTED_SCHEMA stays as it is: SQLite 3.40 takes its own full-text indexes for unsafe without it, which follow
/// their tables by triggers. What could do harm is kept from definitions one by one (SQLITE_DIRECTONLY).
static inline int csqlite_be_defensive(sqlite3 *db) {
  int result = sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  // Debian's build lets SQL name the address of code. A build without full-text indexes knows no such option.
  if (result == SQLITE_OK) sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, (int *)0);
  return result;
}

/// Has a connection enforce foreign keys. Unlike the PRAGMA, it needs no memory.
static inline int csqlite_enforce_foreign_keys(sqlite3 *db) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FKEY, 1, (int *)0);
}

/// The operating system's own number for the latest error of a database's files, 0 if it had none. What
/// sqlite3_system_errno tells has been overwritten by the time when a statement has failed.
static inline int csqlite_system_error(sqlite3 *db) {
  int code = 0;
  sqlite3_file *journal = 0;
  if (sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &journal) == SQLITE_OK && journal &&
      journal->pMethods) {
    journal->pMethods->xFileControl(journal, SQLITE_FCNTL_LAST_ERRNO, &code);
  }
  if (code == 0) sqlite3_file_control(db, "main", SQLITE_FCNTL_LAST_ERRNO, &code);
  return code;
}

/// The size of the file that keeps changes until they are complete, 0 where there is none.
static inline sqlite3_int64 csqlite_journal_size(sqlite3 *db) {
  sqlite3_int64 size = 0;
  sqlite3_file *journal = 0;
  if (sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &journal) == SQLITE_OK && journal &&
      journal->pMethods) {
    journal->pMethods->xFileSize(journal, &size);
  }
  return size;
}

static int csqlite_sleep_while_busy(void *milliseconds, int count) {
  if (count >= (int)(intptr_t)milliseconds) return 0;
  sqlite3_sleep(1);
  return 1;
}

/// Lets a database wait for locks of others, with its thread blocked; it looks every millisecond, and not at all if that
/// is for 0. SQLite's own waiting looks after 1, 3, 8, 18, 33 ms, and finds those gone who were the next to come.
static inline void csqlite_wait_while_busy(sqlite3 *db, int milliseconds) {
  sqlite3_busy_handler(
      db, milliseconds > 0 ? csqlite_sleep_while_busy : (int (*)(void *, int))0,
      (void *)(intptr_t)milliseconds);
}

/// Leaves the write-ahead log as it is when the last connection is closed, rather than copy it into the database.
static inline int csqlite_keep_log(sqlite3 *db) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/// Whether the operating system's error number means that there is no room to write.
static inline int csqlite_is_lack_of_space(int code) { return code == ENOSPC || code == EFBIG || code == EDQUOT; }

/// Binds a text of a given length, of which SQLite takes a copy.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int position, const char *text, sqlite3_uint64 length) {
  // An empty text may have no address, which SQLite would take for null.
  return sqlite3_bind_text64(statement, position, text ? text : "", length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds a text of a given length that stays where it is until the statement is reset.
static inline int csqlite_bind_kept_text(
    sqlite3_stmt *statement, int position, const char *text, sqlite3_uint64 length) {
  return sqlite3_bind_text64(statement, position, text, length, SQLITE_STATIC, SQLITE_UTF8);
}

/// Binds bytes, of which SQLite takes a copy.
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int position, const void *bytes, sqlite3_uint64 length) {
  return sqlite3_bind_blob64(statement, position, bytes, length, SQLITE_TRANSIENT);
}

/// Returns a text of a given length from a function, of which SQLite takes a copy.
static inline void csqlite_result_text(sqlite3_context *context, const char *text, sqlite3_uint64 length) {
  sqlite3_result_text64(context, text ? text : "", length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Returns bytes from a function, of which SQLite takes a copy.
static inline void csqlite_result_blob(sqlite3_context *context, const void *bytes, sqlite3_uint64 length) {
  sqlite3_result_blob64(context, bytes, length, SQLITE_TRANSIENT);
}

/// Lets statements read views, as they may by default, or refuses those that do.
static inline int csqlite_set_views(sqlite3 *db, int allowed) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, allowed, (int *)0);
}

/// Lets "text" in double quotes be a text in definitions, or not: other programs may have written it so.
static inline int csqlite_set_double_quoted_texts_in_definitions(sqlite3 *db, int allowed) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, allowed, (int *)0);
}

#endif
