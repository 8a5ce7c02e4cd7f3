"""Thresholds come from labelled pairs: figures that add up, shown before they are written, then in force at once."""

from __future__ import annotations

import asyncio
import json
import sys
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_service import calibration, logs
from memory_service.calibration import (
    LABELS,
    MIN_PAIRS,
    MIN_TAKEN,
    LabelledPair,
    Row,
    Scored,
    at_most,
    calibrate,
    scale_of,
    wilson,
)
from memory_service.cli.app import main
from memory_service.cli.calibrate import read_pairs
from memory_service.config import Settings
from memory_service.errors import InvalidInput
from memory_service.memory import Memory
from memory_service.models.built_model import BUILT_IN, built_model, source_folder
from tests.conftest import Admin, settle

SCORED = st.builds(
    Scored,
    label=st.sampled_from(LABELS),
    # Few values, so that many pairs tie, some of them exactly on a step.
    cosine=st.one_of(st.integers(0, 20).map(lambda n: n / 20), st.floats(-1, 1)),
    mismatch=st.sampled_from([None, None, "names", "words"]),
)
MANY = st.lists(st.tuples(SCORED, st.integers(1, 40)), max_size=12).map(
    lambda groups: [pair for pair, count in groups for _ in range(count)]
)
"""Enough alike that several thresholds could be chosen."""
SHARES = st.floats(0.05, 1)


# Choosing


@given(MANY, SHARES, SHARES)
def test_what_is_chosen_surely_reaches_its_target_or_comes_nearest_to_it(
    pairs: list[Scored], target: float, evidence_target: float
) -> None:
    found = calibrate(pairs, precision=target, evidence_precision=evidence_target)
    for choice, wished in ((found.duplicate, target), (found.evidence, evidence_target)):
        sound = [row for row in choice.rows if row.taken >= MIN_TAKEN]
        missed = [row.threshold for row in sound if at_most(row) < wished]
        open_rows = [row for row in sound if row.threshold > max(missed, default=0)]
        sure = [row for row in open_rows if row.at_least >= wished]
        reaching = [row for row in open_rows if row.right / row.taken >= wished]
        if choice.row is None:
            assert choice.note is not None
        elif choice.note is None:
            assert choice.row == min(sure, key=lambda row: row.threshold)
        else:
            assert not sure
            assert choice.row in reaching
            assert choice.row.at_least == max(row.at_least for row in reaching)


@given(MANY, SHARES)
def test_the_conflict_threshold_is_the_highest_that_misses_few(pairs: list[Scored], target: float) -> None:
    choice = calibrate(pairs, conflict_recall=target).conflict
    if choice.row is not None and choice.note is None:
        assert choice.row.recall >= target
        assert all(row.recall < target for row in choice.rows if row.threshold > choice.row.threshold)


@given(MANY)
def test_a_stricter_threshold_never_takes_more(pairs: list[Scored]) -> None:
    found = calibrate(pairs)
    for rows in (found.duplicate.rows, found.duplicate.unguarded, found.evidence.rows, found.conflict.rows):
        for looser, stricter in pairwise(rows):
            assert looser.threshold < stricter.threshold
            assert (looser.taken, looser.right) >= (stricter.taken, stricter.right)
            assert looser.recall >= stricter.recall


@given(MANY)
def test_the_counts_add_up(pairs: list[Scored]) -> None:
    found = calibrate(pairs)
    assert sum(found.pairs.values()) == len(pairs)
    for guarded, bare in zip(found.duplicate.rows, found.duplicate.unguarded, strict=True):
        at = guarded.threshold
        taken = [pair for pair in pairs if pair.cosine >= at]
        unmismatched = [pair for pair in taken if pair.mismatch is None]
        assert (bare.taken, guarded.taken) == (len(taken), len(unmismatched))
        assert guarded.right == sum(pair.label == "same" for pair in unmismatched)
        assert guarded.recall * found.pairs["same"] == pytest.approx(guarded.right)
        assert (guarded.precision is None) == (guarded.taken == 0)
        assert 0 <= guarded.at_least <= (guarded.precision or 0)
    for row in found.evidence.rows:
        taken = [p for p in pairs if p.cosine >= row.threshold and p.mismatch != "names"]
        assert row.taken == len(taken), "other words alone are no hindrance for evidence"
        assert row.right == sum(p.label in ("same", "supports") for p in taken)
    for row in found.conflict.rows:
        assert row.taken == sum(p.cosine >= row.threshold for p in pairs), "conflicts are not guarded"


