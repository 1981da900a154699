"""The kernels for AVX2, BMI and POPCNT; imported only where the processor has them."""

include "movegen.pxi"
include "playout.pxi"

from cpython.pycapsule cimport PyCapsule_New

from nardy_core.kernel cimport kernel_t

cdef kernel_t TABLE
TABLE.search = search
TABLE.plays = plays
TABLE.count = count
TABLE.play_game = play_game
TABLE.choose = choose
TABLE.is_stuck = is_stuck

table = PyCapsule_New(&TABLE, b"nardy_core.kernel_t", NULL)
