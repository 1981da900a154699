"""The kernels for AVX2, BMI and POPCNT; imported only where the processor has them."""

include "movegen.pxi"
include "playout.pxi"
include "table.pxi"
