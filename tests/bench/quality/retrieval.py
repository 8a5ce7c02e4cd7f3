"""Recall of the turns that are evidence of a question's answer: messages are sent and recalled over HTTP."""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import asyncpg
from pgvector import HalfVector  # type: ignore[import-untyped]
from pgvector.asyncpg import register_vector  # type: ignore[import-untyped]

from memory_service.config import Settings
from memory_service.memory import Memory
from tests.bench.quality.data import out, table
from tests.bench.quality.direct import rows_in_bank
from tests.bench.quality.evidence import Question, Said, conversation, own_bank
from tests.bench.quality.http_client import HttpClient, serving
from tests.bench.quality.scores import ndcg

OWN = ("group_chat", "diary")
"""Banks of this project: five friends, and one person alone."""
LIMIT = 20

BASELINES = {
    "MiniLM cosine, raw question": ("36.2", "45.4", "55.3", "30.1", "31.2"),
    "BM25, stemmed": ("55.6", "62.5", "68.3", "48.9", "49.8"),
    "RRF of both, the usual hybrid": ("48.2", "57.5", "67.6", "40.5", "41.8"),
}
"""Measured once on all ten conversations (1,535 questions), not on these files."""


def any_word_rank(question: str) -> str:
    """The bare full-text rank of an episode `e`, by any word of this parameter."""
    return (
        "ts_rank(to_tsvector('english', e.summary), (select string_agg(quote_literal(w), ' | ') "
        f"from unnest(tsvector_to_array(to_tsvector('english', {question}))) as w)::tsquery)"
    )


BARE = {
    "bare cosine, raw question": "order by (select min(v.embedding <=> $2) from memory.memory_vector v "
    "where v.bank_id = e.bank_id and v.memory_id = e.memory_id)",
    "bare ts_rank, any word": f"order by {any_word_rank('$1')} desc",
}
"""The single arms as bare SQL on the same memories."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A bank in which each turn is one memory, and the questions about it."""

    bank_id: str
    questions: Sequence[Question]
    origins: Mapping[str, str]
    """The turn of each memory."""


async def measure(files: Sequence[Path]) -> None:
    """Start the service, send it LoCoMo's conversations and the project's banks, and print the figures of each set."""
    with tempfile.TemporaryDirectory(prefix="memory-retrieval-") as folder:
        data = Path(folder) / "data"
        settings = Settings.model_validate({"data_dir": data})
        with serving(data) as address:
            async with (
                HttpClient.open(address) as client,
                await Memory.open(settings, migrated=False) as memory,
            ):
                locomo = [await asked(client, file.stem, *conversation(file)) for file in files]
                if locomo:
                    await show(client, memory, "LoCoMo", locomo, BASELINES)
                for name in OWN:
                    await show(client, memory, name, [await asked(client, name, *own_bank(name))], {})


async def asked(client: HttpClient, bank_id: str, said: Said, questions: Sequence[Question]) -> Asked:
    return Asked(bank_id, questions, await client.load(bank_id, "verbatim", said))


async def show(
    client: HttpClient,
    memory: Memory,
    name: str,
    banks: Sequence[Asked],
    baselines: Mapping[str, Sequence[str]],
) -> None:
    """Print recall at 5, 10 and 20, mean reciprocal rank and nDCG of the evidence turns, by profile."""
    shown = table(
        f"evidence in {name}, each turn one memory, over HTTP, in percent",
        *("profile", "R@5", "R@10", "R@20", "MRR", "nDCG@10", "questions"),
    )
    for profile in ("precise", "balanced"):
        shown.add_row(profile, *await one_profile(client, banks, profile))
    for bare in BARE:
        shown.add_row(bare, *await one_statement(memory, banks, bare))
    for baseline, figures in baselines.items():
        shown.add_row(baseline, *figures, "1535")
    out.print(shown)


Answers = Callable[[str, str], Awaitable[Sequence[str]]]
"""From a bank and a question: the ids of the memories that are found, best first."""


async def one_profile(client: HttpClient, banks: Sequence[Asked], profile: str) -> list[str]:
    async def answer(bank_id: str, text: str) -> Sequence[str]:
        return await client.recall(bank_id, text, profile, LIMIT)

    return await scores(banks, answer)


async def one_statement(memory: Memory, banks: Sequence[Asked], bare: str) -> list[str]:
    connection = await asyncpg.connect(memory.store.database.url)
    await register_vector(connection)

    async def answer(bank_id: str, text: str) -> Sequence[str]:
        vector = (await memory.models.embedder().embed_query(text)).vectors[0]
        rows = await rows_in_bank(
            connection, bank_id,
            "select e.memory_id::text as id from memory.episodic_memory e "
            f"where $1::text is not null and $2::halfvec is not null {BARE[bare]} limit {LIMIT}",
            text, HalfVector(vector),
        )  # fmt: skip
        return [row["id"] for row in rows]

    found = await scores(banks, answer)
    await connection.close()
    return found


async def scores(banks: Sequence[Asked], answer: Answers) -> list[str]:
    sums: dict[str, float] = dict.fromkeys(("r5", "r10", "r20", "mrr", "ndcg"), 0.0)
    count = 0
    for bank in banks:
        for question in bank.questions:
            found = await answer(bank.bank_id, question.text)
            hits = [bank.origins[memory_id] in question.evidence for memory_id in found]
            for k in (5, 10, 20):
                sums[f"r{k}"] += sum(hits[:k]) / len(question.evidence)
            sums["mrr"] += next((1 / rank for rank, hit in enumerate(hits, 1) if hit), 0.0)
            sums["ndcg"] += ndcg(hits, len(question.evidence))
            count += 1
    return [*(f"{100 * value / max(count, 1):.1f}" for value in sums.values()), str(count)]
