"""Map: the newest episodes of a bank in two dimensions, by cluster."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from fastapi import APIRouter, Request, Response

from memory_service.api.reads import MAX_MAP
from memory_service.errors import InvalidInput
from memory_service.results import MapPoint
from memory_service.server.dependencies import ReadMemory
from memory_service.ui.rendering import shown, table_of
from memory_service.ui.route import PageRoute, view

WIDTH, HEIGHT, MARGIN = 1000, 560, 14
"""Of the viewBox. Places are whole numbers: a dot is 10 characters of a path."""
COLOURS = 8
"""The largest clusters have different colours, which the stylesheet defines; this many."""
LISTED = 50
"""Most clusters, and most memories of a cluster, that are listed."""
TOPICS = 4
NONE = "none"
"""The value of `cluster` for the episodes without one."""
COLUMNS = ("memory_id", "x", "y", "cluster_id", "occurred_at", "importance", "content")

map_page = APIRouter(prefix="/ui/banks/{bank_id}/map", route_class=PageRoute)


@dataclass(frozen=True, slots=True)
class Dot:
    x: int
    y: int
    point: MapPoint


@dataclass(frozen=True, slots=True)
class Cluster:
    """Episodes of one cluster, or those without one, newest first."""

    name: str
    """The value of the parameter `cluster`."""
    colour: str
    topics: tuple[str, ...]
    dots: tuple[Dot, ...]

    @property
    def path(self) -> str:
        """The dots as lines of no length, for a stroke with round ends."""
        return "".join(f"M{dot.x} {dot.y}h0" for dot in self.dots)


def clusters_of(points: Sequence[MapPoint]) -> list[Cluster]:
    """The clusters, the largest first, then the episodes without one."""
    members: defaultdict[UUID | None, list[Dot]] = defaultdict(list)
    for dot in dots_of(points):
        members[dot.point.cluster_id].append(dot)
    alone = members.pop(None, [])
    ranked = sorted(members.items(), key=lambda one: (-len(one[1]), str(one[0])))
    found = [
        cluster_of(str(name), f"c{rank}" if rank < COLOURS else "rest", dots)
        for rank, (name, dots) in enumerate(ranked)
    ]
    return [*found, cluster_of(NONE, "alone", alone)] if alone else found


def cluster_of(name: str, colour: str, dots: Sequence[Dot]) -> Cluster:
    counts = Counter(topic for dot in dots for topic in dot.point.topics)
    topics = tuple(topic for topic, _ in counts.most_common(TOPICS))
    return Cluster(name, colour, topics, tuple(dots))


def dots_of(points: Sequence[MapPoint]) -> list[Dot]:
    """The points in the viewBox, which they fill in both directions."""
    xs = places([one.x for one in points], MARGIN, WIDTH - MARGIN)
    ys = places([one.y for one in points], HEIGHT - MARGIN, MARGIN)
    return [Dot(x, y, point) for x, y, point in zip(xs, ys, points, strict=True)]


def places(values: Sequence[float], first: int, last: int) -> list[int]:
    """The values as whole numbers, the smallest at `first` and the largest at `last`; equal ones in the middle."""
    low, high = min(values, default=0.0), max(values, default=0.0)
    if low == high:
        return [(first + last) // 2] * len(values)
    return [round(first + (value - low) / (high - low) * (last - first)) for value in values]


@view(map_page, "", csv=True)
async def episodes(request: Request, memory: ReadMemory, bank_id: str, cluster: str = "") -> Response:
    points = await memory.map_episodes(bank_id)
    clusters = clusters_of(points)
    chosen = next((one for one in clusters if one.name == cluster), None)
    if cluster and chosen is None:
        raise InvalidInput(
            "cluster", "is not a cluster of these episodes; the nightly run may have changed it"
        )
    rows = [one for rank, one in enumerate(clusters) if rank < LISTED or one.name == NONE]
    table = table_of(COLUMNS, points)
    return shown(
        request, "map.html", {"points": points}, table, clusters=clusters, rows=rows, chosen=chosen, most=MAX_MAP,
        listed=LISTED, width=WIDTH, height=HEIGHT,
    )  # fmt: skip
