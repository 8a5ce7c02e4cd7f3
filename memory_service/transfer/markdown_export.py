"""Export of a bank for people: Markdown files in a folder, one for each month, linked with each other."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import TextIO, TypeVar, cast

from memory_service import __version__
from memory_service.errors import InvalidInput
from memory_service.memory import Memory
from memory_service.rules.summaries.dates import MONTH_NAMES
from memory_service.speakers import Speakers, speakers_of
from memory_service.store.transfer import (
    BankReader,
    FactSource,
    ReadableEpisode,
    ReadableFact,
    ReadableNorm,
    ReadableProcedure,
)
from memory_service.text.sentences import sentences
from memory_service.transfer.markdown_text import day, inert, month

T = TypeVar("T")
Month = tuple[int, int]
"""Year and month, in UTC."""

LONGEST_SENTENCE = 300
"""Characters of a fact's source; its episode is in the file of the month."""


@dataclass(frozen=True, slots=True)
class ReadableExport:
    """The numbers of files, episodes and facts of an export for people."""

    files: int
    episodes: int
    facts: int


async def export_markdown(memory: Memory, bank_id: str, folder: Path) -> ReadableExport:
    """Write a bank as Markdown into a new folder that only its owner reads.

    All files are of one snapshot; times are UTC. Quarantined memories, duplicates and facts that are not believed are
    left out. Errors: NotFound (the bank); InvalidInput naming `folder` if it exists or cannot be made.

        await export_markdown(memory, "anna", Path("anna-memories"))
    """
    bank = await memory.get_bank(bank_id)
    speakers = speakers_of(bank.settings)
    with Files(folder) as files:
        async with memory.store.transfer.reading(bank_id) as reader:
            months = await write_months(files, reader, speakers)
            facts = await write_facts(files, reader, speakers)
            norms = await write_list(files, "norms.md", "Norms and instructions", reader.norms(), norm_text)
            procedures = await write_list(
                files, "procedures.md", "Procedures", reader.procedures(), procedure_text
            )
            questions = await write_list(
                files, "questions.md", "Open questions", reader.questions(), question_text
            )
        counts = {
            "[Facts](facts.md)": facts, "[Norms and instructions](norms.md)": norms,
            "[Procedures](procedures.md)": procedures, "[Open questions](questions.md)": questions,
        }  # fmt: skip
        write_index(files, bank_id, counts, months)
        return ReadableExport(files.count, sum(months.values()), facts)


@dataclass(slots=True)
class Files:
    """The files of an export, written one after the other; if one fails, none is left."""

    folder: Path
    count: int = 0
    _file: TextIO | None = field(default=None, init=False)

    def __enter__(self) -> Files:
        try:
            self.folder.mkdir(0o700)
        except OSError as error:
            raise InvalidInput("folder", f"{self.folder} cannot be made: {error.strerror}") from error
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._close()
        if kind is not None:
            shutil.rmtree(self.folder)

    def begin(self, name: str, title: str) -> None:
        """End the file before, and begin one with this title."""
        self._close()
        path = self.folder / name
        path.parent.mkdir(0o700, exist_ok=True)
        self._file = os.fdopen(
            os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
        )
        self.count += 1
        self.write(f"# {title}\n")

    def write(self, text: str) -> None:
        cast("TextIO", self._file).write(text)

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


async def write_months(files: Files, bank: BankReader, speakers: Speakers) -> dict[Month, int]:
    """Write the episodes by month and day; the number of episodes by month."""
    counts: dict[Month, int] = {}
    last_day = None
    async for episode in bank.episodes():
        at = episode.occurred_at.astimezone(UTC)
        if (at.year, at.month) not in counts:
            files.begin(month_file(at), month(at))
            counts[at.year, at.month] = 0
        if at.date() != last_day:
            last_day = at.date()
            files.write(f"\n## {day(at)}\n\n")
        files.write(episode_line(episode, speakers))
        counts[at.year, at.month] += 1
    return counts


def month_file(at: datetime) -> str:
    return f"months/{at.year:04}-{at.month:02}.md"


def episode_line(episode: ReadableEpisode, speakers: Speakers) -> str:
    """One episode: time, speaker, text and marks."""
    speaker = "summary" if episode.is_summary else speaker_of(episode, speakers)
    marks = [
        *(["from " + inert(episode.imported_from)] if episode.imported_from else []),
        *([f"{episode.represents} times"] if episode.represents > 1 and not episode.is_summary else []),
        *([episode.status.replace("_", " ")] if episode.status != "active" else []),
    ]
    text = inert(episode.content.removeprefix(f"{speaker}: "))
    mark = f" *({', '.join(marks)})*" if marks else ""
    return f"- {episode.occurred_at.astimezone(UTC):%H:%M} {inert(speaker)}: {text}{mark}\n"


