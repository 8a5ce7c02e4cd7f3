"""Standing instructions that a speaker gives, with the situation in which they apply.

Beside the orders that `rules.facts.standing_instructions` reads, wishes and rules in longer sentences: "From now on, I
need you to end all your method names with '_o'", "One of our conventions is to …", "When naming functions, always …".
A request for now ("I want you to write a poem") is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from memory_service.rules.facts.clauses import clauses
from memory_service.rules.facts.order_limits import FOR_NOW, is_limited
from memory_service.rules.facts.situations import LASTING, RECURRING, SOFT, parted
from memory_service.rules.facts.standing_instructions import (
    LIMIT_BEHIND,
    as_it,
    in_third_person,
    is_attributed,
    lacks_object,
    of_speaker,
    outside_quotes,
    standing_instructions,
)
from memory_service.rules.norms.short_orders import demands_in, short_order_in, wording_in
from memory_service.rules.word_lists import COUNT, DAY_OR_MONTH
from memory_service.text.late_pattern import compile_late
from memory_service.types import CandidateFact

_VERB = (
    "(?:answer|respond|reply|sign|greet|close|draft|use|utili[sz]e|write|give|include|add|put|start|begin|end|"
    "finish|prefix|suffix|name|call|"
    "correct|indent|import|commit|push|run|test|document|annotate|wrap|indent|format|quote|cite|mention|check|confirm|verify|suggest|"
    "recommend|propose|book|schedule|send|speak|translate|convert|round|list|label|report|provide|combine|present|"
    "keep (?:your|the|all|every|code|commits|answers|functions|methods|it (?:short|brief|simple|formal|informal|casual|"
    "professional|polite|friendly))|avoid|skip|stick|"
    "incorporate|ditch|opt|rely|set up|take|work (?:from|in|at|with)|address|refer|phrase|structure|summari[sz]e|show|"
    "return|spell|capitali[sz]e|highlight|attach|bring up|remind|ask|assume|append|prepend|deploy|merge|review|log|"
    "track|print|type|comment|declare|initiali[sz]e|handle|raise|catch|validate|specify|state|offer|switch|change|"
    "replace|omit|leave out|remove|treat|consult|go with|choose|pick|prefer|focus on using|commit to|"
    "have (?:docstrings|comments|tests|a))"
)
_SHAPE = compile_late(
    rf"(?i)^(?P<how>(?:always|never|consistently|only|not|also|please|all|ever|just) )*{_VERB}\b"
    r"(?! (?:the door|the phone|a call|up on|it|that|this)\b)"
)
_ON_CUE = compile_late(
    r"(?i)^when(?:ever)? I (?:(?:paste|send|share|post|upload|forward|say|type|mention)|ask(?= (?:you|about|for|a|an|"
    r"any|how|why|what|where|who|whether|something)\b(?! \w+ to\b)))"
    r"(?! (?:this|these|those|it|them|my|our|him|her|people)\b| the\b(?! (?:word|command|phrase|letter)\b))"
    r"(?!.*\b(?:next|below|above|later|(?:to|with) (?:my|our|him|her|them|people|the))\b)"
)
"""A situation that comes again and again: "when I paste a stack trace", not "when I send the draft"."""
_ON_CUE_SHAPE = compile_late(
    rf"(?i)^(?:(?:always|never|only|please|just|first) )*(?:{_VERB}|tell me|explain|open|close|stop|pull|fetch|"
    r"summon|look up|wait|continue|be)\b(?! (?:up on|the door|the phone|a call)\b)"
)
"""An order for such a situation, which "it" may refer to."""
_WISH = (
    r"(?:I (?:want|need|expect|ask|would like|would prefer|prefer|request|recommend|suggest)|I'd (?:like|prefer|want)|"
    r"we (?:now )?(?:want|need|expect)|it(?:'s| is) (?:important|essential|crucial|imperative) that|"
    r"(?:please )?(?:make sure|ensure|be sure|remember)(?: that)?|[^:?]{0,80}?\b(?:rules?|conventions?|practices?|"
    r"instructions?|standards?|polic(?:y|ies)|requests?|guidelines?|changes?|updates?|things?|aspects?)\b[^:?]{0,60}?(?"
    r": is(?: that| to)?\b|:))"
)
_TO_YOU = (
    r"(?: (?:all of )?(?:you|we))?(?: (?:to|should|must|have to))*(?: ensure(?: that)?(?: you)?)?"
    r"(?: (?:always|consistently))?(?: (?:start|begin|keep) (?=\w+ing\b))?"
)
_WISHED = compile_late(rf"(?i)^{SOFT}{_WISH}{_TO_YOU}[:,]? (?P<value>.+)$")
_TEAM = compile_late(
    r"(?i)^(?:.{0,60}?[,:] )?(?:we|our team)(?: all)?(?: also| usually| always| strictly| tend to| do|"
    r" here is)*(?P<value> (?:never |don't |do not |avoid ).+| \w+ .+)$"
)
_ORDER = compile_late(
    rf"(?i)^{SOFT}(?:(?:let's|lets) (?=(?:(?:never|always|not) )?(?:use|start|stop|avoid|switch|write|add|import|"
    r"commit|push|deploy|merge|name|mock)\b))?(?P<value>.+)$"
)
_JUST = compile_late(r"(?i)^(?:(?:please|just) )+")
_AGAIN = compile_late(
    rf"(?i)^{SOFT}(?:(?:I|we)(?: now| also)?|now|also)(?:'d like| would like| want| need| expect| ask)(?: you|"
    r" us)? to "
)
"""The wish behind an announcement: "with one update: from now on, I want you to …"."""
_SITUATION_BEHIND = compile_late(
    r"(?i)^(?P<rest>.{8,160}?)(?<! even)(?<! as)(?<! only),? "
    r"(?P<where>(?:when(?:ever)?|before|after|while|if|unless|during) .{4,70})$"
)
_AMONG_OTHERS = compile_late(
    r"(?i)^(?P<rest>[^,]{8,160}?)(?<! even)(?<! as)(?<! only) (?P<where>(?:when(?:ever)?|while) (?!you\b)[^,]{4,70})$"
)
"""A situation that is no manner of the assistant: "when Pablo is around", not "when you write emails"."""
_SECOND = compile_late(
    r"(?i),? (?:but|and) (?=(?:please |always |only )*(?:(?:answer|reply|respond|speak|talk|write)(?: to| with)? me\b|"
    r"sign off\b))"
)
"""Before the second order of a sentence: "always write the report in German, but talk to me in Dutch"."""
_LASTS = compile_late(
    rf"(?i)\b{LASTING}\b|\b(?:always|never|consistently|no longer)\b|\b(?:all|every|any|"
    rf"each) (?:of )?(?:your|our|my|the)?|"
    r"\b(?:rules?|conventions?|standards?|policy|policies|practices?|guidelines?)\b|\bwhen(?:ever)? I (?:ask|"
    rf"paste|send|write|say|mention|want|need|share|post|upload|forward|type)\b|\b{RECURRING}"
)
_FIRMLY = compile_late(
    rf"(?i)\b{LASTING}\b|\b(?:always|never|consistently|no longer)\b|\bwhen(?:ever)? I (?:ask|paste|send|"
    rf"mention)\b|\b{RECURRING}"
)
"""A bare order needs it: "suggest a name for each table" is for now."""
_NAMES = compile_late(
    r"(?i)\b(?:start(?:s|ing)?|begin(?:s|ning)?|end(?:s|ing)?|sign|greet|prefix|suffix|include|add|"
    r"import)\b.*(?:'[^']{1,40}'|\"[^\"]{1,40}\"|`[^`]{1,40}`|\b\w*_\w*|@\w+)"
)
_ONE_TEXT = compile_late(
    r"(?i)\b(?:the|that|a) (?:e-?mail|letter|message|post|translation|text|poem|story|essay|speech)\b"
)
_OURS = compile_late(r"(?i)\b(?:our|the|all|every|any)\b")
_REASON = compile_late(
    r"(?i)(?:[,;] (?:(?:and|so|but|because|since|as|cos|cause) )?|,? (?:because|since|as|cos|cause|so) )"
    r"(?:(?:I|we|they|he|she)(?:'[a-z]+)?|it's|it is|that's|my \w+) (?!want\b|need\b|expect\b).*$|,? otherwise\b.*$"
)
"""Why the order is given: "…, I work nights"."""
_IS_SUBJECT = compile_late(r"(?i)^\w+ing\b.{0,40}?\b(?:is|isn't|has|was|are)\b")
_ANAPHORA = compile_late(r"(?i)\b(?:start|begin|end|use|include|add) (?:them|it|this|these)\b")
"""Orders about a thing that an earlier sentence names."""
_THERE = compile_late(r"(?i)(?<=\w )there[.!]*$")
_PROJECT = compile_late(
    r"(?i)\b(?:repo|repository|project|codebase|package|app) is (?:called |named )?(?P<project>\w+(?:[-_]\w+)+)"
)
_NAMED_THINGS = compile_late(
    r"(?i)\b(?P<things>(?:\w+ )?(?:names|functions|methods|variables|classes|constants|attributes|arguments|modules|"
    r"files|branches|commits|comments|tests|answers|replies|responses|messages|emails|letters|titles|headings|"
    r"summaries|lists))\b"
)
"""What an order of the next sentence may be about."""
_FOR_NOW = compile_late(rf"(?i)\b(?:{FOR_NOW}|help me|let me know|feel free|this (?:app|project))\b")
_PERSONAL = compile_late(
    r"(?i)\b(?:give up|take care|keep (?:going|it up|up|me posted|in touch|in mind)|ask for help|give me a(?! hint))\b"
)
_MAY_ORDER = compile_late(
    r"(?i)\b(?:always|never|ever|don't|do not|dont|stop|quit|no|only|just|keep|make|avoid|skip|less|fewer|use|stick|"
    r"give|write|talk|think|work|answer|reply|respond|speak|explain|be|stay|show|send|post|address|ask|want|like|"
    r"prefer|"
    r"need|appreciate|check|consult|confirm|warn|list|quote|rule|convention|instruction|request|preference|without|"
    r"leave|drop|cut|enough|spare|"
    r"zero)\b.*\b(?:answers?|repl(?:y|ies)|responses?|messages?|explanations?|emojis?|bullets?|bullet points?|jargon|"
    r"tone|short|shorter|brief|concise|direct|formal|informal|casual|simple|plain|detailed|metric|imperial|celsius|"
    r"fahrenheit|diffs?|code|suggest\w*|recommend\w*|mention\w*|remind\w*|call me|ask(?:ing)? me|bring|apologi\w+|"
    r"from now on|in future|in the future|next time|every time|whenever|when I|by default|in general|English|German|"
    r"French|Spanish|Italian|Portuguese|Dutch|honest|blunt|gentle|me as|lists?|tables?|markdown|always|never|language|"
    r"units|summar\w+|comments?|lectur\w+|praise|compliments?|caveats|disclaimers?|hashtags|filler|jokes|slang|"
    r"spelling|"
    r"sentences?|words|like I'?m|like an?|without|before|after|unless|until|weekends?|\w+days|right away|straight away|"
    r"directly|immediately|outright|from you|from your|(?:give|send|show|offer) me|distances?|prices?|weights?|"
    r"temperatures?|measurements?|sizes|costs|talk|clock|informally|"
    r"formally|casually)\b|^(?:(?:please|pls|and|also),? )*(?:never (?!be\b)|(?:don't|do not|dont) "
    r"ever (?!be\b|leave\b|change\b|forget\b|give up\b|go\b|stop\b)|stop (?:saying|starting)|indent |correct my )|"
    rf"^(?:max |at most )?{COUNT} \w+\b.*\balways\b|\bno (?!need|one|way|idea|time)\w+ (?:in|on|to|from|there)\b"
)
"""Words of which a sentence needs one of each kind, or the beginning of an order, before the patterns are tried."""
_NO_ORDER = compile_late(
    r"(?i)^(?:they|he|she|it|we|this|that|those|thanks|love|what|who|how|i'll|i will|but i'll)\b"
)
"""Beginnings of sentences about others, whose clauses look like orders: "They always make us smile"."""
_IN_QUOTES = compile_late(r"\"[^\"]*\"")
_POLITE_END = compile_late(r"(?i)(?:,? (?:please|pls|plz|thanks|thx|thank you)|(?<!start) (?:ever )?again)$")
_ASKS = compile_late(r"\?\s*[\"')]*$")
_ING = {
    "adding": "add", "starting": "start", "ending": "end", "using": "use", "including": "include", "avoiding": "avoid",
    "importing": "import", "writing": "write", "committing": "commit", "beginning": "begin", "working": "work",
    "taking": "take", "keeping": "keep", "naming": "name", "prefixing": "prefix",
}  # fmt: skip
_MANNER = (
    r"(?:(?:more )?(?:briefly|concisely|formally|informally|casually|plainly|directly|bluntly)|"
    r"in (?:all )?lower[- ]?case|"
    r"in (?:(?:one|two|short|full|plain|simple) )?(?:sentences?|words|bullet points|English|German|French|Spanish|"
    r"Italian|Portuguese|Dutch)|with(?:out| no| fewer| less) (?:emojis?|jargon|markdown|lists|bullet points|filler)|"
    r"with (?:(?:short|more|code|numbered) )?(?:bullet points|bullets|lists|examples|sources|tables|headings))"
)
_BARE_ORDER = compile_late(
    r"(?i)^(?:(?:please|ok|okay|hey|also|and|so|actually),? )*"
    rf"(?P<said>(?:answer|reply|respond|write|speak|talk|text)(?: to me| me)? {_MANNER}(?:(?:,| and|, and) {_MANNER})*|"
    r"keep (?:it|(?:your |the )?(?:answers|replies|responses|messages)) (?:short|brief|concise|simple|formal|informal)|"
    r"be (?:brief|concise|direct|blunt|formal|informal)|"
    r"explain (?:things|everything|stuff)(?: to me)? like (?:I'?m|I am) (?:five|5|ten|10|twelve|12|a (?:child|kid|"
    r"beginner|(?:five|5)[- ]year[- ]old))|"
    r"keep (?:it|things|everything) (?:short|brief|simple|concise|casual|formal) with me(?: for (?:a while|the time "
    r"being))?|"
    r"(?:use|go with|stick (?:to|with)) (?:(?:\d|two|four|eight) )?(?:tabs(?:,? not spaces)?|"
    r"spaces(?:,? not tabs)?)(?: for indentation| instead| "
    r"everywhere| in (?:my|our|all|the) (?:\w+ )?(?:code|files|projects?|repos?))?(?: from now on)?|"
    r"(?:answer|reply|speak|talk|write)(?: to me| with me)? like (?:an? (?!friend|human|person)[\w-]+(?: \w+)?|yoda|"
    r"shakespeare)|"
    r"explain (?:things|everything|stuff)(?: to me)? (?:with|using|through|by) (?:[\w-]+ ){0,2}(?:examples|analogies|"
    r"metaphors|comparisons|diagrams)|"
    rf"call me (?:(?!{DAY_OR_MONTH})(?!I\b)(?-i:[A-Z])[\w'-]*|[a-z]+(?=,? (?:everybody|everyone|my friends)\b)))(?:,? "
    rf"(?:please|pls|"
    r"plz)|,? (?:everybody|everyone|(?:all )?my friends) (?:does|do))?[.!]*$"
)
"""An order about answers that is a whole message: lasting then, and for the request beside it otherwise."""
_TERSE = compile_late(
    "(?i)^(?:(?P<style>(?:tabs,? not spaces|spaces,? not tabs)|(?:snake_case|snake case|camelcase|camel case|"
    "pascalcase|kebab-case|metric(?: units)?|imperial(?: units)?|british (?:english|spelling)|american (?:english|"
    "spelling)|plain text|ascii)(?: only| always))|(?P<answers>(?:short|brief|concise|plain|simple|direct|honest) "
    "(?:answers|replies|responses|messages|explanations)(?: only)?)|(?P<only>(?:code|diffs?|the diff|the code) "
    "only))(?:,? (?:please|pls|plz|thanks|thx))?[.!]*$"
)
"""The same without a verb: "tabs not spaces pls"."""
_ASKED_TO = compile_late(
    r"(?i)^(?:(?:hey|ok|okay|also|and|please),? )*(?:(?:can|could|would|will) (?:you|u)(?: please| maybe)? "
    r"(?P<order>(?:answer|reply|respond|write|speak|talk|text)\b[^,;:?]{3,50}?)"
    r"(?:,? (?:and|but)(?: please)? not (?P<also>use [^,;:?]{3,50}?|call me [^,;:?]{1,30}?))?|"
    r"(?:would|do) (?:you|u) mind not (?P<not>(?:calling|using|saying)\b[^,;:?]{2,50}?))(?:,? (?:please|pls))?\??$"
)
"""A wish about the form of answers as a question: "could you speak plainly and not use exclamation marks?"."""
_AMPLE = compile_late(r"(?i)\b(use|using) (?:all (?:those|these|the)|so many|that many|those|these) ")
_BASE = {"calling": "call", "using": "use", "saying": "say"}
_DONT = compile_late(r"(?i)^dont\b")
_NOT_FIRST = compile_late(r"(?i)^(?:don't|do not|dont|stop|avoid|no)\b")
_TERSE_VERBS = {"style": "use", "answers": "give", "only": "send"}
_PLACE_BEHIND = compile_late(
    r"(?i) (?P<where>(?:in|on|for) (?:(?:all|any|every|my|our|the|an?) )*(?:linkedin|instagram|twitter|facebook|slack|"
    r"mastodon|bluesky|(?:linkedin|instagram|blog|facebook|slack|social media|forum) (?:texts?|posts?|messages?)|"
    r"tweets?|e-?mails?|mails?|commit (?:messages?|msgs?)|commits?|posts?|newsletters?|letters?|reports?|story|stories|"
    r"slides?|presentations?|readmes?|ads?|bios?|eulogy|essays?|articles?|invoices?|captions?|speech|speeches|poems?|"
    r"recipes?|pull requests?|prs?|changelogs?|job applications?|cover letters?)|in this (?:repo|repository|project|"
    r"codebase))$"
)
"""The kind of text for which an order holds, behind it: "no emojis on linkedin"."""
_ABOUT_FORM = compile_late(
    r"(?i)\b(?:no|never|don't|do not|dont|not|stop|avoid|without|always|only|max|use|keep)\b"
)
_LONGEST = 240
_FEWEST_WORDS, _MOST_WORDS = 3, 40


@dataclass(frozen=True, slots=True)
class Instruction:
    """A standing instruction."""

    norm: str
    """In the third person: "user wants the assistant to …"."""
    situation: str
    """Where it applies, in the speaker's words; empty: always."""
    said: str
    """The order itself, in the speaker's words."""


