"""Circuit breaker: after repeated outages of a provider calls fail at once, and one probe at a time is let through."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

import structlog

from memory_service.errors import ProviderUnavailable
from memory_service.models.interface import Embedder, Embeddings, LanguageModel, Reply, Task

OUTAGES_TO_OPEN = 3
FIRST_PAUSE_SECONDS = 5.0
LONGEST_PAUSE_SECONDS = 60.0
LONGEST_RETRY_AFTER_SECONDS = 600.0
"""Upper bound of a pause that the provider requests."""
JITTER = 0.2

log = structlog.stdlib.get_logger(__name__)


class Breaker:
    """Circuit breaker of one model: closed, open (all calls are refused) or half-open (one probe is allowed).

    Three consecutive calls that end in ProviderUnavailable open it; any other result closes it. Open, it refuses calls
    for 5 s, doubled to at most 60 s while the probes fail, each ±20 %, or for as long as the provider requests, at most
    10 minutes. A cancelled call has no effect. A call that began before the breaker last opened or closed is stale: its
    failure only lengthens a pause where the provider requests that.
    For one event loop, hence without a lock.
    """

    def __init__(self, name: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._name = name
        self._clock = clock
        self._outages = 0
        """Consecutive, while closed."""
        self._pauses = 0
        """Consecutive; 0 is closed."""
        self._until = 0.0
        """End of the pause, on the clock."""
        self._probing = False
        self._turn = 0
        """Increased when the breaker opens, reopens or closes: a call of an earlier turn is stale."""

    @contextmanager
    def call(self) -> Generator[None]:
        """Surround one call of the model. Errors: ProviderUnavailable with the rest of the pause as `retry_after`."""
        turn = self._admit()
        try:
            yield
        except ProviderUnavailable as error:
            self._failed(turn, error.retry_after or 0.0)
            raise
        except Exception:
            self._answered(turn)
            raise
        except BaseException:  # cancelled: the next call is the probe
            if turn == self._turn:
                self._probing = False
            raise
        else:
            self._answered(turn)

    def _admit(self) -> int:
        if self._pauses:
            left = self._until - self._clock()
            if left <= 0 and self._probing:
                left = FIRST_PAUSE_SECONDS  # the duration of the probe is unknown
            if left > 0:
                raise ProviderUnavailable(f"{self._name}: paused after repeated outages", retry_after=left)
            self._probing = True
        return self._turn

    def _answered(self, turn: int) -> None:
        if turn != self._turn:
            return
        self._outages = 0
        if self._pauses:
            log.info("model answers again", model=self._name, pauses=self._pauses)
            self._pauses = 0
            self._turn += 1

    def _failed(self, turn: int, retry_after: float) -> None:
        if turn != self._turn:
            if self._pauses:
                self._until = max(self._until, self._clock() + min(retry_after, LONGEST_RETRY_AFTER_SECONDS))
            return
        self._outages += 1
        if not self._pauses and self._outages < OUTAGES_TO_OPEN:
            return
        pause = min(FIRST_PAUSE_SECONDS * 2.0 ** min(self._pauses, 10), LONGEST_PAUSE_SECONDS)
        pause *= random.uniform(1 - JITTER, 1 + JITTER)  # noqa: S311
        pause = min(max(pause, retry_after), LONGEST_RETRY_AFTER_SECONDS)
        if not self._pauses:
            log.warning("model paused", model=self._name, outages=self._outages, seconds=round(pause, 1))
        self._outages = 0
        self._pauses += 1
        self._until = self._clock() + pause
        self._probing = False
        self._turn += 1


class GuardedEmbedder:
    """An embedder behind a breaker that its documents and queries share; an interface.Embedder.

    A query without an answer in `query_seconds` counts as an outage, so that recall does not wait for a provider that
    hangs.
    """

    def __init__(
        self,
        embedder: Embedder,
        *,
        query_seconds: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.guarded = embedder
        self._query_seconds = query_seconds
        self._breaker = Breaker(embedder.name, clock=clock)

    @property
    def name(self) -> str:
        return self.guarded.name

    @property
    def billed(self) -> bool:
        return self.guarded.billed

    def fits(self, text: str) -> bool:
        return self.guarded.fits(text)

    async def embed_documents(self, texts: Sequence[str]) -> Embeddings:
        with self._breaker.call():
            return await self.guarded.embed_documents(texts)

    async def embed_query(self, text: str) -> Embeddings:
        with self._breaker.call():
            try:
                async with asyncio.timeout(self._query_seconds):
                    return await self.guarded.embed_query(text)
            except TimeoutError as error:
                problem = f"{self.name}: a query was not answered in {self._query_seconds:g} s"
                raise ProviderUnavailable(problem) from error

    async def aclose(self) -> None:
        await self.guarded.aclose()


class GuardedLanguageModel:
    """A language model behind a breaker; an interface.LanguageModel."""

    def __init__(self, model: LanguageModel, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.guarded = model
        self._breaker = Breaker(model.name, clock=clock)

    @property
    def name(self) -> str:
        return self.guarded.name

    async def ask(self, task: Task, texts: Sequence[str]) -> Reply:
        with self._breaker.call():
            return await self.guarded.ask(task, texts)

    async def aclose(self) -> None:
        await self.guarded.aclose()
