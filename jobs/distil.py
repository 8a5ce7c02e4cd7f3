"""What groups of episodes come to: asked of the language model, several groups a call, embedded and written."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid5

import structlog

from jobs.clustering import NAMESPACE, id_of
from jobs.groups import Group, waiting
from jobs.passes import Act, Night, Outcome
from jobs.summing_up import counted, room_for, told
from memory_service.errors import InvalidOutput, NoAnswer, ProviderUnavailable, RequestRejected
from memory_service.features import Features
from memory_service.intake.embed import pieces
from memory_service.intake.embedding import embedder_of, vectors_of
from memory_service.intake.ledger import Entry
from memory_service.models.consolidation import CONSOLIDATION, Asked, Distilled, Shown, distilled
from memory_service.models.interface import LanguageModel, Vectors, estimated_tokens
from memory_service.rules.attributes import canonical
from memory_service.rules.gate import command_among
from memory_service.store.consolidation import Episode
from memory_service.types import Bank, CandidateFact, Usage

OLD = timedelta(days=30)
"""What is younger is not compressed, and waits for a cluster (S2)."""
SUPPORT = 3
"""Episodes that must say something for it to become a fact that nobody states as such (S1 6.1, S2)."""
MOST_GROUPS = 8
MOST_CHARACTERS = 24_000
"""Of one call."""
ANSWER_TOKENS = 500
"""About what the answer for one group takes."""
SENTENCE = re.compile(r"(?<=[.!?…;])\s+|\n+")
"""Where what a model sums up is taken apart: the summary is found by each statement of it."""
PROMPT_TOKENS = estimated_tokens(CONSOLIDATION)

log = structlog.get_logger()


class CapReached(Exception):
    """Today's cap leaves no room for a call: it waits for the next night."""


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
        """What is to be embedded: each statement once, then the summary of a cluster."""
        said = list(dict.fromkeys(fact["text"] for fact in self.facts))
        return [*said, *self.parts] if self.summary and self.group.kind == "cluster" else said


