// A shim around the default VFS: every call that can fail is counted, and some are refused before they reach the system.
// https://www.sqlite.org/vfs.html
#include "CFaultVFS.h"

#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static atomic_long calls, faults, first, count, signalled;
static atomic_int signal_number, signal_waits;
static atomic_long noted;
static void (*_Atomic noting)(void);

void fault_vfs_note(long number, void (*function)(void)) {
  atomic_store(&noted, 0);
  atomic_store(&calls, 0);
  atomic_store(&faults, 0);
  atomic_store(&noting, function);
  atomic_store(&noted, number);
}

void fault_vfs_signal(long number, int signal, int waits) {
  atomic_store(&signalled, 0);
  atomic_store(&calls, 0);
  atomic_store(&signal_number, signal);
  atomic_store(&signal_waits, waits);
  atomic_store(&signalled, number);
}

void fault_vfs_fail(long number, long how_many) {
  atomic_store(&first, 0);
  atomic_store(&calls, 0);
  atomic_store(&faults, 0);
  atomic_store(&count, how_many);
  atomic_store(&first, number);
}

long fault_vfs_calls(void) { return atomic_load(&calls); }
long fault_vfs_faults(void) { return atomic_load(&faults); }

// Whether the next call is the one at which the process is killed.
static int is_last(void) {
  return atomic_load(&signal_number) == SIGKILL && atomic_load(&calls) + 1 == atomic_load(&signalled);
}

static int is_refused(void) {
  long number = atomic_fetch_add(&calls, 1) + 1;
  if (number == atomic_load(&signalled)) {
    // The experiment learns that it is about to stop.
    static const char line[] = "signal\n";
    if (write(STDOUT_FILENO, line, sizeof line - 1) > 0) {
      char byte;
      if (atomic_load(&signal_waits)) while (read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR) {}
      kill(getpid(), atomic_load(&signal_number));
    }
  }
  if (number == atomic_load(&noted)) {
    atomic_fetch_add(&faults, 1);
    atomic_load(&noting)();
  }
  long from = atomic_load(&first);
  if (from == 0 || number < from || number - from >= atomic_load(&count)) return 0;
  atomic_fetch_add(&faults, 1);
  return 1;
}

// The system's own file stands behind this one in the same piece of memory.
typedef struct {
  sqlite3_file base;
  sqlite3_file *real;
  sqlite3_io_methods methods;
} fault_file;

static sqlite3_file *real(sqlite3_file *file) { return ((fault_file *)file)->real; }

static int file_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }
static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  if (is_refused()) return SQLITE_IOERR_READ;
  return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}
static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  // As a process does that is killed amid a write.
  if (is_last()) real(file)->pMethods->xWrite(real(file), bytes, count / 2, offset);
  if (is_refused()) {
    // As a disk does that gives up amid a write: the first half is there.
    real(file)->pMethods->xWrite(real(file), bytes, count / 2, offset);
    return SQLITE_IOERR_WRITE;
  }
  return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
}
static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  if (is_refused()) return SQLITE_IOERR_TRUNCATE;
  return real(file)->pMethods->xTruncate(real(file), size);
}
static int file_sync(sqlite3_file *file, int flags) {
  if (is_refused()) return SQLITE_IOERR_FSYNC;
  return real(file)->pMethods->xSync(real(file), flags);
}
static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  if (is_refused()) return SQLITE_IOERR_FSTAT;
  return real(file)->pMethods->xFileSize(real(file), size);
}
static int file_lock(sqlite3_file *file, int level) {
  if (is_refused()) return SQLITE_IOERR_LOCK;
  return real(file)->pMethods->xLock(real(file), level);
}
// A lock can always be given up: SQLite does not ask whether that went well.
static int file_unlock(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }
static int file_check_lock(sqlite3_file *file, int *result) {
  if (is_refused()) return SQLITE_IOERR_CHECKRESERVEDLOCK;
  return real(file)->pMethods->xCheckReservedLock(real(file), result);
}
static int file_control(sqlite3_file *file, int operation, void *argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}
static int file_sector(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }
static int file_characteristics(sqlite3_file *file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}
static int file_shm_map(sqlite3_file *file, int region, int size, int extend, void volatile **bytes) {
  if (is_refused()) return SQLITE_IOERR_SHMMAP;
  return real(file)->pMethods->xShmMap(real(file), region, size, extend, bytes);
}
static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  if ((flags & SQLITE_SHM_LOCK) && is_refused()) return SQLITE_IOERR_SHMLOCK;
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
static void file_shm_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }
static int file_shm_unmap(sqlite3_file *file, int delete) {
  return real(file)->pMethods->xShmUnmap(real(file), delete);
}

static sqlite3_vfs *original;

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
  fault_file *opened = (fault_file *)file;
  opened->base.pMethods = 0;
  if (is_refused()) return SQLITE_CANTOPEN;
  opened->real = (sqlite3_file *)&opened[1];
  int result = original->xOpen(original, name, opened->real, flags, out_flags);
  if (opened->real->pMethods == 0) return result;
  memset(&opened->methods, 0, sizeof opened->methods);
  // Pages are never mapped into memory, where a fault would not be a call.
  opened->methods.iVersion = opened->real->pMethods->iVersion < 2 ? 1 : 2;
  opened->methods.xClose = file_close;
  opened->methods.xRead = file_read;
  opened->methods.xWrite = file_write;
  opened->methods.xTruncate = file_truncate;
  opened->methods.xSync = file_sync;
  opened->methods.xFileSize = file_size;
  opened->methods.xLock = file_lock;
  opened->methods.xUnlock = file_unlock;
  opened->methods.xCheckReservedLock = file_check_lock;
  opened->methods.xFileControl = file_control;
  opened->methods.xSectorSize = file_sector;
  opened->methods.xDeviceCharacteristics = file_characteristics;
  opened->methods.xShmMap = file_shm_map;
  opened->methods.xShmLock = file_shm_lock;
  opened->methods.xShmBarrier = file_shm_barrier;
  opened->methods.xShmUnmap = file_shm_unmap;
  opened->base.pMethods = &opened->methods;
  return result;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync) {
  if (is_refused()) return SQLITE_IOERR_DELETE;
  return original->xDelete(original, name, sync);
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  if (is_refused()) return SQLITE_IOERR_ACCESS;
  return original->xAccess(original, name, flags, result);
}

static int vfs_full_path(sqlite3_vfs *vfs, const char *name, int count, char *path) {
  return original->xFullPathname(original, name, count, path);
}

int fault_vfs_install(void) {
  static sqlite3_vfs shim;
  if (original) return SQLITE_OK;
  sqlite3_vfs *found = sqlite3_vfs_find(0);
  if (!found) return SQLITE_ERROR;
  original = found;
  shim = *found;
  shim.zName = "fault";
  shim.szOsFile = (int)sizeof(fault_file) + found->szOsFile;
  shim.xOpen = vfs_open;
  shim.xDelete = vfs_delete;
  shim.xAccess = vfs_access;
  shim.xFullPathname = vfs_full_path;
  return sqlite3_vfs_register(&shim, 1);
}
