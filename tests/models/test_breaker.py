"""The circuit breaker: closed, open, half-open, on a clock of the test's own."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from memory_service.errors import InvalidOutput, ProviderUnavailable, RequestRejected
from memory_service.models.breaker import (
    FIRST_PAUSE_SECONDS,
    LONGEST_PAUSE_SECONDS,
    LONGEST_RETRY_AFTER_SECONDS,
    OUTAGES_TO_OPEN,
    Breaker,
    GuardedEmbedder,
    GuardedLanguageModel,
)
from memory_service.models.interface import VECTOR_DIMENSIONS, Embeddings, Reply, Task
from memory_service.models.model_extractor import EXTRACT

DOWN = ProviderUnavailable("down")


@dataclass
class Clock:
    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Scripted:
    """An embedder and a language model that do what the script says, then what `then` says; None is success."""

    script: list[Exception | None] = field(default_factory=list[Exception | None])
    then: Exception | None = None
    name: str = "scripted"
    calls: list[str] = field(default_factory=list[str])
    closed: bool = False
    billed: bool = True

    def fits(self, text: str) -> bool:
        return len(text) < 10

    def _next(self, call: str) -> None:
        self.calls.append(call)
        error = self.script.pop(0) if self.script else self.then
        if error is not None:
            raise error

    async def embed_documents(self, texts: Sequence[str]) -> Embeddings:
        self._next("documents")
        return Embeddings(np.ones((len(texts), VECTOR_DIMENSIONS), dtype=np.float32))

    async def embed_query(self, text: str) -> Embeddings:
        self._next("query")
        return Embeddings(np.ones((1, VECTOR_DIMENSIONS), dtype=np.float32))

    async def ask(self, task: Task, texts: Sequence[str]) -> Reply:
        self._next(task.purpose)
        return Reply("", 0, 0)

    async def aclose(self) -> None:
        self.closed = True


async def fail(guarded: GuardedEmbedder, times: int = 1) -> float | None:
    """Calls that are to fail as unavailable; the last one's retry_after."""
    after: float | None = None
    for _ in range(times):
        with pytest.raises(ProviderUnavailable) as caught:
            await asyncio.wait_for(guarded.embed_query("q"), 3)
        after = caught.value.retry_after
    return after


async def opened(clock: Clock, model: Scripted) -> tuple[GuardedEmbedder, float]:
    """An embedder whose breaker just opened, and how long for. The model is down from here on."""
    model.script, model.then = [], DOWN
    guarded = GuardedEmbedder(model, clock=clock)
    await fail(guarded, OUTAGES_TO_OPEN)
    model.calls.clear()
    left = await fail(guarded)
    assert left is not None
    assert model.calls == []
    return guarded, left


async def test_three_outages_in_a_row_open_it_and_calls_fail_at_once() -> None:
    clock, model = Clock(), Scripted(then=DOWN)
    guarded = GuardedEmbedder(model, clock=clock)
    await fail(guarded, 2)
    assert await fail(guarded) is None  # the third still reaches the provider
    left = await fail(guarded)
    assert left is not None
    assert 4 <= left <= 6
    assert len(model.calls) == 3
    clock.now += 1
    assert await fail(guarded) == pytest.approx(left - 1)
    assert len(model.calls) == 3


@pytest.mark.parametrize("other", [None, RequestRejected("no"), InvalidOutput("what?"), ValueError("bug")])
async def test_any_other_outcome_shows_that_the_provider_answers(other: Exception | None) -> None:
    model = Scripted([DOWN, DOWN, other, DOWN, DOWN, other])
    guarded = GuardedEmbedder(model, clock=Clock())
    for expected in list(model.script):
        if expected is None:
            await guarded.embed_query("q")
        else:
            with pytest.raises(type(expected)):
                await guarded.embed_query("q")
    assert len(model.calls) == 6
    await guarded.embed_query("q")


