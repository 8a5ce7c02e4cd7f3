"""Arrays of numbers about many candidates; not in types.py, which is imported without numpy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Figures = NDArray[np.float64]
"""One number for each of many candidates."""
