"""Recall in process, the query's embedding at hand, beside the bare SQL on the same rows of the same run."""

from __future__ import annotations

import asyncio
import random
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector  # type: ignore[import-untyped]
from rich.table import Table

from memory_service.inputs import Filters, RecallQuery
from memory_service.memory import Memory
from memory_service.models.interface import Embeddings
from tests.bench.clock import medians
from tests.bench.words import sentences

EPISODES = 1_000
SMALL_BANKS, SMALL = 20, 500
"""FACTS.md H's terms: so many banks of so many memories."""
MANY = (10, 1_000, 10_000)
MEMORIES_OF_MANY = 50
LARGE = 20_000
RARE = 0.005
"""The share of a large bank that a filter leaves."""
RIVALS = {"LangGraph's AsyncPostgresStore": 7.9 / 0.54, "mem0": 11 / 0.54}
"""Their search beside bare pgvector on the same server, measured once (FACTS.md H)."""

NEAREST = "select memory_id from memory.memory_vector where bank_id = $1 and model_id = $2 order by embedding <=> $3 limit $4"
MATCHING = (
    "select memory_id from memory.memory_text where bank_id = $1 and search @@ $2::text::tsquery "
    "order by ts_rank(search, $2::text::tsquery) desc limit $3"
)

FILL = """
with said as (
    select gen_random_uuid() as memory_id, bank, text, at, importance, tags
      from unnest($1::text[], $2::text[], $3::timestamptz[], $4::double precision[], $5::text[])
        as s (bank, text, at, importance, tags)
),
stored as (
    insert into memory.episodic_memory
        (bank_id, memory_id, conversation_id, source, status, occurred_at, recorded_at, full_text, summary, importance, tags)
    select bank, memory_id, 'c1', 'user', 'pending_embedding', at, at, '{}', text, importance,
           case when tags = '' then '{}' else array[tags] end
      from said
    returning bank_id, memory_id, summary
)
select bank_id, memory_id from stored
"""


class LookedUp:
    """An embedder that answers from a table: a direction for each text, made up and always the same."""

    billed = False

    def __init__(self, name: str) -> None:
        self.name = name
