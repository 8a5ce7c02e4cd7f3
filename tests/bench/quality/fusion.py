"""Fits the fusion's weights and the cut-off: `python -m tests.bench.quality.fusion DATA [--write]`.

Candidates come from the service, with the figures of a trace. The weights maximize the likelihood of the evidence among
the candidates of its question (softmax over each question's candidates), with a Gaussian prior around the weights that
were set by hand. The shipped weights are fitted on this project's own banks and chats and on RealMem (Apache-2.0);
every other set only validates. Leave-one-set-out figures are printed beside cosine alone.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize  # type: ignore[import-untyped]

from memory_service.config import Settings
from memory_service.memory import Memory
from memory_service.profiles import PROFILES
from memory_service.recall.candidates import Candidates
from memory_service.recall.fusion import similarity
from memory_service.recall.trace import Timing
from memory_service.requests import Filters
from memory_service.types import Found
from tests.bench.quality.data import out, table
from tests.bench.quality.http_client import HttpClient, serving
from tests.bench.quality.live import K, all_worlds, asked_at, remembered

PRIOR = {
    "cosine": 1.0, "reply_lead": 0.5, "words": 0.625, "speaker": 0.2, "period": 0.17, "mentions": 0.04, "session": 0.15,
}  # fmt: skip
"""Set by hand on four conversations of LoCoMo and this project's own banks."""
SHARPNESS = 8.0
"""Logits of one unit of cosine, for the prior."""
FITTED_ON = ("group_chat", "diary", "own chats", "realmem")
FETCH = 100
STRENGTHS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
KEPT = 0.995
"""Share of the evidence among the first 10 that the cut-off must leave in every set."""

Rows = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Asked:
    """One question's candidates."""

    set: str
    figures: Rows
    """A row for each candidate, a column for each of PRIOR."""
    hits: NDArray[np.bool_]
    found: int
    """Memories that are evidence, found or not."""
    cosine: NDArray[np.float64]


async def collect(folder: Path) -> list[Asked]:
    """Every question's candidates in every world, through the service's own way in."""
    asked: list[Asked] = []
    with tempfile.TemporaryDirectory(prefix="memory-fusion-") as scratch:
        data = Path(scratch) / "data"
        settings = Settings.model_validate({"data_dir": data})
        with serving(data) as address:
            async with (
                HttpClient.open(address) as client,
                await Memory.open(settings, migrated=False) as memory,
            ):
                candidates = Candidates(memory.store, memory.models, settings)
                for world in all_worlds(folder):
                    bank = await remembered(client, world, "exchange")
                    row = await memory.store.banks.read(bank.bank_id)
                    for question in world.questions:
                        found, _ = await candidates.find(
                            row, question.text[:4_000], FETCH, "tool", Filters(), asked_at(bank, question), Timing(),
                            profile=PROFILES["precise"], salient=False,
                        )  # fmt: skip
                        assert isinstance(found, Found)
                        ids = [bank.origins.get(str(i), frozenset[str]()) for i in found.column("memory_id")]
                        keep = [
                            n for n, (mine, type_) in enumerate(zip(ids, found.column("type"), strict=True))
                            if type_ == "episodic" and not mine & question.itself
                        ]  # fmt: skip
                        table_ = np.column_stack([found.figures[name] for name in PRIOR])[keep]
                        hits = np.array([bool(ids[n] & question.evidence) for n in keep], dtype=bool)
                        evidence = sum(bool(mine & question.evidence) for mine in bank.origins.values())
                        asked.append(Asked(world.set, table_, hits, evidence, found.figures["cosine"][keep]))
    return asked


def fit(questions: Sequence[Asked], strength: float) -> Rows:
    """Weights in logits; questions of small sets count more (by the square root of their number)."""
    useful = [q for q in questions if q.hits.any() and not q.hits.all()]
    counts = {name: sum(q.set == name for q in useful) for name in {q.set for q in useful}}
    figures = np.vstack([q.figures for q in useful])
    scale = figures.std(axis=0) + 1e-9
    rows = figures / scale
    target = np.concatenate([q.hits / q.hits.sum() for q in useful])
    sizes = [len(q.hits) for q in useful]
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    owner = np.repeat(np.arange(len(useful)), sizes)
    weight = np.array([1 / math.sqrt(counts[q.set]) for q in useful])
    weight /= weight.sum()
    prior = SHARPNESS * np.array([*PRIOR.values()]) * scale

    def loss(weights: Rows) -> tuple[float, Rows]:
        logits = rows @ weights
        top = np.maximum.reduceat(logits, starts)[owner]
        exps = np.exp(logits - top)
        total = np.add.reduceat(exps, starts)
        likely = logits - top - np.log(total)[owner]
        value = -(weight[owner] * target * likely).sum() + strength * ((weights - prior) ** 2).sum()
        return value, rows.T @ (weight[owner] * (exps / total[owner] - target)) + 2 * strength * (
            weights - prior
        )

    fitted = cast("Rows", minimize(loss, prior, jac=True, method="L-BFGS-B").x)  # type: ignore[reportUnknownMemberType]
    return fitted / scale


def evidence_at_k(questions: Sequence[Asked], weights: Rows | None) -> float:
    """Share of the evidence memories among the first K; None: by cosine alone."""
    shares: list[float] = []
    for q in questions:
        if q.found:
            order = np.argsort(-(q.cosine if weights is None else q.figures @ weights), kind="stable")[:K]
            shares.append(q.hits[order].sum() / min(q.found, K))
    return 100 * float(np.mean(shares))


