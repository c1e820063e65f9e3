// Knows what of the files of a folder is on the disk, and what is only with the operating system: all that was written since a
// file was synchronised, and names that were given or taken since the folder was. At the n-th change the power goes, and what a
// disk might then hold is written to other files: of each write that was not synchronised, any of its sectors, in any order.
//
// What is assumed of the disk is what SQLite assumes: a sector is old or new as a whole, and writing one leaves the bytes of
// others alone (powersafe overwrite): https://www.sqlite.org/atomiccommit.html, https://www.sqlite.org/psow.html
#include "power_disk.h"

#include "CFaultVFS.h"
#include "power_image.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { maximum_files = 64 };

// A file of a name. Where the name was given to another file, or to none, the directory may still hold the one before.
struct file_state {
  char *name;
  image synced, former;
  change_list changes;
  int is_there, was_there, entry_is_durable;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static file_state files[maximum_files];
// What was synchronised of files that SQLite does not write, as it was then.
static struct stat plain_files[maximum_files];
static int file_count, plain_count, is_lost, ignores_syncs, image_count;
static long changes_made, loses_at;
static char images_folder[1024];
static struct stat folder_status;

_Thread_local int disk_calls_of_sqlite;
_Atomic int disk_watches_calls;

// What is not tracked would be told as a loss, or hide one.
static void give_up(const char *reason) {
  fprintf(stderr, "power_disk: %s\n", reason);
  abort();
}

// MARK: Names

static const char *name_of(const char *path) {
  const char *end = strrchr(path, '/');
  return end ? end + 1 : path;
}

static file_state *known(const char *path) {
  for (int index = 0; index < file_count; index++)
    if (strcmp(files[index].name, name_of(path)) == 0) return &files[index];
  return 0;
}

static file_state *state_of(const char *path) {
  file_state *found = known(path);
  if (found) return found;
  if (file_count == maximum_files) give_up("more files than there is room for");
  file_state *made = &files[file_count++];
  memset(made, 0, sizeof *made);
  made->name = strdup(name_of(path));
  return made;
}

// The directory was synchronised: what is there is there, and what was removed is gone.
static void sync_directory(void) {
  for (int index = 0; index < file_count; index++) {
    image_forget(&files[index].former);
    files[index].was_there = 0;
    files[index].entry_is_durable = files[index].is_there;
  }
}

// The name no longer leads to its file. Until the directory is synchronised, it may do so after the loss, as the file is now.
static void leave_name(file_state *file) {
  if (file->is_there && file->entry_is_durable) {
    image_forget(&file->former);
    file->former = image_copy(&file->synced);
    file->was_there = 1;
  }
  file->is_there = file->entry_is_durable = 0;
}

// MARK: The loss

static void write_image(const file_state *file, int number) {
  int is_former = 0;
  if (!file->entry_is_durable && (power_random() & 1)) is_former = 1;
  if (is_former ? !file->was_there : !file->is_there) return;
  image left = image_copy(is_former ? &file->former : &file->synced);
  if (!is_former) image_apply_some(&left, &file->changes, number);
  char path[2048];
  snprintf(path, sizeof path, "%s/%d-%s", images_folder, number, file->name);
  FILE *written = fopen(path, "wb");
  if (!written || fwrite(left.bytes, 1, (size_t)left.size, written) != (size_t)left.size || fclose(written) != 0)
    give_up("an image can't be written");
  image_forget(&left);
}

// Called with the lock held.
static void lose_power(void) {
  is_lost = 1;
  for (int number = 0; number < image_count; number++)
    for (int index = 0; index < file_count; index++) write_image(&files[index], number);
}

// Counts a change, and cuts the power before it where its number has come. Returns whether the change may be made. Called
// with the lock held.
static int record_change(void) {
  if (is_lost) return 0;
  changes_made++;
  if (loses_at == 0 || changes_made < loses_at) return 1;
  lose_power();
  return 0;
}

void power_vfs_lose(int images) {
  pthread_mutex_lock(&lock);
  if (!is_lost) {
    image_count = images;
    lose_power();
  }
  pthread_mutex_unlock(&lock);
}

void power_vfs_begin(long number, unsigned long long seed, int images, const char *folder) {
  pthread_mutex_lock(&lock);
  for (int index = 0; index < file_count; index++) {
    changes_forget(&files[index].changes);
    image_forget(&files[index].synced);
    image_forget(&files[index].former);
    free(files[index].name);
  }
  file_count = plain_count = 0;
  is_lost = 0;
  changes_made = 0;
  loses_at = number;
  image_count = images;
  power_seed(seed);
  snprintf(images_folder, sizeof images_folder, "%s", folder);
  if (stat(folder, &folder_status) != 0) give_up("the folder is not there");
  pthread_mutex_unlock(&lock);
}

void power_vfs_ignore_syncs(int ignores) {
  pthread_mutex_lock(&lock);
  ignores_syncs = ignores;
  pthread_mutex_unlock(&lock);
}

int power_vfs_is_lost(void) {
  pthread_mutex_lock(&lock);
  int result = is_lost;
  pthread_mutex_unlock(&lock);
  return result;
}

// MARK: What SQLite does

file_state *disk_open(const char *path, int is_created) {
  pthread_mutex_lock(&lock);
  file_state *state = is_lost ? 0 : state_of(path);
  if (state && is_created) {
    state->is_there = 1;
    state->entry_is_durable = 0;
  }
  pthread_mutex_unlock(&lock);
  return state;
}

int disk_write(file_state *file, const void *bytes, int count, long long offset) {
  pthread_mutex_lock(&lock);
  changes_add(&file->changes, bytes, count, offset);
  int result = record_change();
  pthread_mutex_unlock(&lock);
  return result;
}

int disk_sync(file_state *file, int has_folder) {
  pthread_mutex_lock(&lock);
  int result = record_change();
  if (result && !ignores_syncs) {
    for (change *made = file->changes.first; made; made = made->next) image_apply(&file->synced, made);
    changes_forget(&file->changes);
    if (has_folder) sync_directory();
  }
  pthread_mutex_unlock(&lock);
  return result;
}

int disk_remove(const char *path, int syncs_folder) {
  pthread_mutex_lock(&lock);
  int result = record_change();
  file_state *state = result ? known(path) : 0;
  if (state && state->is_there) {
    leave_name(state);
    image_forget(&state->synced);
    changes_forget(&state->changes);
    if (syncs_folder && !ignores_syncs) sync_directory();
  }
  pthread_mutex_unlock(&lock);
  return result;
}

// MARK: What the program does itself

int disk_is_folder(const struct stat *status) {
  pthread_mutex_lock(&lock);
  int result = status->st_dev == folder_status.st_dev && status->st_ino == folder_status.st_ino;
  pthread_mutex_unlock(&lock);
  return result;
}

int disk_has(const char *path) {
  char folder[2048];
  int length = (int)(name_of(path) - path);
  if (length == 0 || length >= (int)sizeof folder) return 0;
  snprintf(folder, sizeof folder, "%.*s", length, path);
  struct stat status;
  return stat(folder, &status) == 0 && disk_is_folder(&status);
}

int disk_knows(const char *path) {
  pthread_mutex_lock(&lock);
  file_state *state = known(path);
  int result = state && state->is_there;
  pthread_mutex_unlock(&lock);
  return result;
}

int disk_has_file(const struct stat *status) {
  pthread_mutex_lock(&lock);
  DIR *folder = opendir(images_folder);
  int result = 0;
  for (struct dirent *entry; folder && !result && (entry = readdir(folder));) result = entry->d_ino == status->st_ino;
  if (folder) closedir(folder);
  result = result && status->st_dev == folder_status.st_dev;
  pthread_mutex_unlock(&lock);
  return result;
}

int disk_sync_folder(void) {
  pthread_mutex_lock(&lock);
  int result = record_change();
  if (result && !ignores_syncs) sync_directory();
  pthread_mutex_unlock(&lock);
  return result;
}

int disk_sync_plain(const struct stat *status) {
  pthread_mutex_lock(&lock);
  int result = record_change();
  if (result && !ignores_syncs) {
    if (plain_count == maximum_files) give_up("more files than there is room for");
    plain_files[plain_count++] = *status;
  }
  pthread_mutex_unlock(&lock);
  return result;
}

// Whether all of a file is on the disk: it is as it was when it was synchronised.
static int is_synced(const struct stat *status) {
  for (int index = 0; index < plain_count; index++) {
    const struct stat *known = &plain_files[index];
#ifdef __APPLE__
    int is_same_time = memcmp(&known->st_mtimespec, &status->st_mtimespec, sizeof status->st_mtimespec) == 0;
#else
    int is_same_time = memcmp(&known->st_mtim, &status->st_mtim, sizeof status->st_mtim) == 0;
#endif
    if (known->st_ino == status->st_ino && known->st_size == status->st_size && is_same_time) return 1;
  }
  return 0;
}

// The state of a file that SQLite has not opened. One that is replaced was there before.
static file_state *plain_state(const char *path, int was_before) {
  struct stat status;
  file_state *state = known(path);
  if ((state && state->is_there) || stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return state;
  state = state_of(path);
  state->is_there = 1;
  state->entry_is_durable = was_before;
  unsigned char *bytes = malloc((size_t)status.st_size + 1);
  FILE *file = fopen(path, "rb");
  if (!file || fread(bytes, 1, (size_t)status.st_size, file) != (size_t)status.st_size) give_up("a file can't be read");
  fclose(file);
  if (was_before || is_synced(&status)) image_put(&state->synced, 0, bytes, status.st_size);
  else changes_add(&state->changes, bytes, (int)status.st_size, 0);
  free(bytes);
  return state;
}

int disk_rename(const char *path, const char *new_path, int keeps_name) {
  pthread_mutex_lock(&lock);
  plain_state(path, 0);
  plain_state(new_path, 1);
  int result = record_change();
  file_state *target = state_of(new_path), *source = known(path);
  if (result && source && source->is_there) {
    leave_name(target);
    image_forget(&target->synced);
    changes_forget(&target->changes);
    target->synced = image_copy(&source->synced);
    for (change *made = source->changes.first; made; made = made->next)
      changes_add(&target->changes, made->bytes, made->count, made->offset);
    target->is_there = 1;
    if (!keeps_name) {
      leave_name(source);
      image_forget(&source->synced);
      changes_forget(&source->changes);
    }
  }
  pthread_mutex_unlock(&lock);
  return result;
}
