"""Closed lists of words that inputs are checked against; apart from types.py, which takes longer to import."""

from __future__ import annotations

from typing import Literal, get_args

Role = Literal["user", "assistant", "system", "tool"]
MemoryType = Literal["episodic", "semantic", "procedural"]
EpisodeStatus = Literal[
    "pending_embedding", "active", "archived", "deprecated", "merged_into", "quarantined", "failed"
]
FactStatus = Literal["tentative", "stable", "deprecated", "merged_into"]
ProcedureStatus = Literal[
    "pending_embedding",
    "tentative",
    "active",
    "superseded",
    "deprecated",
    "merged_into",
    "quarantined",
    "failed",
]
MemoryStatus = Literal[EpisodeStatus, FactStatus, ProcedureStatus]
ProcedureKind = Literal["habit", "routine", "pattern", "skill", "lesson"]
ProcedureOutcome = Literal["worked", "failed"]
DecisionOutcome = Literal["stored", "refused", "quarantined", "failed"]
ClarificationStatus = Literal["open", "answered", "void"]
ThreadEnd = Literal["broken", "faded", "ended", "switched_off"]
"""Why an emotional thread ended: the opposite mood, time, a person, the bank setting."""
Mode = Literal["tool", "passive"]
"""`tool`: the agent asked. `passive`: read without being asked; archived memories and doubtful facts are left out."""
Arm = Literal["meaning", "words", "salience"]
"""How a recall finds candidates: by the query's vector, by its words, by importance and recency."""
Tokenizer = Literal["wordpiece", "o200k_base", "cl100k_base", "chars4"]
Order = Literal["recency", "importance"]
KeyRole = Literal["read", "write", "admin"]
KEY_ROLES: tuple[KeyRole, ...] = get_args(KeyRole)
ErasureScope = Literal["memory", "conversation", "period", "agent", "search", "bank"]
ErasureStatus = Literal["unreachable", "scrubbed"]
"""Roles of API keys; each includes those before it."""
LimitedResource = Literal["requests", "messages", "model_tokens"]
"""What the rate limits of an API key count."""

EMOTIONS: tuple[str, ...] = (
    "admiration", "amusement", "anger", "annoyance", "approval", "caring", "confusion", "curiosity",
    "desire", "disappointment", "disapproval", "disgust", "embarrassment", "excitement", "fear",
    "gratitude", "grief", "joy", "love", "nervousness", "optimism", "pride", "realization", "relief",
    "remorse", "sadness", "surprise", "neutral",
)  # fmt: skip
"""The taxonomy of emotion labels: GoEmotions (Demszky et al. 2020), 27 emotions and neutral."""

NormKind = Literal["communication_style", "preference", "instruction", "sensitivity", "relationship_phase"]
RelationshipPhase = Literal["early", "building", "established_trust"]