def instructions_in(sentence: str, subject: str = "user", *, alone: bool = False) -> tuple[Instruction, ...]:
    """The standing instructions of one sentence; `alone`: it is the whole message."""
    if is_attributed(sentence) or is_limited(sentence):
        return ()
    if alone and (asked := _ASKED_TO.match(sentence.replace("’", "'").strip())):
        return tuple(
            found for order in _orders_of(asked) for found in instructions_in(order, subject, alone=True)
        )
    if second := _SECOND.search(sentence[:_LONGEST]):
        parts = sentence[: second.start()], sentence[second.end() :]
        return tuple(found for part in parts for found in instructions_in(part, subject, alone=alone))
    if alone and (bare := _bare_order(sentence.strip())):
        return (Instruction(_order_in_words(bare, subject), "", bare),)
    if len(sentence) <= _LONGEST and (one := _wording_in(sentence.replace("’", "'").strip(), subject)):
        return (one,)
    if len(sentence) <= _LONGEST and (demands := tuple(_demands_in(sentence.strip(), subject))):
        return demands
    if (limit := LIMIT_BEHIND.search(sentence[:_LONGEST])) and (
        found := instructions_in(sentence[: limit.start()], subject)
    ):
        said = f"use {limit['limit']}"
        return (*found, Instruction(in_words(said, subject), found[-1].situation, said))
    return tuple(_with_place(one) for one in _lasting_orders(sentence, subject))


