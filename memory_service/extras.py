"""Optional dependencies: the extra of pyproject.toml that installs each, named in the error where one is missing."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from importlib.util import find_spec

from memory_service.errors import InvalidInput

PACKAGES: dict[str, frozenset[str]] = {
    "client": frozenset(("httpx2",)),
    "gemini": frozenset(("google", "httpx2")),
    "mcp": frozenset(("mcp", "mcp_types", "httpx2")),
    "openai": frozenset(("openai", "httpx2")),
    "tokenizers": frozenset(("bpe_openai",)),
    "night": frozenset(("hdbscan", "sklearn", "scipy", "joblib")),
}
"""By extra, the top-level packages whose absence means that it is not installed."""


@contextmanager
def installed_by(extra: str, field: str) -> Generator[None]:
    """A block that imports an extra's packages. Errors: InvalidInput naming `field` and the extra if one is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in PACKAGES[extra]:
            raise
        raise _missing(extra, field) from None


def require(extra: str, field: str) -> None:
    """Check, without the imports, that an extra is installed. Errors: InvalidInput naming `field` and the extra."""
    if not is_installed(extra):
        raise _missing(extra, field)


def is_installed(extra: str) -> bool:
    """Whether an extra is installed, without the imports."""
    return all(find_spec(package) is not None for package in PACKAGES[extra])


def needs(extra: str) -> str:
    """The sentence for a missing extra, with the command that installs it."""
    return f"needs the extra '{extra}': pip install 'memory-service[{extra}]'"


def _missing(extra: str, field: str) -> InvalidInput:
    return InvalidInput(field, needs(extra))
