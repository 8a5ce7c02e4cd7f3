"""When each bank was last written to, by any process of this machine: shared memory in a file of the data folder."""

from __future__ import annotations

import mmap
import os
import time
import zlib
from pathlib import Path

import structlog

FILE = "write-marks"
SLOTS = 65_536
"""Banks share slots: a write to one then sends reads of another to the primary, too, which is only slower."""
SLOT_BYTES = 8

log = structlog.get_logger()


class WriteMarks:
    """A time on the clock of `time.monotonic`, which all processes of a machine share, for each slot of banks."""

    def __init__(self, folder: Path) -> None:
        self._times = memoryview(shared_memory(folder / FILE)).cast("d")

    def set(self, bank_id: str) -> None:
        """Mark the bank as written to now."""
        self._times[slot_of(bank_id)] = time.monotonic()

    def is_before(self, bank_id: str, moment: float) -> bool:
        """Whether the last write to the bank ended before `moment`."""
        marked = self._times[slot_of(bank_id)]
        return marked < moment or marked > time.monotonic()  # the clock began anew when the machine did


def slot_of(bank_id: str) -> int:
    return zlib.crc32(bank_id.encode()) % SLOTS


def shared_memory(path: Path) -> mmap.mmap:
    """The file's content, filled with zeros where it is new; memory of this process alone where it cannot be made."""
    size = SLOTS * SLOT_BYTES
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            if os.fstat(descriptor).st_size != size:
                os.ftruncate(descriptor, size)
            return mmap.mmap(descriptor, size)
        finally:
            os.close(descriptor)
    except OSError as error:
        log.warning(
            "other processes of this machine are not told of writes: their reads from the replica may lack them",
            file=str(path), error=type(error).__name__,
        )  # fmt: skip
        return mmap.mmap(-1, size)
