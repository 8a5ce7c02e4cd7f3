"""Candidates: embeds the query, runs all search arms in one SQL call, fuses their scores to one similarity."""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from functools import partial

import structlog

from memory_service.config import Settings
from memory_service.errors import InvalidInput, ModelError
from memory_service.models.interface import Vectors
from memory_service.models.registry import Models
from memory_service.models.token_counter import loaded_counter
from memory_service.profiles import DEFAULT, PROFILES, Profile
from memory_service.recall.context_limits import context_limits_of
from memory_service.recall.fusion import fused
from memory_service.recall.mood import PresentMood
from memory_service.recall.query_analysis import kinds_in, named_in, periods_in, subjects_in, without_names
from memory_service.recall.spelling import doubtful_in
from memory_service.recall.trace import Timing
from memory_service.requests import Filters, Mood
from memory_service.speakers import speakers_of, words_of_name
from memory_service.store import Store
from memory_service.store.retrieval import Search
from memory_service.types import Bank, Candidate
from memory_service.validation import ARMS

log = structlog.get_logger()

VISIBLE: dict[str, tuple[str, ...]] = {"passive": ("active",), "tool": ("active", "archived")}
"""Statuses of episodes visible in each mode (docs/design.md, "States")."""

MEANING, WORDS, SALIENCE = ARMS
NO_MOOD = PresentMood(Mood(), None)
CACHED_QUERIES = 1_000
GRACE_SECONDS = 0.1
"""The model's circuit breaker times out first: it counts the outage, so that the next reads do not wait."""


class Candidates:
    """Finds the candidates for a query in any bank.

    One SQL call per recall. Speakers' names are removed from the embedded text, so they are needed before it: they come
    with the bank, which the caller caches for two seconds. Without the query's embedding within
    MEMORY_QUERY_EMBEDDING_SECONDS the search is by words, importance and recency. Cancelling the call cancels the
    running statement.
    """

    def __init__(self, store: Store, models: Models, settings: Settings) -> None:
        self._store = store
        self._models = models
        self._settings = settings
        self._embedding_seconds = settings.query_seconds
        self._queries: OrderedDict[tuple[str, str], Vectors] = OrderedDict()

    async def find(
        self,
        bank: Bank,
        text: str,
        fetch: int,
        mode: str,
        filters: Filters,
        as_of: datetime | None,
        timing: Timing,
        *,
        profile: Profile = PROFILES[DEFAULT],
        mood: PresentMood = NO_MOOD,
        types: Sequence[str] | None = None,
        by: Sequence[str] | None = None,
        k: int | None = None,
        salient: bool = True,
        facts: int = 0,
        procedures: bool = False,
        beside: Callable[[Vectors | None], Awaitable[None]] | None = None,
    ) -> tuple[Sequence[Candidate], bool]:
        """The candidates, and whether the search was degraded: without the query's vector.

        Only the arms in `by` are used, each with `fetch` rows; by meaning alone `k` rows suffice. `salient`: use the
        arm by importance and recency, weighed by `profile` and `mood`, in any case, else only where the other arms
        return too few. A degraded search uses all other arms. `facts`: as many of the nearest facts are fetched in
        addition; with `procedures` as many procedures as of other memories. Memories excluded by the mood do not
        count; the nearest of them are returned in addition, for the trace. `beside` is run with the query's vector
        while the candidates are searched. Errors: NotFound.
        """
        speakers = speakers_of(bank.settings)
        named = named_in(text, speakers.words.union(bank.people))
        periods = periods_in(text, as_of or datetime.now(UTC))
        vector, arms = None, by or ARMS
        if MEANING in arms:
            vector = await self._vector_in_time(bank, without_names(text, named))
        about = subjects_in(text, named, speakers)
        names_agent = not words_of_name(speakers.agent_name).isdisjoint(about)
        degraded = MEANING in arms and vector is None
        arms = ARMS if degraded else arms
        if arms == (MEANING,) and profile.floor is None:
            fetch = k or fetch
        doubtful = doubtful_in(text, bank.people, await loaded_counter("wordpiece")) if WORDS in arms else ()
        timing.lap("embed")
        least_confidence = None
        if mode == "passive":
            least_confidence = math.nextafter(
                context_limits_of(bank.settings, self._settings).context_confidence, 2.0
            )
        search = Search(
            vector, text if WORDS in arms else None, about, fetch,
            (fetch if salient else 0) if SALIENCE in arms else None, facts, VISIBLE[mode], least_confidence,
            profile, mood.mood.emotions, types, filters, mood.bars(), as_of, fetch if procedures else 0, doubtful,
            names_agent,
        )  # fmt: skip
        searching = self._store.retrieval.candidates(
            bank.bank_id,
            bank.embedding_model,
            search,
            partial(fused, periods=periods, kinds=kinds_in(text), scale=bank.scale, names_agent=names_agent),
        )
        if beside is None:
            found = await searching
        else:
            found, _ = await asyncio.gather(searching, beside(vector))
        timing.lap("search")
        return found, degraded

    async def _vector_in_time(self, bank: Bank, text: str) -> Vectors | None:
        """The query's unit vector; None where its model is unavailable or too slow."""
        try:
            async with asyncio.timeout(self._embedding_seconds + GRACE_SECONDS):
                return await self._vector_of(bank.embedding_model, text)
        except (ModelError, InvalidInput, TimeoutError) as error:
            reason = str(error) or type(error).__name__
            log.warning("recall degraded: no query embedding", bank_id=bank.bank_id, error=reason)
            return None

    async def _vector_of(self, model: str, text: str) -> Vectors:
        """The query's unit vector, cached for the last CACHED_QUERIES queries."""
        key = (model, text)
        if key in self._queries:
            self._queries.move_to_end(key)
            return self._queries[key]
        answer = await self._models.embedder(model).embed_query(text)
        self._queries[key] = answer.vectors[0]
        if len(self._queries) > CACHED_QUERIES:
            self._queries.popitem(last=False)
        return answer.vectors[0]
