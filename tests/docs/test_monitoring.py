"""The dashboard and the alert rules use metrics and labels that the service exposes."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from memory_service.metrics import COUNTED, GAUGES

FOLDER = Path(__file__).resolve().parents[2] / "monitoring"
LABELS = {metric.name: set(metric.labels) for metric in (*COUNTED, *GAUGES)}
HISTOGRAMS = {metric.name for metric in COUNTED if metric.type == "histogram"}
GROUPED = re.compile(r"\bby \(([^)]*)\)")
SERIES = re.compile(r"\b(memory_[a-z_]+)(\{[^}]*\})?")


def dashboard_expressions() -> list[str]:
    panels: list[dict[str, Any]] = json.loads((FOLDER / "grafana.json").read_text())["panels"]
    assert len({panel["title"] for panel in panels}) == len({panel["id"] for panel in panels}) == len(panels)
    return [target["expr"] for panel in panels for target in panel["targets"]]


def rules() -> list[dict[str, Any]]:
    return yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"][0]["rules"]


def series_of(expression: str) -> Iterator[tuple[str, set[str]]]:
    """Each metric of an expression with the labels that the expression uses."""
    grouped = {label.strip() for found in GROUPED.findall(expression) for label in found.split(",")}
    for name, matchers in SERIES.findall(expression):
        yield name, grouped | set(re.findall(r"(\w+)\s*(?:=~|!~|!=|=)", matchers))


def problems(expression: str) -> list[str]:
    found: list[str] = []
    for name, labels in series_of(expression):
        base = re.sub(r"_(bucket|count|sum)$", "", name)
        metric = base if base in HISTOGRAMS else name
        if metric not in LABELS or (name in HISTOGRAMS):
            found.append(f"{name} is not exposed")
            continue
        allowed = LABELS[metric] | ({"le"} if name.endswith("_bucket") else set[str]())
        found += [f"{name} has no label {label}" for label in sorted(labels - allowed)]
    return found


@pytest.mark.parametrize("expression", [*dashboard_expressions(), *(rule["expr"] for rule in rules())])
def test_expressions_use_metrics_that_exist(expression: str) -> None:
    assert "memory_" in expression or expression.startswith("up{")
    assert problems(expression) == []


def test_names_and_labels_that_do_not_exist_are_found() -> None:
    assert problems("sum by (bank) (memory_queue_items)") == ["memory_queue_items has no label bank"]
    assert problems("rate(memory_requests_total[5m])") == ["memory_requests_total is not exposed"]
    assert problems("memory_read_seconds") == ["memory_read_seconds is not exposed"]
    assert problems('memory_http_requests_total{code="500"}') == [
        "memory_http_requests_total has no label code"
    ]


def test_every_metric_is_shown() -> None:
    shown = " ".join(dashboard_expressions())
    assert [name for name in LABELS if name not in shown] == [
        "memory_embedding_batch_texts",
        "memory_nightly_duration_seconds",
        "memory_server_up",
    ]


def test_every_rule_has_a_summary_and_a_remedy() -> None:
    for rule in rules():
        assert set(rule["annotations"]) == {"summary", "remedy"}
        assert rule["labels"]["severity"] in ("critical", "warning", "info")


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed")
def test_prometheus_accepts_the_rules() -> None:
    checked = subprocess.run(
        ["promtool", "check", "rules", FOLDER / "alerts.yml"], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr
