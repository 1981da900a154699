"""The compiled core of nardy: rules, legal plays and playouts; no text, no files, no user.

Python reaches it through `nardy_core.batch` alone; other Cython code through the ``.pxd`` files.
"""