async def test_documents_and_queries_share_one_breaker() -> None:
    model = Scripted(then=DOWN)
    guarded = GuardedEmbedder(model, clock=Clock())
    for _ in range(2):
        with pytest.raises(ProviderUnavailable):
            await guarded.embed_documents(["d"])
    await fail(guarded)
    with pytest.raises(ProviderUnavailable, match="paused"):
        await guarded.embed_documents(["d"])
    assert model.calls == ["documents", "documents", "query"]


async def test_a_language_model_is_guarded_alike() -> None:
    clock, model = Clock(), Scripted([DOWN] * 3)
    guarded = GuardedLanguageModel(model, clock=clock)
    for _ in range(4):
        with pytest.raises(ProviderUnavailable):
            await guarded.ask(EXTRACT, [])
    assert len(model.calls) == 3
    clock.now += 6
    assert (await guarded.ask(EXTRACT, [])).text == ""


async def test_everything_else_passes_through() -> None:
    model = Scripted()
    embedder, language = GuardedEmbedder(model), GuardedLanguageModel(model)
    assert embedder.name == language.name == "scripted"
    assert embedder.fits("short")
    assert not embedder.fits("much too long")
    assert embedder.billed
    model.billed = False
    assert not embedder.billed
    assert (await embedder.embed_documents(["a", "b"])).vectors.shape == (2, VECTOR_DIMENSIONS)
    await embedder.aclose()
    assert model.closed
    model.closed = False
    await language.aclose()
    assert model.closed


async def test_a_probe_that_succeeds_closes_it() -> None:
    clock, model = Clock(), Scripted()
    guarded, left = await opened(clock, model)
    clock.now += left
    model.then = None
    for _ in range(3):
        await guarded.embed_query("q")
    assert len(model.calls) == 3
    model.then = DOWN
    await fail(guarded, 2)  # counted from the start again
    assert len(model.calls) == 5


@pytest.mark.parametrize("other", [RequestRejected("no"), InvalidOutput("what?")])
async def test_a_probe_that_is_refused_closes_it_too(other: Exception) -> None:
    clock, model = Clock(), Scripted()
    guarded, left = await opened(clock, model)
    clock.now += left
    model.script, model.then = [other], None
    with pytest.raises(type(other)):
        await guarded.embed_query("q")
    await guarded.embed_query("q")
    assert len(model.calls) == 2


async def test_pauses_double_to_a_minute_and_start_over_after_a_success() -> None:
    clock, model = Clock(), Scripted()
    guarded, left = await opened(clock, model)
    for usual in (10, 20, 40, 60, 60, 60):
        clock.now += left
        await fail(guarded)  # the probe
        left = await fail(guarded) or 0.0
        assert usual * 0.8 <= left <= usual * 1.2
    assert len(model.calls) == 6
    clock.now += left
    model.script = [None]
    await guarded.embed_query("q")
    await fail(guarded, 3)
    left = await fail(guarded) or 0.0
    assert 4 <= left <= 6


async def test_pauses_are_jittered() -> None:
    lefts = [(await opened(Clock(), Scripted()))[1] for _ in range(50)]
    assert len(set(lefts)) > 40
    assert min(lefts) < 4.8
    assert max(lefts) > 5.2


async def test_a_day_of_failed_probes_overflows_nothing() -> None:
    clock, model = Clock(), Scripted()
    guarded, _ = await opened(clock, model)
    for _ in range(1500):
        clock.now += 100
        await fail(guarded)
    assert len(model.calls) == 1500


@pytest.mark.parametrize(("asked", "least", "most"), [(1.0, 4, 6), (90.0, 90, 90), (86_400.0, 600, 600)])
async def test_a_pause_is_never_shorter_than_the_provider_asks(
    asked: float, least: float, most: float
) -> None:
    clock, model = Clock(), Scripted(then=ProviderUnavailable("busy", retry_after=asked))
    guarded = GuardedEmbedder(model, clock=clock)
    await fail(guarded, 3)
    left = await fail(guarded) or 0.0
    assert least <= left <= most


