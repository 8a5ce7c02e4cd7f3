"""Answers to security questions, which give access as a password does."""

from __future__ import annotations

from memory_service.redaction.secret_patterns import Shape
from memory_service.redaction.secret_words import ORDINARY, PLACEHOLDER
from memory_service.text.late_pattern import compile_late

_QUESTION = (
    r"\b(?:(?:security|secret|recovery|challenge) questions?|sicherheitsfragen?|question (?:de sécurité|secrète)|"
    r"pregunta (?:de seguridad|secreta)|domanda (?:di sicurezza|segreta)|pergunta (?:de segurança|secreta))\b"
)
_ANSWER = r"\b(?:answers?|antwort|réponse|respuesta|risposta|resposta)"
_STATED = r"(?:\s{0,3}[:=]\s{0,3}|\s{1,3}(?:is|was|ist|lautet|est|es|è|é)(?: now| still)?:?\s{1,3})"
_WHAT_IS_ASKED = (
    r"\b(?:first|maiden|pet|school|street|born|birth|grow up|car|teacher|favou?rite|nickname|best friend|childhood|"
    r"erste[rsn]?|mädchenname|haustier|geboren|premier|première|primera?|mascota|primo|prima)\b"
)
_VALUE = (
    r"[\"'“„‘«*`]{0,3}([^\s.,;:!?\"'“”„‘’«»*`([][^.,;!?\n\"“”„«»*`]{0,60}?)"
    r"(?=[\"'”’»*`)]{0,3}(?:\s{0,3}(?:[.,;!?)\n]|$)|\s{1,3}(?:and|but|so|und|aber|et|y|e)\b))"
)
ABOUT_QUESTIONS = (
    "question", "frage", "pregunta", "domanda", "pergunta", "security answer", "security check", "password recovery",
)  # fmt: skip
"""Words of which a text with an answer has at least one."""
_MOST_WORDS = 5


def _is_answer(value: str) -> bool:
    """Whether the words have the form of an answer, and not of a sentence about it."""
    words = value.split()
    first = words[0].lower()
    if len(words) > _MOST_WORDS or first in ORDINARY or PLACEHOLDER.match(value) or len(value) < 2:
        return False
    return not (words[0].islower() and first.endswith(("ing", "ed", "ly", "n't", "n’t")))


def _is_named(value: str) -> bool:
    return _is_answer(value) and (value[0].isupper() or any(character.isdigit() for character in value))


def _answer(pattern: str) -> Shape:
    return Shape("security_answer", ABOUT_QUESTIONS, compile_late(f"(?i){pattern}{_VALUE}"), 1, _is_answer)


_CHECK = (
    r"\b(?:security|secret|recovery|challenge|verification) (?:questions?|checks?|answers?)\b|"
    r"\bpassword recovery\b"
)
_TOLD = r"(?:\s{0,3}(?::|=|->|→|–|—)|\s{1,3}(?:is|was|as))\s{1,3}"
ANSWER_SHAPES: tuple[Shape, ...] = (
    Shape(
        "security_answer",
        ABOUT_QUESTIONS,
        compile_late(
            rf"(?i){_WHAT_IS_ASKED}[^\n.?:=]{{0,30}}? as ([^\s.,;:!?]{{2,40}}) for (?:the |"
            rf"my )?(?:password |account )?recovery\b"
        ),
        1,
        _is_named,
    ),
    Shape(
        "security_answer",
        ABOUT_QUESTIONS,
        compile_late(rf"(?i)(?:{_CHECK})[^\n?]{{0,60}}?{_WHAT_IS_ASKED}[^\n.?:=]{{0,40}}?{_TOLD}{_VALUE}"),
        1,
        _is_named,
    ),
    Shape(
        "security_answer",
        ABOUT_QUESTIONS,
        compile_late(
            rf"(?i){_WHAT_IS_ASKED}[^\n.?:=]{{0,60}}?(?:{_CHECK}),?[^\n.?:=]{{0,20}}?{_TOLD}{_VALUE}"
        ),
        1,
        _is_named,
    ),
    _answer(rf"{_QUESTION}[^\n]{{0,100}}?{_ANSWER}{_STATED}"),
    _answer(rf"\bsecurity answers?\b[^\n:=.]{{0,60}}?{_STATED}"),
    _answer(rf"{_ANSWER} [^\n.:=]{{0,40}}?{_QUESTION}[^\n.:=]{{0,80}}?{_STATED}"),
    _answer(rf"{_QUESTION}[^\n?]{{0,80}}?{_WHAT_IS_ASKED}[^\n?]{{0,40}}\?\s{{0,3}}(?:[-–—] ?)?"),
    Shape(
        "security_answer",
        ABOUT_QUESTIONS,
        compile_late(
            rf"(?i){_QUESTION}[^\n.?]{{0,60}}?\b(?:put|use|used|wrote|entered|typed|picked|"
            rf"chose|answered) {_VALUE}"
        ),
        1,
        _is_named,
    ),
)
