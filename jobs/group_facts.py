"""What groups of episodes come to: asked of the language model (asking.py), embedded and written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any
from uuid import uuid5

import structlog

from memory_service.errors import InvalidOutput, NoAnswer, ProviderUnavailable, RequestRejected
from memory_service.features import Features
from memory_service.intake.embed import pieces
from memory_service.intake.embedding import embedder_of, vectors_of
from memory_service.jobs.clustering import NAMESPACE, id_of
from memory_service.jobs.episode_groups import Group
from memory_service.jobs.group_summary import counted, told
from memory_service.jobs.model_batches import NOTHING, Asking, CapReached
from memory_service.jobs.passes import Act, Night, Outcome
from memory_service.models.consolidation import Distilled
from memory_service.models.interface import Vectors, estimated_tokens
from memory_service.rules.facts.attributes import canonical
from memory_service.rules.gate.gate import command_among
from memory_service.store.consolidation import Episode
from memory_service.types import Bank, CandidateFact, Usage

SUPPORT = 3
"""Episodes that must say something for it to become a fact that nobody states as such (S1 6.1, S2)."""
MOST_GROUPS = 8
MOST_CHARACTERS = 24_000
"""Of one call."""
SENTENCE = re.compile(r"(?<=[.!?…;])\s+|\n+")
"""Where what a model sums up is taken apart: the summary is found by each statement of it."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Written:
    """What a group came to, ready to be embedded and written."""

    group: Group
    facts: tuple[dict[str, Any], ...] = ()
    """As Statements.upsert takes them, those of one statement next to each other."""
    summary: dict[str, Any] | None = None
    parts: tuple[str, ...] = ()
    """What the summary says of each, by which it is found; the whole of it first."""

    @property
    def comes_to_something(self) -> bool:
        """Its facts count even where no summary of it can be written."""
        return bool(self.group.pending) or self.summary is not None

    @property
    def texts(self) -> list[str]:
        """What is to be embedded: each statement once, then the summary of a cluster and what it says of each."""
        said = list(dict.fromkeys(fact["text"] for fact in self.facts))
        return [*said, *self.parts] if self.summary and self.group.kind == "cluster" else said


