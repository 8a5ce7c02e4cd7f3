"""The writer's own words of a message: without code, quoted lines, pasted texts and role play."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

from memory_service.rules.facts.clause_words import JOB
from memory_service.rules.facts.labelled_texts import without_labelled
from memory_service.rules.facts.situations import LASTING
from memory_service.rules.facts.technical_lines import without_technical_lines
from memory_service.rules.facts.text_tasks import without_texts
from memory_service.rules.word_lists import TEXT_VERBS
from memory_service.text.late_pattern import LatePattern

_CODE = LatePattern(
    r"```[\s\S]*?(?:```|\Z)|~~~[\s\S]*?(?:~~~|\Z)|\"\"\"[\s\S]*?(?:\"\"\"|\Z)|`(?P<inline>[^`\n]*)`"
)
_NAME_IN_CODE = LatePattern(r"^[A-Za-z][\w.+#-]{0,29}$")
_MAY_BE_TECHNICAL = LatePattern(
    r"[\[(<*|]?\s?[0-9a-f]{4}|[A-Z]{4}|[\[(<]?\d\d:|[a-z]{2,8}[(!:]|[A-Z][a-z]{2} [ \d]\d |npm |yarn "
)
_QUOTED_LINES = LatePattern(r"(?m)^[ \t]*(?:>|\|).*$")
_CODE_LINES = LatePattern(
    r"(?m)^(?:[ \t]*(?:Traceback \(|at [\w.$]+\(|File \"|def \w+\(|class \w+[(:]|import \w|from [\w.]+ import|const |"
    r"let |var |function |#include|SELECT |INSERT |UPDATE |CREATE |[{}\[\]()]+[;,]?\s*$|<[/\w][^>]*>\s*$|"
    r"[\w.-]+\s*[:=]\s*[\"'\[{]|//|\$ |\w+(?:Error|Exception):).*|.*[;{]\s*)$"
)
_COMMENT = LatePattern(r"[ \t]*(?:#|--) (?=\S)")
_CODE_LIKE = LatePattern(
    r"[ \t]*(?:(?:def|class|async|return|import|export|if|elif|for|while|with) .*[:({]$|(?:return|import|from|export|"
    r"local) "
    r"[\w.]+$|from [\w.]+ import |(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP) |[\w.\[\]\"']+(?:: \w+)? [-+*|"
    r"]?:?= "
    r"?\S|[\w.]+\(.*\)$|[\w.-]+: (?!I\b)\S+$|RUN |FROM |COPY )|.*[;{}]$"
)
_TASK_ON_TEXT = LatePattern(
    rf"(?i)(?:^|(?<=[.!?\n]))[^.!?:\n]{{0,80}}\b(?:{TEXT_VERBS}|shorten|improve|analy[sz]e|grade|classify|reply to|"
    r"respond to|(?:edit|review|check|complete|continue|answer)\b(?!(?: this| that| it)?\s{0,3}:)|"
    r"correct\b(?!(?: this| that| it)?\s{0,3}:\s{0,3}(?:my|our) \w+ (?:is|are)\b)|"
    r"fix (?:the|my|this|these) (?:grammar|spelling|english|text|sentences?|mistakes?|typos?)|feedback on|look over|"
    r"(?:this|the|following|my|her|his|their|our|your|an?) (?:[\w'’-]{1,30} ){0,2}(?:(?:email|e-mail)(?! address)|"
    r"letter|article|document|contract|report|memo|manual|readme|newsletter|announcement)|"
    r"(?:this|the|following|my|her|his|their|an?) (?:following )?(?:(?:email|e-mail)(?! address)|message|text|letter|"
    r"mail|paragraph|article|essay|post|poem|lyrics|quote|bio|cv|resume|draft|review|transcript|sentences?|tweet|"
    r"caption|reference|story|intro|abstract|ad|job (?:ad|description|posting)|persona|prompt|chat|log|here|below|"
    r"is))\b[^.!?:\n]{0,80}:\s*"
)
_TEXT_OF_OTHERS = LatePattern(
    r"(?i)\b(?:sent|texted|posted|forwarded|shared) (?:(?:me|us)(?: (?:this|that|the following))?|this|that|the "
    r"following):\s|"
    r"\b(?:quiz|test|examine) me\b[^.:!?\n]{0,40}:\s|"
    r"\b(?:blog|post|article|story|review|diary|thread|comment|tweet|profile) (?:of|by|from) [^.:!?\n]{1,40}:\s|"
    r"\b(?:translated|translate)(?: (?:it|this|that))?(?: (?:as|like this|into \w+))?:\s|"
    r"\b(?:wants?|wanted|asks?|asked) (?:me )?to (?:say|write|send):\s|"
    r"\bfor (?:my|the|our) (?:\w+ )?(?:presentation|homework|essay|speech|interview|sketch|video|"
    r"play)\b[^.:!?\n]{0,40}\b(?:say|said|wrote|write|read|tell)s?:\s|"
    r"\b(?:case study|role[- ]play|practi[cs]e (?:question|exam|case|interview)|(?:exam|quiz|test) question|question "
    r"for my exam)\b[^.:!?\n]{0,60}:\s|"
    r"\b(?:D&D|dnd|rpg|larp|game|novel|story) character\b|\bmy character is an? (?:\w+ )?(?:dwarf|elf|orc|wizard|"
    r"paladin|rogue|bard|druid|warlock|knight|vampire)\b|"
    r"\b(?:check|correct|proofread|grade|look (?:at|over)|fix) (?:(?:my|our|the) [\w-]+['’]s|her|his|their) "
    r"(?:[\w-]+ ){0,2}(?:essay|homework|letter|text|story|email|e-mail|message|poem|speech|paragraph|application|cv|"
    r"resume|assignment)\b[^.:!?\n]{0,40}[.:?!]\s|"
    r"\bis (?:this|it|the following)(?: sentence)? (?:grammatical(?:ly correct)?|(?:correct|good|proper|natural) "
    r"(?:english|grammar)|right in english)[^.?\n]{0,20}\?\s"
)
"""Phrases before a text that is not in the writer's own words."""
_OWN_AGAIN = LatePattern(r"(?i)\n\s*\n|\b(?:by the way|btw|anyway)\b")
"""Where the writer goes on."""
_OWN_LATER = LatePattern(r"(?i)(?<=[.!?\n] )(?:by the way|btw|unrelated(?:ly)?|on another note)\b")
_PASTED = LatePattern(
    r"(?im)^(?:dear |from:|to: |subject:|betreff:|-----|={4,}|\*{4,}|sent from |on .{5,60} wrote:|"
    r"begin(?:ning)? of |forwarded message|(?:chapter|scene|prologue|epilogue|act|verse)(?: (?:\d+|[ivx]+|one|two|"
    r"three|"
    r"four|five))?(?: \w+)?:|(?:chapter|scene|prologue|epilogue)(?: (?:\d+|[ivx]+|one|two|three|four|five))?$).*$"
)
_ROLE_PLAY = LatePattern(
    r"(?i)(?<!\bthey )(?<!\bwho )(?<!\bkids )(?<!\bchildren )\b(?:pretend|role-?play|(?<!\bI )(?<!\bwe )act as|"
    r"act as (?:an?|the)|act like|play the role|you(?:[’']re| are) (?:now )?(?:my|a|an|the) "
    r"(?!right\b|wrong\b|life|star|gem|legend|angel|genius|great|good|best|bit|little|helpful one|machine|bot|"
    r"robot|computer|saint|hero|treasure|champion)\w+(?: \w+)?(?: and I(?:[’']m| am)|[.,] I(?:[’']m| am))|(?<!\bone "
    r")in character|"
    r"imagine (?:that )?(?:you|I|we)|let[’']s say|suppose (?:that )?(?:you|I|we)|for the sake of (?!(?:my|our|his|her|"
    r"their|the (?:kids|children|baby|family|dog|cat|environment|planet|climate))\b)|as if I|"
    r"write (?:me )?(?:a|an|the) (?:[\w-]+ ){0,3}(?:story|poem|song|monologue|scene|dialogue|script|speech|essay|bio|"
    r"letter|diary entry|post|tweet|joke|limerick|haiku|sketch) "
    r"(?:from|about|in|where|with|as|for|that|of|narrated|told))\b"
)
_FICTION_ROLE = (
    r"(?:inn-?keeper|tavern (?:keeper|owner)|bar ?keep(?:er)?|barmaid|dungeon master|game ?master|dm|gm|narrator|"
    r"wizard|witch|knight|king|queen|prince|princess|pirate|suspect|villain|monster|dragon|elf|dwarf|orc|goblin|"
    r"vampire|"
    r"ghost|demon|merchant|shop ?keeper|blacksmith|stranger|sheriff|space captain|alien|npc)"
)
_PLAYED = (
    r"(?:customer|client|waiter|guest|witness|victim|interviewer|border guard|guard|hotel clerk|shop assistant|host|"
    r"landlord|tourist|passenger|caller|stranger|role|part)"
)
_PRETEND = (
    r"(?:^|[.!?,\n]\s{0,2}|\b(?:please|now|(?:can|could|will|would) you) )pretend (?:to be|(?:that )?you(?:['’]?re| "
    rf"are)) (?:my|an?|the) (?:[\w-]+ ){{0,2}}?(?:{JOB}|{_PLAYED}|{_FICTION_ROLE})"
)
_PRETENDS = LatePattern(rf"(?i){_PRETEND}(?: please| now| for a (?:minute|while|moment|bit))?\s*[.!?]*\s*$")
"""A role for the assistant at the end of a message. The speaker's own part is not stated, so it holds for a short time:
"pretend to be my doctor" may be followed by truths."""
_PLAYS = LatePattern(
    r"(?i)\b(?:let['’]?s|can we|could we|shall we)(?: please| now| just)* (?:do an? |try an? )?role[- ]?play\b|"
    rf"{_PRETEND}(?:[.,;!]? (?:and |while )?I(?:['’]m| am|['’]ll)\b)|"
    r"\b(?:let['’]?s|can we|could we|shall we|want to|like to|wanna) (?:do|run|practi[cs]e|rehearse)(?: (?:my|a|an|"
    r"the|this|for|mock)){0,3} (?:job )?interview\b|"
    r"\bI(?:['’]ll|ll| will| am going to|['’]m going to|['’]m gonna) (?:play|act as|be playing) (?:(?:an?|the) "
    rf"(?:\w+ )?(?:{JOB}|role|part|customer|client|candidate|applicant|interviewer|interviewee|patient|witness|"
    r"suspect|villain|hero|guest|tourist|stranger)\b|\w+[,.;]? (?:and )?you(?:['’]ll)? (?:play|are|be)\b)|"
    r"\bI(?:['’]ll|ll| will) pretend (?:to be |I['’]?m )(?:an? |the |(?-i:[A-Z]))|"
    r"\bI(?:['’]ll)? (?:answer|reply|respond|speak) as (?:him|her|them|my character|(?-i:(?!I\b)[A-Z]))|"
    r"\bcharacter interview\b|"
    r"(?:^|[.!?,:\n]\s{0,2}|\b(?:please|you|to|let['’]?s|and) )(?:play|be) (?:my|an?|the) "
    rf"(?:[\w-]+ ){{0,2}}?{_FICTION_ROLE}(?= (?:for|with|in|at|of|who|from|named|called)\b|[.,;!?]|\s*$)|"
    rf"(?:^|[.!?,:\n]\s{{0,2}}|\b(?:please|you) )play (?:an?|the) (?:[\w-]+ ){{0,2}}?(?:{JOB}|{_PLAYED}) (?:for me|"
    r"with me|who|and I)\b|"
    r"\b(?:you['’]?re|you are|you play) (?:now )?(?:my|an?|the) [^.!?\n]{1,60}?[.,;!]? (?:and )?I (?:enter\b|"
    r"(?:(?:walk|come|step|stumble|burst) in(?:to)?|approach|sit down (?:at|in)|knock (?:at|on))(?= (?:the|your|an?|"
    r"you)\b|[.,;!?]|\s*$))"
)
"""Phrases of a message from which on its speaker plays a role in the conversation."""
_PLAYS_NO_MORE = LatePattern(
    r"(?i)\b(?:end|stop|enough|finished|done|over|out|no more) (?:of |with )?(?:the |this )?(?:role[- ]?play\w*|scene|"
    r"character|"
    r"interview|practi[cs]e)\b|\b(?:role[- ]?play|scene|interview|practi[cs]e) (?:is )?(?:over|done|finished)\b|"
    r"\bback to (?:me|normal|reality|real life|myself|my)\b|\blet['’]?s stop\b|\bthat['’]?s enough\b|"
    r"\bthat was (?:great|good|fun|helpful|useful|enough)\b|^\W*(?:ok(?:ay)?\W+)?(?:done\b|(?:please )?stop"
    r"(?: (?:it|here|now|please|pretending|the game))?(?=[.,;!]|\s*$))|\bstop pretending\b|\booc:|^\W*ooc\b|"
    r"^\W*(?:(?:ok(?:ay)?|but|no)\W+)?seriously now\b"
)
_SARCASM = LatePattern(
    r"(?:^|(?<=[.!?\n])\s?)(?:(?i:yeah,? right)[,.!]* I (?i:just |really |so )?(?i:love|enjoy|like) (?i:mondays|"
    r"getting up|paying|waiting)\b|(?i:oh,? (?:sure|yeah|great))[,.!]* I (?i:just )LOVE\b)[^.!?\n]*[.!]*"
)
"""Praise that its beginning or capitals mark as the opposite: "yeah right, I love Mondays"."""
_SPANS = LatePattern(r"[\"“„«][^\"“”„«»\n]{2,400}[\"”“»]|(?<![\w’'])['‘](?!\d)[^'’\n]{3,300}['’](?![\w])")
LEFT_OUT = "[…]"
"""The bracket keeps the sentence whole: sentences end at an ellipsis before a space."""
_LONG_QUOTE = LatePattern(r"\s")


