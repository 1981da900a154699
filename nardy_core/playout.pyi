# Only for other Cython modules, through playout.pxd: nothing here is for Python.
