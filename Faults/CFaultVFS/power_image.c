#include "power_image.h"

#include <stdlib.h>
#include <string.h>

enum { sector = 512 };

static unsigned long long random_state;

void power_seed(unsigned long long seed) { random_state = seed * 2 + 1; }

unsigned power_random(void) {
  // xorshift64*: https://www.jstatsoft.org/article/view/v008i14
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return (unsigned)((random_state * 2685821657736338717ULL) >> 33);
}

void image_put(image *target, long long offset, const unsigned char *bytes, long long count) {
  if (offset + count > target->size) {
    target->bytes = realloc(target->bytes, (size_t)(offset + count));
    memset(target->bytes + target->size, 0, (size_t)(offset + count - target->size));
    target->size = offset + count;
  }
  memcpy(target->bytes + offset, bytes, (size_t)count);
}

void image_apply(image *target, const change *made) {
  if (made->bytes) {
    image_put(target, made->offset, made->bytes, made->count);
  } else if (made->offset < target->size) {
    target->size = made->offset;
  }
}

// Any of the sectors that a write touches.
static void apply_in_part(image *target, const change *made) {
  if (!made->bytes) return image_apply(target, made);
  long long position = made->offset, end = made->offset + made->count;
  while (position < end) {
    long long next = (position / sector + 1) * sector;
    if (next > end) next = end;
    if (power_random() & 1) image_put(target, position, made->bytes + (position - made->offset), next - position);
    position = next;
  }
}

void image_apply_some(image *target, const change_list *changes, int number) {
  if (number == 0) return;
  int count = 0, index = 0;
  for (change *made = changes->first; made; made = made->next) count++;
  change **order = malloc(sizeof(change *) * (size_t)(count + 1));
  for (change *made = changes->first; made; made = made->next) order[index++] = made;
  if (number > 2 && (power_random() & 1)) {
    for (index = count - 1; index > 0; index--) {
      int other = (int)(power_random() % (unsigned)(index + 1));
      change *swapped = order[index];
      order[index] = order[other];
      order[other] = swapped;
    }
  }
  for (index = 0; index < count; index++) {
    if (number == 1) {
      image_apply(target, order[index]);
    } else if (power_random() & 1) {
      apply_in_part(target, order[index]);
    }
  }
  free(order);
}

image image_copy(const image *from) {
  image made = {0, 0};
  if (from->size) image_put(&made, 0, from->bytes, from->size);
  return made;
}

void image_forget(image *old) {
  free(old->bytes);
  *old = (image){0, 0};
}

void changes_add(change_list *changes, const void *bytes, int count, long long offset) {
  change *made = calloc(1, sizeof *made);
  made->offset = offset;
  made->count = count;
  if (bytes) {
    made->bytes = malloc((size_t)count);
    memcpy(made->bytes, bytes, (size_t)count);
  }
  if (changes->last) changes->last->next = made;
  else changes->first = made;
  changes->last = made;
}

void changes_forget(change_list *changes) {
  while (changes->first) {
    change *next = changes->first->next;
    free(changes->first->bytes);
    free(changes->first);
    changes->first = next;
  }
  changes->last = 0;
}