_ORDERS_WORDING = LatePattern(
    r"(?i)(?:^|[.!?,\n]\s*|\b(?:always|please|pls|never|and|then|on|to|can you|could you),? )(?:sign(?: off)?|greet|"
    r"end|begin|start|close|finish|address)\b(?: (?!with\b)[\w'-]+){0,8} (?:with|by saying|as):? $|"
    r"(?:^|[.!?\n]\s*|\b(?:please|pls|and|also|so),? )(?:never|don['’]?t|do not|stop) (?:ever )?(?:say(?:ing)?|"
    r"(?:start|begin|end)(?:ing)? (?:all |every |each )?(?:your )?[a-z]+ with|tell me|answer|use|"
    r"write|answer(?: me)? with)(?: (?:the )?(?:words?|phrases?|expressions?|terms?))?:? $|"
    r"\b(?:always|never|please|pls|from now on)\b[^.!?\n\"“]{3,90}\bsigned(?: with| as| by)?:? $"
)
"""An order about the assistant's wording, before the quote that gives it."""
_LONGEST_ORDER, _LONGEST_WORDING = 120, 62


_FRAME = LatePattern(
    rf"(?i)^(?:\W*(?:(?:and|but|also|so|ok(?:ay)?|please|pls|btw|hey|oh|then|{LASTING})[,:]? )*)"
    r"(?:(?:in|for|on|with|when(?:ever)?|before|after|if) [^,:?]{2,60}?[,:]? (?=(?:please |I |we )?(?:always|never|"
    r"don['’]?t|"
    r"do not|use|I|prefer|avoid|only)\b))?(?:please )?(?:(?:(?:can|could) you (?:please )?)?(?:always|never|do not "
    r"ever|don['’]t ever|dont ever|"
    r"don['’]?t|do not|stop|avoid|only|use|prefer|start|begin|end|prefix|name|run|call|put|add|keep|write|check|ask|"
    r"wrap|"
    r"import|stick|go with)\b|I(?:['’]d| would| really| strongly| usually| generally| always| never| only| just| also|"
    r" still| absolutely| much)*(?: do not| don['’]?t| can['’]?t| cannot)?(?: really| ever)? (?:never|always|hate|love|"
    r"like|"
    r"prefer|want|dislike|loathe|detest|avoid|stand|use|expect|need|enjoy|rather)\b)(?![^.]*\?\s*$)"
)
"""The beginning of an order or of a preference in the first person, around its code."""
_READS_AS_WORDS = LatePattern(
    r"(?i)^\W*(?:I|I['’]\w+|my|we|our|you|your|always|never|please|ignore|disregard|forget|from now on|answer|reply|"
    r"respond|"
    r"don['’]?t|do not)\b|\b(?:instructions|prompt)\b|[.!?]\s"
)
"""Code that is a sentence, and may be an order in a prompt file."""
_SENTENCE_BREAK = LatePattern(r"(?<=[.!?])\s+(?=[A-Z])|\n")
_LONGEST_CODE = 60
_LONGEST_FRAME = 240
"""Characters read on each side of a span."""