@given(st.permutations(range(60)))
def test_the_order_of_the_pairs_is_irrelevant(order: list[int]) -> None:
    pairs = [Scored(LABELS[n % 4], (n * 7 % 20) / 20, None if n % 3 else "names") for n in range(60)]
    assert calibrate([pairs[n] for n in order]) == calibrate(pairs)


def pairs_at(label: Any, cosine: float, count: int, mismatch: str | None = None) -> list[Scored]:
    return [Scored(label, cosine, mismatch)] * count


def test_pairs_exactly_at_a_threshold_are_taken_all_or_none() -> None:
    pairs = pairs_at("same", 0.9, 30) + pairs_at("different", 0.9, 30) + pairs_at("same", 0.95, 20)
    row = calibrate(pairs, precision=0.9).duplicate.row
    assert row is not None
    assert (row.threshold, row.taken, row.right) == (0.905, 20, 20)
    assert calibrate(pairs, precision=0.6).duplicate.threshold == 0.905
    assert calibrate(pairs, precision=0.5).duplicate.threshold == 0.005
    last = [r for r in calibrate(pairs).duplicate.rows if r.threshold == 0.9]
    assert [(r.taken, r.right) for r in last] == [(80, 50)]


def test_the_guard_takes_out_what_it_holds_for_two() -> None:
    pairs = pairs_at("same", 0.8, 30) + pairs_at("different", 0.9, 30, "numbers")
    assert calibrate(pairs).duplicate.threshold == 0.005
    assert calibrate(pairs).duplicate.unguarded[-1].taken == 0


def test_where_nothing_is_precise_enough_the_threshold_stays() -> None:
    pairs = pairs_at("same", 0.9, 30) + pairs_at("different", 0.9, 30) + pairs_at("same", 0.97, 5)
    choice = calibrate(pairs).duplicate
    assert choice.threshold is None
    assert choice.note == "no threshold reaches a precision of 0.95; the best has 0.538"


def test_a_lucky_threshold_below_one_that_misses_the_target_is_not_taken() -> None:
    pairs = pairs_at("same", 0.98, 30) + pairs_at("different", 0.95, 30) + pairs_at("same", 0.9, 300)
    assert calibrate(pairs).duplicate.threshold == 0.955


@pytest.mark.parametrize(("same", "others"), [(MIN_PAIRS - 1, 50), (50, MIN_PAIRS - 1), (0, 0)])
def test_too_few_pairs_leave_a_threshold_as_it_is_and_say_why(same: int, others: int) -> None:
    choice = calibrate(pairs_at("same", 0.9, same) + pairs_at("different", 0.5, others)).duplicate
    assert choice.threshold is None
    assert choice.note == f"20 pairs of same and 20 others are needed; there are {same} and {others}"


def test_a_threshold_that_was_only_lucky_is_not_taken() -> None:
    """Both reach 0.95 as measured; that of the higher one is better supported."""
    pairs = pairs_at("same", 0.98, 190) + pairs_at("different", 0.98, 3)
    pairs += pairs_at("same", 0.9, 38) + pairs_at("different", 0.9, 9)
    choice = calibrate(pairs + pairs_at("different", 0.2, 30)).duplicate
    assert choice.row is not None
    assert (choice.row.taken, choice.row.right) == (193, 190)
    assert choice.row.at_least >= 0.95
    few = calibrate(pairs_at("same", 0.98, 30) + pairs_at("different", 0.2, 30)).duplicate
    assert (few.threshold, few.note) == (
        0.205,
        "more pairs are needed to be sure of 0.95; the precision is at least 0.886",
    )


