/* What the kernels need and Cython cannot say: 32 bytes at once, and bit counts.
 *
 * Every function has three bodies, AVX2, SSE2 and plain C, which give the same bytes; the
 * compiler's own flags choose. Loads and stores need no alignment.
 */
#ifndef NARDY_SIMD_H
#define NARDY_SIMD_H

#include <stdint.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__) || (defined(_MSC_VER) && defined(_M_X64))
#include <emmintrin.h>
#define NARDY_SSE2 1
#endif

#if defined(__GNUC__) || defined(__clang__)
#define NARDY_INLINE static inline __attribute__((always_inline, unused))
#else
#define NARDY_INLINE static __inline
#endif

/* Boards that are written at once, where writing some too many costs less than a branch. */
#if defined(__AVX2__)
#define NARDY_BLOCK 4
#else
#define NARDY_BLOCK 1
#endif

/* out = a + b, 32 signed bytes. */
NARDY_INLINE void nardy_add32(void *out, const void *a, const void *b) {
#if defined(__AVX2__)
    _mm256_storeu_si256((__m256i *)out,
                        _mm256_add_epi8(_mm256_loadu_si256((const __m256i *)a),
                                        _mm256_loadu_si256((const __m256i *)b)));
#elif defined(NARDY_SSE2)
    const __m128i *x = (const __m128i *)a, *y = (const __m128i *)b;
    __m128i low = _mm_add_epi8(_mm_loadu_si128(x), _mm_loadu_si128(y));
    __m128i high = _mm_add_epi8(_mm_loadu_si128(x + 1), _mm_loadu_si128(y + 1));
    _mm_storeu_si128((__m128i *)out, low);
    _mm_storeu_si128((__m128i *)out + 1, high);
#else
    int i;
    for (i = 0; i < 32; i++)
        ((int8_t *)out)[i] = (int8_t)(((const int8_t *)a)[i] + ((const int8_t *)b)[i]);
#endif
}

/* Bit i is set where byte i is greater than k. */
NARDY_INLINE uint32_t nardy_above(const void *a, int k) {
#if defined(__AVX2__)
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(
        _mm256_loadu_si256((const __m256i *)a), _mm256_set1_epi8((char)k)));
#elif defined(NARDY_SSE2)
    const __m128i *x = (const __m128i *)a;
    __m128i limit = _mm_set1_epi8((char)k);
    uint32_t low = (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(_mm_loadu_si128(x), limit));
    uint32_t high = (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(_mm_loadu_si128(x + 1), limit));
    return low | high << 16;
#else
    uint32_t mask = 0;
    int i;
    for (i = 0; i < 32; i++)
        mask |= (uint32_t)(((const int8_t *)a)[i] > k) << i;
    return mask;
#endif
}

/* Bit i is set where byte i equals k. */
NARDY_INLINE uint32_t nardy_equal(const void *a, int k) {
#if defined(__AVX2__)
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(
        _mm256_loadu_si256((const __m256i *)a), _mm256_set1_epi8((char)k)));
#elif defined(NARDY_SSE2)
    const __m128i *x = (const __m128i *)a;
    __m128i value = _mm_set1_epi8((char)k);
    uint32_t low = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(x), value));
    uint32_t high = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(x + 1), value));
    return low | high << 16;
#else
    uint32_t mask = 0;
    int i;
    for (i = 0; i < 32; i++)
        mask |= (uint32_t)(((const int8_t *)a)[i] == k) << i;
    return mask;
#endif
}

/* Whether two boards are the same. */
NARDY_INLINE int nardy_same(const void *a, const void *b) {
#if defined(__AVX2__)
    return _mm256_movemask_epi8(_mm256_cmpeq_epi8(
               _mm256_loadu_si256((const __m256i *)a),
               _mm256_loadu_si256((const __m256i *)b))) == -1;
#elif defined(NARDY_SSE2)
    const __m128i *x = (const __m128i *)a, *y = (const __m128i *)b;
    __m128i low = _mm_cmpeq_epi8(_mm_loadu_si128(x), _mm_loadu_si128(y));
    __m128i high = _mm_cmpeq_epi8(_mm_loadu_si128(x + 1), _mm_loadu_si128(y + 1));
    return _mm_movemask_epi8(_mm_and_si128(low, high)) == 0xFFFF;
#else
    return memcmp(a, b, 32) == 0;
#endif
}