class Distil:
    """Does the groups of one bank."""

    def __init__(self, bank: Bank, night: Night, features: Features, outcome: Outcome, old: datetime) -> None:
        self._bank = bank
        self._old = old
        self._night = night
        self._features = features
        self._counts = outcome.counts
        self._acts = outcome.acts
        self._asking = Asking(bank, night, features, outcome.counts)

    async def do(self, groups: Sequence[Group]) -> None:
        """In their order, those that share a call together; what cannot be done now is left as it is."""
        for batch in batches(groups):
            asked = [place for place, group in enumerate(batch) if self._asking.asks(group)]
            answers = await self._asking.answers([batch[place] for place in asked]) if asked else {}
            answer_of = {asked[place]: answer for place, answer in answers.items()}
            ready = [
                self._written(group, answer_of.get(place))
                for place, group in enumerate(batch)
                if place not in asked or place in answer_of
            ]
            await self._write([one for one in ready if one.comes_to_something])
        for group in await self._asking.end():
            await self._write([self._written(group, NOTHING)])

    def _written(self, group: Group, answer: Distilled | None) -> Written:
        by = self._asking.by if answer is not None else "rules"
        facts = facts_of(self._bank.bank_id, group, answer, by) if answer is not None else ()
        harmless = tuple(fact for fact in facts if command_among(strings_of(fact)) is None)
        if refused := {fact["text"] for fact in facts} - {fact["text"] for fact in harmless}:
            self._counts["refused"] += len(refused)
        summary, parts = self._summary(group, answer, by)
        return Written(group, harmless, summary, parts)

    def _summary(
        self, group: Group, answer: Distilled | None, by: str
    ) -> tuple[dict[str, Any] | None, tuple[str, ...]]:
        """The memory that a group becomes, in the model's words where there are some, and they command nobody; and what
        it is found by."""
        if group.kind is None:
            return None, ()
        reason = f"summary of {len(group.folded)} episodes"
        text = answer.summary if answer is not None and group.kind == "cluster" else None
        if text is not None and len(text) >= sum(len(episode.content) for episode in group.folded):
            reason += f"; the words of {by} were refused: long"
            text = None
        if answer is not None and answer.refused is not None:
            reason += f"; {answer.refused}"
        if text is not None and (command := command_among([text])) is not None:
            reason += f"; the words of {by} were refused: {command.reason}"
            text = None
        if text is not None:
            parts = tuple(part for part in SENTENCE.split(text) if part)
        else:
            by = "rules"
            if group.kind == "similar":
                text, parts = counted(group.folded), ()
            else:
                summed = told(group.folded)
                text, parts = summed.text, summed.parts
            if command_among([text]) is not None:
                self._counts["refused"] += 1
                return None, ()
        wording = {
            "memory_id": str(id_of(self._bank.bank_id, [episode.memory_id for episode in group.folded])),
            "cluster_id": str(group.cluster_id),
            "kind": group.kind,
            "content": text,
            "each": group.folded[0].content if group.kind == "similar" else None,
            "since": min(episode.since for episode in group.folded).isoformat(),
            "extracted_by": by,
            "reason": reason,
        }
        return wording, tuple(dict.fromkeys((text, *parts)))

    async def _write(self, ready: Sequence[Written]) -> None:
        """Embed what these say, in one call, and write them one by one."""
        try:
            vectors = await self._vectors(
                [text for one in ready for text in one.texts],
                [episode for one in ready for episode in one.group.folded],
            )
        except CapReached:
            self._counts["cap_reached"] += len(ready)
            return
        except ProviderUnavailable as error:
            if isinstance(error, NoAnswer) and len(ready) > 1:  # it may be one text
                for one in ready:
                    await self._write([one])
                return
            self._counts["model_unavailable"] += len(ready)
            return
        except (InvalidOutput, RequestRejected) as error:
            if len(ready) > 1:
                for one in ready:
                    await self._write([one])
                return
            log.warning("a group cannot be embedded", bank=self._bank.bank_id, error=type(error).__name__)
            self._counts["unusable"] += 1
            if isinstance(error, RequestRejected):
                await self._write_what_is_accepted(ready[0])
            return
        bare = [one for one in ready if not one.facts and one.summary is None]
        if len(bare) > 1 and await self._settle(merged(bare), vectors):
            ready = [one for one in ready if one not in bare]
        for one in ready:
            if not await self._settle(one, vectors):
                self._counts["changed"] += 1

    async def _write_what_is_accepted(self, one: Written) -> None:
        """Without the texts that the embedder rejects: asked again, the model would only say them again."""
        vectors: dict[str, list[Vectors]] = {}
        try:
            for text in one.texts:
                with suppress(RequestRejected):
                    vectors |= await self._vectors([text], one.group.folded)
        except CapReached:
            self._counts["cap_reached"] += 1
            return
        except ProviderUnavailable:
            self._counts["model_unavailable"] += 1
            return
        except InvalidOutput:
            return
        facts = tuple(fact for fact in one.facts if fact["text"] in vectors)
        embedded = one.group.kind != "cluster" or one.summary is None or one.summary["content"] in vectors
        left = replace(one, facts=facts, summary=one.summary if embedded else None)
        if left.comes_to_something and not await self._settle(left, vectors):
            self._counts["changed"] += 1

    async def _settle(self, one: Written, vectors: dict[str, list[Vectors]]) -> bool:
        """Write it; False, and nothing is written, where something is not as it was read."""
        group, night = one.group, self._night
        parts: list[Vectors] = []
        if one.summary is not None:
            counted_already = group.kind == "similar"
            parts = (
                [group.folded[0].vector]
                if counted_already
                else [vector for part in one.parts for vector in vectors.get(part, ())]
            )
        fresh = await night.store.consolidation.consolidate(
            self._bank.bank_id,
            self._bank.embedding_model,
            [episode.memory_id for episode in group.pending],
            one.facts,
            [vectors[fact["text"]][0] for fact in one.facts],
            [episode.memory_id for episode in group.folded] if one.summary is not None else [],
            self._old,
            one.summary,
            parts,
            night.at,
        )
        if fresh is None:
            return False
        self._counts["consolidated"] += len(group.pending)
        self._counts["facts"] += fresh
        if one.summary is not None:
            self._counts["compressed"] += len(group.folded)
            self._counts["summaries"] += 1
            into = f"consolidated into {one.summary['memory_id']}"
            self._acts += [Act(episode.memory_id, "episodic", "archive", into) for episode in group.folded]
        return True

    async def _vectors(
        self, texts: Sequence[str], embedded: Sequence[Episode] = ()
    ) -> dict[str, list[Vectors]]:
        """The vectors of each text's parts. What an `embedded` episode says word for word, and in one part, is not
        embedded again."""
        if not texts:
            return {}
        embedder = embedder_of(self._night.models, self._bank.embedding_model)
        of = [(text, piece) for text in dict.fromkeys(texts) for piece in pieces(text, embedder.fits)]
        known = {episode.content: episode.vector for episode in embedded if len(episode.vector)}
        found = {text: [known[text]] for text, piece in of if piece == text and text in known}
        of = [(text, piece) for text, piece in of if text not in found]
        if not of:
            return found
        if embedder.billed:
            tokens = sum(estimated_tokens(piece) for _, piece in of)
            async with self._asking.entry(Usage(embedder.name, "embed", tokens), len(of)) as entry:
                answer = await vectors_of(embedder, [piece for _, piece in of])
                entry.usage = answer.usage
        else:
            answer = await vectors_of(embedder, [piece for _, piece in of])
        for (text, _), vector in zip(of, answer.vectors, strict=True):
            found.setdefault(text, []).append(vector)
        return found


