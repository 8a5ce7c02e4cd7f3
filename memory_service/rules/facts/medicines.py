"""Medicines that another one takes the place of: "Ramipril made me cough, now I take candesartan"; and their doses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from memory_service.rules.facts.attributes import canonical
from memory_service.rules.facts.clause_words import DOSE, LEAD, MEDICINE, NUMBER
from memory_service.text.late_pattern import LatePattern, compile_late
from memory_service.types import CandidateFact

_MEDICINE = LatePattern(rf"(?i)(?<![\w-])(?:{MEDICINE})(?![\w-])")
_CHANGE = LatePattern(
    r"(?i)\b(?:chang|switch|swap|replac|mov)(?:ed|es|ing|e)? (?:me|my|over|from|to|it|the)\b|\binstead\b|"
    r"\bnow (?:I(?:['’]m|m| am)? |it['’]?s |on |taking )|\bI(?:['’]m|m| am)? now (?:take|taking|on)\b|"
    r"\bput me on\b|\b(?:I(?:['’]m|m| am)? )?(?:take|taking|on) [\w ]{3,30}\bnow\b"
)
_LEFT_BEFORE = LatePattern(
    r"(?i)(?:\bI (?:was|had been|used to be) (?:taking|on)|\bI used to take|\b(?:took|taken|came|come|"
    r"went) (?:me )?off|"
    r"\bstopped(?: taking)?|\b(?:cough|rash|side[- ]effects?|dizzy|dizziness|nause\w+|headaches?|sick) (?:from|with|"
    r"on)|"
    r"\b(?:switched|changed|swapped|moved) (?:me )?(?:over )?from) (?:the |my )?$"
)
_LEFT_AFTER = LatePattern(
    r"(?i) (?:also |just |always )?(?:made|makes|gave|gives|was making|was giving) me\b|"
    r" (?:didn['’]?t|did not|doesn['’]?t|wasn['’]?t|was not) (?:agree|work|suit|help|do|working|helping)\b"
)
"""Directly before and behind a medicine: it is no longer taken, or did its speaker harm."""
_BOTH = LatePattern(
    r"(?i)\b(?:also|both|besides|together|as well|in addition|alongside|plus|on top|still|back (?:on|to)|again|too)\b"
)
_SAID_OF_NEXT = (
    r"(?:was|wasn['’]?t|is|isn['’]?t|has|hasn['’]?t|had|got|did|didn['’]?t|does|doesn['’]?t|made|makes|gave|gives|"
    r"used|never|will|won['’]?t|can|could|would|might|should)\b"
)
"""Behind a medicine that begins a statement: "and metformin was stopped"."""
_NEXT_MEDICINE = LatePattern(
    rf"(?i)(?:,? (?:{DOSE}|daily|once a day|twice a day|twice daily|every (?:day|morning|evening|night)|(?:in|for) the "
    r"(?:morning|evening)s?|at (?:night|bedtime|lunch)|with (?:food|breakfast|dinner)|for my [a-z]+(?: [a-z]+)?))?"
    rf"(?:,? and|,? plus|,| &) (?:also )?(?P<value>(?:{MEDICINE}|(?:{DOSE} (?:of )?)?(?:melatonin|vitamin \w+|"
    rf"testosterone|"
    rf"estrogen|oestrogen|iron tablets))(?:,? {DOSE})?)(?![\w-])(?!(?:,? {DOSE})? {_SAID_OF_NEXT})"
)
_GOES_ON = LatePattern(
    r"(?i)\b(?:back on (?:it|them)|(?:start\w*|tak\w+) (?:it |them |taking it )?again|re-?start\w*|(?:ran|run|running) "
    r"out|out of stock|pharmacy)\b"
)
"""Anywhere in a message: a medicine is only used up, or taken again."""
_PAUSED = LatePattern(
    r"(?i)\b(?:refill\w*|(?:renew|need) \w+ (?:new )?prescription|order (?:it|them|more)|for (?:now|today|tonight|the "
    r"(?:moment|day|night|weekend|week)|(?:an?|one|two|three|four|five|six|ten|\d+|a few|a couple of) "
    r"(?:days?|nights?|weeks?)))\b"
)
_NEW_DOSE = LatePattern(
    rf"(?i)^\s*{LEAD}it['’]?s (?P<medicine>{MEDICINE}),? (?P<dose>{DOSE}|{NUMBER}|\d+) now,? (?:and )?not "
    rf"(?:{DOSE}|{NUMBER}|\d+)[\s.!]*$"
)
"""A whole message: in a longer one the medicine may be another person's."""
_LONGEST = 400
_DOSE = compile_late(rf"(?i){DOSE}")
_DOSE_OF = compile_late(rf"(?i)\b{DOSE} (?:of )?(?=[a-z])")
_TAKES = compile_late(r"(?i)takes? ")


