"""Start of a process: settings from the environment, logging, the event loop. Used by the CLI and by jobs."""

from __future__ import annotations

import gc
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:  # imported on use: pydantic-settings and structlog take longer than `--help`
    from memory_service.config import Settings

T = TypeVar("T")

NEW_OBJECTS = 20_000
"""Objects made and not freed until the next garbage collection. At Python's 700, collections take 8 % of the processor
time of `serve` under load, and find next to nothing."""


def configure_process() -> Settings:
    """Read the settings from the environment and configure logging by them. Errors: InvalidInput."""
    from memory_service import logs
    from memory_service.config import load_settings

    settings = load_settings()
    logs.configure(settings.log_level)
    if not gc.isenabled():  # by the command line, while it imports; the imported objects stay
        gc.freeze()
        gc.set_threshold(NEW_OBJECTS)
        gc.enable()
    return settings


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on uvloop to its end."""
    import uvloop

    return uvloop.run(work)
