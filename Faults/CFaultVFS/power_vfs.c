// A shim around the default VFS that tells the disk that loses its power of all that SQLite does to files (power_disk.c).
#include "CFaultVFS.h"
#include "power_disk.h"

#include <sqlite3.h>
#include <string.h>

static sqlite3_vfs *original;

// MARK: Files

typedef struct {
  sqlite3_file base;
  sqlite3_file *real;
  file_state *state;
  int syncs_directory;
  sqlite3_io_methods methods;
} power_file;

static power_file *of(sqlite3_file *file) { return (power_file *)file; }
static sqlite3_file *real(sqlite3_file *file) { return of(file)->real; }

static int file_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }
static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  if (power_vfs_is_lost()) return SQLITE_IOERR_READ;
  return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}
static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  if (of(file)->state && !disk_write(of(file)->state, bytes, count, offset)) return SQLITE_IOERR_WRITE;
  return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
}
static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  if (of(file)->state && !disk_write(of(file)->state, 0, 0, size)) return SQLITE_IOERR_TRUNCATE;
  return real(file)->pMethods->xTruncate(real(file), size);
}
static int file_sync(sqlite3_file *file, int flags) {
  file_state *state = of(file)->state;
  if (!state) return SQLITE_OK;
  if (!disk_sync(state, of(file)->syncs_directory)) return SQLITE_IOERR_FSYNC;
  of(file)->syncs_directory = 0;
  return SQLITE_OK;
}
static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}
static int file_lock(sqlite3_file *file, int level) { return real(file)->pMethods->xLock(real(file), level); }
static int file_unlock(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }
static int file_check_lock(sqlite3_file *file, int *result) {
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
  return real(file)->pMethods->xShmMap(real(file), region, size, extend, bytes);
}
static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
static void file_shm_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }
static int file_shm_unmap(sqlite3_file *file, int delete) {
  return real(file)->pMethods->xShmUnmap(real(file), delete);
}

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
  power_file *opened = of(file);
  memset(opened, 0, sizeof *opened);
  opened->real = (sqlite3_file *)&opened[1];
  int kinds = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL | SQLITE_OPEN_SUPER_JOURNAL;
  // Temporary files are gone with the power.
  int is_kept = name && (flags & kinds);
  if (is_kept) {
    int exists = 0;
    // An empty file is none to SQLite.
    original->xAccess(original, name, SQLITE_ACCESS_EXISTS, &exists);
    opened->state = disk_open(name, !exists && (flags & SQLITE_OPEN_CREATE));
    if (!opened->state) return SQLITE_CANTOPEN;
    // As SQLite's own VFS does with the files that it makes, but for the database, whose journal does it.
    opened->syncs_directory = (flags & SQLITE_OPEN_CREATE) && !(flags & SQLITE_OPEN_MAIN_DB);
  }
  int result = original->xOpen(original, name, opened->real, flags, out_flags);
  if (opened->real->pMethods == 0) return result;
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

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int syncs) {
  if (!disk_remove(name, syncs)) return SQLITE_IOERR_DELETE;
  disk_calls_of_sqlite++;
  int result = original->xDelete(original, name, syncs);
  disk_calls_of_sqlite--;
  return result;
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  return original->xAccess(original, name, flags, result);
}

static int vfs_full_path(sqlite3_vfs *vfs, const char *name, int count, char *path) {
  return original->xFullPathname(original, name, count, path);
}

int power_vfs_install(int is_default) {
  static sqlite3_vfs shim;
  if (!original) {
    sqlite3_vfs *found = sqlite3_vfs_find(0);
    if (!found) return SQLITE_ERROR;
    original = found;
    shim = *found;
    shim.zName = "power";
    shim.szOsFile = (int)sizeof(power_file) + found->szOsFile;
    shim.xOpen = vfs_open;
    shim.xDelete = vfs_delete;
    shim.xAccess = vfs_access;
    shim.xFullPathname = vfs_full_path;
    int result = sqlite3_vfs_register(&shim, 0);
    if (result != SQLITE_OK) return result;
  }
  power_calls_watch(is_default);
  return sqlite3_vfs_register(is_default ? &shim : original, 1);
}
