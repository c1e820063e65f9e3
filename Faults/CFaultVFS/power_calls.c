// What a program does to files past SQLite, told to the disk that loses its power: it gives them names, and synchronises folders.
//
// The program's own symbols come before those of the C library, so that these are called in their place, whatever code calls them:
// https://man7.org/linux/man-pages/man8/ld.so.8.html. They do what those do, and no more unless they are told to watch.
// On Apple's systems that is so for the code of the program itself, which is all that is looked for here.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CFaultVFS.h"
#include "power_disk.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int is_watched(void) { return disk_watches_calls && disk_calls_of_sqlite == 0; }

static int refuse(void) {
  errno = EIO;
  return -1;
}

int fsync(int file) {
  static int (*original)(int);
  if (!original) original = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  struct stat status;
  if (is_watched() && fstat(file, &status) == 0) {
    if (disk_is_folder(&status)) {
      if (!disk_sync_folder()) return refuse();
    } else if (S_ISREG(status.st_mode) && disk_has_file(&status)) {
      if (!disk_sync_plain(&status)) return refuse();
    }
  }
  return original ? original(file) : refuse();
}

int rename(const char *path, const char *new_path) {
  if (is_watched() && disk_has(new_path) && !disk_rename(path, new_path, 0)) return refuse();
  return renameat(AT_FDCWD, path, AT_FDCWD, new_path);
}

int link(const char *path, const char *new_path) {
  if (is_watched() && disk_has(new_path) && access(new_path, F_OK) != 0 && !disk_rename(path, new_path, 1)) return refuse();
  return linkat(AT_FDCWD, path, AT_FDCWD, new_path, 0);
}

int unlink(const char *path) {
  if (is_watched() && disk_knows(path) && disk_has(path) && !disk_remove(path, 0)) return refuse();
  return unlinkat(AT_FDCWD, path, 0);
}

void power_calls_watch(int watches) { disk_watches_calls = watches; }
