# Only for other Cython modules, through movegen.pxd: nothing here is for Python.
