/* What threads need and neither Cython nor Python 3.11 gives without the GIL: a lock that is held
 * for some nanoseconds only, a way to wait, a clock.
 */
#ifndef NARDY_CREW_H
#define NARDY_CREW_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#if defined(_WIN32)
#include <windows.h>
#else
#include <sched.h>
#include <unistd.h>
#endif
#if defined(__linux__)
#include <sys/mman.h>
#endif
#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#endif

/* A spin lock; 0 is open. Never taken while Python is called, so nobody waits for the GIL in it. */
#if defined(_MSC_VER) && !defined(__clang__)
typedef volatile long nardy_lock_t;
static __inline int nardy_try_lock(nardy_lock_t *lock) {
    return _InterlockedExchange(lock, 1) == 0;
}
static __inline void nardy_unlock(nardy_lock_t *lock) { _InterlockedExchange(lock, 0); }
#else
typedef char nardy_lock_t;
static inline int nardy_try_lock(nardy_lock_t *lock) {
    return !__atomic_test_and_set(lock, __ATOMIC_ACQUIRE);
}
static inline void nardy_unlock(nardy_lock_t *lock) { __atomic_clear(lock, __ATOMIC_RELEASE); }
#endif

/* Wait a moment, the longer the more often one has waited: some cycles, what the system gives to
 * others, a fifth of a millisecond. */
static inline void nardy_rest(unsigned waited) {
    if (waited < 64) {
#if defined(__SSE2__) || defined(_M_X64)
        _mm_pause();
#endif
        return;
    }
#if defined(_WIN32)
    if (waited < 512)
        SwitchToThread();
    else
        Sleep(1);
#else
    if (waited < 512)
        sched_yield();
    else
        usleep(200);
#endif
}

static inline void nardy_lock(nardy_lock_t *lock) {
    unsigned waited = 0;
    while (!nardy_try_lock(lock))
        nardy_rest(waited++);
}

/* Milliseconds of the clock; it may be set anew while one looks. */
static inline int64_t nardy_milliseconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Copy `n` boards as a step of many, and call for the lines of the next step but one: they are not
 * in the cache, and stores that wait for them hold up what is done in between. */
static inline void nardy_copy_step(void *to, const void *from, size_t n) {
#if defined(__GNUC__) || defined(__clang__)
    size_t i;
    for (i = 2 * n; i < 3 * n; i += 2)
        __builtin_prefetch((char *)to + 32 * i, 1, 3);
#endif
    memcpy(to, from, 32 * n);
}

/* Ask for large pages where fresh memory is worth it: clearing it page by page costs more than
 * what is written there. */
static inline void nardy_large_pages(void *at, size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    const size_t page = 4096;
    uintptr_t from = ((uintptr_t)at + page - 1) & ~(uintptr_t)(page - 1);
    uintptr_t to = ((uintptr_t)at + bytes) & ~(uintptr_t)(page - 1);
    if (to > from)
        (void)madvise((void *)from, to - from, MADV_HUGEPAGE);
#else
    (void)at;
    (void)bytes;
#endif
}

#endif
