"""Consolidation of episode groups: draw facts and summaries, embed and write them, one transaction per group."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any
from uuid import uuid5

from memory_service.errors import InvalidOutput, ProviderUnavailable, RequestRejected
from memory_service.features import Features
from memory_service.intake.embed import SENTENCE, pieces
from memory_service.intake.embedding import embed_texts, embedder_of
from memory_service.intake.model_calls import TokenLimitReached
from memory_service.intake.poison_items import Failed, call_together
from memory_service.jobs.clustering import NAMESPACE, id_of
from memory_service.jobs.episode_groups import Group
from memory_service.jobs.group_summary import summarize, summarize_similar
from memory_service.jobs.model_batches import EMPTY, ModelConsolidation
from memory_service.jobs.passes import Change, Outcome, PassContext
from memory_service.models.consolidation import GroupResult
from memory_service.models.interface import Vectors
from memory_service.rules.facts.attributes import canonical
from memory_service.rules.gate.gate import command_among
from memory_service.store.consolidation import Episode
from memory_service.types import Bank, CandidateFact

SUPPORT = 3
"""Episodes that must contain a statement for it to become a fact, where none states it as such (docs/design.md,
"Consolidation")."""
MOST_GROUPS = 8
MOST_CHARACTERS = 24_000
"""Of one call."""


@dataclass(frozen=True, slots=True)
class GroupOutput:
    """The facts and the summary of a group, ready to be embedded and written."""

    group: Group
    facts: tuple[dict[str, Any], ...] = ()
    """As Statements.upsert takes them, those of one statement next to each other."""
    summary: dict[str, Any] | None = None
    parts: tuple[str, ...] = ()
    """Texts whose vectors find the summary: the whole of it, then its part for each episode."""

    @property
    def changes_something(self) -> bool:
        """Whether there is something to write: pending episodes are marked even without facts."""
        return bool(self.group.pending) or self.summary is not None

    @property
    def texts(self) -> list[str]:
        """Texts to embed: each statement once, then the parts of a cluster's summary."""
        statements = list(dict.fromkeys(fact["text"] for fact in self.facts))
        return [*statements, *self.parts] if self.summary and self.group.kind == "cluster" else statements


