"""Weights of the score fusion (recall/fusion.py).

Written by tests/bench/quality/fusion.py, fitted on group_chat, diary, own chats, realmem.
"""

from __future__ import annotations

from typing import Final

WEIGHTS: Final[dict[str, float]] = {
    "cosine": 1.0,
    "reply": 0.305,
    "words": 0.625,
    "speaker": 0.197,
    "period": 0.167,
    "question": 0.024,
    "mentions": 0.076,
    "session": 0.147,
}
"""What one unit of each figure adds to the fused score; a cosine of 1 adds 1."""

CUT_OFF: Final = 0.070
"""Lowest similarity that comes back in a recall: 99.5% of the evidence among the first 10 has it."""

CONTEXT_CUT_OFF: Final = 0.035
"""The same in a context, whose budgets leave out what is less relevant."""
