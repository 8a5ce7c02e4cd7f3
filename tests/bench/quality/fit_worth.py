"""`python -m tests.bench.quality.fit_worth DATA`: fits the fact-bearing score and writes its weights.

Fitted on the project's own chats and sentences and on RealMem, each balanced; the other sets only validate. A feature
that speaks for telling something may not weigh against it, nor the other way round: without these bounds the weights
follow each set's style, and AUC on PrefEval falls from .81 to .72. The bias is set so that the mean score over the own
chats is their share of messages that are worth remembering.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq, minimize  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

from memory_service.rules.gate import worth_weights
from memory_service.rules.gate.gate import read_segment
from memory_service.rules.gate.worth_score import FEATURES, features_of
from tests.bench.quality.data import out, table
from tests.bench.quality.labelled import FITTED, Message, labelled_sets, segment_of
from tests.bench.quality.scores import auc

Figures = npt.NDArray[np.float64]

AGAINST = frozenset(
    "brief_reaction you questions asks asks_you task doubts code chatter bare".split()  # noqa: SIM905
)
"""Features that speak against worth; all others speak for it."""
SHARES = {"own chats": 1.0, "RealMem": 0.3, "own sentences": 0.2}
"""How much each set counts. RealMem's gold memories are of one kind of chat, and the sentences were written beside the
patterns that they test."""
RIDGE = 0.01


def features(messages: Sequence[Message]) -> tuple[Figures, npt.NDArray[np.bool_]]:
    """The features of each message, and its label."""
    found = [read_segment(segment_of(message)).utterances for message in messages]
    rows = [features_of(said[0].read) if said else (0.0,) * len(FEATURES) for said in found]
    return np.array(rows), np.array([message.worth for message in messages])


def fitted(
    parts: Sequence[tuple[Figures, npt.NDArray[np.bool_]]], shares: Sequence[float]
) -> tuple[float, Figures]:
    """Bias and weights of a bounded logistic regression; in each part both labels count alike."""
    x = np.vstack([part[0] for part in parts])
    sign = np.concatenate([np.where(y, 1.0, -1.0) for _, y in parts])
    each: list[Figures] = []
    for (_, y), share in zip(parts, shares, strict=True):
        wanted = float(y.mean())
        each.append(np.where(y, 0.5 / wanted, 0.5 / (1 - wanted)) * (share / len(y)))
    counts = np.concatenate(each) / sum(shares)
    mean, spread = x.mean(axis=0), x.std(axis=0) + 1e-6
    scaled = (x - mean) / spread

    def loss(b: Figures) -> tuple[float, Figures]:
        margin = sign * (scaled @ b[1:] + b[0])
        slope = -counts * sign / (1 + np.exp(margin))
        value = float(counts @ np.logaddexp(0, -margin) + RIDGE * (b[1:] @ b[1:]))
        return value, np.concatenate([[slope.sum()], scaled.T @ slope + 2 * RIDGE * b[1:]])

    bounds = [(None, None), *((None, 0) if name in AGAINST else (0, None) for name in FEATURES)]
    found = cast("Any", minimize(loss, np.zeros(x.shape[1] + 1), jac=True, method="L-BFGS-B", bounds=bounds))
    weights: Figures = found.x[1:] / spread
    return float(found.x[0] - mean @ weights), weights


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.bench.quality.fit_worth", description=__doc__)
    parser.add_argument("data", type=Path, help="folder of labelled files")
    sets = labelled_sets(parser.parse_args().data)
    if missing := set(FITTED) - set(sets):
        parser.error(f"missing: {', '.join(missing)}")
    read = {name: features(messages) for name, messages in sets.items()}

    shown = table("Fact-bearing score, AUC", "set", "left out", "fitted on all")
    _, weights = fitted([read[name] for name in FITTED], [SHARES[name] for name in FITTED])
    for name, (x, y) in read.items():
        others = [other for other in FITTED if other != name]
        _, without = fitted([read[other] for other in others], [SHARES[other] for other in others])
        shown.add_row(name, f"{auc(x @ without, y):.3f}", f"{auc(x @ weights, y):.3f}")
    x, y = read["own chats"]
    groups = np.array([message.group for message in sets["own chats"]])
    each: list[float] = []
    for group in sorted(set(groups)):
        rest = groups != group
        parts = [(x[rest], y[rest]), *(read[name] for name in FITTED if name != "own chats")]
        _, without = fitted(parts, [SHARES[name] for name in FITTED])
        each.append(auc(x[~rest] @ without, y[~rest]))
    shown.add_row("own chats, one chat left out, mean", f"{np.mean(each):.3f}", "")
    out.print(shown)

    def excess(bias: float) -> float:
        return float((1 / (1 + np.exp(-(x @ weights + bias)))).mean() - y.mean())

    write(cast("float", brentq(excess, -20, 20)), weights)


def write(bias: float, weights: Figures) -> None:
    lines = "\n".join(f"    {weight:.3f},  # {name}" for name, weight in zip(FEATURES, weights, strict=True))
    Path(worth_weights.__file__).write_text(
        '"""Weights of the fact-bearing score (`worth.py`): python -m tests.bench.quality.fit_worth writes them."""\n\n'
        f"from __future__ import annotations\n\nBIAS = {bias:.3f}\nWEIGHTS: tuple[float, ...] = (\n{lines}\n)\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
