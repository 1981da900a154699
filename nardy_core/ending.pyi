import numpy as np
from numpy.typing import NDArray

class Ends:
    def __init__(
        self,
        checkers: int,
        start: NDArray[np.int64],
        chance: NDArray[np.float64],
        first: NDArray[np.uint8],
        off_start: NDArray[np.int64],
        off_chance: NDArray[np.float64],
    ) -> None: ...
    @property
    def checkers(self) -> int: ...
