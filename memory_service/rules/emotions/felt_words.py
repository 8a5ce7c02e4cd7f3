"""The words of a message that may state a feeling of its writer."""

from __future__ import annotations

from memory_service.rules.facts.user_text import own_words
from memory_service.text.late_pattern import compile_late

_HINTS = (
    "chapter", "scene", "excerpt", "passage", "draft", "lyrics", "verse", "poem", "monologue", "dialogue", "novel",
)  # fmt: skip
_DRAFT = compile_late(
    rf"(?i)(?:^|(?<=[.!?\n]))[^.!?:\n]{{0,80}}\b(?:{'|'.join(_HINTS)})\b[^.!?:\n]{{0,60}}:\s"
)
"""Before the words of a character."""
_LOG = compile_late(
    r"(?m)^(?:[*|/\\ ]*commit [0-9a-f]{7,40}\b|Author: |[0-9a-f]{7,12} (?:fix|feat|chore|merge|revert)\b)"
)


def felt_words(text: str) -> str:
    """Return the message without quotes, pasted texts, drafts, role play and logs of commits."""
    text = own_words(text)
    if ("ommit " in text or "Author: " in text or "\n" in text) and (match := _LOG.search(text)):
        text = text[: match.start()]
    if ":" in text:
        lowered = text.lower()
        for hint in _HINTS:
            if hint in lowered:
                match = _DRAFT.search(text)
                return text[: match.end()] if match else text
    return text
