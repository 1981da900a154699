# What kernel.pyx takes from a module of kernels; included last by kernel_plain.pyx and
# kernel_avx2.pyx.

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
