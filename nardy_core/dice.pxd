"""The dice of (seed, board, game, turn): a pure function, reached in one step from anywhere.

Each game has a 64-bit key, mixed from the three numbers; the word of turn t is the t-th of a
SplitMix64 sequence from that key (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number
generators", OOPSLA 2014). The choices of a policy come from a second key, so they never touch the
dice. A die is a 32-bit word scaled to six: no face is favoured by more than 2 in 10^9.
"""

from libc.stdint cimport uint32_t, uint64_t

from nardy_core.board cimport mulhi


cdef inline uint64_t mix(uint64_t x) noexcept nogil:
    """SplitMix64's finalizer: a bijection of 64-bit words with full avalanche."""
    x = (x ^ (x >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * <uint64_t>0x94D049BB133111EB
    return x ^ (x >> 31)


cdef inline uint64_t game_key(uint64_t seed, uint64_t board, uint64_t game) noexcept nogil:
    """The key of one game; each number is mixed in after the one before is scattered."""
    cdef uint64_t key = mix(seed + <uint64_t>0x9E3779B97F4A7C15)
    key = mix((key ^ board) + <uint64_t>0xD1B54A32D192ED03)
    return mix((key ^ game) + <uint64_t>0x8CB92BA72F3D8DD7)


cdef inline uint64_t word(uint64_t key, uint64_t index) noexcept nogil:
    """The index-th word of a key's sequence."""
    return mix(key + (index + 1) * <uint64_t>0x9E3779B97F4A7C15)


cdef inline uint64_t choice_key(uint64_t key) noexcept nogil:
    """The key of a game's choices."""
    return mix(key ^ <uint64_t>0xA0761D6478BD642F)


cdef inline int below(uint64_t word, int n) noexcept nogil:
    """A number 0..n-1 from a word, each alike to within n / 2^64."""
    return <int>mulhi(word, <uint64_t>n)


cdef inline void throw(uint64_t key, uint64_t turn, int* d1, int* d2) noexcept nogil:
    """The two dice of a turn."""
    cdef uint64_t w = word(key, turn)
    d1[0] = 1 + <int>((<uint64_t><uint32_t>w * 6) >> 32)
    d2[0] = 1 + <int>(((w >> 32) * 6) >> 32)


cdef inline void lot(uint64_t key, int* d1, int* d2) noexcept nogil:
    """The dice of the lot: the starter's, which is the higher, and the other's; never a double."""
    cdef int k = below(word(key, 0), 15)
    cdef int high = 2
    while k >= high - 1:
        k -= high - 1
        high += 1
    d1[0] = high
    d2[0] = k + 1


cdef inline uint64_t opening_key(uint64_t key) noexcept nogil:
    """The key of what is thrown before a game: who starts, and a lot whose dice are not played."""
    return mix(key ^ <uint64_t>0xE7037ED1A0B428DB)


cdef inline bint second_starts(uint64_t key) noexcept nogil:
    """Whether player 1, not player 0, wins the lot: one bit, each alike."""
    return word(opening_key(key), 1) >> 63
