"""Weights of the score fusion (recall/fusion.py).

Written by tests/bench/quality/fusion.py, fitted on group_chat, diary, own chats, realmem.
"""

from __future__ import annotations

from typing import Final

WEIGHTS: Final[dict[str, float]] = {
    "cosine": 1.0,
    "reply_lead": 0.5,
    "words": 0.629,
    "speaker": 0.197,
    "period": 0.165,
    "mentions": 0.041,
    "session": 0.149,
}
"""Added to the fused score for one unit of each feature; a cosine of 1 adds 1."""

CUT_OFF: Final = 0.060
"""Lowest similarity returned by a recall: 99.5 % of the relevant messages among the first 10 have it."""
