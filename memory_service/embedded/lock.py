"""Advisory locks on files: the kernel drops them when their holders are gone, however they went."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable
from pathlib import Path

POLL_SECONDS = 0.05


def open_private(path: Path, flags: int = os.O_RDWR) -> int:
    """Open a file beside the data, made with mode 0600 where it does not exist, and get its descriptor.

    A file that root makes in somebody else's folder is given to that folder's owner, who would otherwise be
    locked out of it. Links are not followed: that owner must not choose which file root opens.
    """
    descriptor = os.open(path, flags | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    if os.geteuid() == 0:
        folder = path.parent.stat()
        if os.fstat(descriptor).st_uid != folder.st_uid:
            os.fchown(descriptor, folder.st_uid, folder.st_gid)
    return descriptor


class Lock:
    """One open file description on a lock file. Two of them exclude each other, even in one process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.descriptor = open_private(path)

    def try_shared(self) -> bool:
        """True when the lock is now held together with others; never waits."""
        return self._try(fcntl.LOCK_SH)

    def try_exclusive(self) -> bool:
        """True when the lock is now held by this open file alone; never waits."""
        return self._try(fcntl.LOCK_EX)

    def release(self) -> None:
        """Let go, for every process that shares this open file; it stays open."""
        fcntl.flock(self.descriptor, fcntl.LOCK_UN)

    def close(self) -> None:
        """Close the file here. The lock lasts as long as another process has inherited it."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1

    def _try(self, kind: int) -> bool:
        try:
            fcntl.flock(self.descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


class Patience:
    """A time limit that a sign of life prolongs: crash recovery may take longer than any limit.

    The sign is asked for only when the time is up, so it may cost something.
    """

    def __init__(self, seconds: float, sign_of_life: Callable[[], bool] = lambda: False) -> None:
        self.seconds = seconds
        self._deadline = time.monotonic() + seconds
        self.sign_of_life = sign_of_life

    @property
    def left(self) -> float:
        """Seconds that are left, sign of life aside."""
        return max(0.0, self._deadline - time.monotonic())

    def wait_for(self, attempt: Callable[[], bool]) -> bool:
        """Repeat the attempt until it is true; False when the time is up and nothing shows life."""
        while not attempt():
            if self.left == 0 and not self._prolong():
                return False
            time.sleep(POLL_SECONDS)
        return True

    def _prolong(self) -> bool:
        if not self.sign_of_life():
            return False
        self._deadline = time.monotonic() + 1
        return True
