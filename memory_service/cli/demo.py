"""`demo`: play half a year of conversations into a bank, run a night, and print decisions, facts and contexts."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from textwrap import wrap
from typing import get_args

from rich.console import Console
from rich.text import Text

from memory_service.cli.demo_life import LIFE, SETTINGS
from memory_service.cli.sparkline import sparkline
from memory_service.cli.terminal import STATUS_STYLES
from memory_service.cli.worker import work_until_idle
from memory_service.cursors import MAX_PAGE
from memory_service.memory import Memory
from memory_service.recall.context import SENSITIVE
from memory_service.results import Clarification, Decision, Fact
from memory_service.running_service import find_service
from memory_service.text.unicode_folding import visible_line
from memory_service.vocabulary import ClarificationStatus

Cell = tuple[str, int | None, str]
"""Text, width (None: as long as the text), and style."""

BANK = "demo"
HOME_QUESTION = "Where do I live?"
MESSAGES = ("What could I do this weekend?", "I miss my father.")
FADING_MONTHS = 12
FADING_FACTS = 4
DAY = "%Y-%m-%d"
WORD_WIDTH, TEXT_WIDTH, PERIOD_WIDTH, SECTION_WIDTH = 11, 38, 24, 13
INDENT = "  "
REDACTED = "[redacted:"


async def play(memory: Memory, out: Console) -> None:
    """Add the messages of LIFE, wait until each is decided, run a night, and print each part of the result.

    The messages are stored once, however often it is called.
    """
    now = datetime.now(UTC)
    began = now - timedelta(days=LIFE[0].days_ago)
    await memory.create_bank(BANK, SETTINGS)
    for conversation in LIFE:
        await memory.add_messages(BANK, conversation.name, list(conversation.messages(now)))
    exchanges = sum(len(conversation.lines) for conversation in LIFE) // 2
    heading(
        out,
        "Half a year of a life",
        f"Anna talks to her agent Iris: {exchanges} exchanges. All below is read from Postgres.",
    )
    with out.status("reading the conversations ..."):
        await work_until_idle(memory, BANK, lambda _: None)
    with out.status("a night passes ..."):
        last_change = await latest_change(memory)
        failure = await run_night()
    await show_decisions(memory, out)
    await show_home(memory, out, began)
    await show_doubt(memory, out)
    await show_fading(memory, out, now)
    await show_night(memory, out, failure, last_change)
    await show_contexts(memory, out)
    heading(out, "Look around", "The data stays in Postgres, in the bank demo.")
    out.print(where_to_look(memory.settings.host, memory.settings.port), soft_wrap=True)


async def latest_change(memory: Memory) -> int:
    """The id of the last change of the bank's memories."""
    return max((change.change_id for change in (await memory.list_timeline(BANK, limit=1)).items), default=0)


async def run_night() -> str | None:
    """Run the nightly passes over the bank, as cron does; the last line of its errors where it fails."""
    night = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "memory_service.jobs.nightly", "--bank", BANK,
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    _, errors = await night.communicate()
    return errors.decode(errors="replace").strip().rpartition("\n")[2] if night.returncode else None


async def show_decisions(memory: Memory, out: Console) -> None:
    """The number of exchanges by outcome; the first exchange of each reason, and those with something redacted."""
    page = await memory.list_decisions(BANK, limit=MAX_PAGE)
    decisions = sorted((one for one in page.items if one.client_ids), key=place_in_life)
    counts = Counter(decision.outcome for decision in decisions)
    summary = ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common())
    heading(out, "What was kept", f"{len(decisions)} exchanges: {summary}. The first of each reason:")
    shown: set[tuple[str, str]] = set()
    for decision in decisions:
        words, reason = user_words(decision), plain_reason(decision.reason)
        kind = (decision.outcome, reason.rstrip("0123456789."))
        if kind not in shown or REDACTED in words:
            shown.add(kind)
            row(
                out,
                (decision.outcome, WORD_WIDTH, STATUS_STYLES.get(decision.outcome, "")),
                (words, TEXT_WIDTH, ""),
                (reason, None, "dim"),
            )


