"""Words of another person behind a label: "wife: I moved to Oslo", "bug report: I can't log in"."""

from __future__ import annotations

import re

from memory_service.rules.facts.clause_words import TOOLS
from memory_service.rules.facts.given_names import GIVEN_NAME
from memory_service.rules.facts.patterns import NO_NAME
from memory_service.rules.relatives import RELATIVES
from memory_service.rules.word_lists import LANGUAGES, TASK_VERBS
from memory_service.text.late_pattern import LatePattern

_KIN = (
    rf"(?:{RELATIVES}|friend|room-?mate|flat-?mate|housemate|colleague|co-?worker|boss|manager|neighbou?r|mate|bro|sis|"
    r"hubby|bf|gf)"
)
_ROLE = (
    r"(?:qa|pm|po|hr|cto|ceo|cfo|clients?|customers?|users?|user ?\d+|vendor|supplier|tester|reporter|reviewer|"
    r"recruiter|candidate|applicant|tenant|guest|patient|tech lead|team lead|product owner|scrum master|stakeholder|"
    r"agent|assistant|bot|intern|landlord|landlady)"
)
_MESSENGER = (
    r"(?:slack|teams|discord|whatsapp|telegram|signal|messenger|linkedin|twitter|facebook|instagram|reddit|github|"
    r"gitlab|jira|zoom|irc|sms|e-?mail|mail|text|phone|chat|group chat|voicemail|stand-?up|retro|dm|forum|channel)"
)
_CHANNEL = (
    rf"(?:{_MESSENGER}|call|meeting|pr|accounting|sales|marketing|support|design|engineering|finance|legal|ops|qa|hr|"
    r"it)"
)
_TEXT = (
    r"(?:report|ticket|issue|review|thread|mail|e-?mail|quote|message|complaint|comment|testimonial|transcript|"
    r"voicemail|dm|post|tweet|letter|inquiry)"
)
"""A text in the singular: the plural is a heading: "Support tickets: we use Zendesk"."""
_SAYS = (
    r"(?:pinged|messaged|texted|wrote|writes|said|says|asked|asks|replied|replies|answered|posted|posts|commented|"
    r"reported|reports|mailed|emailed|told|tells|dmed|complained|complains)"
)
_TO_SPEAKER = (
    r"(?: (?:me|us|this|that|back|in|on|to me|to us|just now|today|yesterday|earlier|this morning|\w+day))*"
)
_CAPITAL = r"(?-i:[A-ZÄÖÜÉÁÍÓÚŁŚŠŽØÅÇ][a-zà-ÿ'’-]+)"
_NO_PERSON = (
    rf"(?!(?:{TOOLS}|{LANGUAGES}|{_KIN}|{_ROLE})(?![\w'’-])|[\w'’-]*(?:tion|sion|ment|ness|ity|ance|ence|ship|ful|ly|ed|ing|ics|ism|ware|"
    r"work|time|day|side|life|thing|things|body|one|style|size|place|[^aiosu]s)(?![\w'’-])|"
    rf"(?:{TASK_VERBS}|back|background|context|note|reminder|summary|answer|intro|about|me|myself|info|detail|"
    r"problem|issue|task|goal|ideas?|thought|opinion|choice|diet|food|allergy|health|home|house|country|origin|job|"
    r"career|employer|role|title|study|school|uni|hobby|interest|sport|sleep|breakfast|lunch|dinner|pet|children|"
    r"child|tool|editor|stack|setup|system|laptop|computer|car|travel|budget|money|income|schedule|routine|weekend|"
    r"tomorrow|tonight|now|then|later|before|after|first|second|third|last|also|plus|important|disclaimer|truth|fact|"
    r"spoiler|reason|result|example|scenario|case|history|past|present|future|age|name|religion|music|language|skill|"
    r"strength|short|long|hello|hey|hi|no|ok|okay|well|so|but|and|anyway|right|wrong|true|false|however|actual|still|"
    r"status|team|all|moral|step|part|week|month|year|night|noon|summer|autumn|winter|medicine|drug|gender|"
    r"address|region|area|commute|transport|pronoun|weather|mood|hint|clue|rule|request|wish|hope|dream|fear|love|"
    r"hate|like|dislike|habit|project|product|company|shop|garden|kitchen|room|flat|rent|salary|tax|bank|doctor|"
    r"dentist|deadline|fun|exercise|gym|race|trip|flight|hotel|event|party|gift|book|movie|film|show|game|art|"
    r"politic|old|new|bonus|extra|other|another|same|main|general|special|private|personal|correct|assume|given|input|"
    r"output|prompt|subject|topic|theme|see|consider|ask|remember|save|try|think|listen|guess|imagine|suppose|sorry|"
    r"please|max|test|rephrase|shorten|read|edit|run)(?![\w'’-]))"
)
"""Lookahead: a capitalized word that begins a label of the speaker's own matters."""
_NAME = rf"{NO_NAME}{_NO_PERSON}{_CAPITAL}"
_LISTED_NAME = rf"(?!max:){GIVEN_NAME}(?: {_CAPITAL})?"
_TIME = r"(?:[\[(]?\d\d?[:.]\d\d(?:[:.]\d\d)?(?: ?[ap]m)?[\])]?,? )?"
_I = r"(?:i|i['’](?:m|ve|d|ll)|im|ive|we|we['’](?:re|ve|ll)|my|our)(?![\w'’-])"
_GREETED = (
    r"(?:(?:hi|hello|hey|yes|yeah|no|well|so|sorry|and|but|ok)\b[,!.]? (?:all|team|there)?[,!.]? ?){0,2}"
)
_LINE = LatePattern(
    rf"(?im)^[ \t]*(?P<time>{_TIME})(?:my |our |the |an? )?(?P<label>(?P<who>{_KIN}|{_ROLE})|"
    rf"(?P<name>(?P<listed>{_LISTED_NAME})|{_NAME}(?: {_NAME})?)):[ \t]+{_GREETED}{_I}"
    r"(?!(?:[^\n]{0,80}\b(?:(?P=who)\b|(?:in|at|to|an?|the|my|with|have|for|from|eat|play|use|do) (?P=label)\b)|"
    r"(?: have been|['’]ve been)? (?:met|married|got married|split up)\b)).*$"
)
"""A line of another person in the first person: "wife: I switched to Python"; not "job: I'm a ..."."""
_NAMED_LINE = LatePattern(rf"(?im)^[ \t]*{_TIME}(?:me|I|{_KIN}|{_LISTED_NAME}):[ \t]")
"""A line of a chat, whose other labels are names as well."""
_SENDER = (
    rf"(?:{NO_NAME}(?!{TOOLS}(?![\w'’-])){_CAPITAL}(?: {_CAPITAL})?|{GIVEN_NAME}|(?:my |our |the |an? |another |one )"
    rf"(?:[\w-]+ )?(?:{_KIN}|{_ROLE})|{_ROLE}|support|sales|marketing)"
)
_ANY_NAME = rf"(?:{GIVEN_NAME}|{_NAME})(?: {_NAME})?"
_OTHER = (
    rf"(?:{_LISTED_NAME}|(?:my |our |the |an? |another |one )(?:[\w-]+ )?(?:{_KIN}|{_ROLE})|{_ROLE}|support|sales|"
    rf"marketing)"
)
_HEAD = (
    rf"(?:(?:{_OTHER}(?:,? \(?(?:from )?(?:the |our |my )?{_ROLE}\)?| (?:on|in|via|over|from|at|by) (?:the |our |my )?"
    rf"{_CHANNEL}(?: \w+)?))|"
    rf"{_ANY_NAME}(?:(?:, | \()(?:from )?(?:the |our |my )?{_ROLE}\)?| (?:on|in|via|over) (?:the |our |my )?"
    rf"{_MESSENGER}(?: \w+)?)|"
    rf"(?:{_OTHER}|{_ANY_NAME}(?= [\w ]+:)) (?:just |also |has |had |then )*{_SAYS}{_TO_SPEAKER}|"
    rf"{_MESSENGER} (?:chat|call|thread) with {_SENDER}|from {_OTHER}|"
    rf"(?:(?:i |we )?(?:just )?(?:got|received|have) (?:this|that|the following|an?(?:other)? (?:\w+ )?{_TEXT})|quote|"
    rf"(?:(?!(?:my|our|i|we|for|to|about|status|progress|weekly|daily|monthly|annual|this|your)\b)[\w'’-]+ ){{0,3}}?"
    rf"{_TEXT}(?: #?\d+)?) (?:from|by|of) {_SENDER}(?: (?:on|in|via|over|from|at) (?:the |our |my )?{_CHANNEL})?|"
    rf"(?:(?:the|an?|another|one|this|new) )?(?:(?:bug|support|github|gitlab|jira|linear|zendesk|slack|crash|user|"
    r"customer|client|vendor|app ?store|play ?store|google|amazon|tester|guest|patient|tenant|help "
    rf"?desk|forum|reddit) {_TEXT}|ticket|thread|review|testimonial|transcript)(?: (?:no\.? ?)?#?\d+| says)?)"
)
_NEWS = (
    r"[^.!?\n]{0,20}\b(?:got (?:the|a|an|in|into|my)|getting an?|promoted|hired|accepted|approved|fired|laid off|made "
    r"redundant|start(?:ing)? (?:at|in|on|as))\b"
)
"""What a message tells its reader: "mail from HR: I got the job"."""
_BLOCK = LatePattern(
    rf"(?im)(?:^[ \t]*{_TIME}|(?<=[.!?] ))(?:(?:here(?:['’]s| is)|this is|so|and|ok|okay|fyi|btw)[,:]? )?"
    rf"(?P<head>{_HEAD})"
    rf"(?:,? (?:today|yesterday|just now|earlier|this morning))?(?::\s+| [-–—] )(?={_GREETED}{_I})(?!{_NEWS})"
)
"""A label that names who wrote the text behind it, or what kind of text it is."""
_SENTENCE = LatePattern(r"[^\n]*?(?:[.!?…](?=\s|$)|(?=\n)|$)\s?")
_AS_THAT_PERSON = LatePattern(
    r"(?i)^(?!.*(?:\b(?:he|she|they|him|her|them|his|their|by the way|btw|anyway|ticket|customer|client|can you|"
    r"could you|would you|please|help me|answer|reply|draft|write|should I|how (?:do|can|could|should)|what|why|"
    rf"as for me|for my part|myself|I told|I said|I (?:answered|replied))\b))(?=.*(?<![\w'’]){_I})"
)


