"""Facts without an attribute: lasting sentences that no pattern reads."""

from __future__ import annotations

from collections.abc import Iterator

from memory_service.rules.facts.clauses import clauses, is_condition
from memory_service.rules.facts.informal_english import plainly
from memory_service.rules.facts.lasting import is_candidate, is_lasting
from memory_service.rules.facts.openers import without_opener
from memory_service.rules.facts.references import resolved
from memory_service.rules.facts.reported_speech import reported
from memory_service.rules.facts.statements import statements, statements_in_sentence
from memory_service.rules.facts.user_text import LEFT_OUT, own_words
from memory_service.rules.gate.sentence_score import FILLER, WORD
from memory_service.rules.losses import in_plain_words
from memory_service.text.late_pattern import compile_late
from memory_service.text.sentences import sentences
from memory_service.types import CandidateFact

_OF_SPEAKER = compile_late(r"(?:I|[Ww]e|[Mm]y|[Oo]ur)(?![\w])")
_SPEAKS_OF_SELF = compile_late(r"(?i)(?<![\w'’])(?:i|im|ive|me|my|we|our|us)(?!\w)")
_MARKED_UP = compile_late(r"\*\*|__|https?:|^\W*\(|\\|\{|<")
_SAYS_I = compile_late(r"(?i)(?<![\w'’])(?:i|im|ive|me|my)(?!\w)")
_CUT_OFF = compile_late(r"\(\w[^)]*$")
"""A parenthesis that the end of the sentence cuts off: "my boss (real name! ..."."""
_LONGEST_SENTENCE = 400
LONG_TEXT = 12
"""Sentences from which a message must speak of its writer in OWN_SHARE of them, else it is a document."""
OWN_SHARE = 0.25
COVERED = 0.5
"""Share of a sentence's content words in the facts of patterns, from which the sentence is not also stored whole."""


def facts_in(text: str, speaker: str | None, said_in: int | None = None) -> Iterator[CandidateFact]:
    """Yield the facts of `statements`, and each other lasting sentence in the third person."""
    yield from statements(text, speaker, said_in)
    subject = speaker or "user"
    own = own_words(text, speaker)
    if speaker is None and not _SPEAKS_OF_SELF.search(own):
        return  # without the first person, an unnamed user's sentence ("Anna has 12 apples") may be about anybody
    said = list(resolved(in_plain_words(sentences(own))))
    if len(said) > LONG_TEXT and sum(_SAYS_I.search(one) is not None for one in said) < OWN_SHARE * len(said):
        return  # a pasted document
    holes = LEFT_OUT not in text
    for sentence in said:
        if (holes and LEFT_OUT in sentence) or _MARKED_UP.search(sentence):
            continue
        statement = stated_part(sentence)
        if statement is None or not is_lasting(statement) or is_covered(sentence, subject, said_in):
            continue
        statement = without_opener(statement)
        about = subject if _OF_SPEAKER.match(statement) else None
        yield CandidateFact(f"{reported(statement, subject)}.", about)


def is_covered(sentence: str, subject: str, said_in: int | None = None) -> bool:
    """Whether patterns read at least COVERED of the sentence's words, and more than a name or an ending."""
    stated = [fact for fact in statements_in_sentence(sentence, subject, said_in) if fact.holds]
    if all((fact.attribute or "").endswith("_name") for fact in stated):
        return False
    wanted = _content(stated_part(sentence) or sentence)
    return len(wanted & _content(" ".join(fact.text for fact in stated))) >= COVERED * len(wanted)


def _content(text: str) -> frozenset[str]:
    return frozenset(word[:5] for word in WORD.findall(text.lower()) if word not in FILLER)


def stated_part(sentence: str) -> str | None:
    """Return the statement of a sentence in plain wording, without its question; None where it is no candidate."""
    if len(sentence) > _LONGEST_SENTENCE:
        return None
    if sentence.endswith("?"):
        statement = ", ".join(part.text for part in clauses(sentence) if part.kind == "statement")
    else:
        statement = plainly(sentence)
        if is_condition(statement):
            return None
    statement = statement.strip(" .!,;:…")
    return statement if is_candidate(statement) and not _CUT_OFF.search(statement) else None
