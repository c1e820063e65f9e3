// The bytes of a file on a disk, and the changes that have not reached it.
#ifndef POWER_IMAGE_H
#define POWER_IMAGE_H

// A change of a file that was not synchronised. A truncation has no bytes.
typedef struct change {
  struct change *next;
  long long offset;
  int count;
  unsigned char *bytes;
} change;

typedef struct {
  unsigned char *bytes;
  long long size;
} image;

typedef struct {
  change *first, *last;
} change_list;

void power_seed(unsigned long long seed);
unsigned power_random(void);

void image_put(image *target, long long offset, const unsigned char *bytes, long long count);
void image_apply(image *target, const change *made);
// What the n-th disk has of changes: the first one nothing, the second all of them, the third any part in order, and the others
// any part in any order.
void image_apply_some(image *target, const change_list *changes, int number);
image image_copy(const image *from);
void image_forget(image *old);

void changes_add(change_list *changes, const void *bytes, int count, long long offset);
void changes_forget(change_list *changes);

#endif
