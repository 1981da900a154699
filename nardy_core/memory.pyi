# Only for other Cython modules, through memory.pxd: nothing here is for Python.