def is_pause(ending: CandidateFact, sentence: str, message: str) -> bool:
    """Whether a medicine that a sentence ends is only paused or used up: "I stopped it for two days", "I'm back on
    it"."""
    name = ending.attribute or ""
    return (
        not ending.holds
        and (name in ("takes_medicine", "treatment", "short_treatment") or name.endswith("_dose"))
        and (_GOES_ON.search(message) is not None or _PAUSED.search(sentence) is not None)
    )


def replaced_medicines(text: str, facts: Iterable[CandidateFact], subject: str) -> Iterator[CandidateFact]:
    """Yield the endings of medicines that a message names beside the one that the speaker takes now.

    Only in a short message with two medicines, a word of change and a reason or a past for the former one.
    """
    if len(text) > _LONGEST or not _CHANGE.search(text) or _BOTH.search(text):
        return
    found = [(name, match) for match in _MEDICINE.finditer(text) if (name := _without_dose(match.group()))]
    last = found[-1][0] if found else None
    if len({name for name, _ in found}) != 2:
        return
    stated = [fact for fact in facts if fact.attribute == "takes_medicine" and fact.subject == subject]
    if last not in {canonical(fact).value for fact in stated if fact.holds}:
        return
    for name, match in found:
        if name != last and (
            _LEFT_BEFORE.search(text[max(match.start() - 40, 0) : match.start()])
            or _LEFT_AFTER.match_at(text, match.end())
        ):
            if not any(not fact.holds and canonical(fact).value == name for fact in stated):
                yield CandidateFact(
                    f"{subject} no longer takes {name}.",
                    subject,
                    "takes_medicine",
                    name,
                    stated=True,
                    holds=False,
                )
            return


def new_dose(message: str, subject: str) -> Iterator[CandidateFact]:
    """Yield the dose that a message consists of: "it's candesartan sixteen now not eight"."""
    if match := _NEW_DOSE.match(message):
        medicine, dose = match["medicine"].lower(), match["dose"]
        text = f"{subject}'s dose of {medicine} is {dose}."
        yield CandidateFact(text, subject, f"{medicine}_dose", dose, stated=True)


def further_medicines(sentence: str, stated: Iterable[CandidateFact]) -> Iterator[CandidateFact]:
    """Yield the medicines that a sentence lists behind one that is taken: "I take metformin and lisinopril"."""
    for fact in stated:
        if not fact.holds or fact.attribute != "takes_medicine" or not fact.value:
            continue
        place = sentence.find(fact.value)
        end = place + len(fact.value)
        while place >= 0 and (match := _NEXT_MEDICINE.match_at(sentence, end)):
            end = match.end()
            text = fact.text.replace(fact.value, match["value"], 1)
            yield replace(fact, text=text, value=match["value"])


def each_has_a_dose(sentence: str, facts: Iterable[CandidateFact]) -> bool:
    """Whether the sentence names as many amounts as medicines, each beside one."""
    taken = {fact.value for fact in facts if fact.holds and fact.attribute == "takes_medicine" and fact.value}
    return bool(taken) and len(_DOSE.findall(sentence)) == len(taken) == sum(
        len(_DOSE.findall(value)) == 1 for value in taken
    )


def _without_dose(medicine: str) -> str:
    return _DOSE_OF.sub("", medicine).lower()


def ending_of_dose(fact: CandidateFact) -> CandidateFact | None:
    """The ending of the dose of a medicine that is no longer taken; None for other facts."""
    if fact.holds or fact.attribute != "takes_medicine" or not (medicine := canonical(fact).value):
        return None
    return replace(fact, attribute=f"{medicine}_dose".replace(" ", "_"), value=None)


def is_contrary(fact: CandidateFact, ending: CandidateFact) -> bool:
    """Whether a fact states what an ending ends."""
    return (
        fact.holds
        and (fact.subject, fact.attribute) == (ending.subject, ending.attribute)
        and canonical(fact).value == canonical(ending).value
    )


def names_one_dose(sentence: str) -> bool:
    """Whether the sentence names exactly one amount of a medicine."""
    return len(_DOSE.findall(sentence)) == 1


def with_dose(fact: CandidateFact) -> tuple[CandidateFact, ...]:
    """A medicine that is taken, and its dose as another fact: doses change while the medicine stays."""
    if not fact.holds or (dose := _DOSE.search(fact.value or "")) is None:
        return (fact,)
    if fact.attribute == "habit" and fact.value is not None and _TAKES.match(fact.value):
        return (replace(fact, text=_DOSE_OF.sub("", fact.text), value=_DOSE_OF.sub("", fact.value)),)
    if fact.attribute != "takes_medicine":
        return (fact,)
    medicine = canonical(fact).value or ""
    about = fact.subject or "user"
    return (
        replace(fact, text=f"{about} takes {medicine}.", value=medicine),
        replace(
            fact, text=f"{about}'s dose of {medicine} is {dose.group()}.", attribute=f"{medicine}_dose",
            value=dose.group(),
        ),
    )  # fmt: skip