def _lasting_orders(sentence: str, subject: str) -> tuple[Instruction, ...]:
    """The standing instructions of a sentence with a word for how long or how often they hold."""
    if len(sentence) > _LONGEST or not len(sentence.split()) >= _FEWEST_WORDS or _PERSONAL.search(sentence):
        return ()
    order = _order_in(sentence)
    if order is not None:
        return (Instruction(in_words(order.said, subject), order.situation, order.said),)
    if not _MAY_ORDER.search(sentence):
        return ()
    text, situation = parted(sentence)
    return tuple(
        _with_situation(fact, text, situation, subject)
        for fact in standing_instructions(clauses(text), text, subject)
        if not _NO_ORDER.match(text)
        and not re.match(r"(?i)(?:make sure|add more|be sure)\b", fact.value or "")
    )


def _with_situation(fact: CandidateFact, text: str, situation: str, subject: str) -> Instruction:
    """An instruction that is read as a fact, with `situation` before it or the situation behind it in `text`."""
    said = fact.value or fact.text
    if not situation and (behind := _AMONG_OTHERS.match(said)):
        return Instruction(in_third_person(behind["rest"], subject), behind["where"], behind["rest"])
    if (
        not situation
        and (behind := _AMONG_OTHERS.match(text))
        and behind["rest"].lower().endswith(said.lower())
    ):
        situation = behind["where"]
    return Instruction(fact.text.removesuffix("."), situation, said)


