"""Where the embedded database and the built models live."""

from __future__ import annotations

import os
from pathlib import Path


def default_data_dir() -> Path:
    """The data folder where no setting names one: root has /var/lib, a person their own folder."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return Path("/var/lib/memory-service")
    import platformdirs  # only here: each command of the command line reads this module

    return Path(platformdirs.user_data_dir("memory-service"))