def left_out(questions: Sequence[Asked], strength: float) -> dict[str, float]:
    """Of each set, evidence@K with weights that were fitted without it."""
    source = [q for q in questions if q.set in FITTED_ON]
    whole = fit(source, strength)
    found: dict[str, float] = {}
    for name in dict.fromkeys(q.set for q in questions):
        own = [q for q in questions if q.set == name]
        weights = fit([q for q in source if q.set != name], strength) if name in FITTED_ON else whole
        found[name] = evidence_at_k(own, weights)
    return found


def cut_off(questions: Sequence[Asked], weights: Mapping[str, float], kept: float) -> float:
    """The similarity that this share of the evidence among the first K reaches, the lowest over all sets, rounded down.

    Over all, not over the fitted ones alone: preferences that share no word with the question lie lower than anything
    in those, and a limit fitted without them dropped 8 % of PrefEval.
    """
    by = np.array([*weights.values()])
    limits: list[float] = []
    for name in dict.fromkeys(q.set for q in questions):
        reached = [
            float(score)
            for q in questions
            if q.set == name
            for score, hit in ((s, q.hits[n]) for s, n in top(q, by))
            if hit
        ]
        if reached:
            limits.append(float(np.quantile(reached, 1 - kept)))
    return math.floor(100 * min(limits)) / 100


def top(q: Asked, weights: Rows) -> list[tuple[float, int]]:
    """Similarity and place of the first K."""
    scores = q.figures @ weights
    order = np.argsort(-scores, kind="stable")[:K]
    return [(float(similarity(scores[[n]])[0]), int(n)) for n in order]


def report(questions: Sequence[Asked]) -> float:
    """Print the table of strengths; the strength whose mean over sets is best."""
    names = list(dict.fromkeys(q.set for q in questions))
    shown = table("evidence@10, each set left out of the fit, in percent", "prior", *names, "mean")
    rows = {"cosine alone": {n: evidence_at_k([q for q in questions if q.set == n], None) for n in names}}
    hand = np.array([*PRIOR.values()])
    rows["set by hand"] = {n: evidence_at_k([q for q in questions if q.set == n], hand) for n in names}
    fitted = {f"{strength:g}": left_out(questions, strength) for strength in STRENGTHS}
    for label, figures in (rows | fitted).items():
        shown.add_row(label, *(f"{figures[n]:.1f}" for n in names), f"{np.mean([*figures.values()]):.1f}")
    out.print(shown)
    inside = {label: np.mean([f[n] for n in FITTED_ON if n in f]) for label, f in fitted.items()}
    return float(max(inside, key=lambda label: float(inside[label])))


def irrelevant(questions: Sequence[Asked], weights: Mapping[str, float], limits: Sequence[float]) -> None:
    """Print what cut-offs keep and drop among the first K."""
    by = np.array([*weights.values()])
    shown = table(
        "cut-off: evidence kept, and others among the first 10 a question",
        "set",
        *(f"{x:.3f}" for x in limits),
    )
    for name in dict.fromkeys(q.set for q in questions):
        own = [(top(q, by), q) for q in questions if q.set == name]
        cells: list[str] = []
        for limit in limits:
            hits = [(s >= limit) for found, q in own for s, n in found if q.hits[n]]
            others = [sum(s >= limit for s, n in found if not q.hits[n]) for found, q in own]
            nothing = [sum(s >= limit for s, _ in found) for found, q in own if not q.found]
            cells.append(
                f"{100 * np.mean(hits) if hits else 0:.1f} {np.mean(others):.1f}"
                + (f" ({np.mean(nothing):.1f})" if nothing else "")
            )
        shown.add_row(name, *cells)
    out.print(shown)
    out.print("In brackets: found for questions that have no evidence.")


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.bench.quality.fusion", description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument(
        "--cache", type=Path, help="keep the candidates in this file, to fit again without the service"
    )
    parser.add_argument("--write", action="store_true", help="write memory_service/fusion_weights.py")
    arguments = parser.parse_args()
    questions = cached(arguments.cache, arguments.data)
    strength = report(questions)
    logits = fit([q for q in questions if q.set in FITTED_ON], strength)
    weights = {name: round(float(w / logits[0]), 3) for name, w in zip(PRIOR, logits, strict=True)}
    limit = cut_off(questions, weights, KEPT)
    out.print(f"strength {strength:g}: {weights}, cut-off {limit:.3f}")
    irrelevant(questions, weights, sorted({0.0, 0.02, 0.05, 0.08, 0.1, 0.15, 0.2, 0.3, round(limit, 3)}))
    if arguments.write:
        write(weights, limit)


def cached(file: Path | None, folder: Path) -> list[Asked]:
    import pickle

    if file is not None and file.exists():
        return pickle.loads(file.read_bytes())
    questions = asyncio.run(collect(folder))
    if file is not None:
        file.write_bytes(pickle.dumps(questions))
    return questions


def write(weights: Mapping[str, float], limit: float) -> None:
    lines = "\n".join(f'    "{name}": {value},' for name, value in weights.items())
    target = Path(__file__).parents[3] / "memory_service" / "fusion_weights.py"
    target.write_text(
        f'''"""Weights of the score fusion (recall/fusion.py).

Written by tests/bench/quality/fusion.py, fitted on {", ".join(FITTED_ON)}.
"""

from __future__ import annotations

from typing import Final

WEIGHTS: Final[dict[str, float]] = {{
{lines}
}}
"""Added to the fused score for one unit of each feature; a cosine of 1 adds 1."""

CUT_OFF: Final = {limit:.3f}
"""Lowest similarity returned by a recall: {100 * KEPT:g} % of the relevant messages among the first {K} have it."""
''',
        encoding="utf-8",
    )
    out.print(f"written: {target}")


if __name__ == "__main__":
    main()