def _with_place(one: Instruction) -> Instruction:
    """The instruction with the kind of text at its end as its situation: "no emojis on linkedin"."""
    place = None if one.situation else _PLACE_BEHIND.search(one.said)
    if place is None or not _ABOUT_FORM.search(one.said):
        return one
    return replace(one, situation=place["where"])


def _wording_in(sentence: str, subject: str) -> Instruction | None:
    """The order about words to use or not to use: "don't use the word leverage"."""
    order = wording_in(sentence)
    if order is None or _FOR_NOW.search(outside_quotes(order.said, as_it)) or _ONE_TEXT.search(sentence):
        return None
    return _with_place(Instruction(_order_in_words(order.said, subject), order.situation, order.said))


def _demands_in(sentence: str, subject: str) -> Iterator[Instruction]:
    """The demands on a kind of text, one norm each: "commit messages: imperative, max 50 chars, no emoji"."""
    for order in () if _FOR_NOW.search(sentence) else demands_in(sentence):
        yield Instruction(in_third_person(order.said, subject), order.situation, order.said)


def _order_in_words(said: str, subject: str) -> str:
    """An order in the third person, which may begin with "don't"."""
    said = _DONT.sub("don't", said)
    return in_third_person(said, subject) if _NOT_FIRST.match(said) else in_words(said, subject)


