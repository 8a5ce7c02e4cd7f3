"""Advisory locks on files, which the kernel releases when their holders end, and waiting with a deadline."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable
from pathlib import Path

POLL_SECONDS = 0.05


def open_private(path: Path, flags: int = os.O_RDWR) -> int:
    """Open a file, created with mode 0600 where it does not exist; its descriptor.

    A file that root creates in another user's folder gets that folder's owner, who could not open it otherwise. Links
    are not followed: that owner must not choose which file root opens.
    """
    descriptor = os.open(path, flags | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    if os.geteuid() == 0:
        folder = path.parent.stat()
        if os.fstat(descriptor).st_uid != folder.st_uid:
            os.fchown(descriptor, folder.st_uid, folder.st_gid)
    return descriptor


class Lock:
    """An open file description on a lock file. Two of them exclude each other, even in one process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.descriptor = open_private(path)

    def try_shared(self) -> bool:
        """Take the lock shared, without waiting; whether it is held now."""
        return self._try(fcntl.LOCK_SH)

    def try_exclusive(self) -> bool:
        """Take the lock exclusively, without waiting; whether it is held now."""
        return self._try(fcntl.LOCK_EX)

    def release(self) -> None:
        """Release the lock for all processes that share this open file, which stays open."""
        fcntl.flock(self.descriptor, fcntl.LOCK_UN)

    def close(self) -> None:
        """Close the file in this process. The lock holds until all processes that inherited it have ended."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1

    def _try(self, kind: int) -> bool:
        try:
            fcntl.flock(self.descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


class Deadline:
    """A time limit that is extended while `in_progress` is true: crash recovery may take longer than any limit.

    `in_progress` is called only when the time is over, so it may be slow.
    """

    def __init__(self, seconds: float, in_progress: Callable[[], bool] = lambda: False) -> None:
        self.seconds = seconds
        self._deadline = time.monotonic() + seconds
        self.in_progress = in_progress

    @property
    def left(self) -> float:
        """Seconds left, without extensions."""
        return max(0.0, self._deadline - time.monotonic())

    def wait_for(self, attempt: Callable[[], bool]) -> bool:
        """Repeat the attempt until it is true; False when the time is over and nothing is in progress."""
        while not attempt():
            if self.left == 0 and not self._extend():
                return False
            time.sleep(POLL_SECONDS)
        return True

    def _extend(self) -> bool:
        if not self.in_progress():
            return False
        self._deadline = time.monotonic() + 1
        return True
