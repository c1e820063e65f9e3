// What of the files of a folder is on the disk, for the shims that tell it of what is done to them.
#ifndef POWER_DISK_H
#define POWER_DISK_H

#include <sys/stat.h>

// What the disk holds of a name in the folder.
typedef struct file_state file_state;

// The file that is about to be opened, by its path; null where the power is gone.
file_state *disk_open(const char *path, int is_created);

// A write, or a truncation to the offset where there are no bytes. As all that follow, it returns whether it may be made.
int disk_write(file_state *file, const void *bytes, int count, long long offset);
// `has_folder`: whether the folder is synchronised, too, as SQLite does after it has made a file.
int disk_sync(file_state *file, int has_folder);
int disk_remove(const char *path, int syncs_folder);

// Whether a path names something in the folder, or an open file is one of its files, or the folder.
int disk_has(const char *path);
int disk_has_file(const struct stat *status);
int disk_is_folder(const struct stat *status);

int disk_sync_folder(void);
// Says that a file that was written past SQLite is on the disk.
int disk_sync_plain(const struct stat *status);
// The file gets another name, or a further one.
int disk_rename(const char *path, const char *new_path, int keeps_name);
// Whether a file of this name is known to be there.
int disk_knows(const char *path);

// While it is more than zero, the calls of this thread are SQLite's, whose shim tells of them.
extern _Thread_local int disk_calls_of_sqlite;
// Whether the calls of the program are watched.
extern _Atomic int disk_watches_calls;

#endif