class GroupWriter:
    """Consolidates the groups of one bank."""

    def __init__(
        self, bank: Bank, context: PassContext, features: Features, outcome: Outcome, old: datetime
    ) -> None:
        self._bank = bank
        self._old = old
        self._context = context
        self._daily_tokens = features.daily_tokens
        self._counts = outcome.counts
        self._changes = outcome.changes
        self._model = ModelConsolidation(bank, context, features, outcome.counts)

    async def write(self, groups: Sequence[Group]) -> None:
        """Consolidate the groups in their order, several per call; those that fail stay for the next run."""
        for batch in call_batches(groups):
            places = [place for place, group in enumerate(batch) if self._model.applies_to(group)]
            results = await self._model.results([batch[place] for place in places]) if places else {}
            result_of = {places[n]: result for n, result in results.items()}
            outputs = [
                self._output(group, result_of.get(place))
                for place, group in enumerate(batch)
                if place not in places or place in result_of
            ]
            await self._embed_and_write([output for output in outputs if output.changes_something])
        for group in await self._model.finish():
            await self._embed_and_write([self._output(group, EMPTY)])

    def _output(self, group: Group, result: GroupResult | None) -> GroupOutput:
        """The output of a group; `result` is None where the model is not called for it."""
        extracted_by = self._model.extracted_by if result is not None else "rules"
        facts = facts_of(self._bank.bank_id, group, result, extracted_by) if result is not None else ()
        harmless = tuple(fact for fact in facts if command_among(strings_of(fact)) is None)
        if refused := {fact["text"] for fact in facts} - {fact["text"] for fact in harmless}:
            self._counts["refused"] += len(refused)
        summary, parts = self._summary(group, result, extracted_by)
        return GroupOutput(group, harmless, summary, parts)

    def _summary(
        self, group: Group, result: GroupResult | None, extracted_by: str
    ) -> tuple[dict[str, Any] | None, tuple[str, ...]]:
        """The summary of a group and the texts that it is found by. The model's text is used unless it is longer than
        the episodes or contains a command."""
        if group.kind is None:
            return None, ()
        reason = f"summary of {len(group.folded)} episodes"
        text = result.summary if result is not None and group.kind == "cluster" else None
        if text is not None and len(text) >= sum(len(episode.content) for episode in group.folded):
            reason += f"; the words of {extracted_by} were refused: long"
            text = None
        if result is not None and result.refused is not None:
            reason += f"; {result.refused}"
        if text is not None and (command := command_among([text])) is not None:
            reason += f"; the words of {extracted_by} were refused: {command.reason}"
            text = None
        if text is not None:
            parts = tuple(part for part in SENTENCE.split(text) if part)
        else:
            extracted_by = "rules"
            if group.kind == "similar":
                text, parts = summarize_similar(group.folded), ()
            else:
                summary = summarize(group.folded)
                text, parts = summary.text, summary.parts
            if command_among([text]) is not None:
                self._counts["refused"] += 1
                return None, ()
        row = {
            "memory_id": str(id_of(self._bank.bank_id, [episode.memory_id for episode in group.folded])),
            "cluster_id": str(group.cluster_id),
            "kind": group.kind,
            "content": text,
            "each": group.folded[0].content if group.kind == "similar" else None,
            "since": min(episode.since for episode in group.folded).isoformat(),
            "extracted_by": extracted_by,
            "reason": reason,
        }
        return row, tuple(dict.fromkeys((text, *parts)))

    async def _embed_and_write(self, outputs: Sequence[GroupOutput]) -> None:
        """Embed the outputs in one call, each alone where that fails, and write them one by one."""
        async for attempt in call_together(outputs, self._embed):
            if not isinstance(attempt, Failed):
                await self._write(attempt.items, attempt.result)
            elif attempt.failure == "limit":
                self._counts["cap_reached"] += len(attempt.items)
            elif isinstance(attempt.error, ProviderUnavailable):
                self._counts["model_unavailable"] += len(attempt.items)
            else:
                self._counts["unusable"] += 1
                if isinstance(attempt.error, RequestRejected):
                    await self._write_accepted(attempt.items[0])

    async def _embed(self, outputs: Sequence[GroupOutput]) -> dict[str, list[Vectors]]:
        return await self._vectors(
            [text for output in outputs for text in output.texts],
            [episode for output in outputs for episode in output.group.folded],
        )

    async def _write(self, outputs: Sequence[GroupOutput], vectors: dict[str, list[Vectors]]) -> None:
        bare = [output for output in outputs if not output.facts and output.summary is None]
        if len(bare) > 1 and await self._write_group(merged_bare(bare), vectors):
            outputs = [output for output in outputs if output not in bare]
        for output in outputs:
            if not await self._write_group(output, vectors):
                self._counts["changed"] += 1

    async def _write_accepted(self, output: GroupOutput) -> None:
        """Write a group without the texts that the embedder rejects: the model would return the same texts again."""
        vectors: dict[str, list[Vectors]] = {}
        try:
            for text in output.texts:
                with suppress(RequestRejected):
                    vectors |= await self._vectors([text], output.group.folded)
        except TokenLimitReached:
            self._counts["cap_reached"] += 1
            return
        except ProviderUnavailable:
            self._counts["model_unavailable"] += 1
            return
        except InvalidOutput:
            return
        facts = tuple(fact for fact in output.facts if fact["text"] in vectors)
        summary = output.summary
        if output.group.kind == "cluster" and summary is not None and summary["content"] not in vectors:
            summary = None
        accepted = replace(output, facts=facts, summary=summary)
        if accepted.changes_something and not await self._write_group(accepted, vectors):
            self._counts["changed"] += 1

    async def _write_group(self, output: GroupOutput, vectors: dict[str, list[Vectors]]) -> bool:
        """Write one group in one transaction; False, with nothing written, where an episode has changed since it was
        read."""
        group, context, summary = output.group, self._context, output.summary
        parts: list[Vectors] = []
        if summary is not None and group.kind == "similar":
            parts = [group.folded[0].vector]
        elif summary is not None:
            parts = [vector for part in output.parts for vector in vectors.get(part, ())]
        fresh = await context.store.consolidation.consolidate(
            self._bank.bank_id,
            self._bank.embedding_model,
            [episode.memory_id for episode in group.pending],
            output.facts,
            [vectors[fact["text"]][0] for fact in output.facts],
            [episode.memory_id for episode in group.folded] if summary is not None else [],
            self._old,
            summary,
            parts,
            context.at,
            {episode.memory_id: episode.version for episode in group.episodes},
            context.settings.intake,
        )
        if fresh is None:
            return False
        self._counts["consolidated"] += len(group.pending)
        self._counts["facts"] += fresh
        if summary is not None:
            self._counts["compressed"] += len(group.folded)
            self._counts["summaries"] += 1
            reason = f"consolidated into {summary['memory_id']}"
            self._changes += [Change(e.memory_id, "episodic", "archive", reason) for e in group.folded]
        return True

    async def _vectors(
        self, texts: Sequence[str], embedded: Sequence[Episode] = ()
    ) -> dict[str, list[Vectors]]:
        """The vectors of each text's parts; a text equal to an `embedded` episode takes the vector of that.

        Errors: TokenLimitReached; as Embedder.
        """
        if not texts:
            return {}
        embedder = embedder_of(self._context.models, self._bank.embedding_model)
        split = [(text, piece) for text in dict.fromkeys(texts) for piece in pieces(text, embedder.fits)]
        known = {episode.content: episode.vector for episode in embedded if len(episode.vector)}
        found = {text: [known[text]] for text, piece in split if piece == text and text in known}
        split = [(text, piece) for text, piece in split if text not in found]
        if not split:
            return found
        missing = [piece for _, piece in split]
        vectors = await embed_texts(
            self._context.calls, embedder, self._bank.bank_id, self._daily_tokens, missing
        )
        for (text, _), vector in zip(split, vectors, strict=True):
            found.setdefault(text, []).append(vector)
        return found


