"""docs/design.md states the figures of the code: weights, shares, thresholds, lists in their order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memory_service import importance
from memory_service.bank_settings import SETTINGS
from memory_service.fusion_weights import CUT_OFF, WEIGHTS
from memory_service.intake import worker
from memory_service.intake.worker import STEPS
from memory_service.jobs import clustering, episode_groups, runner
from memory_service.jobs.nightly import PASSES
from memory_service.mcp.tools import LONG_TEXT_TOKENS, TEXT_TOKENS
from memory_service.profiles import FACT_CUT_OFF, PROFILES, Profile
from memory_service.recall import context, fusion, line_order, norm_view, sections
from memory_service.rules.gate import gate, worth_score, worth_weights

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
TEXT = " ".join(PAGE.split())
DECAY_FACTOR = (ROOT / "db/functions/facts/decay_factor.sql").read_text(encoding="utf-8")


def rows(first_cell: str) -> list[list[str]]:
    """The cells of the table rows whose first cell matches."""
    found = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.startswith("| ")]
    return [[cell.strip(" |") for cell in row] for row in found if re.fullmatch(first_cell, row[0].strip())]


def figures(text: str) -> list[float]:
    return [float(figure) for figure in re.findall(r"\d+(?:\.\d+)?", text)]


def test_queue() -> None:
    kinds = "|".join(step.kind for step in STEPS)
    assert {(row[0].strip("`"), int(row[3]), int(row[4])) for row in rows(f"`(?:{kinds})`")} == {
        (step.kind, step.batch, step.per_bank) for step in STEPS
    }


def test_retries() -> None:
    assert f"after {worker.FIRST_RETRY_SECONDS:.0f} s, doubled for each attempt up to 600 s" in TEXT
    assert worker.LONGEST_RETRY_SECONDS == 600.0
    assert f"polled again {worker.AFTER_BATCH_SECONDS * 1000:.0f} ms after its batch" in TEXT
    assert f"items are released for {worker.OUTAGE_SECONDS:.0f} s" in TEXT


def test_gate() -> None:
    assert f"`high_emotion` passes at an absolute valence above {gate.HIGH_EMOTION}" in TEXT
    assert f"`decision_made` from a decision value of {gate.CLEAR_DECISION} on" in TEXT
    assert f"a fact-bearing score of at least {worth_score.KEEP_AT} " in TEXT
    assert f"a logistic regression over {len(worth_weights.WEIGHTS)} surface features" in TEXT


def test_importance() -> None:
    [formula] = re.findall(r"^importance = (0\.5 .*)$", PAGE, re.MULTILINE)
    assert figures(formula) == [
        importance.BASE, importance.EMOTION, importance.PERSONAL, importance.DECISION, importance.REQUESTED,
        importance.CONFLICT, importance.PER_REFERENCE,
    ]  # fmt: skip


@pytest.mark.parametrize(("attribute", "factor"), [("owns", "0.05"), ("has", "0.1"), ("drives", "0.1")])
def test_decay_factors_of_things(attribute: str, factor: str) -> None:
    lists = re.findall(r"any \('\{([^}]*)\}'\) then ([\d.]+)", DECAY_FACTOR.replace("\\_", "_"))
    assert factor in [other for words, other in lists if attribute in re.split(r",\s*", words)]
    [row] = [row for row in rows(re.escape(factor)) if "half" not in row[0]]
    assert f"`{attribute}`" in row[1]


def test_score_fusion() -> None:
    names = {
        "cosine": "cosine of query and memory", "words": "words", "reply_lead": "reply lead",
        "speaker": "speaker", "period": "period", "session": "session", "mentions": "mentions",
    }  # fmt: skip
    assert set(names) == set(WEIGHTS)
    for name, words in names.items():
        [row] = rows(rf"{words}\b.*")
        assert float(row[-1]) == WEIGHTS[name], name
    assert f"1 / (1 + exp(({fusion.MIDDLE} - fused score) / {fusion.WIDTH}))" in TEXT
    least, full = fusion.LEAST_COVERAGE, fusion.FULL_COVERAGE
    assert f"the best candidate has {least * 100:.0f} to {full * 100:.0f} % of the query's words" in TEXT


def test_profiles() -> None:
    known = "|".join(PROFILES)
    found = {row[0].split("`")[1]: [*row[1:], ""] for row in rows(rf"`(?:{known})`(?: \(default\))?")}
    assert set(found) == set(PROFILES)
    for name, profile in PROFILES.items():
        assert list(map(float, found[name][:3])) == [
            profile.similarity, profile.importance, profile.recency,
        ], name  # fmt: skip
        assert figures(found[name][3]) == others(profile), name
    assert (
        f"with a similarity of at least {CUT_OFF}, and facts in a context of at least {FACT_CUT_OFF}" in TEXT
    )


def others(profile: Profile) -> list[float]:
    return [value for value in (profile.floor, profile.emotion) if value]


def test_sections_of_a_context() -> None:
    [relational], [emotional] = rows("RELATIONAL"), rows("EMOTIONAL")
    [facts], [relevant] = rows("FACTS"), rows("RELEVANT")
    assert relational[2] == f"{sections.NORMS_SHARE:.0%}".replace("%", " %, required")
    assert emotional[2] == f"{sections.THREAD_SHARE:.0%}".replace("%", " %, required")
    assert facts[2].startswith(f"{sections.RESERVED_SHARE:.0%}".replace("%", " %, two thirds"))
    assert round(sections.VITAL_SHARE, 6) == round(2 / 3, 6)
    assert relevant[2] == f"{sections.RESERVED_SHARE:.0%}".replace("%", " %")


def test_norms_of_a_context() -> None:
    assert norm_view.MATCHING_SHARE == 0.2
    assert (
        f"Offered are those from a cosine of {norm_view.FITS:.2f} on, up to the larger of a fifth of the budget and "
        f"{norm_view.MATCHING_TOKENS} tokens" in TEXT
    )
    assert f"short ones first, up to {norm_view.GENERAL_SHARE * 100:.0f} %" in TEXT
    assert f"a sensitive topic (level {norm_view.HELD_BACK} and above)" in TEXT


def test_lines_of_a_context() -> None:
    assert f"a similarity from {context.MATCHING} on" in TEXT
    assert f"lengths up to {line_order.LONG_LINE} characters counted alike" in TEXT
    assert f"whose content words ({line_order.SAME * 100:.0f} %) are those of a norm" in TEXT
    assert f"an episode of up to {line_order.MOST_REPEATED} characters" in TEXT
    assert (
        f"a cosine {context.REPLY_MARGIN} above its own shows the passage nearest to the message: "
        f"{context.LONG_PASSAGE} characters for the five best candidates, {context.SHORT_PASSAGE} for the others"
        in TEXT
    )
    assert context.LONG_PASSAGES == 5
    assert f"the first three up to {context.WHOLE_PASSAGE} characters of it" in TEXT
    assert context.WHOLE_PASSAGES == 3


def test_confidence() -> None:
    source = (ROOT / "db/functions/facts/compute_confidence.sql").read_text(encoding="utf-8")
    constants = dict(re.findall(r"(\w+) constant double precision := ([\d.]+);", source))
    assert rows("birth, if stated, committed or confirmed")[0][1] == constants["stated_birth"]
    assert rows("birth, if extracted")[0][1] == constants["extracted_birth"]
    assert rows("each further episode that states it")[0][1] == f"+ {constants['growth']} x (1 - confidence)"
    assert rows("three episodes .*")[0][1] == f"at least {constants['stable_confidence']}, and `stable`"


def test_caps() -> None:
    active, archived, facts, procedures = (
        f"{int(SETTINGS[name].default):,}"
        for name in ("most_active", "most_archived", "most_facts", "procedure_cap")
    )
    assert (
        f"{active} active and {archived} archived episodes, {facts} facts and {procedures} procedures" in TEXT
    )
    assert f"At most {SETTINGS['most_norms'].default} norms are in force" in TEXT


def test_nightly_run() -> None:
    assert f"`min_cluster_size` {clustering.MIN_CLUSTER_SIZE}, leaves of its tree" in TEXT
    assert f"{clustering.MEAN_SHARE} of the bank's mean vector is subtracted" in TEXT
    assert f"similarity in time has weight {clustering.TIME_WEIGHT}" in TEXT
    assert f"keep {episode_groups.LEAST_KEPT * 100:.0f} % of the content words" in TEXT
    first, longest = runner.FIRST_REST_SECONDS / 60, runner.LONGEST_REST_SECONDS / 3600
    assert f"rests {first:.0f} minutes, doubled to at most {longest:.0f} hours" in TEXT


def test_passes() -> None:
    assert "runs the passes in order: " + ", ".join(f"`{one.name}`" for one in PASSES) + "." in TEXT


def test_texts_in_answers_of_mcp() -> None:
    page = " ".join((ROOT / "docs" / "mcp.md").read_text(encoding="utf-8").split())
    assert f"cut to about {TEXT_TOKENS} tokens in lists; `why` shows up to {LONG_TEXT_TOKENS}." in page


def cells(page: str, beginning: str) -> list[str]:
    """The cells of the first table row of a page that begins so."""
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    [row, *_] = [line for line in lines if line.startswith(f"| {beginning}")]
    return [cell.strip() for cell in row.strip("| ").split(" | ")]


@pytest.mark.parametrize("data", ["LoCoMo", "BEAM"])
def test_evidence_in_contexts_is_that_of_the_benchmarks(data: str) -> None:
    benchmarks = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    [table] = re.findall(r"\n\| set \| 300 \|.*?\n\n", benchmarks, re.DOTALL)
    [measured] = re.findall(rf"\n\| {data} \| \d+ \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|", table)
    assert cells("docs/tuning.md", f"{data} |")[1:] == [f"{figure} %" for figure in measured]


def test_speed_in_other_pages_is_that_of_the_benchmarks() -> None:
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    ours, graph, mem0 = (
        cell.split(" ")[0] for cell in cells("docs/benchmarks.md", "acknowledge a message |")[1:]
    )
    assert f"acknowledged in {ours} ms (LangGraph's store {graph}, mem0 {mem0})" in readme
    ours, graph, mem0 = (
        cell.split(" ")[0] for cell in cells("docs/benchmarks.md", "recall in 500 memories")[1:]
    )
    assert f"recalled by meaning in {ours} ms ({graph}, {mem0})" in readme
    recalls, contexts = (
        int(range_.split("-")[0]) // 10 * 10
        for range_ in cells("docs/benchmarks.md", "16 clients over HTTP")[1].split(", ")[:2]
    )
    all_arms = cells("docs/benchmarks.md", "&nbsp; all arms (1 in 200")[1].split(" (")[0]
    assert f"two cores answer {recalls} recalls or {contexts} contexts a second" in readme
    assert f"a recall in 100,000 memories takes {all_arms} " in readme
    reads = cells("docs/operations.md", "reads |")[1]
    assert reads.startswith(f"{recalls} recalls/s or {contexts} contexts/s ")


def test_sizes_in_operations_are_those_of_the_benchmarks() -> None:
    [gated] = re.findall(
        r"\((\d+) messages/s\)", cells("docs/benchmarks.md", "intake of 5,000 turns as exchanges")[0]
    )
    texts = cells("docs/benchmarks.md", "intake of 5,000 turns, each an episode")[1].removesuffix(" texts/s")
    intake = cells("docs/operations.md", "intake |")[1]
    assert intake.startswith(f"{gated} messages/s past the gate, {texts} episodes/s without it")
    milliseconds = float(cells("docs/benchmarks.md", "nightly run, per changed bank")[1].removesuffix(" ms"))
    assert cells("docs/operations.md", "nightly run | 0")[1].startswith(f"{milliseconds / 1000:.2f} s")
