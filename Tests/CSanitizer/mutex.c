// Swift's `Mutex` on Linux: who finds it free takes it with an atomic operation that is compiled into the caller, which
// Thread Sanitizer sees. A thread that has to wait, or has to wake another, calls two functions of libswiftSynchronization, which
// is not instrumented, so that whatever the mutex protects looked like a race then. These two stand in front of them: they
// do the same, and say so. https://github.com/swiftlang/swift/blob/main/stdlib/public/Synchronization/Mutex/LinuxImpl.swift
#if defined(__linux__) && defined(__has_feature)
#if __has_feature(thread_sanitizer)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT_METHOD __attribute__((swiftcall))
#define SWIFT_SELF __attribute__((swift_context))

void __tsan_acquire(void *address);
void __tsan_release(void *address);

// Synchronization._MutexHandle._lockSlow(_: UInt32)
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
// Synchronization._MutexHandle._unlockSlow()
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT_METHOD void (*lock_function)(uint32_t thread, SWIFT_SELF void *mutex);
typedef SWIFT_METHOD void (*unlock_function)(SWIFT_SELF void *mutex);

SWIFT_METHOD void csanitizer_lock(uint32_t thread, SWIFT_SELF void *mutex) __asm__(LOCK);
SWIFT_METHOD void csanitizer_unlock(SWIFT_SELF void *mutex) __asm__(UNLOCK);

SWIFT_METHOD void csanitizer_lock(uint32_t thread, SWIFT_SELF void *mutex) {
  lock_function original = (lock_function)dlsym(RTLD_NEXT, LOCK);
  original(thread, mutex);
  __tsan_acquire(mutex);
}

SWIFT_METHOD void csanitizer_unlock(SWIFT_SELF void *mutex) {
  unlock_function original = (unlock_function)dlsym(RTLD_NEXT, UNLOCK);
  __tsan_release(mutex);
  original(mutex);
}

#endif
#endif
