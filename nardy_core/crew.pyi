# Only for other Cython modules, through crew.pxd: nothing here is for Python.
