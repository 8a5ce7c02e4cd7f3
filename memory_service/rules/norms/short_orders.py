"""Short forms of standing instructions: the form of the answers, words not to use, demands on a kind of text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memory_service.rules.facts.situations import HEADINGS, SOFT
from memory_service.rules.word_lists import CUISINES, LANGUAGE
from memory_service.text.late_pattern import compile_late

_POLITE = r"(?:please|pls|plz)"
_FORMS = (
    r"(?:(?:numbered lists|bullet[ -]?points|bullets)|(?:(?:\d|two|four) )?(?:tabs|spaces)|metric(?: units)?|"
    r"imperial(?: units)?|celsius|fahrenheit|(?:british|american) (?:english|spelling)|plain text|snake_case|camelcase)"
)
_SWITCH = compile_late(
    rf"(?i)^(?:(?:ok|okay|so|now|and|hey|actually|{_POLITE}|let's|can we|can you),? )*(?:(?P<verb>(?:switch|change) "
    rf"(?:over )?to )|(?P<in>in )|use )?(?:(?P<language>{LANGUAGE})|(?P<form>{_FORMS}))"
    rf"(?P<end>(?:,? (?:{_POLITE}|only|always|from (?:now|here) on|going forward|instead|now|again))*)[.!]*$"
)
"""A form of the answers alone: "switch to English", "bullet points please", "English please from now on"."""
_CUISINE = compile_late(rf"(?i){CUISINES}")
_OF_ANSWERS = compile_late(r"(?i)\bin\b|\b(?:always|from (?:now|here) on)\b")
_LASTS_BEHIND = compile_late(r"(?i)\b(?:only|always|from (?:now|here) on|going forward)\b")
_DO_NOT_USE = compile_late(
    rf"(?i)^(?:(?:ok|okay|so|and|also|{_POLITE}),? )*(?P<said>(?:don't|do not|dont|never) (?:ever )?use "
    r"(?!(?:it|that|this|these|those|them|me|us|mine|yours|his|hers|the|an?|my|our|your|her|their|any|all|too|so|both|"
    r"either|force|up|public|drugs?)\b)[a-z][\w'+#.-]*(?: (?!(?:it|that|this|yet|here|now|today|tonight|tomorrow|"
    rf"ever|again|{_POLITE})\b)[\w'+#-]+)?)(?:,? (?:{_POLITE}|ever|again|any ?more))*[.!]*$"
)
"""A short order as the whole message: "don't use vosotros please"."""
_WORDING = compile_late(
    rf"(?i)^{SOFT}(?:{_POLITE},? )?(?P<said>(?:never|don't|do not|dont|stop|avoid|no more) (?:ever )?(?:(?:us(?:e|ing)|"
    r"sa(?:y|ying)|writ(?:e|ing)) )?(?:the )?(?:words?|phrases?|terms?|expressions?) (?!here$).{2,80}?)"
    rf"(?:,? (?:{_POLITE}|ever|again|ever again|any ?more|with me))*[.!]*$"
)
"""A word that the assistant is not to use."""
_SAYING = compile_late(
    rf"(?i)^{SOFT}(?:{_POLITE},? )?(?P<said>(?:never|don't|do not|dont) (?:ever )?(?:tell me|say(?: to me)?|"
    rf"answer(?: me)?(?: with)?):? \"[^\"]{{2,60}}\")(?:,? (?:{_POLITE}|ever|again|ever again|any ?more))*[.!]*$"
)
_STORE = r"(?:store|save|record|memori[sz]e|keep|log|remember(?=.*\b(?:my|our|me|us)\b)|note|write down)"
_NO_MATTER = (
    r"\b(?:(?:and|or|but|then) (?:please |also |then )?(?:forget|delete|erase|remove|wipe|clear|drop)|is|are|was|were|"
    r"am|has|had|what|just|last|conversation|chat|message)\b"
)
"""A request to erase, a statement or the present conversation: such a sentence stays a request to forget."""
_NOT_STORED = compile_late(
    rf"(?i)^{SOFT}(?:(?:{_POLITE}|(?:can|could|would|will) you),? )*(?P<said>(?:(?:never|(?:don't|do not|dont) ever) "
    rf"{_STORE}|(?:don't|do not|dont) (?!remember\b){_STORE}(?= any)) (?:(?:anything|any (?:details?|info|information|"
    r"facts?|data|notes|memories)) (?:about|on|regarding|concerning|related to) (?!(?:it|this|that|these|those|them)"
    rf"\b)|(?<!keep )(?<!log )(?<!note )(?:my|our) )(?:(?!{_NO_MATTER})[^.,;:!?\d]){{2,60}}?)"
    r"(?: in your (?:memory|memories|notes|records))?"
    r"(?:,? (?:please|pls|ever|again|any ?more))*[.!]*$"
)
"""An order not to store a matter from now on: "never store anything about my health"."""
_CHOICE = compile_late(
    rf"(?i)^{SOFT}(?P<said>(?:always )?use (?P<one>\"[^\"]{{1,30}}\"|'[^']{{1,30}}'|du|tu|tú|vos|usted|ustedes|vous|"
    r"sie|lei),? (?:and )?(?:not|never|instead of|rather than) (?:\"[^\"]{1,30}\"|'[^']{1,30}'|du|tu|tú|vos|usted|"
    r"ustedes|vosotros|vous|sie|lei)(?: (?P<where>(?:in|on|for|with|to) (?!(?:the|this|that|it)\b)[\w'-]+(?: "
    rf"[\w'-]+){{0,3}}))?)(?:,? (?:{_POLITE}|always|from now on))*[.!]*$"
)
_LANGUAGE_OF = compile_late(
    rf"(?i)^(?:{_POLITE},? )?(?:in (?:the |our |my |all )?(?P<where>code|e-?mails|letters|reports|reviews),? "
    rf")?(?P<what>"
    r"(?:code |commit |review |all )*(?:comments|messages|names|docstrings|docs|titles|subjects|notes|letters|reports|"
    rf"e-?mails)) (?:(?P<firm>only|always) )?in (?P<language>{LANGUAGE})(?(firm)| (?:only|always))(?:,? even [^;:]*|,? "
    rf"{_POLITE})*[.!]*$"
)
"""The language of a kind of text: "in code, comments in English only"."""
_DEMANDS = compile_late(
    rf"(?i)^(?:(?:ok|okay|so|and|also|{_POLITE}),? )*(?:for |in |in my |my |our )?(?P<where>{HEADINGS}): "
    r"(?P<demands>[^:?]{3,160})$"
)
_DEMAND = compile_late(
    r"(?i)^(?:(?:no|never|always|don't|without|use|only|max(?:imum)?|at most|no more than|under|up to) .+|(?:in )?"
    r"(?:the )?(?:imperative|present tense|past tense)(?: mood)?|lower ?case|title case|sentence case|"
    r"conventional commits|short|brief|concise|formal|informal|casual|plain text|in [a-z]+)$"
)
_STATES = compile_late(
    r"(?i)^(?:(?:I|we|they|he|she|it|there|none)\b|\d+ \w+(?!.*\b(?:max|at most|tops|or (?:less|fewer))\b)|"
    r"(?:no|without) (?:more|further|(?:(?:more|new|further|other|open) )?(?:errors?|fail(?:ures|ed)|warnings?|"
    r"problems?|conflicts?|replies|reply|answers?|news|changes|updates?|results?|bugs))$)"
)
"""Parts of a report, which is no order: "reports: 3 failed, no errors"."""
_QUALITY = compile_late(
    r"(?i)^(?:short|brief|concise|formal|informal|casual|lower ?case|title case|sentence case|plain text)$"
)
_LIST = compile_late(r"(?:[,;]| and(?= no\b)) ?")
_MOST_DEMANDS = 6
_POLITE_END = compile_late(rf"(?i),? {_POLITE}$")


@dataclass(frozen=True, slots=True)
class ShortOrder:
    """An order in the speaker's words, and where it applies; empty: always."""

    said: str
    situation: str = ""