def without_labelled(text: str, speaker: str | None = None) -> str:
    """Return the text without what labels mark as another person's; a label with the speaker's own name is removed."""
    in_chat = "\n" in text and _NAMED_LINE.search(text) is not None
    text = _LINE.sub(lambda match: _own_line(match, speaker, in_chat=in_chat), text)
    own = speaker.lower().split()[0] if speaker else None
    while (match := _BLOCK.search(text)) and match["head"].lower().split()[0] != own:
        end = match.end()
        rest = _SENTENCE.match_at(text, end)
        while rest is not None and rest.end() > end:
            end = rest.end()
            if text[end - 1 : end + 1] == "\n\n":
                break
            rest = _SENTENCE.match_at(text, end)
            if rest is None or not _AS_THAT_PERSON.search(rest.group()):
                break
        text = f"{text[: match.start()]}{text[end:]}"
    return text


def _own_line(match: re.Match[str], speaker: str | None, *, in_chat: bool) -> str:
    """Return the words of a labelled line that are the speaker's: all, where its label may name what they are about."""
    name = (match["name"] or "").lower()
    own = speaker.lower() if speaker else None
    if own and (name in (own, own.split()[0]) or name.startswith(f"{own} ")):
        return match.group()[match.end("label") + 1 - match.start() :].lstrip()
    is_name = not name or match["listed"] or match["time"] or in_chat
    return "" if is_name else match.group()