def plays_role(before: Iterable[str], text: str, *, long_before: Iterable[str] = ()) -> bool:
    """Whether a speaker plays a role in a message, since one of their messages before it or from the message itself.

    A role of the assistant alone that began in a message of `long_before` has ended.
    """
    playing = False
    for messages, recent in ((long_before, False), ((*before, text), True)):
        for message in messages:
            if _PLAYS_NO_MORE.search(message):
                playing = False
            elif _PLAYS.search(message) or (recent and _PRETENDS.search(message)):
                playing = True
    return playing


def own_words(text: str, speaker: str | None = None, *, wording: bool = False) -> str:
    """Return the message without code, quotes, pasted text and role play; LEFT_OUT marks a gap within a sentence.

    Single words in quotes or code are kept: they are names. With `wording`, quotes are kept that an order gives as the
    assistant's wording: 'sign my emails with "Best, Tom"'; and code in an order or preference: "never use `as any`". A
    label with the name of the `speaker` is removed alone.
    """
    if "`" in text or "~~~" in text or '"""' in text:
        text = _CODE.sub(_code_of_order if wording else _without_code, text)
    if "\n" in text or _MAY_BE_TECHNICAL.match(text):
        text = without_technical_lines(text)
    if "\n" in text or text[:1] in "> |":
        text = _QUOTED_LINES.sub("", text)
        text = _CODE_LINES.sub("", _without_comments(text))
        if match := _PASTED.search(text):
            text = text[: match.start()]
    if ":" in text and (match := _TASK_ON_TEXT.search(text)):
        text = text[: match.start()]
    if ":" in text or " - " in text or "–" in text or "—" in text:
        text = without_labelled(text, speaker)
    if match := _TEXT_OF_OTHERS.search(text):
        rest = text[match.end() :]
        again = _OWN_AGAIN.search(rest)
        text = f"{text[: match.end()]} {rest[again.end() :] if again else ''}"
    text = without_texts(text, orders=wording)
    if match := _ROLE_PLAY.search(text):
        rest = text[match.end() :]
        again = _OWN_LATER.search(rest)
        text = f"{text[: match.start()]} {rest[again.start() :] if again else ''}"
    if " I " in text and (match := _SARCASM.search(text)):
        text = f"{text[: match.start()]}{text[match.end() :]}"
    if '"' in text or "“" in text or "„" in text or "«" in text or " '" in text or " ‘" in text:
        text = _SPANS.sub(_wording if wording else _without_quote, text)
    return text