def _orders_of(asked: re.Match[str]) -> Iterator[str]:
    """The orders of a polite question."""
    if asked["order"] and _BARE_ORDER.match(asked["order"]):
        yield asked["order"]
        if asked["also"]:
            yield "don't " + _AMPLE.sub(r"\1 ", asked["also"])
    elif asked["not"]:
        verb, _, rest = _AMPLE.sub(r"\1 ", asked["not"]).partition(" ")
        yield f"don't {_BASE[verb.lower()]} {rest}"


def _bare_order(message: str) -> str | None:
    """The order that is all of a message."""
    message = message.replace("’", "'")
    if bare := _BARE_ORDER.match(message):
        return bare["said"]
    if terse := _TERSE.match(message):
        return f"{_TERSE_VERBS[str(terse.lastgroup)]} {terse[str(terse.lastgroup)]}"
    return short_order_in(message)


@dataclass(frozen=True, slots=True)
class _Order:
    said: str
    situation: str


def with_referent(sentence: str, before: str) -> str:
    """Return the sentence with the things that `before` names last as its situation, where it points at them:
    "(… your variable names.) Always start them with 'z_'.", and with the project that "there" refers to."""
    if (there := _THERE.search(sentence)) and (named := _PROJECT.search(before)):
        return f"{sentence[: there.start()]}in {named['project']}"
    if not _ANAPHORA.search(sentence) or parted(sentence)[1]:
        return sentence
    things = [match["things"] for match in _NAMED_THINGS.finditer(before)]
    return f"For {things[-1]}, {sentence.strip()[:1].lower()}{sentence.strip()[1:]}" if things else sentence