def place_in_life(decision: Decision) -> tuple[int, int]:
    """Conversation and line of the decision's first message; last for messages of others."""
    name, _, number = (decision.client_ids[0] or "").rpartition("-")
    names = [conversation.name for conversation in LIFE]
    return (names.index(name), int(number)) if name in names else (len(names), 0)


def plain_reason(reason: str) -> str:
    """The last part of a reason: without the name of the gate and the threshold, which `decisions` prints."""
    gate, _, detail = reason.partition(": " if ": " in reason else "; ")
    return (detail or gate).partition(", kept from")[0]


def user_words(decision: Decision) -> str:
    return (decision.said or "").partition(" / ")[0]


async def show_home(memory: Memory, out: Console, began: datetime) -> None:
    """Facts that were true when the first conversation began and are replaced since, with their periods."""
    heading(
        out,
        "A home that moved",
        "A new fact closes the old one. Both keep the period in which they are true.",
    )
    for fact in (await memory.list_facts(BANK, as_of=began + timedelta(days=1))).items:
        if fact.superseded_by is not None:
            for one in (fact, await memory.get_fact(BANK, fact.superseded_by)):
                row(
                    out, (period(one), PERIOD_WIDTH, "dim" if one.valid_to else "green"), (one.fact, None, "")
                )
    out.print(Text(f'{INDENT}"{HOME_QUESTION}" is answered for any date:', "dim"))
    for at in (began + timedelta(days=1), datetime.now(UTC)):
        found = await memory.recall(BANK, HOME_QUESTION, k=1, types=["semantic"], as_of=at)
        for item in found.items:
            row(out, (f"asked for {at:{DAY}}", PERIOD_WIDTH, "dim"), (item.content, None, ""))


def period(fact: Fact) -> str:
    return f"{fact.valid_from:{DAY}} to {f'{fact.valid_to:{DAY}}' if fact.valid_to else 'now'}"


async def show_doubt(memory: Memory, out: Console) -> None:
    """The questions of the bank with the facts that they are about."""
    page = await memory.list_clarifications(BANK, statuses=get_args(ClarificationStatus))
    heading(out, "A doubt", "Two facts that cannot both be true are not guessed about: the user is asked.")
    for question in page.items:
        for line in wrap(visible_line(question.question), out.width - len(INDENT)):
            out.print(Text(INDENT + line, "yellow"))
        for about in question.facts:
            fact = await memory.get_fact(BANK, about.memory_id)
            row(out, (f"since {fact.valid_from:{DAY}}", None, "dim"),
                (f"confidence {fact.confidence:.2f}", None, ""), (fact.fact, None, ""))  # fmt: skip
        out.print(Text(INDENT + answer_line(question), "dim"))


def answer_line(question: Clarification) -> str:
    if question.status == "open":
        return "It is open: answer it on the page (below), or let the agent ask."
    return f"It is {question.status}."


async def show_fading(memory: Memory, out: Console, now: datetime) -> None:
    """The confidence of facts in the next year: those that lose most, then those that lose least."""
    heading(out, "What fades", "Confidence over the next 12 months, if nothing confirms the fact again:")
    months = [now + timedelta(days=30.4 * month) for month in range(FADING_MONTHS + 1)]
    pages = [await memory.list_facts(BANK, as_of=at) for at in months]
    facts = {fact.memory_id: fact for fact in pages[0].items if not fact.unconfirmed}
    courses = {
        memory_id: [fact.confidence for page in pages for fact in page.items if fact.memory_id == memory_id]
        for memory_id in facts
    }
    by_loss = sorted(facts, key=lambda memory_id: courses[memory_id][-1] - courses[memory_id][0])
    for memory_id in by_loss[:FADING_FACTS]:
        course = courses[memory_id]
        row(out, (facts[memory_id].fact, TEXT_WIDTH, ""), (sparkline(course, 1), FADING_MONTHS + 1, "cyan"),
            (f"{course[0]:.2f} to {course[-1]:.2f}", None, "dim"))  # fmt: skip