def short_order_in(message: str) -> str | None:
    """The order that is all of a message, in full: "switch to english" as "answer in English"."""
    if (
        (switch := _SWITCH.match(message))
        and (switch["verb"] or _LASTS_BEHIND.search(switch["end"]) or (switch["form"] and switch["end"]))
        and not (
            _CUISINE.fullmatch(switch["language"] or "")
            and not _OF_ANSWERS.search(f"{switch['in'] or ''} {switch['end']}")
        )
    ):
        return (
            f"answer in {switch['language'].capitalize()}" if switch["language"] else f"use {switch['form']}"
        )
    not_used = _DO_NOT_USE.match(message)
    return not_used["said"] if not_used else None


def wording_in(sentence: str) -> ShortOrder | None:
    """The order about words or a language to use or not to use: "don't use the word leverage"."""
    if said := storage_order_in(sentence):
        return ShortOrder(said)
    if of := _LANGUAGE_OF.match(sentence):
        return ShortOrder(f"write {of['what']} in {of['language'].title()} only", of["where"] or "")
    match = _WORDING.match(sentence) or _SAYING.match(sentence) or _CHOICE.match(sentence)
    return ShortOrder(match["said"], match.groupdict().get("where") or "") if match else None


def storage_order_in(sentence: str) -> str | None:
    """The order not to store a matter from now on, which is no request to forget."""
    match = _NOT_STORED.match(sentence.replace("’", "'").strip())
    return match["said"] if match else None


def demands_in(sentence: str) -> Iterator[ShortOrder]:
    """The demands on a kind of text, each an order: "commit messages: imperative, max 50 chars, no emoji"."""
    match = _DEMANDS.match(sentence.rstrip(" .!"))
    if match is None:
        return
    parts = [part for one in _LIST.split(match["demands"]) if (part := _POLITE_END.sub("", one.strip()))]
    fit = sum(_DEMAND.match(part) is not None for part in parts)
    if not fit or 2 * fit < len(parts) or len(parts) > _MOST_DEMANDS or any(map(_STATES.match, parts)):
        return
    where = match["where"]
    for part in parts:
        texts = where.lower() if where[1:].islower() else where
        yield ShortOrder(f"keep {texts} {part}" if _QUALITY.match(part) else part, where)