def _order_in(sentence: str) -> _Order | None:
    if not (_LASTS.search(sentence) or _NAMES.search(sentence) or "avoid" in sentence):
        return None
    if _ASKS.search(_IN_QUOTES.sub("", sentence)) or _FOR_NOW.search(sentence):
        return None
    text, situation = parted(sentence)
    if _ON_CUE.match(situation) and _ON_CUE_SHAPE.match(text) and 2 <= len(text.split()) <= _MOST_WORDS:
        return _Order(_JUST.sub("", text), situation)
    for pattern in (_WISHED, _ORDER, _TEAM):
        match = pattern.match(text)
        if match is None:
            continue
        value = _REASON.sub("", _imperative(_AGAIN.sub("", match["value"].strip(" ,:;"))))
        value = _POLITE_END.sub("", value)
        named = _NAMES.search(value) is not None and not _ONE_TEXT.search(value)
        lasts = named or (_FIRMLY if pattern is _ORDER else _LASTS).search(sentence)
        if pattern is _TEAM:
            lasts = named or (_OURS.search(value) and re.search(r"(?i)\b(?:always|never|avoid)\b", text))
        if (
            not lasts
            or lacks_object(value, situation)
            or not _SHAPE.match(value)
            or not 2 <= len(value.split()) <= _MOST_WORDS
        ):
            continue
        if _IS_SUBJECT.match(match["value"]) or (_ANAPHORA.search(value) and not situation):
            continue
        if not situation and (behind := _SITUATION_BEHIND.match(value)) and _SHAPE.match(behind["rest"]):
            value, situation = behind["rest"], behind["where"]
        return _Order(value, situation)
    return None


