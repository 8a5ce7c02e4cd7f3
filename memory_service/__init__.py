"""A Postgres-centric memory service for AI agents.

from memory_service import Memory

async with await Memory.open() as memory:
    await memory.create_bank("anna")
    await memory.remember("anna", "Anna moved to Porto.", wait_ms=2000)
    result = await memory.recall("anna", "Where does Anna live?", k=3)
    print(result.items[0].content)
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory_service.access_tokens import AccessToken
    from memory_service.client.blocking import SyncMemoryClient
    from memory_service.client.client import MemoryClient
    from memory_service.config import Settings, load_settings
    from memory_service.errors import (
        Conflict,
        DatabaseUnavailable,
        Forbidden,
        InvalidInput,
        LedgerUnavailable,
        MemoryServiceError,
        NotFound,
        PreconditionFailed,
        ServiceUnavailable,
        StaleVersion,
        TryLater,
        Unauthorized,
    )
    from memory_service.memory import Memory
    from memory_service.methods import MemoryMethods
    from memory_service.requests import NewMessage
    from memory_service.results import (
        BankStats,
        Change,
        Checkpoint,
        Clarification,
        Committed,
        Context,
        Decision,
        EmotionalThread,
        Fact,
        FactVersion,
        MemoryItem,
        Page,
        RecalledMemory,
        RecallResult,
        Session,
        SessionLine,
        Trace,
    )
    from memory_service.types import Bank

__version__ = "0.1.0"

__all__ = [
    "AccessToken",
    "Bank",
    "BankStats",
    "Change",
    "Checkpoint",
    "Clarification",
    "Committed",
    "Conflict",
    "Context",
    "DatabaseUnavailable",
    "Decision",
    "EmotionalThread",
    "Fact",
    "FactVersion",
    "Forbidden",
    "InvalidInput",
    "LedgerUnavailable",
    "Memory",
    "MemoryClient",
    "MemoryItem",
    "MemoryMethods",
    "MemoryServiceError",
    "NewMessage",
    "NotFound",
    "Page",
    "PreconditionFailed",
    "RecallResult",
    "RecalledMemory",
    "ServiceUnavailable",
    "Session",
    "SessionLine",
    "Settings",
    "StaleVersion",
    "SyncMemoryClient",
    "Trace",
    "TryLater",
    "Unauthorized",
    "__version__",
    "load_settings",
]

_MODULES = {
    "AccessToken": "access_tokens",
    "Bank": "types",
    "Memory": "memory",
    "MemoryClient": "client.client",
    "MemoryMethods": "methods",
    "NewMessage": "requests",
    "Settings": "config",
    "SyncMemoryClient": "client.blocking",
    "load_settings": "config",
}
"""Modules of public names; the others are in `errors` or `results`."""

# onnxruntime writes a device id into the user's cache folder and sends events to its maker. It reads this variable
# once, when it is imported; every module here that imports it imports this package first. Its own function
# disable_telemetry_events() comes too late: the files are there and requests are still sent (measured with 1.31).
os.environ["ORT_DISABLE_TELEMETRY"] = "1"


def __getattr__(name: str) -> object:
    """Import a public name at its first use: the command line must not wait for all of them."""
    if name in __all__:
        for module in (_MODULES[name],) if name in _MODULES else ("errors", "results"):
            found = getattr(import_module(f"{__name__}.{module}"), name, None)
            if found is not None:
                return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
