"""Weights of the fact-bearing score (worth_score.py), written by `python -m tests.bench.quality.fit_worth`."""

from __future__ import annotations

BIAS = -2.741
WEIGHTS: tuple[float, ...] = (
    0.412,  # content_self
    0.464,  # content_other
    0.259,  # best_sentence
    0.238,  # self
    0.066,  # mine
    0.113,  # holds
    0.104,  # done
    0.788,  # when
    0.379,  # numbers
    0.261,  # names
    0.120,  # life
    0.175,  # general
    0.391,  # third
    0.421,  # care
    1.564,  # fact
    2.201,  # standing
    3.320,  # choice
    2.504,  # body
    0.377,  # answers
    -0.641,  # brief_reaction
    -0.546,  # you
    -0.950,  # questions
    -0.456,  # asks
    -0.246,  # asks_you
    -0.161,  # task
    -0.352,  # doubts
    -0.274,  # code
    -0.535,  # chatter
    -1.244,  # bare
)
