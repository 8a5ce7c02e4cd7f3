"""Banks as years of nightly runs leave them, at their caps or small, and the rows of one more day. The texts are
invented, their vectors are those of the built-in model."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg
import uuid_utils.compat as uuids
from pgvector import HalfVector  # type: ignore[import-untyped]

from memory_service.jobs.nightly import PASSES
from memory_service.jobs.report import Report
from memory_service.jobs.runner import DONE, NightlyRun, RunOptions
from memory_service.memory import Memory
from tests.bench.words import facts_told, told

EXCHANGES = 15
"""Exchanges per day and bank."""
STATED = 5
"""Of these, those that state a fact."""
PAGE = 20
"""Banks copied in one statement."""


@dataclass(frozen=True, slots=True)
class Size:
    """Rows of a bank: active episodes of the last month, landmarks, summaries, archived episodes, and facts."""

    recent: int
    landmarks: int
    summaries: int
    archived: int
    facts: int


AT_CAPS = Size(360, 240, 400, 5_000, 500)
SMALL = Size(12, 4, 4, 0, 5)
COPIED = (
    "bank", "person", "episodic_memory", "semantic_memory", "memory_vector", "memory_text", "memory_entity",
    "memory_link", "memory_event", "fact_evidence", "fact_version", "fact_judgement", "fact_conflict", "fact_pair",
    "fact_merge", "merge_decision", "clarification", "watermark",
)  # fmt: skip
"""Tables with the rows of a bank that is not being written to."""


class Failures(Report):
    """Fails at the first bank whose nightly run fails, with the reason."""

    def failed(self, bank_id: str, reason: str) -> None:
        raise AssertionError(f"nightly run of {bank_id}: {reason}")


class Caps:
    """Makes equal banks: one step by step, the others as copies of it."""

    def __init__(self, memory: Memory, admin: asyncpg.Connection[Any], at: datetime) -> None:
        self._memory = memory
        self._admin = admin
        self._at = at
        self._days = 0

    async def make(self, bank: str, size: Size) -> None:
        """Make a bank as after the nightly run of `at`; it is not due."""
        await self._memory.create_bank(bank)
        chance = random.Random(1)
        landmarks = range(size.recent, size.recent + size.landmarks)
        active = landmarks.stop + size.summaries
        ages = [30 * n / size.recent for n in range(size.recent)]
        ages += [31 + 1.1 * n for n in range(size.landmarks + size.summaries)]
        ages += [60 + 0.3 * n for n in range(size.archived)]
        rows = [
            {
                "at": (self._at - timedelta(days=age)).isoformat(),
                "seen": None if n < size.recent else (self._at - timedelta(days=age)).isoformat(),
                "status": "active" if n < active else "archived",
                "importance": 0.85 if n in landmarks else chance.uniform(0.3, 0.6),
                "landmark": n in landmarks,
                "summarizes": "cluster" if landmarks.stop <= n < active else None,
            }
            for n, age in enumerate(ages)
        ]
        ids = await self._episodes(bank, told(len(rows), 1), rows)
        await self._facts(bank, facts_told(size.facts), chance.sample(ids[: landmarks.stop], size.facts))
        run = NightlyRun(self._memory, PASSES, RunOptions(self._at, bank), Failures())
        assert await run.run() == DONE
        await self.rest()

    async def copy(self, known: str, banks: Sequence[str]) -> None:
        """Copy the bank `known` to other banks; they are not due."""
        for start in range(0, len(banks), PAGE):
            page = list(banks[start : start + PAGE])
            for table in COPIED:
                columns = await self._admin.fetchval(
                    "select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute "
                    "where attrelid = $1::text::regclass and attnum > 0 and not attisdropped and attname <> 'bank_id' "
                    "and attidentity = '' and attgenerated = ''",
                    f"memory.{table}",
                )
                values = columns
                if table == "memory_text":  # each has the bank's name among its words
                    values = columns.replace("search", "replace(t.search::text, $2, b)::tsvector")
                await self._admin.execute(
                    f"insert into memory.{table} (bank_id, {columns}) select b, {values} from memory.{table} t, "
                    "unnest($1::text[]) as b where t.bank_id = $2",
                    page, known,
                )  # fmt: skip
            await self._admin.execute(
                "insert into memory.upkeep (bank_id, changed_at, due_at) select b, now(), 'infinity' "
                "from unnest($1::text[]) as b",
                page,
            )

    async def rest(self) -> None:
        """Make no bank due at any time."""
        await self._admin.execute("update memory.upkeep set due_at = 'infinity' where due_at < 'infinity'")

    async def pass_day(self, banks: Sequence[str], at: datetime) -> None:
        """Add the exchanges of the day before `at`, with other texts in each bank, so that the nightly runs of any two
        days are equal work; the banks become due."""
        self._days += 1
        facts = facts_told(STATED, AT_CAPS.facts + STATED * self._days)
        rows = [
            {"at": (at - timedelta(hours=1 + n)).isoformat(), "status": "active", "importance": 0.5}
            for n in range(EXCHANGES)
        ]
        for place, bank in enumerate(banks):
            texts = told(EXCHANGES, 1_000 * self._days + place)
            ids = await self._episodes(bank, texts, rows)
            await self._facts(bank, facts, ids[:STATED])

    async def _episodes(self, bank: str, texts: Sequence[str], rows: Sequence[dict[str, Any]]) -> list[UUID]:
        ids = [uuids.uuid7() for _ in texts]
        given = [row | {"id": str(i), "text": text} for i, text, row in zip(ids, texts, rows, strict=True)]
        async with self._admin.transaction():
            await self._admin.execute(
                "insert into memory.episodic_memory (bank_id, memory_id, conversation_id, source, status, occurred_at, "
                "recorded_at, full_text, summary, importance, landmark, summarizes, consolidated_at, clustered_at, "
                "extracted_by) select $1, r.id, 'c1', 'user', r.status, r.at, r.at, '{}', r.text, r.importance, "
                "coalesce(r.landmark, false), r.summarizes, r.seen, r.seen, 'rules' "
                "from jsonb_to_recordset($2::text::jsonb) as r (id uuid, text text, at timestamptz, status text, "
                "importance float8, landmark boolean, summarizes text, seen timestamptz)",
                bank, json.dumps(given),
            )  # fmt: skip
            await self._admin.execute(
                "insert into memory.memory_vector (bank_id, memory_id, model_id, tier, embedding) select $1, v.id, "
                "(select embedding_model from memory.bank where bank_id = $1), 'episodic', v.embedding "
                "from unnest($2::uuid[], $3::halfvec[]) as v (id, embedding)",
                bank, ids, await self._vectors(texts),
            )  # fmt: skip
            await self._admin.execute("select memory_internal.index_episode_words($1, $2)", bank, ids)
            await self._admin.execute("select memory_internal.mark_bank_due($1)", bank)
        return ids

    async def _facts(
        self, bank: str, facts: Sequence[tuple[str, str, str]], episodes: Sequence[UUID]
    ) -> None:
        """Each stated in one of the episodes."""
        candidates = [
            {
                "episode_id": str(episode), "memory_id": str(uuids.uuid7()), "text": text, "subject": who,
                "attribute": None, "value": does, "cardinality": "many", "opposes": None, "holds": True,
                "stated": True,
            }
            for (text, who, does), episode in zip(facts, episodes, strict=True)
        ]  # fmt: skip
        await self._admin.execute(
            "select memory_internal.write_statements($1, (select embedding_model from memory.bank where bank_id = $1), "
            "$2, $3::text::jsonb, $4::halfvec[])",
            bank, list(episodes), json.dumps(candidates), await self._vectors([text for text, *_ in facts]),
        )  # fmt: skip

    async def _vectors(self, texts: Sequence[str]) -> list[HalfVector]:
        found = await self._memory.models.embedder().embed_documents(texts)
        return [HalfVector(vector) for vector in found.vectors]