/* Sum of the positive bytes, and minus the sum of the negative ones (-128 counts as 128). */
NARDY_INLINE void nardy_totals(const void *a, int *plus, int *minus) {
#if defined(__AVX2__) || defined(NARDY_SSE2)
    const __m128i *x = (const __m128i *)a;
    const __m128i zero = _mm_setzero_si128();
    __m128i up = zero, down = zero;
    int i;
    for (i = 0; i < 2; i++) {
        __m128i v = _mm_loadu_si128(x + i);
        __m128i negative = _mm_cmpgt_epi8(zero, v);
        up = _mm_add_epi64(up, _mm_sad_epu8(_mm_andnot_si128(negative, v), zero));
        down = _mm_add_epi64(
            down, _mm_sad_epu8(_mm_and_si128(negative, _mm_sub_epi8(zero, v)), zero));
    }
    *plus = _mm_cvtsi128_si32(up) + _mm_cvtsi128_si32(_mm_srli_si128(up, 8));
    *minus = _mm_cvtsi128_si32(down) + _mm_cvtsi128_si32(_mm_srli_si128(down, 8));
#else
    int i, up = 0, down = 0;
    for (i = 0; i < 32; i++) {
        int v = ((const int8_t *)a)[i];
        if (v > 0) up += v;
        else down -= v;
    }
    *plus = up;
    *minus = down;
#endif
}

NARDY_INLINE int nardy_popcount(uint32_t x) {
#if defined(__POPCNT__)
    return __builtin_popcount(x);
#else
    x -= (x >> 1) & 0x55555555u;
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    x = (x + (x >> 4)) & 0x0F0F0F0Fu;
    return (int)((x * 0x01010101u) >> 24);
#endif
}

/* Index of the highest / lowest set bit; x is not 0. */
NARDY_INLINE int nardy_highest(uint32_t x) {
#if defined(__GNUC__) || defined(__clang__)
    return 31 ^ __builtin_clz(x); /* one instruction, where a subtraction is four */
#else
    int n = 0;
    while (x >>= 1) n++;
    return n;
#endif
}

NARDY_INLINE int nardy_lowest(uint32_t x) {
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_ctz(x);
#else
    int n = 0;
    while (!(x & 1)) { x >>= 1; n++; }
    return n;
#endif
}

/* The k-th set bit of x from above, k = 0 the highest; x has more than k. */
NARDY_INLINE int nardy_kth(uint32_t x, int k) {
#if defined(__BMI2__) && defined(__POPCNT__)
    return nardy_lowest(_pdep_u32(1u << (nardy_popcount(x) - 1 - k), x));
#else
    for (; k; k--) x ^= 1u << nardy_highest(x);
    return nardy_highest(x);
#endif
}

/* The high half of a 64 x 64 bit product: an index below n from 64 random bits. */
NARDY_INLINE uint64_t nardy_mulhi(uint64_t a, uint64_t b) {
#if defined(__SIZEOF_INT128__)
    return (uint64_t)(((unsigned __int128)a * b) >> 64);
#else
    uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    uint64_t mid = ah * bl + ((al * bl) >> 32);
    uint64_t mid2 = al * bh + (uint32_t)mid;
    return ah * bh + (mid >> 32) + (mid2 >> 32);
#endif
}

/* One 8-byte word of a board, its bytes reversed in order, negated one by one. */
NARDY_INLINE uint64_t nardy_mirror8(const void *a) {
    uint64_t x, high = 0x8080808080808080ull;
    memcpy(&x, a, 8);
#if defined(__GNUC__) || defined(__clang__)
    x = __builtin_bswap64(x);
#else
    {
        uint64_t y = 0;
        int i;
        for (i = 0; i < 8; i++) { y = y << 8 | (x & 255); x >>= 8; }
        x = y;
    }
#endif
    /* byte-wise 0 - x: borrow is kept inside each byte */
    return (high - (x & ~high)) ^ (~x & high);
}

