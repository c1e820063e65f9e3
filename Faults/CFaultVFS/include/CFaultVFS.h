// SQLite's own way to the operating system with faults built in. For tests only: no product links it.
#ifndef CFAULTVFS_H
#define CFAULTVFS_H

/// Puts itself between SQLite and the operating system, for all databases that are opened from now on.
int fault_vfs_install(void);

/// Lets the calls go wrong from the n-th one on, n from 1; 0 for none. It starts to count anew.
void fault_vfs_fail(long number, long how_many);

/// Sends the process a signal at the n-th call, n from 1, and writes a line to the standard output before that; 0 for never. It
/// starts to count anew. If it waits, it does so amid the call, until there is something to read in the standard input or that is
/// closed.
void fault_vfs_signal(long number, int signal, int waits);

/// Calls a function at the n-th call, n from 1; 0 for never. It starts to count anew, and counts as something that went wrong.
void fault_vfs_note(long number, void (*function)(void));

/// How many calls there were since counting began.
long fault_vfs_calls(void);

/// How many of them went wrong.
long fault_vfs_faults(void);

// MARK: Running out of memory

/// Has SQLite ask this shim for memory. Nothing of SQLite may have been used before.
int fault_memory_install(void);

/// Refuses memory from the n-th time on that it is asked for, n from 1; 0 for never. It starts to count anew.
void fault_memory_fail(long number, long how_many);

/// How often memory was refused.
long fault_memory_faults(void);

// MARK: Losing the power

/// Puts itself between SQLite and the operating system for all databases that are opened from now on, or takes itself out
/// again.
int power_vfs_install(int is_default);

/// Forgets all files, and lets the power go at the n-th change of one, n from 1; 0 for never. Everything fails from there on.
///
/// What a disk might hold then of the files in a folder is written beside them, to `0-NAME`, `1-NAME` …: first without anything
/// that was not synchronised, then with all of it, then with any part of it.
void power_vfs_begin(long number, unsigned long long seed, int images, const char *folder);

/// Lets the power go now, unless it is gone, with that many disks.
void power_vfs_lose(int images);

/// Whether the power is gone.
int power_vfs_is_lost(void);

/// Has what the program itself does in the folder known, too: it renames, links and removes files, and synchronises them and the
/// folder. ``power_vfs_install`` does so.
void power_calls_watch(int watches);

/// Has the disk say that it has synchronised a file, when it has not.
void power_vfs_ignore_syncs(int ignores);

#endif
