"""Bear-off tables as the playouts read them; ending.pxd says what they do with them."""

from libc.stdint cimport int64_t, uint8_t

from nardy_core.order cimport MOST_CHECKERS, fill_shape

from nardy_core.errors import InvalidArgument


cdef int _check_starts(const int64_t[::1] starts, Py_ssize_t n) except -1:
    """Refuse rows that are not one after the other, or go beyond n chances."""
    cdef Py_ssize_t i
    cdef int64_t low = 0
    for i in range(len(starts)):
        if not low <= starts[i] <= n or n == 0:
            raise InvalidArgument(f"expected row {i} to start at {low} to {n}, got {starts[i]}")
        low = starts[i]
    return 0


cdef class Ends:
    """When all checkers of a game in the home are off, and when the first of them is.

    Parameters
    ----------
    checkers : int
        Checkers of one player in the game.
    start, chance, first : int64[size + 1], float64, uint8[size]
        By position x of up to `checkers` on points 1 to 6: it bears off at turn ``first[x] + k``
        with ``chance[start[x] + k]``, up to ``start[x + 1]``; at turn 0 if there are none.
    off_start, off_chance : int64[size + 1], float64
        The same of the first checker off, from turn 1 on.

    Raises
    ------
    InvalidArgument
        If the arrays are not those of one table.
    """

    def __init__(self, int checkers, const int64_t[::1] start, const double[::1] chance,
                 const uint8_t[::1] first, const int64_t[::1] off_start,
                 const double[::1] off_chance):
        if not 1 <= checkers <= MOST_CHECKERS:
            raise InvalidArgument(f"checkers: expected 1 to {MOST_CHECKERS}, got {checkers}")
        self.e.shape.points, self.e.shape.checkers = 6, checkers
        fill_shape(&self.e.shape)
        size = self.e.shape.size
        lengths = (len(first), len(start), len(off_start))
        if lengths != (size, size + 1, size + 1):
            raise InvalidArgument(f"expected a table of {size} positions, got arrays of {lengths}")
        _check_starts(start, len(chance))
        _check_starts(off_start, len(off_chance))
        self.e.start, self.e.chance, self.e.first = &start[0], &chance[0], &first[0]
        self.e.off_start, self.e.off_chance = &off_start[0], &off_chance[0]
        self.arrays = (start, chance, first, off_start, off_chance)

    @property
    def checkers(self):
        """Checkers of one player in the game."""
        return self.e.shape.checkers