/* The same position from the other side (see flip in board.pxd). */
#if defined(__AVX2__)
/* Where byte i comes from: [parallel][0] of its own half, [1] of the other; -1 is 0. */
static const int8_t NARDY_FLIP[2][2][32] = {
    {{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 15, 14, 13, 12, 11, 10,
      -1, -1, -1, -1, -1, -1, -1, -1, -1, 10, 9, -1, -1, -1, -1, -1},
     {11, 8, 7, 6, 5, 4, 3, 2, 1, 0, -1, -1, -1, -1, -1, -1,
      9, 8, 7, 6, 5, 4, 3, 2, 1, -1, -1, 0, -1, -1, -1, -1}},
    {{-1, 13, 14, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 2, 3,
      -1, -1, -1, -1, -1, -1, -1, -1, -1, 10, 9, -1, -1, -1, -1, -1},
     {11, -1, -1, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, -1, -1, -1,
      4, 5, 6, 7, 8, 9, 10, 11, 12, -1, -1, 0, -1, -1, -1, -1}},
};
#endif

NARDY_INLINE void nardy_flip(int8_t *out, const int8_t *in, int parallel) {
#if defined(__AVX2__)
    const int8_t(*from)[32] = NARDY_FLIP[parallel != 0];
    __m256i own = _mm256_loadu_si256((const __m256i *)in);
    __m256i other = _mm256_permute2x128_si256(own, own, 1);
    own = _mm256_shuffle_epi8(own, _mm256_loadu_si256((const __m256i *)from[0]));
    other = _mm256_shuffle_epi8(other, _mm256_loadu_si256((const __m256i *)from[1]));
    _mm256_storeu_si256((__m256i *)out,
                        _mm256_sub_epi8(_mm256_setzero_si256(), _mm256_or_si256(own, other)));
#else
    int8_t t[32];
    if (parallel) {
        int i;
        for (i = 0; i < 32; i++) t[i] = (int8_t)-in[i];
        memset(out, 0, 32);
        memcpy(out + 1, t + 13, 12);
        memcpy(out + 13, t + 1, 12);
    } else {
        uint64_t a = nardy_mirror8(in + 17), b = nardy_mirror8(in + 9), c = nardy_mirror8(in + 1);
        memset(out, 0, 32);
        memcpy(out + 1, &a, 8);
        memcpy(out + 9, &b, 8);
        memcpy(out + 17, &c, 8);
    }
    out[0] = (int8_t)-in[27];
    out[25] = (int8_t)-in[26];
    out[26] = (int8_t)-in[25];
    out[27] = (int8_t)-in[0];
#endif
}

/* Bit i is set where byte i of the two boards differs. */
NARDY_INLINE uint32_t nardy_differ(const void *a, const void *b) {
#if defined(__AVX2__)
    return ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(
        _mm256_loadu_si256((const __m256i *)a), _mm256_loadu_si256((const __m256i *)b)));
#elif defined(NARDY_SSE2)
    const __m128i *x = (const __m128i *)a, *y = (const __m128i *)b;
    uint32_t low = (uint32_t)_mm_movemask_epi8(
        _mm_cmpeq_epi8(_mm_loadu_si128(x), _mm_loadu_si128(y)));
    uint32_t high = (uint32_t)_mm_movemask_epi8(
        _mm_cmpeq_epi8(_mm_loadu_si128(x + 1), _mm_loadu_si128(y + 1)));
    return ~(low | high << 16);
#else
    uint32_t mask = 0;
    int i;
    for (i = 0; i < 32; i++)
        mask |= (uint32_t)(((const int8_t *)a)[i] != ((const int8_t *)b)[i]) << i;
    return mask;
#endif
}

/* Whether this processor and system run AVX2, BMI, BMI2, LZCNT and POPCNT. */
#if (defined(__x86_64__) || defined(__i386__)) && (defined(__GNUC__) || defined(__clang__))
#include <cpuid.h>
NARDY_INLINE int nardy_has_avx2(void) {
    unsigned a, b, c, d;
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("popcnt")) return 0;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & bit_BMI) || !(b & bit_BMI2)) return 0;
    return __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & (1u << 5)) != 0; /* LZCNT */
}
#else
NARDY_INLINE int nardy_has_avx2(void) { return 0; }
#endif

/* How this file was compiled. */
NARDY_INLINE int nardy_is_checked(void) {
#if defined(NARDY_CHECKED)
    return 1;
#else
    return 0;
#endif
}

NARDY_INLINE const char *nardy_compiler(void) {
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#elif defined(_MSC_VER)
    return "msvc";
#else
    return "unknown";
#endif
}

#endif
