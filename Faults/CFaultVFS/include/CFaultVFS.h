// SQLite's own way to the operating system with faults built in. For tests only: no product links it.
#ifndef CFAULTVFS_H
#define CFAULTVFS_H

/// Puts itself between SQLite and the operating system, for all databases that are opened from now on.
int fault_vfs_install(void);

/// Lets the calls go wrong from the n-th one on, n from 1; 0 for none. It starts to count anew.
void fault_vfs_fail(long number, long how_many);

/// How many calls there were since counting began.
long fault_vfs_calls(void);

/// How many of them went wrong.
long fault_vfs_faults(void);

#endif