def speaker_of(said: ReadableEpisode | FactSource, speakers: Speakers) -> str:
    """The name of the speaker, else that of the role in the bank's settings, else the role."""
    return said.name or speakers.named(said.role or said.source)


async def write_facts(files: Files, bank: BankReader, speakers: Speakers) -> int:
    """Write the facts by subject; their number."""
    count = 0
    subject: str | None = None
    async for fact in bank.facts():
        if not count:
            files.begin("facts.md", "Facts")
        if not count or fact.subject != subject:
            subject = fact.subject
            name = subject or "other"
            files.write(f"\n## {inert(name[:1].upper() + name[1:])}\n\n")
        files.write(fact_text(fact, speakers))
        count += 1
    return count


def fact_text(fact: ReadableFact, speakers: Speakers) -> str:
    """A fact with its period and confidence, and its sources below it."""
    period = (
        f"Since {day(fact.valid_from)}"
        if fact.valid_to is None
        else f"From {day(fact.valid_from)} to {day(fact.valid_to)}"
    )
    marks = [f"confidence {fact.confidence:.2f}"]
    marks += ["pinned"] if fact.pinned else []
    marks += ["contradicted, see [open questions](questions.md)"] if fact.unconfirmed else []
    lines = [f"- **{inert(fact.fact)}** {period}, {', '.join(marks)}."]
    lines += [f"  - {source_text(source, fact.value, speakers)}" for source in fact.sources]
    if more := fact.source_count - len(fact.sources):
        lines.append(f"  - {more} earlier")
    return "\n".join([*lines, ""])


def source_text(source: FactSource, value: str | None, speakers: Speakers) -> str:
    """Who said it and when, with a link to the month, and the sentence; or who judged the fact."""
    if source.content is None:
        return f"{source.source} by {inert(source.actor or '')}, {day(source.at)}"
    at = day(source.at)
    if source.listed_at is not None:
        listed = source.listed_at.astimezone(UTC)
        at = f"[{at}]({month_file(listed)}#{day(listed).lower().replace(' ', '-')})"
    speaker = speaker_of(source, speakers)
    return (
        f'{inert(speaker)}, {at}: "{inert(sentence_of(source.content.removeprefix(f"{speaker}: "), value))}"'
    )


def sentence_of(content: str, value: str | None) -> str:
    """The sentence of a text that has the value of a fact, else the text; shortened."""
    found = content
    if value:
        found = next((one for one in sentences(content) if value.casefold() in one.casefold()), content)
    return found if len(found) <= LONGEST_SENTENCE else f"{found[: LONGEST_SENTENCE - 1].rstrip()}…"


async def write_list(
    files: Files, name: str, title: str, items: AsyncIterator[T], text: Callable[[T], str]
) -> int:
    """Write a file with an entry for each item, no file if there is none; the number of items."""
    count = 0
    async for item in items:
        if not count:
            files.begin(name, title)
            files.write("\n")
        files.write(text(item))
        count += 1
    return count


def norm_text(norm: ReadableNorm) -> str:
    where = f", when: {inert(norm.situation)}" if norm.situation else ""
    pinned = ", pinned" if norm.pinned else ""
    kind = norm.kind.replace("_", " ")
    return (
        f"- **{inert(norm.norm_text)}** ({kind}{where}). Since {day(norm.valid_from)}, "
        f"confidence {norm.confidence:.2f}{pinned}.\n"
    )


def procedure_text(procedure: ReadableProcedure) -> str:
    where = f" When: {inert(procedure.situation)}." if procedure.situation else ""
    why = f" Why: {inert(procedure.why)}." if procedure.why else ""
    tried = procedure.worked + procedure.failed
    outcome = f" Worked {procedure.worked} of {tried} times." if tried else ""
    steps = "".join(f"  {n}. {inert(step)}\n" for n, step in enumerate(procedure.steps, 1))
    return f"- **{inert(procedure.content)}** ({procedure.kind}).{where}{why}{outcome}\n{steps}"


def question_text(question: str) -> str:
    return f"- {inert(question)}\n"


def write_index(files: Files, bank_id: str, counts: Mapping[str, int], months: Mapping[Month, int]) -> None:
    """Write README.md, the first page."""
    now = datetime.now(UTC)
    files.begin("README.md", f"Memories of {inert(bank_id)}")
    files.write(f"\nExported on {day(now)}, {now:%H:%M}, by memory-service {__version__}. Times are UTC.\n\n")
    files.write("".join(f"- {link}: {count}\n" for link, count in counts.items() if count))
    files.write(f"- Episodes: {sum(months.values())}\n")
    for year, of_year in groupby(sorted(months), key=lambda one: one[0]):
        links = ", ".join(
            f"[{MONTH_NAMES[number - 1]}]({month_file(datetime(year, number, 1, tzinfo=UTC))}) ({months[year, number]})"
            for _, number in of_year
        )
        files.write(f"  - {year}: {links}\n")
