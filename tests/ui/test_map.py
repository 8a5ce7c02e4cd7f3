"""The map: places from vectors, clusters with their links, and nothing that reads may not find."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime
from html import unescape
from uuid import UUID, uuid4

import httpx
import numpy as np
import psycopg
import pytest

from memory_service.memory import Memory
from memory_service.projection import principal_axes
from memory_service.results import MapPoint
from memory_service.ui.map import COLOURS, HEIGHT, WIDTH, clusters_of
from tests.ui.crawl import parsed
from tests.ui.life import BANK
from tests.ui.test_curation import COMMAND

HERE = f"/ui/banks/{BANK}"


def test_axes_are_the_principal_ones() -> None:
    """As the singular value decomposition finds them, up to their signs, and the same at each call."""
    random = np.random.default_rng(7)
    spread = np.ones(40)
    spread[:4] = (9, 6, 3, 2)
    rows = (random.standard_normal((200, 40)) * spread + 5).astype(np.float32)
    axes = principal_axes(rows)
    _, _, wanted = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)
    assert np.abs(np.sum(axes * wanted[:2], axis=1)) == pytest.approx([1, 1], abs=1e-3)
    assert (axes == principal_axes(rows.copy())).all()
    assert np.isfinite(principal_axes(rows[:1])).all()
    assert principal_axes(rows[:0]).shape == (2, 40)


def point(x: float, cluster: UUID | None, *topics: str) -> MapPoint:
    return MapPoint(uuid4(), x, x, cluster, datetime.now(UTC), 0.5, "text", topics)


def test_the_largest_clusters_have_colours() -> None:
    ids = [uuid4() for _ in range(COLOURS + 2)]
    points = [
        point(n, one, "dogs", f"t{n}") for rank, one in enumerate(ids) for n in range(len(ids) + 3 - rank)
    ]
    found = clusters_of([*points, point(-3, None)])
    assert [one.name for one in found] == [*map(str, ids), "none"]
    assert [one.colour for one in found] == [*(f"c{n}" for n in range(COLOURS)), "rest", "rest", "alone"]
    assert found[0].topics[0] == "dogs"
    assert found[-1].path == f"M14 {HEIGHT - 14}h0"
    assert max(dot.x for one in found for dot in one.dots) == WIDTH - 14
    (single,) = clusters_of([point(1, None)])
    assert single.path == f"M{WIDTH // 2} {HEIGHT // 2}h0"
    assert clusters_of([]) == []


async def test_the_map_of_a_life(
    life: Memory, http: httpx.AsyncClient, admin: psycopg.Connection[object]
) -> None:
    episodes = (await life.list_memories(BANK, type="episodic", status="active", limit=200)).items
    members = [one.memory_id for one in episodes if "Porto" in one.content]
    cluster = uuid4()
    assert await life.store.consolidation.assign(BANK, dict.fromkeys(members, cluster), datetime.now(UTC))
    points = {one.memory_id: one for one in await life.map_episodes(BANK)}
    assert set(points) == {one.memory_id for one in episodes}
    assert {one.memory_id for one in points.values() if one.cluster_id} == set(members)
    assert len({(one.x, one.y) for one in points.values()}) == len(points)

    page = (await http.get(f"{HERE}/map")).text
    assert (page.count("h0"), COMMAND in unescape(page)) == (len(points), False)
    link = f"{HERE}/map?cluster={cluster}"
    assert link in parsed(page).links
    chosen = (await http.get(link)).text
    assert {f"{HERE}/memories/{one}" for one in members} <= set(parsed(chosen).links)
    assert chosen.count("dots one") == len(members)
    assert "cluster: is not a cluster" in unescape((await http.get(f"{HERE}/map?cluster=x")).text)
    data = (await http.get(f"{HERE}/map.json")).json()["points"]
    rows = list(csv.DictReader(io.StringIO((await http.get(f"{HERE}/map.csv")).text)))
    assert (
        [one["memory_id"] for one in data]
        == [one["memory_id"] for one in rows]
        == [str(one) for one in points]
    )

    await life.create_bank("ben")
    assert await life.map_episodes("ben") == []
    assert "No memory has a vector yet." in (await http.get("/ui/banks/ben/map")).text
    await life.erase_memory(BANK, members[0])
    archived = "update memory.episodic_memory set status = 'archived' where memory_id = %s and bank_id = %s"
    admin.execute(archived.encode(), [members[1], BANK])
    assert {one.memory_id for one in await life.map_episodes(BANK)} == set(points) - set(members[:2])
