"""The tools: each calls one or two methods of `MemoryMethods` and makes a small answer of the result."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from pydantic_core import to_json

from memory_service.errors import InvalidInput, NotFound
from memory_service.mcp import arguments as of
from memory_service.mcp.access import Access
from memory_service.mcp.answers import (
    DEFAULT_TOKENS,
    ContextAnswer,
    FactLine,
    FactsAnswer,
    ForgetAnswer,
    QuestionLine,
    QuestionsAnswer,
    Quoted,
    Reason,
    RecallAnswer,
    Recalled,
    Remembered,
    WhyAnswer,
    cut,
    fitting,
)
from memory_service.methods import MemoryMethods
from memory_service.recall.formatting import inert_line
from memory_service.results import (
    Clarification,
    Committed,
    ErasurePlan,
    Fact,
    RecalledMemory,
    Trace,
    Traced,
)

WAIT_MS = 5_000
"""Longest wait of `remember` until the memory can be recalled."""
TEXT_TOKENS = 250
"""Of a memory in a list; `why` shows more."""
SHORT_TEXT_TOKENS, LONG_TEXT_TOKENS = 100, 700
SOURCES = 5
TRACE_ATTEMPTS, TRACE_PAUSE_SECONDS = 10, 0.15
"""A trace is written after the answer of its read."""
READABLE = frozenset(("active", "tentative", "stable"))


async def remember(access: Access, given: of.Remember) -> Remembered:
    memory = await access.memory_to_store(given.content)
    committed = await memory.remember(
        access.bank_id,
        given.content,
        type=given.type,
        occurred_at=given.occurred_at,
        importance=given.importance,
        agent_id=access.agent_id,
        wait_ms=WAIT_MS,
    )
    return Remembered(str(committed.memory_id), decision_on(committed), committed.status)


def decision_on(committed: Committed) -> str:
    """The decision of the intake in words."""
    if committed.status == "quarantined":
        return "quarantined: it reads like an instruction to a model; it is not recalled until a person releases it"
    if committed.status == "merged_into":
        return "merged: an equal memory existed, which now has this evidence"
    if committed.status in READABLE:
        return "stored: the next recall can find it"
    return "stored: recalls find it once it has been processed"


async def recall(access: Access, given: of.Recall) -> RecallAnswer:
    memory = await access.memory("read")
    found = await memory.recall(
        access.bank_id,
        given.query,
        k=given.limit,
        since=given.since,
        until=given.until,
    )

    def answer(items: list[Recalled]) -> RecallAnswer:
        omitted = len(found.items) - len(items)
        return RecallAnswer(items, str(found.trace_id), omitted or None, found.degraded or None)

    return answer(fitting([recalled(item) for item in found.items], answer, given.max_tokens))


def recalled(item: RecalledMemory) -> Recalled:
    superseded = item.superseded
    return Recalled(
        str(item.memory_id),
        item.type,
        quoted(item.content),
        day(item.occurred_at),
        round(item.score, 3),
        item.reason,
        reply=quoted(item.reply) if item.from_reply and item.reply else None,
        superseded=None
        if superseded is None
        else quoted(
            superseded.by.fact if superseded.by else "retracted" if superseded.retracted else "no longer so"
        ),
    )


async def context(access: Access, given: of.Context) -> ContextAnswer:
    memory = await access.memory("read")
    found = await memory.context(access.bank_id, given.message, conversation_id=given.conversation_id)
    return ContextAnswer(found.text, found.tokens, str(found.trace_id), text_or_none(found.clarification_id))


async def facts(access: Access, given: of.Facts) -> FactsAnswer:
    memory = await access.memory("read")

    async def page(limit: int) -> FactsAnswer:
        found = await memory.list_facts(
            access.bank_id,
            as_of=given.as_of,
            known_at=given.known_at,
            statuses=given.status,
            limit=limit,
            cursor=given.cursor,
        )
        return FactsAnswer([fact_line(fact) for fact in found.items], found.next_cursor)

    answer = await page(given.limit)
    fits = fitting(answer.items, lambda items: FactsAnswer(items, answer.next_cursor), DEFAULT_TOKENS)
    return answer if len(fits) == len(answer.items) else await page(len(fits))


def fact_line(fact: Fact) -> FactLine:
    return FactLine(
        str(fact.memory_id),
        quoted(fact.fact),
        round(fact.confidence, 2),
        "retracted" if fact.retracted_at is not None else fact.status,
        day(fact.valid_from),
        until=None if fact.valid_to is None else day(fact.valid_to),
        pinned=fact.pinned or None,
        unconfirmed=fact.unconfirmed or None,
    )


async def correct(access: Access, given: of.Correct) -> FactLine:
    memory = await access.memory("write")
    judge = getattr(memory, f"{given.action}_fact")
    return fact_line(await judge(access.bank_id, given.fact_id, actor=access.actor))


async def forget(access: Access, given: of.Forget) -> ForgetAnswer:
    memory = await access.memory("write", erases=True)
    plan = await memory.plan_erasure(access.bank_id, memory_ids=given.memory_ids)
    seal = seal_of(plan)
    nothing = not any(plan.row_counts.values())
    if given.confirm is None:
        if nothing:
            raise NotFound("memory_ids: there is nothing to erase")
        texts = await texts_of(memory, access.bank_id, ids_in(plan))
        rows = {table: count for table, count in plan.row_counts.items() if count}

        def answer(memories: list[Quoted]) -> ForgetAnswer:
            return ForgetAnswer(False, rows, memories, (len(texts) - len(memories)) or None, seal)

        return answer(fitting(texts, answer, DEFAULT_TOKENS))
    if given.confirm != seal and not nothing:  # the same again answers with its receipt
        raise InvalidInput("confirm", "is not that of a dry run of these memories as they are now")
    receipt = await memory.erase(access.bank_id, memory_ids=given.memory_ids, actor=access.actor)
    rows = {table: count for table, count in receipt.row_counts.items() if count}
    return ForgetAnswer(True, rows, [], erasure_id=str(receipt.erasure_id))


def seal_of(plan: ErasurePlan) -> str:
    """Proves a dry run: a digest of the memories and messages that the plan deletes. It needs no state."""
    return hashlib.sha256(to_json([plan.selector, plan.items])).hexdigest()[:12]


def ids_in(plan: ErasurePlan) -> list[UUID]:
    """The memories that the plan deletes and whose text can be read, at most 50."""
    return [*plan.items.facts, *plan.items.episodes, *plan.items.procedures][: of.MAX_LISTED]


async def questions(access: Access, given: of.Questions) -> QuestionsAnswer:
    if (given.question_id is None) != (given.keep is None):
        missing = "keep" if given.keep is None else "question_id"
        raise InvalidInput(missing, "is needed: an answer has question_id and keep")
    if given.text is not None and given.question_id is None:
        raise InvalidInput("question_id", "is needed: an answer has question_id and keep")
    if given.question_id is not None and given.keep is not None:
        memory = await access.memory("write")
        answered = await memory.answer_clarification(
            access.bank_id, given.question_id, given.keep, given.text, actor=access.actor
        )
        return QuestionsAnswer([question_line(answered)])
    memory = await access.memory("read")

    async def page(limit: int) -> QuestionsAnswer:
        found = await memory.list_clarifications(access.bank_id, limit=limit, cursor=given.cursor)
        return QuestionsAnswer([question_line(one) for one in found.items], found.next_cursor)

    answer = await page(given.limit)
    fits = fitting(answer.items, lambda items: QuestionsAnswer(items, answer.next_cursor), DEFAULT_TOKENS)
    return answer if len(fits) == len(answer.items) else await page(len(fits))


def question_line(one: Clarification) -> QuestionLine:
    about = [Quoted(str(fact.memory_id), quoted(fact.fact, SHORT_TEXT_TOKENS)) for fact in one.facts]
    return QuestionLine(
        str(one.clarification_id), quoted(one.question), about, one.status, text_or_none(one.keep)
    )


async def why(access: Access, given: of.Why) -> WhyAnswer:
    memory = await access.memory("read")
    if given.trace_id is not None and given.memory_id is None:
        return why_read(await trace_of(memory, access.bank_id, given.trace_id))
    if given.memory_id is not None and given.trace_id is None:
        return await why_known(memory, access.bank_id, given.memory_id)
    raise InvalidInput("trace_id", "exactly one of trace_id and memory_id is needed")


async def trace_of(memory: MemoryMethods, bank_id: str, trace_id: UUID) -> Trace:
    """The trace; of a read that has just been answered, once it is written. Errors: NotFound."""
    for _ in range(TRACE_ATTEMPTS - 1):
        try:
            return await memory.get_trace(bank_id, trace_id)
        except NotFound:
            await asyncio.sleep(TRACE_PAUSE_SECONDS)
    return await memory.get_trace(bank_id, trace_id)


def why_read(trace: Trace) -> WhyAnswer:
    """One read: the query, and why each candidate was returned or dropped."""
    about = (
        f"{trace.kind} of {trace.at:%Y-%m-%d %H:%M} UTC, profile {trace.profile}: {trace.returned} returned"
    )
    query = None if trace.query is None else quoted(trace.query)
    return why_answer(about, query, [candidate(one) for one in trace.candidates])


def candidate(one: Traced) -> Reason:
    text = None if one.content is None else quoted(one.content)
    note = f"returned: {one.reason}" if one.dropped is None else f"dropped: {one.dropped}"
    return Reason(note, text, str(one.memory_id), round(one.score, 3))


async def why_known(memory: MemoryMethods, bank_id: str, memory_id: UUID) -> WhyAnswer:
    """One memory: its source, of a fact also the episodes that state it and its versions."""
    item = await memory.get_memory(bank_id, memory_id)
    origin = (
        item.source if item.conversation_id is None else f"{item.source}, {inert_line(item.conversation_id)}"
    )
    about = (
        f"{item.type}, {item.status}, recorded {item.recorded_at:%Y-%m-%d %H:%M} UTC from {origin}"
        f"{'' if item.agent_id is None else f' by {inert_line(item.agent_id)}'}, importance {item.importance:.2f}"
    )
    text = quoted(item.content, LONG_TEXT_TOKENS)
    if item.type != "semantic":
        return WhyAnswer(about, text, [])
    fact = await memory.get_fact(bank_id, memory_id)
    versions = await memory.fact_history(bank_id, memory_id)
    sources = await texts_of(memory, bank_id, fact.derived_from[:SOURCES])
    reasons = [Reason("stated in", one.text, one.memory_id) for one in sources]
    reasons += [
        Reason(f"{one.at:%Y-%m-%d %H:%M} {one.reason}, {inert_line(one.actor)}", quoted(one.fact))
        for one in reversed(versions.items)
    ]
    return why_answer(about, text, reasons)


def why_answer(about: str, text: str | None, reasons: Sequence[Reason]) -> WhyAnswer:
    """With as many of the reasons as fit."""

    def answer(items: list[Reason]) -> WhyAnswer:
        return WhyAnswer(about, text, items, left_out=(len(reasons) - len(items)) or None)

    return answer(fitting(reasons, answer, DEFAULT_TOKENS))


async def texts_of(memory: MemoryMethods, bank_id: str, ids: Sequence[UUID]) -> list[Quoted]:
    """The texts of memories; those that are gone are left out."""
    found = await asyncio.gather(*(text_of(memory, bank_id, one) for one in ids))
    return [one for one in found if one is not None]


async def text_of(memory: MemoryMethods, bank_id: str, memory_id: UUID) -> Quoted | None:
    try:
        item = await memory.get_memory(bank_id, memory_id)
    except NotFound:
        return None
    return Quoted(str(memory_id), quoted(item.content))


def quoted(text: str, max_tokens: int = TEXT_TOKENS) -> str:
    """A text of the bank as one inert line."""
    return cut(inert_line(text), max_tokens)


def day(time: datetime) -> str:
    return time.date().isoformat()


def text_or_none(value: object) -> str | None:
    return None if value is None else str(value)
