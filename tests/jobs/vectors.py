"""Vectors of a bank by model, compared with the present texts."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import numpy as np

from memory_service.intake.embed import pieces
from memory_service.memory import Memory
from tests.conftest import Admin

TABLES = {
    "memory_vector": "memory_id", "relational_vector": "norm_id", "procedural_vector": "procedure_id",
    "lesson_vector": "episode_id",
}  # fmt: skip


def second(memory: Memory) -> str:
    return memory.models.embedder("local").name


def vectors(admin: Admin, model: str) -> dict[tuple[str, UUID, int], Any]:
    """By table, id and part."""
    found: dict[tuple[str, UUID, int], Any] = {}
    for table, column in TABLES.items():
        part = "0" if table == "lesson_vector" else "part"
        query = f"select {column}, {part}, embedding::text from memory.{table} where model_id = %s"
        for memory_id, number, text in admin.execute(query.encode(), (model,)).fetchall():
            found[table, UUID(str(memory_id)), int(str(number))] = np.fromstring(str(text)[1:-1], sep=",")
    return found


def texts(admin: Admin) -> dict[tuple[str, UUID, int], str]:
    """The present text of each vector but the parts of long ones."""
    sources = (
        ("memory_vector", "select memory_id, 0, summary from memory.episodic_memory"),
        (
            "memory_vector",
            "select memory_id, 1000, reply from memory.episodic_memory where reply is not null",
        ),
        ("memory_vector", "select memory_id, 0, fact from memory.semantic_memory"),
        ("relational_vector", "select memory_id, 0, norm from memory.relational_memory"),
        ("relational_vector", "select memory_id, 1, situation from memory.relational_memory"),
        ("procedural_vector", "select memory_id, 0, content from memory.procedural_memory"),
        ("procedural_vector", "select memory_id, 1, situation from memory.procedural_memory"),
        ("lesson_vector", "select memory_id, 0, lesson from memory.episodic_memory where lesson is not null"),
    )
    return {
        (table, UUID(str(memory_id)), int(str(part))): str(text)
        for table, query in sources
        for memory_id, part, text in admin.execute(query.encode()).fetchall()
    }


async def are_of_present_texts(memory: Memory, admin: Admin, model: str) -> set[tuple[str, UUID, int]]:
    """The vectors of a model, each of which must be that of the text as it is now."""
    embedder, present = memory.models.embedder(model), texts(admin)
    stored = vectors(admin, model)
    for (table, memory_id, part), vector in stored.items():
        first = 1000 if part >= 1000 else 0 if table == "memory_vector" else part
        text = present[table, memory_id, first]
        if table == "memory_vector":
            text = pieces(text, embedder.fits)[part - first]
        answer = await embedder.embed_documents([text])
        assert float(answer.vectors[0] @ vector) > 0.995, (table, part, text)
    return set(stored)