def test_wilsons_bound() -> None:
    assert wilson(95, 100) == pytest.approx(0.8882, abs=1e-4)
    assert wilson(0, 0) == 0
    assert wilson(20, 20) < 1


# The command and the call


def written(path: Path) -> Path:
    """Thirty pairs of each label: said again, said in other words, denied, unrelated."""
    lines: list[dict[str, str]] = []
    for n in range(30):
        kept = f"Cupboard {chr(65 + n % 26)}{n} holds the winter blankets."
        lines += [
            {"a": kept, "b": kept.replace(".", "!"), "label": "same"},
            {
                "a": kept,
                "b": f"In cupboard {chr(65 + n % 26)}{n} are warm blankets for the winter.",
                "label": "supports",
            },
            {"a": kept, "b": kept.replace("holds", "does not hold"), "label": "contradicts"},
            {"a": kept, "b": f"Line {n} of the tram ends at the harbour.", "label": "different"},
        ]
    path.write_text("\n" + "".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_a_file_is_read_with_its_lines(tmp_path: Path) -> None:
    pairs = read_pairs(written(tmp_path / "pairs.jsonl"))
    assert len(pairs) == 120
    assert pairs[0].at == f"{tmp_path}/pairs.jsonl:2"


BAD = {
    "{": "is not JSON",
    "[]": "is not a JSON object",
    '{"b": "x", "label": "same"}': "a: must be a string, not NoneType",
    '{"a": "x", "b": " ", "label": "same"}': "b: must not be empty",
    '{"a": "x", "b": "nul \\u0000", "label": "same"}': "b: contains a NUL character",
    '{"a": "x", "b": "y", "label": "equal"}': "label: must be one of same, supports, contradicts, different",
    '{"a": "x", "b": "y"}': "label: must be one of",
    '{"a": "x", "b": "y", "label": "same", "c": 1}': "c: is unknown",
}


@pytest.mark.parametrize("line", BAD)
def test_a_bad_line_is_named_with_its_file_and_field(tmp_path: Path, line: str) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text('{"a": "x", "b": "y", "label": "same"}\n' + line + "\n")
    with pytest.raises(InvalidInput) as error:
        read_pairs(file)
    assert str(error.value).startswith(f"{file}:2: {BAD[line]}")


async def test_a_text_that_the_model_cannot_read_whole_is_named(memory: Memory) -> None:
    pair = LabelledPair("short", "word " * 2000, "same", "pairs.jsonl:7")
    with pytest.raises(InvalidInput, match=r"pairs\.jsonl:7: b: is longer than the model"):
        await memory.calibrate([pair])


async def test_it_is_judged_as_the_search_for_duplicates_judges(memory: Memory, tmp_path: Path) -> None:
    found = await memory.calibrate(read_pairs(written(tmp_path / "pairs.jsonl")))
    assert found.pairs == dict.fromkeys(LABELS, 30)
    assert found.mismatched == {"same": 0, "supports": 30, "contradicts": 30, "different": 30}
    assert [r.taken for r in found.duplicate.rows if r.threshold == 0.9] == [30]
    assert found.evidence.rows[0].taken == 60, "other words support, a denial does not"


async def test_thresholds_are_in_force_at_once_in_a_running_worker(
    settings: Settings, memory: Memory, admin: Admin, tmp_path: Path
) -> None:
    """The worker is another process's; here another Memory. It merges at 0.97, and no longer at 0.995."""
    other = await Memory.open(settings, migrated=False)
    stop = asyncio.Event()
    working = asyncio.create_task(other.work(stop))
    try:
        await memory.create_bank("anna")
        await memory.remember("anna", "I really like hiking in the hills near Graz.", wait_ms=30_000)
        same = await memory.remember("anna", "I like hiking in the hills near Graz.", wait_ms=30_000)
        assert same.status == "merged_into"
        pairs = await memory.calibrate(read_pairs(written(tmp_path / "pairs.jsonl")))
        strict = calibration.Choice(Row(0.995, 30, 30, 1, 0.9, 1), None, pairs.duplicate.rows)
        now = await memory.set_thresholds(replaced(pairs, strict))
        assert (now.duplicate, now.source) == (0.995, "calibrated")
        apart = await memory.remember("anna", "I like hiking in the hills near Graz, really.", wait_ms=30_000)
        assert apart.status == "active"
    finally:
        stop.set()
        await working
        await other.aclose()
    await settle(memory, "anna")
    kept = admin.execute(
        "select calibration from memory.embedding_model where name = 'all-MiniLM-L6-v2-memory'"
    ).fetchone()
    assert kept is not None
    record: Any = kept[0]
    assert record["pairs"] == dict.fromkeys(LABELS, 30)
    assert record["duplicate"]["chosen"] == 0.995
    assert "at" in record
    assert "cupboard" not in json.dumps(record).lower(), "figures, no text"


def replaced(found: calibration.Calibration, duplicate: calibration.Choice) -> calibration.Calibration:
    return calibration.Calibration(
        found.pairs, found.mismatched, found.precision, found.evidence_precision, found.conflict_recall,
        duplicate, found.evidence, found.conflict,
    )  # fmt: skip


async def test_what_was_not_chosen_stays(memory: Memory) -> None:
    before = (await memory.thresholds())[1]
    found = await memory.calibrate([LabelledPair("one", "two", "same")])
    now = await memory.set_thresholds(found)
    assert (now.duplicate, now.conflict, now.evidence) == (before.duplicate, before.conflict, before.evidence)


@pytest.mark.parametrize("value", [0, -0.1, 1.1])
async def test_no_threshold_leaves_its_range(memory: Memory, value: float) -> None:
    name, _ = await memory.thresholds()
    for kind in ("duplicate", "conflict", "evidence"):
        given: dict[str, Any] = dict.fromkeys(("duplicate", "conflict", "evidence"), 0.5) | {kind: value}
        with pytest.raises(Exception, match="embedding_model_thresholds_check"):
            await memory.store.thresholds.write(
                name, **given, scale=None, calibration={}, source="calibrated"
            )


# The scale


@given(st.integers(0, 2**32 - 1), st.integers(MIN_PAIRS, 40), st.floats(0, 0.9))
def test_the_scale_is_that_of_all_texts_that_are_not_related(seed: int, pairs: int, common: float) -> None:
    chance = np.random.default_rng(seed)
    vectors = chance.normal(size=(2 * pairs, 8)) + common * 10
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    related = [(n, n + pairs) for n in range(pairs)]
    cosines = [
        float(vectors[i].astype(float) @ vectors[j].astype(float))
        for i, j in combinations(range(2 * pairs), 2)
        if (i, j) not in related
    ]
    found = scale_of(vectors, related)
    assert found is not None
    assert found.mean == pytest.approx(np.mean(cosines), abs=1e-6)
    assert found.spread == pytest.approx(np.std(cosines), abs=1e-4)


def test_there_is_no_scale_of_few_pairs_or_of_texts_that_are_all_alike() -> None:
    some = np.eye(2 * MIN_PAIRS, dtype=np.float32)
    related = [(n, n + MIN_PAIRS) for n in range(MIN_PAIRS)]
    assert scale_of(some, related[:-1]) is None
    assert scale_of(np.ones_like(some) / np.sqrt(len(some), dtype=np.float32), related) is None


async def test_texts_that_say_the_same_tell_nothing_of_unrelated_ones(memory: Memory, tmp_path: Path) -> None:
    pairs = read_pairs(written(tmp_path / "pairs.jsonl"))
    found = (await memory.calibrate(pairs)).scale
    assert found is not None
    assert 0 < found.mean < 0.7
    for others in ([pair for pair in pairs if pair.label != "same"], pairs[::-1]):
        again = (await memory.calibrate(others)).scale
        assert again is not None
        # The model's vectors depend slightly on the other texts of the batch.
        assert (again.mean, again.spread) == pytest.approx((found.mean, found.spread), abs=0.01)
    assert (await memory.calibrate([pair for pair in pairs if pair.label == "same"])).scale is None


async def test_the_built_in_model_keeps_the_scale_that_others_are_brought_to(
    memory: Memory, tmp_path: Path
) -> None:
    found = await memory.calibrate(read_pairs(written(tmp_path / "pairs.jsonl")))
    assert found.scale is not None
    assert (await memory.set_thresholds(found)).scale is None


# The command


def told(
    words: list[str], settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[Any, str, str]:
    """The command in this process, on the test's database: exit code, stdout, stderr."""
    monkeypatch.setattr(sys, "argv", ["memory-service", "calibrate", *words])
    monkeypatch.setattr(logs, "configure", lambda level: None)  # type: ignore[misc] - this process has its own
    assert settings.database_url is not None
    monkeypatch.setenv("DATABASE_URL", settings.database_url.get_secret_value())
    monkeypatch.setenv("MEMORY_DATA_DIR", str(settings.data_dir))
    monkeypatch.setenv("COLUMNS", "120")
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr()
    return ended.value.code, said.out, said.err


def test_it_shows_and_changes_nothing_until_applied(
    settings: Settings, admin: psycopg.Connection[Any], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    row = (
        f"select duplicate_threshold, thresholds_source from memory.embedding_model where name = '{BUILT_IN}'"
    )
    before = admin.execute(row).fetchone()
    file = str(written(tmp_path / "pairs.jsonl"))
    code, out, err = told([file], settings, monkeypatch, capsys)
    assert code == 0, err
    assert "pairs: 30 same (0 mismatched), 30 supports (30 mismatched)" in out
    assert "duplicate_threshold 0.97 -> " in out
    assert sum(line.startswith("*") for line in out.splitlines()) == 3, "one chosen row in each table"
    assert "unrelated texts     as the built-in model's stays  (measured 0." in out
    assert "Nothing was changed" in out
    assert admin.execute(row).fetchone() == before
    code, out, err = told([file, "--apply", "--json", "--precision", "0.9"], settings, monkeypatch, capsys)
    assert code == 0, err
    answer = json.loads(out)
    assert (answer["model"], answer["applied"], answer["precision"]) == ("all-MiniLM-L6-v2-memory", True, 0.9)
    assert admin.execute(row).fetchone() == (answer["thresholds"]["duplicate"]["chosen"], "calibrated")


def test_the_scale_of_another_model_is_measured_and_kept(
    settings: Settings, admin: psycopg.Connection[Any], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    folder = tmp_path / "another"
    folder.mkdir()
    (folder / "model.onnx").write_bytes(built_model(settings.data_dir / "models"))
    (folder / "tokenizer.json").symlink_to(source_folder() / "tokenizer.json")
    monkeypatch.setenv("MEMORY_LOCAL_MODEL_DIR", str(folder))
    file = str(written(tmp_path / "pairs.jsonl"))
    code, out, err = told([file, "--model", "local"], settings, monkeypatch, capsys)
    assert code == 0, err
    assert "unrelated texts     as the built-in model's -> 0." in out
    code, out, err = told([file, "--model", "local", "--apply", "--json"], settings, monkeypatch, capsys)
    assert code == 0, err
    answer = json.loads(out)
    assert answer["scale"]["old"] is None
    kept = "select unrelated_mean, unrelated_spread from memory.embedding_model where name = %s"
    found = admin.execute(kept, (answer["model"],)).fetchone()
    assert found == pytest.approx(tuple(answer["scale"]["measured"].values()), abs=1e-4)
    assert admin.execute(kept, ("all-MiniLM-L6-v2-memory",)).fetchone() == (None, None)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--precision", "0"], "--precision: must be above 0"),
        (["--evidence-precision", "2"], "--evidence-precision: must be between 0 and 1"),
        (["--model", "unheard-of"], "MEMORY_EMBEDDING_MODEL: unknown model unheard-of"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    words: list[str], problem: str, settings: Settings, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    file = str(written(tmp_path / "pairs.jsonl"))
    code, out, err = told([file, *words], settings, monkeypatch, capsys)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {problem}"), err
