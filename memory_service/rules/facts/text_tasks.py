"""Texts that a message hands over: for a task on their language, as an example, as the words of another person."""

from __future__ import annotations

from memory_service.rules.facts.clause_words import JOB
from memory_service.rules.relatives import RELATIVES
from memory_service.rules.word_lists import DAY, LANGUAGES, TEXT_VERBS
from memory_service.text.late_pattern import LatePattern

_LANGUAGE = rf"(?:{LANGUAGES}|deutsch|français|español|italiano)"
_FICTION = (
    r"(?:monologue|poem|lyrics|verse|song|scene|chapter|novel|dialogue|haiku|limerick|sonnet|backstory|"
    r"fan ?fic(?:tion)?|short story|story|screenplay|script)"
)
_TEXT = (
    rf"(?:{_FICTION}|text|paragraph|passage|sentences?|phrase|message|e-?mail(?! address)|mail|letter|"
    r"intro(?:duction)?|speech|essay|draft|wording|bio|profile|blurb|post|tweet|caption|statement|abstract|testimonial|"
    r"diary entry|journal entry|toast|eulogy|translation|dialog)"
)
_ON_WORDS = (
    rf"(?:{TEXT_VERBS}|spell-?check|condense|"
    r"(?:check|correct|fix) (?:the|my|any) (?:grammar|spelling|mistakes?|typos?|errors?|punctuation)(?: (?:in|of))?)"
)
_ON_TEXTS = (
    rf"(?:{_ON_WORDS}|correct|edit|shorten|improve|check|fix|continue|complete|expand|simplify|review|critique|rate|"
    r"finish|lengthen|extend|read|give (?:me )?feedback on|what do you think (?:of|about)|how (?:do you like|is))"
)
_BARE = rf"(?:{_ON_WORDS}|shorten|simplify|lengthen|(?:grammar|spelling|spell)[- ]check)"
"""Tasks that need no object. "Correct: my name is Anna" and "read this: I'm pregnant" hand over no text."""
_ASKS = (
    r"(?:(?:please|pls|plz|hey|hi|ok|okay|so|and|now|then|thanks|can you|could you|would you|will you|can u|"
    r"i(?:['’]d| would) like you to|i (?:want|need) you to|help me(?: to)?|let['’]?s)\b[,:]? ?){0,4}"
)
_MADE_SO = (
    r"(?:make|have) (?:this|that|it|the above) (?:sound|read|flow|rhyme|more|less|better|shorter|longer|nicer|funnier|"
    r"punchier|formal|polite|concise|into an?)\b|turn (?:this|that|it|the above) into an? |"
    r"(?:write|put|say) (?:this|that|it) (?:better|nicer|differently|more|less|"
    rf"in (?:proper |good |better )?{_LANGUAGE})\b"
)
_NAMED = (
    r"(?:monologue|scene|poem|story|short story|chapter|intro(?:duction)?|speech|bio|profile|dialog(?:ue)?)"
)
_BEHIND = LatePattern(
    rf"(?i)(?:[.!?…\"”*)\]]\s{{1,3}}|\n[ \t]{{0,4}}|[–—-] ){_ASKS}(?:{_ON_WORDS}|improve|shorten|simplify) (?:"
    rf"(?:this|that|the above) (?:[\w'’-]+ ){{0,2}}?{_NAMED}\b|the above(?= *(?:$|[.!?\n]))|"
    r"(?:this|that|it|the above) [^.!?:\n]{0,40}\bfor (?:my|our|the) (?:[\w'’-]+ )?(?:novel|story|book)\b)"
    r"[^.!?:\n]{0,80}[.!?]{0,5}"
    r"(?:\s{1,3}(?:thanks?(?: you)?|thx|ty|cheers|please|pls)\b[^.!?:\n]{0,20}[.!]{0,5})?\s{0,9}$"
)
"""A task at the end of a message that names the text before it. "Check the email" and "how do I say this" do not."""
_ORDER = LatePattern(
    r"(?i)[^.!?\n]{0,200}\b(?:always|never|from now on|call me|don['’]?t|do not)\b[^.!?\n]{0,200}[.!?\n]"
)
"""A sentence that may be a standing order to the assistant."""
_BEFORE = LatePattern(
    rf"(?i)^\W*{_ASKS}(?:(?:{_BARE}(?: (?:this|that|it|these)\b)?|(?:{_ON_TEXTS}|{_BARE}) (?:the following|below|"
    rf"(?:my|our) (?!(?:[\w'’-]+ ){{0,3}}?(?:bio|profile)\b)(?:[\w'’-]+ ){{0,3}}?{_TEXT}|(?:the|this|that|these|his|"
    rf"her|their|an?) (?:[\w'’-]+ ){{0,3}}?{_TEXT})\b)(?: (?:in|into|to) {_LANGUAGE})?(?: (?:for|from) "
    r"[^.!?:\n]{1,40})?|"
    rf"(?:{_MADE_SO})[^.!?:\n]{{0,40}}|"
    r"how (?:do|would|can|could|should) (?:i|you|we|one) (?:say|write|phrase|translate|put) (?:this|that)(?: in "
    rf"{_LANGUAGE})?|(?:what(?:['’]s| is) (?:this|that) )?in(?:to)? {_LANGUAGE})(?: (?:please|pls|plz|thanks|thx|for "
    r"me))*\s*(?:[.!?:]*[ \t]*\n|:)"
)
"""A task in the first line, on the text behind it."""
_THIS = LatePattern(
    rf"(?i)^\W*{_ASKS}(?:{_ON_WORDS}) (?:this|the following)(?: {_TEXT})?\b(?: (?:in|into|to) {_LANGUAGE})?"
    r"(?: (?:please|pls|plz|for me))*[.!?] "
)
_PERSON = (
    r"(?:customer|client|guest|tenant|applicant|candidate|reader|patient|user|supplier|vendor|colleague|coworker|"
    r"co-worker|landlord|landlady|neighbou?r|student|pupil|parent|recruiter|buyer|seller|donor|volunteer|member|"
    r"subscriber|employee)"
)
_WRITING = (
    r"(?:e-?mail|mail|message|letter|request|enquiry|inquiry|review|complaint|ticket|comment|feedback|application|text|"
    r"note|post|statement|reply|answer|response|testimonial|voicemail|dm|sms|whatsapp|tweet|bio|profile)"
)
_KIN = rf"(?:{RELATIVES}|friend|mate|boss|manager|teacher|roommate|flatmate|ex|{_PERSON})"
_OF_SPEAKER = (
    r"(?:(?:the|my|our|an?|his|her) )?(?:[\w-]+ )?(?:doctor|gp|dentist|nurse|vet|surgeon|midwife|therapist|specialist|"
    r"consultant|pharmacist|hospital|clinic|lab|landlord|landlady|insurer|insurance|bank|school|lawyer|notes?)\b"
)
"""Senders that write about the user, whose messages users sum up: "message from the doctor: my iron is low"."""
_LINE = r"(?:^|(?<=\n)|(?<=[.!?] ))[ \t]*(?:(?:here(?:['’]s| is)|this is|and|so|ok|okay|look|hey|hi)[,:]? )?"
_LABEL = LatePattern(
    rf"(?i){_LINE}(?:(?:exercise|example|dialogue|sentence) (?:no\.? ?|nr\.? ?|#)?(?:\d{{1,3}}[a-z]?|"
    r"[a-h])\b[^.:!?\n]{0,30}:\s|"
    r"(?:question|task|problem|item|card|case) (?:no\.? ?|nr\.? ?|#)?(?:\d{1,3}[a-z]?|"
    rf"[a-h])\b[^.:!?\n]{{0,30}}\b(?:exercise|grammar|vocabulary|translat\w+|{_LANGUAGE})\b[^.:!?\n]{{0,30}}:\s|"
    rf"(?:\w+ )?(?:grammar|language|vocabulary|translation|{_LANGUAGE}) (?:exercise|drill|homework|worksheet|"
    r"task)s?\b[^.:!?\n]{0,30}:\s|"
    r"(?:as |for )?(?:an? |the |my |some |another )?(?:example|sample|dummy|test|mock|fake|placeholder|seed|model) "
    r"(?:sentences?|texts?|data|inputs?|records?|users?|messages?|dialogues?|conversations?|profiles?|bios?|e-?mails?|"
    r"prompts?|entry|entries|customers?|answers?|persons?|cases?|rows?|documents?|phrases?)\b[^.:!?\n]{0,40}:\s|"
    r"(?:(?:an?|the|our|my|user|buyer|marketing|ux) ){0,3}personas?(?: for [^.:!?\n]{1,40})?:\s|"
    r"(?:in|on|for|from) (?!(?:my|our|an?|this) test\b)(?:the|my|an|our|a|this) (?:\w+ )?(?:exam|test|quiz|exercise|"
    r"textbook|worksheet|novel|movie|film|song|lesson|listening|dictation)\b[^.:!?\n]{0,40}:\s|"
    rf"(?:an? |the |another |new )?(?!land|user (?:profile|bio|note)){_PERSON}(?:['’]s)? "
    rf"{_WRITING}\b[^.:!?\n]{{0,40}}:\s|"
    rf"(?:an? |the |another |new )?{_WRITING} (?:from|by) (?!me\b|myself\b|{_OF_SPEAKER})[^.:!?\n]{{1,40}}:\s|"
    rf"(?:forwarded|fwd|fw|received|copied|pasted|quoted?|from)(?: (?:this )?(?:from|by|of))? (?!{_OF_SPEAKER}|(?:my|"
    rf"our) (?:\w+ )?{_WRITING}s?\b)(?:an? |the |my |our |his |her )?(?:\w+ )?(?:{_KIN}|"
    rf"{_WRITING})s?\b[^.:!?\n]{{0,40}}:\s|"
    r"(?:fwd?|forwarded|pasted?):\s)"
)
"""A label at the start of a line or a sentence, before a text that is an example or of another person."""
_WORK = r"(?:draft|novel|book|story|manuscript|chapter|poem|song|script|screenplay|play)"
_SCENE = r"(?:verse|chorus|scene|stanza|prologue|epilogue|dialogue|monologue)"
_DRAFT = r"(?:draft|excerpt|poem|haiku|limerick|sonnet|manuscript|screenplay|fan ?fic(?:tion)?)"
_LYRICS = r"(?:(?:song )?lyrics|narrator)"
_NUMBER = (
    r"(?:no\.? ?|#)?(?:\d{1,3}[a-z]?|(?-i:[IVX]{1,5})|one|two|three|four|five|six|seven|eight|nine|ten)\b"
)
_OF_LABEL = (
    r"(?:,? (?:text|version|so far|continued|cont\.?|again|opening|ending|beginning|start|scene|chapter|page|paragraph|"
    rf"revised|rewritten|{_NUMBER})){{0,3}}(?: ?\([^()\n]{{1,40}}\))?\*{{0,2}}"
)
_STATE = (
    r"(?:(?:finally|already|all|just|nearly|almost|not|still) ){0,2}(?:(?:done|finished|sent|submitted|rejected|"
    r"accepted|approved|written|read|printed|attached|due)\b(?: [\w'’-]+){0,4}|(?:none|ready|fine|ok|okay|good|great|"
    rf"amazing|awful|perfect|boring|tomorrow|today|(?:on )?{DAY}s?|(?:love|loved|hate|hated) (?:it|them|that))\b) *"
    r"(?:[.,;!]|$)"
)
"""The state of a text behind its name: "draft: sent to the council"."""
_COLON = rf"(?:[\])][ \t]*:?|[ \t]*:| [–—-]{{1,2}})\s(?!\s?(?:[$€£]?\d|{_STATE}))"
_HERE = r"(?:(?:here(?:['’]?s| is)|this is|ok(?:ay)?|so|and|now)[,:]? ){0,2}"
_PIECE = r"(?:next|first|last|new|opening|following|final) (?:bit|section|paragraph|passage|page|lines?|part)"
_FICTION_LABEL = LatePattern(
    rf"(?i)(?:^|(?<=\n))[ \t]*[\[(*]{{0,2}}{_HERE}(?:"
    r"(?:(?:from|the|my|our|an?|another|next|new|first|second|last|final|rough|opening|closing) ){0,3}"
    rf"(?:{_DRAFT}|{_LYRICS})|(?:(?:the|my|our|another|next|first|second|third|last|opening|closing) ){{0,2}}{_SCENE}|"
    r"(?:the |my |our )?(?:novel|chapter)|quot(?:e|ation)|"
    rf"in[- ]character|(?-i:IC)|from (?:my|our) (?:\w+ )?{_WORK}){_OF_LABEL}{_COLON}|"
    rf"(?:^|(?<=\n)|(?<=[.!?] ))[ \t]*(?:(?:here(?:['’]?s| is)|this is) (?:the |my )?{_PIECE}|"
    rf"(?:the )?{_PIECE} (?:of|from) (?:the|my|our) (?:\w+ )?{_WORK}){_OF_LABEL}{_COLON}|"
    rf"(?<=[.!?] )[\[(*]{{0,2}}(?:(?:{_DRAFT}|{_LYRICS}|{_SCENE}|chapter) {_NUMBER}|"
    rf"(?-i:DRAFT|LYRICS|EXCERPT|VERSE|CHORUS|SCENE|CHAPTER|PROLOGUE|EPILOGUE|NARRATOR|IC)){_OF_LABEL}{_COLON}|"
    r"\b(?:poem|song|novel|short story|narrator|protagonist|lyrics|manuscript|fan ?fic(?:tion)?)\b[^:\n]{0,200}[.!?] "
    rf"(?:(?:the|my|rough|first|next|second) ){{0,2}}(?:{_DRAFT}|{_LYRICS}|{_SCENE}){_OF_LABEL}{_COLON}|"
    rf"\b(?:write|compose|continue)\b[^.!?:\n]{{0,60}}\b{_WORK}\b[^.!?:\n]{{0,40}}\b(?:(?:first|opening) (?:line|"
    r"sentence|verse)|chorus|(?:starts?|starting|begins?|beginning)(?: with)?):\s|"
    rf"\b(?:a|my|the) {_WORK} that (?:starts|begins) with:\s|"
    r"(?:^|(?<=\n))[ \t]*(?:(?-i:DRAFT|Draft|LYRICS|Lyrics|EXCERPT|Excerpt|VERSE|CHORUS|POEM|HAIKU)|"
    r"(?:draft|verse|stanza) (?=\d))(?: ?\d{1,3})?[ \t]*\n"
)
"""A label before fiction. "New chapter: I moved" and "short story: I'm vegan" are ways to state something."""
_ANSWERS = r"(?:answer|reply|respond|translate|shorten|review|check|proofread|rewrite|critique|summari[sz]e|"
_ORDERED = (
    rf"(?:(?:please|pls|always|never|from now on|can you|could you|would you|don['’]?t|do not),? ){{1,3}}{_ANSWERS}"
    r"write|use|keep|call|give|send|talk|speak|mention|suggest|remind|ask|explain|add|start|end|continue)\b"
)
_AFTER_FICTION = LatePattern(
    r"(?i)\n[ \t]{0,9}(?:by the way|btw|p\.?s\.?)\b[,:.]?|\n[ \t]{0,9}\n[ \t]{0,9}(?:anyway\b,?|"
    rf"(?={_ORDERED}|{_ANSWERS}keep it)\b))"
)
"""Where the writer goes on behind fiction: in a paragraph that begins so, or with an order to the assistant."""
_ORDER_ALONE = LatePattern(rf"(?i)^\s*(?:{_ORDERED}|{_ANSWERS}keep it)\b)[^.!?\n]*[.!]?\s*(?:$|\n)")
"""A label before nothing but an order: "draft: always keep it short"."""
_FIRST_PERSON = (
    r"(?:(?:hi|hey|hello|well|yes|yeah|no|ok|okay|so|and|but|sorry|today|now)\b[,!.]? ?(?:[A-Z]\w+[,!.]? )?){0,2}"
    r"(?:i|im|my|we|our)(?!\w)"
)
_WROTE = LatePattern(
    rf"(?i)\b(?:(?:my|our|his|her|the|an?) (?:[\w-]+ )?{_KIN}(?: (?-i:[A-Z])\w+)?|s?he|they|(?-i:(?!I\b)[A-Z])\w+) "
    r"(?:just |also |has |had )?(?:wrote|writes|written|writing|posted|texted|replied|answered|says|said|sent|put)"
    rf"(?: (?:me|us|back|this|that|to me|to us|on \w+)){{0,3}}:\s+(?={_FIRST_PERSON})"
)
"""Before the words of another person in the first person. "My sister wrote: she's pregnant" is no quote."""
_BEINGS = (
    r"(?:dwarf|elf|half-elf|orc|goblin|gnome|halfling|tiefling|wizard|witch|sorcerer|paladin|rogue|bard|druid|warlock|"
    r"cleric|ranger|monk|barbarian|knight|vampire|werewolf|ghost|demon|dragon|robot|android|alien|pirate|thief|"
    r"assassin|mercenary|king|queen|prince|princess|detective|cop|woman|girl|boy)"
)
_NARRATED = LatePattern(
    r"(?i)\b(?:re)?(?:write|written|writing|narrate)\b[^.!?:\n]{0,60}?\b(?:from|in|out of) (?:the |a )?(?:(?:point "
    r"of )?view|viewpoint|perspective|pov|voice|eyes) of\b[^.!?:\n]{0,60}:\s*|"
    r"\bmy (?:main |own |other |new |player |novel['’]s |story['’]s )?(?:character|protagonist|oc|narrator|antagonist|"
    r"main char|mc)(?:['’]s (?:name|job|age)\b| (?:is|was) (?:(?:called|named)\b|\d|an? "
    rf"(?:[\w-]+ ){{0,2}}?(?:{_BEINGS}|{JOB})\b|(?-i:[A-Z])(?!\w*(?:an|ish|ese|ch)\b))| (?:(?:just |has )?lost (?:his|"
    r"her|their|its)|loses|dies|died|lives in|works (?:as|at|for))\b)"
)
"""From here on the text is of a character."""
_HEADING = LatePattern(r"(?im)^#{1,6} (?!(?:about (?:me|us|myself)|me|my|who (?:i am|am i)|i)\b)\w[^\n]*$")
"""A Markdown heading: the document is pasted, unless it is about its writer."""
_TURNS = LatePattern(
    r"(?:^|(?<=\n)|(?<=[.!?] ))[ \t]*(?:A|Person A|Speaker (?:A|1))[:.)]\s[^\n]{1,300}?(?:\n\s{0,4}|[.!?]\s{1,3})"
    r"(?:B|Person B|Speaker (?:B|2))[:.)]\s"
)
_BY_THE_WAY = LatePattern(r"(?i)\b(?:by the way|btw|anyway)\b")
_AGAIN = LatePattern(r"(?i)\n[ \t]{0,9}\n|\b(?:by the way|btw|anyway)\b")
"""Where the writer goes on."""
_GREETING = LatePattern(
    r"(?i)^\W*(?:hi|hello|hey|dear|hiya|good (?:morning|evening|afternoon)) (?P<to>(?-i:[A-Z])[\w'’-]+)[,.!]* "
    r"(?:i['’]?m|i am|my name is|this is) (?P<by>(?-i:[A-Z])[\w'’-]+)"
)


