"""Chooses the kernels once, at import: AVX2 where the processor has it, else the plain ones.

The environment variable NARDY_KERNEL=plain or avx2 forces one, to test each. All give the same
bytes.
"""

import importlib
import os

from cpython.pycapsule cimport PyCapsule_GetPointer


cdef extern from "simd.h" nogil:
    bint has_avx2 "nardy_has_avx2"()


def _choose():
    """The name of the kernels to use."""
    wanted = os.environ.get("NARDY_KERNEL", "")
    if wanted not in ("", "plain", "avx2"):
        raise ImportError(f"NARDY_KERNEL: expected 'plain' or 'avx2', got {wanted!r}")
    if wanted == "avx2" and not has_avx2():
        raise ImportError("NARDY_KERNEL=avx2: this processor has no AVX2")
    return wanted or ("avx2" if has_avx2() else "plain")


def _load(name):
    """The module of some kernels; the plain ones where the others were not built."""
    try:
        return name, importlib.import_module(f"nardy_core.kernel_{name}")
    except ModuleNotFoundError:
        if name == "plain" or os.environ.get("NARDY_KERNEL"):
            raise
        return _load("plain")


NAME, _module = _load(_choose())
KERNEL = <const kernel_t*>PyCapsule_GetPointer(_module.table, b"nardy_core.kernel_t")
