"""Columns of numbers about many candidates; apart from types.py, which programs import that need no numpy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Figures = NDArray[np.float64]
"""One number for each of many candidates."""