class Distil:
    """Does the groups of one bank."""

    def __init__(self, bank: Bank, night: Night, features: Features, outcome: Outcome) -> None:
        self._bank = bank
        self._night = night
        self._features = features
        self._counts = outcome.counts
        self._acts = outcome.acts
        self._ledger = night.ledger
        self._model = night.models.language_model() if features.language_model else None
        self._out_of_reach = False
        """The model; it is not asked any more in this night."""
        self._unanswered: list[Group] = []
        """Alone, and nothing else has been answered since: an outage, or the fault of what is in them."""
        self._blamed: list[Group] = []
        """Something else has been answered since."""
        self._drawn: set[Episode] = set()
        """Their facts are."""
        self._given_up: set[Episode] = set()
        """The model is asked about them no more."""

    @property
    def has_a_model(self) -> bool:
        """Whether a language model is asked what groups come to."""
        return self._model is not None

    async def do(self, groups: Sequence[Group]) -> None:
        """In their order, those that share a call together; what cannot be done now is left as it is. Clusters are
        compressed last, what of them has its facts drawn."""
        last = [group for group in groups if group.kind == "cluster"]
        await self._do([group for group in groups if group.kind != "cluster"])
        await self._do([group for group in last if self._drawn.issuperset(waiting(group.folded))])

    async def _do(self, groups: Sequence[Group]) -> None:
        for batch in batches(groups):
            asked = [place for place, group in enumerate(batch) if self._asks(group)]
            answers = await self._ask([batch[place] for place in asked]) if asked else {}
            answer_of = {asked[place]: answer for place, answer in answers.items()}
            ready = [
                self._written(group, answer_of.get(place))
                for place, group in enumerate(batch)
                if place not in asked or place in answer_of
            ]
            await self._write([one for one in ready if one.comes_to_something])
        if self._unanswered:
            self._counts["model_unavailable"] += len(self._unanswered)
            self._unanswered.clear()
        for group in self._blamed:
            if await self._in_vain(group):
                await self._write([self._written(group, Distilled(None, ()))])
        self._blamed.clear()

    def _asks(self, group: Group) -> bool:
        """Whether the model has something to say of a group. Of a single episode it said so when that was written; of
        texts that command, and that it summed up no better when their facts were drawn, it is not asked each night."""
        if self._model is None or (
            not group.pending and group.kind and command_among([told(group.folded).text])
        ):
            return False
        if not self._given_up.isdisjoint(group.folded):
            return False
        alone = len(group.episodes) == 1 and group.episodes[0].extracted_by == self._model.name
        return group.kind == "cluster" or (bool(group.pending) and not alone)

    async def _ask(self, groups: Sequence[Group]) -> dict[int, Distilled]:
        """What the model says, by place; where it has nothing usable to say even of a group alone, nothing. Those that
        it could not be asked about are left out."""
        if self._model is None or self._out_of_reach:
            self._counts["model_unavailable"] += len(groups)
            return {}
        try:
            return dict(enumerate(await self._distilled(self._model, groups)))
        except CapReached:
            self._counts["cap_reached"] += len(groups)
        except NoAnswer as error:
            if len(groups) > 1:
                return await self._ask_alone(groups)
            if not error.others_answered:
                self._unanswered += groups
            elif await self._in_vain(groups[0]):
                return {0: Distilled(None, ())}
        except ProviderUnavailable:
            self._out_of_reach = True
            self._counts["model_unavailable"] += len(groups)
        except (InvalidOutput, RequestRejected) as error:
            if len(groups) > 1:
                return await self._ask_alone(groups)
            log.warning("a model's answer is no use", bank=self._bank.bank_id, error=type(error).__name__)
            self._counts["unusable"] += 1
            return {0: Distilled(None, ())}
        return {}

    async def _ask_alone(self, groups: Sequence[Group]) -> dict[int, Distilled]:
        found: dict[int, Distilled] = {}
        for place, group in enumerate(groups):
            answer = await self._ask([group])
            if answer:
                found[place] = answer[0]
        return found

    async def _in_vain(self, group: Group) -> bool:
        """The model did not answer this group, and it did others: it is left for a later night, as often as work is
        tried elsewhere (max_attempts); whether that was the last."""
        episodes = list({episode.memory_id: None for episode in (*group.pending, *group.folded)})
        most = self._night.settings.max_attempts
        if await self._night.store.consolidation.in_vain(self._bank.bank_id, episodes, most):
            self._counts["unusable"] += 1
            self._given_up |= set(group.pending)
            return True
        self._counts["model_unavailable"] += 1
        return False

    async def _distilled(self, model: LanguageModel, groups: Sequence[Group]) -> tuple[Distilled, ...]:
        shown = [shown_of(group) for group in groups]
        read = sum(estimated_tokens(one.text) for group in shown for one in group.episodes)
        estimate = Usage(model.name, "consolidate", PROMPT_TOKENS + read, ANSWER_TOKENS * len(groups))
        async with self._entry(estimate, len(groups)) as entry:
            answers, entry.usage = await distilled(model, shown)
        self._counts["model_calls"] += 1
        self._blamed += self._unanswered
        self._unanswered.clear()
        return answers

    @asynccontextmanager
    async def _entry(self, estimate: Usage, items: int) -> AsyncGenerator[Entry]:
        """A line of the ledger. Errors: CapReached."""
        bank_id, cap = self._bank.bank_id, self._features.daily_tokens
        async with self._ledger.entry({bank_id: estimate}, {bank_id: items}, {bank_id: cap}) as entry:
            if not entry.lines:
                raise CapReached
            yield entry

    def _written(self, group: Group, answer: Distilled | None) -> Written:
        by = self._model.name if self._model is not None and answer is not None else "rules"
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
            vectors = await self._vectors([text for one in ready for text in one.texts])
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
                    vectors |= await self._vectors([text])
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
            night.at - OLD,
            one.summary,
            parts,
            night.at,
        )
        if fresh is None:
            return False
        self._drawn |= set(group.pending)
        self._counts["consolidated"] += len(group.pending)
        self._counts["facts"] += fresh
        if one.summary is not None:
            self._counts["compressed"] += len(group.folded)
            self._counts["summaries"] += 1
            into = f"consolidated into {one.summary['memory_id']}"
            self._acts += [Act(episode.memory_id, "episodic", "archive", into) for episode in group.folded]
        return True

    async def _vectors(self, texts: Sequence[str]) -> dict[str, list[Vectors]]:
        """The vectors of each text's parts."""
        if not texts:
            return {}
        embedder = embedder_of(self._night.models, self._bank.embedding_model)
        of = [(text, piece) for text in dict.fromkeys(texts) for piece in pieces(text, embedder.fits)]
        if embedder.billed:
            tokens = sum(estimated_tokens(piece) for _, piece in of)
            async with self._entry(Usage(embedder.name, "embed", tokens), len(of)) as entry:
                answer = await vectors_of(embedder, [piece for _, piece in of])
                entry.usage = answer.usage
        else:
            answer = await vectors_of(embedder, [piece for _, piece in of])
        found: dict[str, list[Vectors]] = {}
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


def shown_of(group: Group) -> Asked:
    folded = {episode.memory_id for episode in group.folded} if group.kind == "cluster" else set[UUID]()
    return Asked(
        [Shown(e.occurred_at, e.content, e.memory_id in folded) for e in group.episodes],
        room_for(group.folded) if folded else None,
    )


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
