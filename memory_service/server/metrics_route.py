"""GET /metrics: the metrics of all processes as Prometheus text."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, get_args

from fastapi import APIRouter, Request, Response

from memory_service.memory import Memory
from memory_service.metrics import (
    COUNTED,
    DEAD_LETTERS,
    GAUGES,
    NIGHT_SECONDS,
    NIGHT_SUCCESS,
    QUEUE_ITEMS,
    QUEUE_OLDEST,
    SERVER_UP,
    Amounts,
    Metric,
)
from memory_service.server.dependencies import authenticate, check_grant, require_all_banks
from memory_service.server.service_state import ServiceState
from memory_service.store.metrics import NightGauges, QueueGauges
from memory_service.store.work import Kind

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric as Family

scrapes = APIRouter()


@scrapes.get("/metrics", include_in_schema=False)
async def metrics(request: Request) -> Response:
    """Answers scrapes. Needs MEMORY_METRICS_TOKEN or an admin key for all banks, once an API key exists."""
    await check_scraper(request)
    memory: Memory = request.app.state.memory
    state: ServiceState = request.app.state.service_state
    await memory.metric_writer.write()
    totals = await memory.store.metrics.read()
    values = totals | gauges(
        await state.queue.get(), await state.nights.get(), memory.store.metrics.servers()
    )
    body, content_type = await asyncio.to_thread(rendered, values)  # the first call imports prometheus_client
    return Response(body, headers={"Content-Type": content_type})


async def check_scraper(request: Request) -> None:
    """Errors: Unauthorized, Forbidden, DatabaseUnavailable."""
    token = request.app.state.memory.settings.metrics_token
    given = request.headers.getlist("authorization")
    if token is not None and len(given) == 1:
        expected = f"Bearer {token.get_secret_value()}"
        if hmac.compare_digest(given[0].encode(), expected.encode()):
            return
    grant = await authenticate(request)
    if grant is not None:
        check_grant(grant, "admin", None)
        require_all_banks(grant)


def gauges(
    queue: Sequence[QueueGauges], nights: Sequence[NightGauges], servers: Mapping[str, bool]
) -> Amounts:
    """The series of all gauges."""
    found: Amounts = {
        (metric.name, (kind,)): [0.0]
        for metric in (QUEUE_ITEMS, QUEUE_OLDEST, DEAD_LETTERS)
        for kind in get_args(Kind)
    }
    for one in queue:
        found[QUEUE_ITEMS.name, (one.kind,)] = [one.depth]
        found[QUEUE_OLDEST.name, (one.kind,)] = [one.oldest_seconds]
        found[DEAD_LETTERS.name, (one.kind,)] = [one.dead]
    for night in nights:
        found[NIGHT_SECONDS.name, (night.pass_,)] = [night.seconds]
        if night.last_success is not None:
            found[NIGHT_SUCCESS.name, (night.pass_,)] = [night.last_success]
    for server, answers in servers.items():
        found[SERVER_UP.name, (server,)] = [float(answers)]
    return found


def rendered(values: Amounts) -> tuple[bytes, str]:
    """The Prometheus text and its content type. Series that another release wrote in another shape are left out."""
    from prometheus_client import CollectorRegistry  # 0.1 s of start-up otherwise
    from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
    from prometheus_client.registry import Collector

    class Totals(Collector):
        def collect(self) -> Iterator[Family]:
            return families(values)

    registry = CollectorRegistry(auto_describe=False)
    registry.register(Totals())
    return generate_latest(registry), CONTENT_TYPE_PLAIN_0_0_4


def families(values: Amounts) -> Iterator[Family]:
    """Each metric with its series, also one without any."""
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

    series: dict[str, list[tuple[tuple[str, ...], list[float]]]] = {}
    for (name, labels), amounts in sorted(values.items()):
        series.setdefault(name, []).append((labels, amounts))
    for metric in (*COUNTED, *GAUGES):
        own = [one for one in series.get(metric.name, []) if fits(metric, *one)]
        if metric.type == "histogram":
            histogram = HistogramMetricFamily(metric.name, metric.help, labels=metric.labels)
            for labels, amounts in own:
                histogram.add_metric(labels, buckets_of(metric, amounts), amounts[-1])
            yield histogram
        else:
            family = CounterMetricFamily if metric.type == "counter" else GaugeMetricFamily
            plain = family(metric.name, metric.help, labels=metric.labels)
            for labels, amounts in own:
                plain.add_metric(labels, amounts[0])
            yield plain


def fits(metric: Metric, labels: Sequence[str], amounts: Sequence[float]) -> bool:
    return len(labels) == len(metric.labels) and len(amounts) == metric.width


def buckets_of(metric: Metric, amounts: Sequence[float]) -> list[tuple[str, float]]:
    """Upper bounds with cumulative counts."""
    bounds = [*(f"{bound:g}" for bound in metric.bounds), "+Inf"]
    return list(zip(bounds, accumulate(amounts[:-1]), strict=True))