def _without_comments(text: str) -> str:
    """The text without lines of comments beside a line of code: "-- I don't like triggers" before "SELECT 1;"."""
    if "# " not in text and "-- " not in text:
        return text
    groups = [
        (comment, list(lines))
        for comment, lines in groupby(text.split("\n"), lambda line: _COMMENT.match(line) is not None)
    ]
    kept: list[str] = []
    for n, (comment, lines) in enumerate(groups):
        above = groups[n - 1][1][-1] if n else ""
        below = groups[n + 1][1][0] if n + 1 < len(groups) else ""
        if not comment or not (_CODE_LIKE.match(above.rstrip()) or _CODE_LIKE.match(below.rstrip())):
            kept.extend(lines)
    return "\n".join(kept)


def _without_quote(match: re.Match[str]) -> str:
    return LEFT_OUT if _LONG_QUOTE.search(match.group().strip("\"“”„«»'‘’")) else match.group()


def _wording(match: re.Match[str]) -> str:
    quote = match.group()
    before = match.string[max(0, match.start() - _LONGEST_ORDER) : match.start()]
    if len(quote) <= _LONGEST_WORDING and _ORDERS_WORDING.search(before):
        return f'"{quote[1:-1]}"'
    return _without_quote(match)


def _code_of_order(match: re.Match[str]) -> str:
    """The span, where its sentence is an order or a preference in its other words."""
    inline = match["inline"]
    if (
        inline is None
        or not inline.strip()
        or len(inline) > _LONGEST_CODE
        or _NAME_IN_CODE.match(inline)
        or _READS_AS_WORDS.search(inline)
    ):
        return _without_code(match)
    before = _SENTENCE_BREAK.split(match.string[max(0, match.start() - _LONGEST_FRAME) : match.start()])[-1]
    after = _SENTENCE_BREAK.split(match.string[match.end() : match.end() + _LONGEST_FRAME])[0]
    frame = _CODE.sub("X", f"{before}X{after}")
    return match.group() if _FRAME.match(frame) else LEFT_OUT


def _without_code(match: re.Match[str]) -> str:
    inline = match["inline"]
    if inline is None:
        return " "
    return inline if _NAME_IN_CODE.match(inline) else LEFT_OUT
