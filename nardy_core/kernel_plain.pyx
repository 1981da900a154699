"""The kernels for the processor's baseline instructions: any x86-64, or another processor."""

include "movegen.pxi"
include "playout.pxi"
include "table.pxi"