async def show_night(memory: Memory, out: Console, failure: str | None, last_change: int) -> None:
    """Cost and counts of the latest night, and the memories that it changed, after `last_change`."""
    if failure is not None:
        heading(out, "A night", "The nightly run failed:")
        out.print(Text(f"{INDENT}{failure}", "red"), soft_wrap=True)
        return
    (night,) = (await memory.list_nights(limit=1)).items
    seconds = sum(one.seconds for one in night.passes)
    calls = sum(one.model_calls for one in night.passes)
    heading(out, "A night", f"The nightly run took {seconds:.1f} s, with {calls} calls of a language model.")
    counts = [f"{name} {count}" for one in night.passes for name, count in one.counts.items()]
    row(out, ("counts", WORD_WIDTH, "dim"), (", ".join(counts), None, "dim"))
    timeline = await memory.list_timeline(BANK, limit=MAX_PAGE)
    changes = [change for change in timeline.items if change.change_id > last_change]
    for change in reversed(changes):
        word = change.to_status if change.event == "status" and change.to_status else change.event
        style = "green" if change.event == "created" else "dim"
        row(out, (word, WORD_WIDTH, style), (change.content or "", None, ""))
    if not changes:
        row(out, ("It changed nothing: an earlier night had done it.", None, "dim"))


async def show_contexts(memory: Memory, out: Console) -> None:
    """For each of MESSAGES the first line of each section of its context, and the memories about a sensitive topic."""
    heading(
        out,
        "Who is told what",
        "The agent gets a context for each message. A topic that the user does not\n"
        "want to hear of stays out, unless the user's message raises it:",
    )
    for message in MESSAGES:
        context = await memory.context(BANK, message)
        row(out, (f'user: "{message}"', None, "bold"), (f"{context.tokens} tokens", None, "dim"))
        for section, line in first_lines(context.text):
            row(out, (section, SECTION_WIDTH, "green"), (line, None, ""))
        for dropped in context.dropped:
            if dropped.reason == SENSITIVE:
                item = await memory.get_memory(BANK, dropped.memory_id)
                row(out, ("held back", SECTION_WIDTH, "red"), (item.content, None, "dim"))


def first_lines(text: str) -> Iterator[tuple[str, str]]:
    """Name and first line of each section of a context."""
    for section in text.split("\n## ")[1:]:
        name, line, *_ = section.split("\n")
        yield name.lower(), line.removeprefix("- ")


def where_to_look(host: str, port: int) -> str:
    """The address of the bank's page, at the service that runs on the data folder; without one, how to start it."""
    running = find_service()
    path = f"/ui/banks/{BANK}/overview"
    if running is not None:
        return f"{INDENT}Its page:  {running.address}{path}"
    return (
        f"{INDENT}`make run`, or `memory-service serve`, starts the service; then its page is\n"
        f"{INDENT}http://{host}:{port}{path}"
    )


def heading(out: Console, title: str, text: str) -> None:
    out.print()
    out.print(Text(title, "bold cyan"))
    for line in text.split("\n"):
        out.print(Text(line))


def row(out: Console, *cells: Cell) -> None:
    """Print an indented line of cells with two spaces between them; the last one is cut at the end of the line."""
    line = Text(INDENT)
    for number, (text, width, style) in enumerate(cells):
        cell = Text(visible_line(text), style)
        if width is not None:
            cell.truncate(width, overflow="ellipsis", pad=True)
        line.append("  " if number else "").append_text(cell)
    line.truncate(out.width, overflow="ellipsis")
    line.rstrip()
    out.print(line)