def batches(groups: Sequence[Group]) -> list[list[Group]]:
    """Groups that share a call, in their order."""
    found: list[list[Group]] = []
    held = 0
    for group in groups:
        characters = sum(len(episode.content) for episode in group.episodes)
        if not found or len(found[-1]) == MOST_GROUPS or held + characters > MOST_CHARACTERS:
            found.append([])
            held = 0
        found[-1].append(group)
        held += characters
    return found


def merged(bare: Sequence[Written]) -> Written:
    """Groups that came to nothing but that they were looked at: that is one transaction."""
    return Written(Group(None, tuple(episode for one in bare for episode in one.group.pending)))


def facts_of(bank_id: str, group: Group, answer: Distilled, by: str) -> tuple[dict[str, Any], ...]:
    """The statements that enough episodes support, once for each of these and for what became one with it. A memory
    that stands for many is none of them: these have been counted one by one."""
    found: list[dict[str, Any]] = []
    episodes = group.episodes
    for one in answer.facts:
        saying = [episodes[place] for place in one.episodes]
        if promoted(one.fact, saying):
            said = asdict(canonical(one.fact)) | {"extracted_by": by}
            heard = [episode for episode in saying if episode.summarizes is None]
            for episode_id in dict.fromkeys(i for e in heard for i in (e.memory_id, *e.merged)):
                fact_id = uuid5(NAMESPACE, f"{bank_id}\n{episode_id}\n{one.fact.text}")
                found.append({"episode_id": str(episode_id), "memory_id": str(fact_id), **said})
    return tuple(found)


def promoted(fact: CandidateFact, saying: Sequence[Episode]) -> bool:
    """Stated as such, or said by three episodes, near duplicates counted; that something has ended must be stated."""
    return fact.stated or (fact.holds and sum(episode.represents for episode in saying) >= SUPPORT)


def strings_of(fact: dict[str, Any]) -> list[str]:
    return [fact[name] for name in ("text", "subject", "attribute", "value") if fact[name]]
