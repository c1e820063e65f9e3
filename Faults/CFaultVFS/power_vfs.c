// A shim around the default VFS that knows what of the files is on the disk, and what is only with the operating system: all
// that was written since a file was synchronised. At the n-th change the power goes, and what a disk might then hold is
// written to other files: of each write that was not synchronised, any of its sectors, in any order.
//
// What is assumed of the disk is what SQLite assumes: a sector is old or new as a whole, and writing one leaves the bytes of
// others alone (powersafe overwrite): https://www.sqlite.org/atomiccommit.html, https://www.sqlite.org/psow.html
#include "CFaultVFS.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { sector = 512, maximum_files = 64 };

// A change of a file that was not synchronised. A truncation has no bytes.
typedef struct change {
  struct change *next;
  sqlite3_int64 offset;
  int count;
  unsigned char *bytes;
} change;

typedef struct {
  unsigned char *bytes;
  sqlite3_int64 size;
} image;

// A file of a name. When it was removed and made again, the directory may still hold the one before.
typedef struct {
  char *path;
  image synced, former;
  change *changes, *last;
  int is_there, was_there, entry_is_durable;
} file_state;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static file_state files[maximum_files];
static int file_count, is_lost, ignores_syncs, image_count;
static long changes_made, loses_at;
static unsigned long long random_state;
static char images_folder[1024];
static sqlite3_vfs *original;

// What is not tracked would be told as a loss, or hide one.
static void give_up(const char *reason) {
  fprintf(stderr, "power_vfs: %s\n", reason);
  abort();
}

static unsigned next_random(void) {
  // xorshift64*: https://www.jstatsoft.org/article/view/v008i14
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return (unsigned)((random_state * 2685821657736338717ULL) >> 33);
}

// MARK: What is on the disk

static void put(image *target, sqlite3_int64 offset, const unsigned char *bytes, sqlite3_int64 count) {
  if (offset + count > target->size) {
    target->bytes = realloc(target->bytes, (size_t)(offset + count));
    memset(target->bytes + target->size, 0, (size_t)(offset + count - target->size));
    target->size = offset + count;
  }
  memcpy(target->bytes + offset, bytes, (size_t)count);
}

static void apply(image *target, const change *made) {
  if (made->bytes) {
    put(target, made->offset, made->bytes, made->count);
  } else if (made->offset < target->size) {
    target->size = made->offset;
  }
}

// Any of the sectors that a write touches.
static void apply_in_part(image *target, const change *made) {
  if (!made->bytes) return apply(target, made);
  sqlite3_int64 position = made->offset, end = made->offset + made->count;
  while (position < end) {
    sqlite3_int64 next = (position / sector + 1) * sector;
    if (next > end) next = end;
    if (next_random() & 1) put(target, position, made->bytes + (position - made->offset), next - position);
    position = next;
  }
}

static image copy(const image *from) {
  image made = {0, 0};
  if (from->size) put(&made, 0, from->bytes, from->size);
  return made;
}

static void forget_changes(file_state *file) {
  while (file->changes) {
    change *next = file->changes->next;
    free(file->changes->bytes);
    free(file->changes);
    file->changes = next;
  }
  file->last = 0;
}

static void forget(image *old) {
  free(old->bytes);
  *old = (image){0, 0};
}

// The directory was synchronised: what is there is there, and what was removed is gone.
static void sync_directory(void) {
  for (int index = 0; index < file_count; index++) {
    forget(&files[index].former);
    files[index].was_there = 0;
    files[index].entry_is_durable = files[index].is_there;
  }
}

static file_state *state_of(const char *path) {
  for (int index = 0; index < file_count; index++)
    if (strcmp(files[index].path, path) == 0) return &files[index];
  if (file_count == maximum_files) give_up("more files than there is room for");
  file_state *made = &files[file_count++];
  memset(made, 0, sizeof *made);
  made->path = strdup(path);
  return made;
}

// MARK: The loss

static void write_image(const file_state *file, int number) {
  int is_former = 0;
  if (!file->entry_is_durable && (next_random() & 1)) is_former = 1;
  if (is_former ? !file->was_there : !file->is_there) return;
  image left = copy(is_former ? &file->former : &file->synced);
  if (!is_former) {
    int count = 0;
    for (change *made = file->changes; made; made = made->next) count++;
    change **order = malloc(sizeof(change *) * (size_t)(count + 1));
    int index = 0;
    for (change *made = file->changes; made; made = made->next) order[index++] = made;
    // The first image has nothing of what was not synchronised, the second all of it, the third any part in order, and
    // the others any part in any order.
    if (number > 2 && (next_random() & 1)) {
      for (index = count - 1; index > 0; index--) {
        int other = (int)(next_random() % (unsigned)(index + 1));
        change *swapped = order[index];
        order[index] = order[other];
        order[other] = swapped;
      }
    }
    for (index = 0; index < count; index++) {
      if (number == 0) break;
      if (number == 1) {
        apply(&left, order[index]);
      } else if (next_random() & 1) {
        apply_in_part(&left, order[index]);
      }
    }
    free(order);
  }
  const char *name = strrchr(file->path, '/');
  char path[2048];
  snprintf(path, sizeof path, "%s/%d-%s", images_folder, number, name ? name + 1 : file->path);
  FILE *written = fopen(path, "wb");
  if (!written || fwrite(left.bytes, 1, (size_t)left.size, written) != (size_t)left.size || fclose(written) != 0)
    give_up("an image can't be written");
  forget(&left);
}

