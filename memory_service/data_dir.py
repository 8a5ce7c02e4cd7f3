"""The default folder of the embedded database and the built models."""

from __future__ import annotations

import os
from pathlib import Path


def default_data_dir() -> Path:
    """The data folder without MEMORY_DATA_DIR: for root below /var/lib, else in the user's data folder."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return Path("/var/lib/memory-service")
    import platformdirs  # imported here: each CLI command loads this module

    return Path(platformdirs.user_data_dir("memory-service"))