class Slow(Scripted):
    """Answers when its turn comes; who waits is in `waiting`."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[asyncio.Future[None]] = []

    async def embed_query(self, text: str) -> Embeddings:
        self.calls.append("query")
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting.append(turn)
        await turn
        return Embeddings(np.ones((1, VECTOR_DIMENSIONS), dtype=np.float32))


async def begun(model: Slow, guarded: GuardedEmbedder, times: int) -> list[asyncio.Task[Embeddings]]:
    tasks = [asyncio.create_task(guarded.embed_query("q")) for _ in range(times)]
    for _ in range(3):
        await asyncio.sleep(0)
    return tasks


async def ended(task: asyncio.Task[Embeddings]) -> BaseException | None:
    async with asyncio.timeout(3):  # a task that ought to have been refused would wait for ever
        (result,) = await asyncio.gather(task, return_exceptions=True)
    return result if isinstance(result, BaseException) else None


async def half_open(clock: Clock) -> tuple[Slow, GuardedEmbedder, asyncio.Task[Embeddings]]:
    """A breaker whose probe is under way."""
    model = Slow()
    guarded = GuardedEmbedder(model, clock=clock)
    tasks = await begun(model, guarded, 3)
    for turn, task in zip(model.waiting, tasks, strict=True):
        turn.set_exception(DOWN)
        assert isinstance(await ended(task), ProviderUnavailable)
    clock.now += 6
    model.calls.clear()
    model.waiting.clear()
    (probe,) = await begun(model, guarded, 1)
    assert len(model.waiting) == 1
    return model, guarded, probe


async def test_while_one_probes_all_others_are_refused() -> None:
    clock = Clock()
    model, guarded, probe = await half_open(clock)
    others = await begun(model, guarded, 5)
    for other in others:
        error = await ended(other)
        assert isinstance(error, ProviderUnavailable)
        assert error.retry_after == FIRST_PAUSE_SECONDS
    clock.now += 500  # however long the probe takes
    assert isinstance(await ended((await begun(model, guarded, 1))[0]), ProviderUnavailable)
    assert len(model.calls) == 1
    model.waiting[0].set_result(None)
    assert await ended(probe) is None
    assert len(await begun(model, guarded, 4)) == len(model.calls) - 1
    for turn in model.waiting[1:]:
        turn.set_result(None)
    await asyncio.sleep(0)


async def test_a_cancelled_probe_leaves_room_for_the_next() -> None:
    model, guarded, probe = await half_open(Clock())
    probe.cancel()
    assert isinstance(await ended(probe), asyncio.CancelledError)
    (following,) = await begun(model, guarded, 1)
    model.waiting[1].set_result(None)
    assert await ended(following) is None
    assert len(model.calls) == 2


async def test_cancelled_calls_are_neither_outages_nor_answers() -> None:
    model = Slow()
    guarded = GuardedEmbedder(model, clock=Clock())
    for how in ("fail", "fail", "cancel", "cancel", "cancel", "fail"):
        (task,) = await begun(model, guarded, 1)
        if how == "cancel":
            task.cancel()
        else:
            model.waiting[-1].set_exception(DOWN)
        await ended(task)
    assert len(model.calls) == 6
    assert await fail(guarded) is not None
    assert len(model.calls) == 6


async def test_calls_that_began_before_it_opened_change_nothing_but_a_longer_wish() -> None:
    clock, model = Clock(), Slow()
    guarded = GuardedEmbedder(model, clock=clock)
    tasks = await begun(model, guarded, 6)
    for turn in model.waiting[:4]:
        turn.set_exception(DOWN)
    model.waiting[4].set_result(None)
    for task in tasks[:5]:
        await ended(task)
    left = await fail(guarded) or 0.0
    assert 4 <= left <= 6  # the fourth outage made it no longer, the late answer did not end it
    model.waiting[5].set_exception(ProviderUnavailable("busy", retry_after=86_400))
    await ended(tasks[5])
    assert await fail(guarded) == LONGEST_RETRY_AFTER_SECONDS


async def test_opening_and_closing_are_logged_once_each() -> None:
    clock, model = Clock(), Scripted()
    with capture_logs() as logs:
        guarded, left = await opened(clock, model)
        for _ in range(3):
            clock.now += left
            await fail(guarded)
            left = await fail(guarded) or 0.0
        clock.now += left
        model.then = None
        await guarded.embed_query("q")
        await guarded.embed_query("q")
    assert [(entry["event"], entry["log_level"]) for entry in logs] == [
        ("model paused", "warning"),
        ("model answers again", "info"),
    ]
    assert all(entry["model"] == "scripted" for entry in logs)


@dataclass
class Running:
    """A call that is under way, as the property below sees it."""

    breaker: Breaker

    def __post_init__(self) -> None:
        self._call = self.breaker.call()
        self._call.__enter__()

    def end(self, error: BaseException | None) -> None:
        try:
            self._call.__exit__(type(error) if error else None, error, None)
        except ProviderUnavailable as raised:
            assert raised is error  # noqa: PT017


ENDS = st.sampled_from(["down", "answer", "rejected", "cancel", "down for long"])
STEPS = st.lists(
    st.one_of(
        st.just("begin"),
        st.tuples(ENDS, st.integers(min_value=0, max_value=9)),
        st.sampled_from([0.5, 6.0, 700.0]),
    ),
    max_size=40,
)


def outcome(kind: str) -> BaseException | None:
    errors: dict[str, BaseException | None] = {
        "down": DOWN,
        "down for long": ProviderUnavailable("busy", retry_after=5000),
        "rejected": RequestRejected("no"),
        "cancel": asyncio.CancelledError(),
        "answer": None,
    }
    return errors[kind]


@given(STEPS)
def test_whatever_happens_one_probes_and_one_success_recovers(
    steps: list[str | float | tuple[str, int]],
) -> None:
    clock = Clock()
    breaker = Breaker("model", clock=clock)
    running: list[Running] = []
    probe: Running | None = None
    for began in [Running(breaker) for _ in range(OUTAGES_TO_OPEN)]:
        began.end(DOWN)
    refusing = True  # until a probe shows that the provider answers, and again since a call is refused

    for step in steps:
        if isinstance(step, float):
            clock.now += step
        elif step == "begin":
            try:
                began = Running(breaker)
            except ProviderUnavailable as error:
                refusing = True
                assert error.retry_after is not None  # noqa: PT017
                assert 0 < error.retry_after <= LONGEST_RETRY_AFTER_SECONDS  # noqa: PT017
            else:
                if refusing:
                    assert probe not in running
                    probe = began
                running.append(began)
        elif isinstance(step, tuple) and running:
            kind, which = step
            ending = running.pop(which % len(running))
            ending.end(outcome(kind))
            if ending is probe and kind in ("answer", "rejected"):
                refusing = False

    for call in running:
        call.end(asyncio.CancelledError())
    clock.now += LONGEST_RETRY_AFTER_SECONDS
    Running(breaker).end(None)
    many = [Running(breaker) for _ in range(5)]
    for call in many:
        call.end(None)


@given(
    st.lists(st.floats(min_value=0.01, max_value=20), min_size=20, max_size=200),
    st.sampled_from([None, 2.0, 45.0]),
)
def test_while_it_is_down_the_provider_is_left_alone(gaps: list[float], asked: float | None) -> None:
    """In any minute at most the three that open it and a probe per pause, of which none is below 4 s."""
    clock = Clock()
    breaker = Breaker("model", clock=clock)
    reached: list[float] = []
    for gap in gaps:
        clock.now += gap
        try:
            call = Running(breaker)
        except ProviderUnavailable:
            continue
        reached.append(clock.now)
        call.end(ProviderUnavailable("down", retry_after=asked))
    pauses = [later - earlier for earlier, later in pairwise(reached[2:])]
    for number, pause in enumerate(pauses):
        usual = min(FIRST_PAUSE_SECONDS * 2**number, LONGEST_PAUSE_SECONDS)
        assert pause >= max(usual * 0.8, asked or 0.0) - 1e-6
    for start in reached:
        assert sum(start <= at < start + 60 for at in reached) <= OUTAGES_TO_OPEN + 4