def _imperative(value: str) -> str:
    """ "to always adding comments" as "always add comments"."""
    value = re.sub(r"(?i)^(?:to|that|you|we|should|must|now|also|please|is|ensure|be) ", "", value)
    value = (
        re.sub(r"(?i)^(?:to|that|you|we|should|must|now|also|please|start|begin) (?=\w)", "", value)
        if not _NAMES.match(value)
        else value
    )
    head = re.match(r"(?i)^((?:always |never |consistently )*)(\w+ing)\b", value)
    if head and head[2].lower() in _ING:
        return head[1] + _ING[head[2].lower()] + value[head.end() :]
    return value


def in_words(said: str, subject: str, wish: str = "wants") -> str:
    """ "never use a debugger" as "user wants the assistant never to use a debugger"."""
    said = about_speaker(outside_quotes(said, as_it), subject)
    how, verb = re.match(
        r"(?i)^((?:always |never |consistently |only |not |also |please |all |ever |just )*)(.*)$", said
    ).groups()  # type: ignore[union-attr]
    return f"{subject} {wish} the assistant {how.lower()}to {verb[:1].lower()}{verb[1:]}"


def about_speaker(said: str, subject: str) -> str:
    """ "my divorce" as "the user's divorce"."""
    me = "the user" if subject == "user" else subject

    def change(part: str) -> str:
        return of_speaker(re.sub(r"(?i)\bmy\b", f"{me}'s", part), me)

    return re.sub(r"\bme\b", me, outside_quotes(said, change))