def without_texts(text: str, *, orders: bool = False) -> str:
    """Return the message without the texts that it hands over for a task, as an example or as words of others.

    With `orders`, a text that is nothing but an order to the assistant stays.
    """
    if match := _BEHIND.search(text):
        text = _orders(text[: match.start() + 1]) + text[match.start() :]
    if match := _TURNS.search(text):
        text = text[: match.start()]
    if "#" in text and "\n" in text and (match := _HEADING.search(text)):
        text = text[: match.start()]
    if ("\n" in text or ":" in text) and (match := _BEFORE.search(text)):
        return text[: match.end()] + _again(text[match.end() :], _BY_THE_WAY)
    if match := _THIS.search(text):
        return text[: match.end()] + _again(text[match.end() :], _BY_THE_WAY)
    if match := _FICTION_LABEL.search(text):
        rest = text[match.end() :]
        again = _AFTER_FICTION.search(rest)
        kept = order[0] if orders and (order := _ORDER_ALONE.search(rest)) else ""
        text = f"{text[: match.end()]}{kept}{rest[again.start() :] if again else ''}"
    if ":" in text:
        for label in (_LABEL, _WROTE):
            if match := label.search(text):
                text = text[: match.end()] + _again(text[match.end() :])
    if match := _NARRATED.search(text):
        text = text[: match.start()] + _again(text[match.end() :])
    return text


def _orders(text: str) -> str:
    return "".join(f"{match[0].strip()} " for match in _ORDER.finditer(text))


def is_of_another(text: str, speaker: str) -> bool:
    """Whether a message is a letter to the speaker or by another person: "Hi Vera, I'm Greta", pasted by Vera."""
    match = _GREETING.search(text)
    if match is None or not speaker.isalpha():
        return False
    return match["to"].lower() == speaker.lower() or not _alike(match["by"], speaker)


def _alike(name: str, speaker: str) -> bool:
    """Whether two names may be of one person, as Tom and Thomas."""
    return name[0].lower() == speaker[0].lower()


def _again(text: str, goes_on: LatePattern = _AGAIN) -> str:
    match = goes_on.search(text.lstrip())
    return f" {text.lstrip()[match.end() :]}" if match else ""