def call_batches(groups: Sequence[Group]) -> list[list[Group]]:
    """Groups that share a call, in their order."""
    batches: list[list[Group]] = []
    total = 0
    for group in groups:
        characters = sum(len(episode.content) for episode in group.episodes)
        if not batches or len(batches[-1]) == MOST_GROUPS or total + characters > MOST_CHARACTERS:
            batches.append([])
            total = 0
        batches[-1].append(group)
        total += characters
    return batches


def merged_bare(bare: Sequence[GroupOutput]) -> GroupOutput:
    """One output for groups without facts and summaries: their episodes are marked in one transaction."""
    return GroupOutput(Group(None, tuple(episode for output in bare for episode in output.group.pending)))


def facts_of(
    bank_id: str, group: Group, result: GroupResult, extracted_by: str
) -> tuple[dict[str, Any], ...]:
    """The statements with enough support, once per supporting episode and per duplicate merged into it. A summary is no
    support: its episodes have been counted one by one."""
    found: list[dict[str, Any]] = []
    for one in result.facts:
        support = [group.episodes[place] for place in one.episodes]
        if has_support(one.fact, support):
            fields = asdict(canonical(one.fact)) | {"extracted_by": extracted_by}
            originals = [episode for episode in support if episode.summarizes is None]
            for episode_id in dict.fromkeys(i for e in originals for i in (e.memory_id, *e.merged)):
                fact_id = uuid5(NAMESPACE, f"{bank_id}\n{episode_id}\n{one.fact.text}")
                found.append({"episode_id": str(episode_id), "memory_id": str(fact_id), **fields})
    return tuple(found)


def has_support(fact: CandidateFact, support: Sequence[Episode]) -> bool:
    """Whether a fact is stated as such or contained in three episodes, duplicates counted; an end must be stated."""
    return fact.stated or (fact.holds and sum(episode.represents for episode in support) >= SUPPORT)


def strings_of(fact: dict[str, Any]) -> list[str]:
    return [fact[name] for name in ("text", "subject", "attribute", "value") if fact[name]]