// Counts a change, and cuts the power before it where its number has come. Returns whether the change may be made. Called
// with the lock held.
static int record_change(void) {
  if (is_lost) return 0;
  changes_made++;
  if (loses_at == 0 || changes_made < loses_at) return 1;
  is_lost = 1;
  for (int number = 0; number < image_count; number++)
    for (int index = 0; index < file_count; index++) write_image(&files[index], number);
  return 0;
}

void power_vfs_begin(long number, unsigned long long seed, int images, const char *folder) {
  pthread_mutex_lock(&lock);
  for (int index = 0; index < file_count; index++) {
    forget_changes(&files[index]);
    forget(&files[index].synced);
    forget(&files[index].former);
    free(files[index].path);
  }
  file_count = 0;
  is_lost = 0;
  changes_made = 0;
  loses_at = number;
  image_count = images;
  random_state = seed * 2 + 1;
  snprintf(images_folder, sizeof images_folder, "%s", folder);
  pthread_mutex_unlock(&lock);
}

void power_vfs_ignore_syncs(int ignores) {
  pthread_mutex_lock(&lock);
  ignores_syncs = ignores;
  pthread_mutex_unlock(&lock);
}

void power_vfs_sync_folder(void) {
  pthread_mutex_lock(&lock);
  if (!is_lost && !ignores_syncs) sync_directory();
  pthread_mutex_unlock(&lock);
}

int power_vfs_is_lost(void) {
  pthread_mutex_lock(&lock);
  int result = is_lost;
  pthread_mutex_unlock(&lock);
  return result;
}

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

static int log_change(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  file_state *state = of(file)->state;
  pthread_mutex_lock(&lock);
  change *made = calloc(1, sizeof *made);
  made->offset = offset;
  made->count = count;
  if (bytes) {
    made->bytes = malloc((size_t)count);
    memcpy(made->bytes, bytes, (size_t)count);
  }
  if (state->last) state->last->next = made;
  else state->changes = made;
  state->last = made;
  int result = record_change();
  pthread_mutex_unlock(&lock);
  return result;
}

static int file_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }
static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  if (power_vfs_is_lost()) return SQLITE_IOERR_READ;
  return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}
static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  if (of(file)->state && !log_change(file, bytes, count, offset)) return SQLITE_IOERR_WRITE;
  return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
}
static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  if (of(file)->state && !log_change(file, 0, 0, size)) return SQLITE_IOERR_TRUNCATE;
  return real(file)->pMethods->xTruncate(real(file), size);
}
static int file_sync(sqlite3_file *file, int flags) {
  file_state *state = of(file)->state;
  if (!state) return SQLITE_OK;
  pthread_mutex_lock(&lock);
  int result = record_change();
  if (result && !ignores_syncs) {
    for (change *made = state->changes; made; made = made->next) apply(&state->synced, made);
    forget_changes(state);
    if (of(file)->syncs_directory) sync_directory();
    of(file)->syncs_directory = 0;
  }
  pthread_mutex_unlock(&lock);
  return result ? SQLITE_OK : SQLITE_IOERR_FSYNC;
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
    pthread_mutex_lock(&lock);
    int was_lost = is_lost;
    int exists = 0;
    original->xAccess(original, name, SQLITE_ACCESS_EXISTS, &exists);
    if (!was_lost) {
      opened->state = state_of(name);
      if (opened->state && !exists && (flags & SQLITE_OPEN_CREATE)) {
        opened->state->is_there = 1;
        opened->state->entry_is_durable = 0;
      }
    }
    pthread_mutex_unlock(&lock);
    if (was_lost) return SQLITE_CANTOPEN;
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
  pthread_mutex_lock(&lock);
  int result = record_change();
  file_state *state = result ? state_of(name) : 0;
  if (state && state->is_there) {
    // Until the directory is synchronised, the file may come back as it was.
    if (state->entry_is_durable) {
      forget(&state->former);
      state->former = state->synced;
      state->was_there = 1;
      state->synced = (image){0, 0};
    }
    forget(&state->synced);
    forget_changes(state);
    state->is_there = state->entry_is_durable = 0;
    if (syncs && !ignores_syncs) sync_directory();
  }
  pthread_mutex_unlock(&lock);
  return result ? original->xDelete(original, name, syncs) : SQLITE_IOERR_DELETE;
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
  return sqlite3_vfs_register(is_default ? &shim : original, 1);
}
