"""Permissions and withdrawals, which end an earlier instruction: "Emojis are ok again", "no need to cite any more".

Each is an instruction in the slot of the earlier one with another value, which replaces it. A permission for now ("use
emojis in this one") ends none, so each pattern needs a word of return ("again", "any more") or a thing that only orders
about answers name. Where an order has another slot, the words of the matter find it ("you can talk about Greg now"):
such a permission says nothing without an order that it ends, so that its patterns are wider.
"""

from __future__ import annotations

from dataclasses import dataclass

from memory_service.injection.topic_withdrawals import FORM
from memory_service.rules.facts.standing_instructions import is_attributed
from memory_service.rules.norms.instructions import in_words
from memory_service.rules.norms.slots import STOP, Slot, slot_of, stems_of
from memory_service.rules.relatives import FATHER, MOTHER
from memory_service.rules.word_lists import CUISINES, LANGUAGE, LANGUAGES
from memory_service.text.late_pattern import compile_late

LEAD = (
    r"(?:(?:actually|ok|okay|and|but|so|well|hey|oh|also|yes|yeah|no|alright|please|pls|btw|by the way|from now on|"
    r"going forward|good news|on second thoughts?|(?:you|u) know what|I(?:'ve)? changed my mind)[,:;!.]* )*"
)
_CUISINE = compile_late(rf"(?i){CUISINES}")
_FROM_NOW = compile_late(r"(?i)\b(?:from now on|always)\b")
_PLAIN_THING = (
    r"(?:emojis?|emoticons?|smileys|bullet[ -]?points|bullets|numbered lists|exclamation (?:marks|points)|jargon|"
    r"small talk|jokes|puns|sarcasm|slang|swearing|swear words|hashtags|(?:big|long|fancy) words|metaphors|"
    r"em dashes|abbreviations|acronyms|disclaimers|caveats|compliments|pep talks|filler words|markdown|"
    r"(?:much )?(?:long|longer|short|shorter|detailed|more detailed) "
    r"(?:answers|replies|responses|messages|explanations|sentences))"
)
"""Things of which only orders about answers speak."""
_THING = (
    rf"(?:{_PLAIN_THING}|headings|headers|tables|lists|bold|italics|dashes|semicolons|comments|code comments|"
    r"docstrings|intros|introductions|summaries|recaps|links|percentages|ounces|cups|fahrenheit|celsius|pounds|"
    r"miles|inches|capital letters|all caps|greetings|sign-offs|explanations|examples|code blocks|tabs|spaces)"
)
_TOPIC = rf"(?:{_THING}|emoji|bullet[ -]?point|linter|{LANGUAGE}|metric|imperial|formatting|indentation)"
_MAY = (
    r"(?:(?:you|u) (?:may|can)|(?:you|u)(?:'re| are) (?:allowed|free|welcome) to|feel free to|"
    r"it(?:'?s| is) (?:ok|okay|fine|alright|all right) (?:to|if (?:you|u))|I don'?t mind (?:if|when) (?:you|u))"
)
_RETURN = r"(?P<return>(?: (?:again|now|any ?more|after all|from now on|going forward|too))+)"
_END = r"(?:,? (?:please|pls|plz|thanks|thx|thank you|if (?:you|u) (?:like|want|wish)|with me|by me))*[.!]*$"
_END_OR_ASIDE = rf"(?:{_END}|(?:[,;:–—-]+|,? (?:because|since|as|cos|cause)) (?P<aside>\S.*)$)"
_FINE = (
    r"(?:(?:totally|perfectly|really|quite|absolutely) )?(?:ok|okay|fine|allowed|welcome|alright|all right)"
)

_REFERRING = r"(?:it|that|this|these|those|him|her|them|they|he|she|I|you|we|everything|things|stuff|all)\b"
_PLACE_OF_THING = r"(?:in|on|for|to) [^,;:!?–—]{2,40}"
_USE = compile_late(
    rf"(?i)^{LEAD}{_MAY} (?P<now>now )?(?P<said>(?:use|include|add|write|give|send|make|put in)(?: me)? "
    rf"(?:more |some |your )?(?:(?P<plain>{_PLAIN_THING})|{_THING})){_RETURN}?{_END_OR_ASIDE}"
)
_PLACE = r"(?:in|on|for) (?!(?:the|this|that|these|those|a|an|it|me|now|once)\b)[\w'-]+(?: [\w'-]+){0,2}?"
_IS_FINE = compile_late(
    rf"(?i)^(?P<lead>{LEAD})(?P<thing>{_PLAIN_THING})(?: (?P<place>{_PLACE}))? (?:are|is) {_FINE}(?: with me| by "
    rf"me)?{_RETURN}?(?: (?P<place_behind>{_PLACE})(?P<but>,? (?:but )?(?:just )?not {_PLACE})?(?P<at_last>(?: "
    rf"(?:again|now|any ?more|after all|from now on|going forward|too))+)?)?{_END_OR_ASIDE}"
)
_MINDS_NOT = compile_late(
    rf"(?i)^{LEAD}I(?:'m| am)? (?:{_FINE} with|don'?t mind) (?P<thing>{_PLAIN_THING}){_RETURN}{_END_OR_ASIDE}"
)
_CHANGES_MIND = compile_late(r"(?i)\b(?:actually|on second thoughts?|changed my mind)\b")
_CALL = compile_late(
    rf"(?i)^{LEAD}{_MAY} (?:now )?(?P<said>(?:call|phone|ring|text|e-?mail|message|contact|write to) me)"
    rf"(?: by phone)?{_RETURN}{_END}"
)
_TELL = compile_late(
    rf"(?i)^{LEAD}(?:you|u) (?:can|may) (?:now )?(?P<said>tell (?:my [a-z]+|(?-i:[A-Z])[\w-]+)"
    rf"(?: about (?:the|my|our) [\w -]{{2,30}}?)?) (?:now|after all)(?: then)?{_END}"
)
"""The end of "don't tell Petra yet"."""
_BY_PHONE = compile_late(r"(?i)^(?:phone|ring)\b")
_DO = compile_late(
    rf"(?i)^{LEAD}{_MAY} (?:now )?(?P<said>be (?:(?:more|less|a bit|a little) ){{0,2}}(?:formal|informal|casual|blunt|"
    r"direct|honest|critical|brief|detailed|funny|sarcastic|playful)(?: with me)?|(?:suggest|recommend|mention|offer|"
    r"propose|include|use|ask me|tell me|start|greet me|sign|call me|translate|remind me|make)(?! (?:"
    r"the(?! (?:words?|phrase|term|expression)\b)|this|that|"
    rf"these|those|it|them|him|her|me|my|a|an|one|to|if|on|at|when|about|in)\b) [\w' -]{{2,40}}?) again{_END}"
)
_NEED_NOT = compile_late(
    rf"(?i)^{LEAD}(?:(?:you|u) (?:(?:don'?t|do not|no (?P<longer>longer)) (?:need to|have to) |needn'?t )|"
    r"(?:there(?:'s| is) )?no need to |I (?:don'?t|do not) need (?:you|u) to )"
    r"(?P<said>(?:always )?(?:answer|reply|respond|write|give|use|include|add|put|sign|start|end|begin|send|show|greet|"
    r"address|call|tell|warn|correct|indent|apologi[sz]e|explain|translate|format|mention|suggest|recommend|ask|remind|"
    r"run|keep|round|convert|quote|cite|check|confirm|summari[sz]e|list|spell|avoid|skip|speak|talk|comment|document|"
    r"review|test|lint)\b.{3,80}?|"
    r"be (?P<so>(?:so|that|too) )?(?:formal|informal|brief|concise|polite|careful)(?: with me)?)"
    rf"(?P<more> any ?more| any longer)?{_END}"
)
_TASK = compile_late(
    r"(?i)^(?:always )?(?:check|send|confirm|book|write|translate|read|list|show|give|review|explain|format|"
    r"summari[sz]e) (?:me |us )?(?:the|this|that|him|her|them)\b"
)
"""Something to do once: "you don't need to send the invoice any more"."""
_WITHOUT_OBJECT = compile_late(
    r"(?i)^(?:always )?\w+(?: (?:to|with|for|about|of))? (?:me|us|him|her|them|it|that|this|anyone)$"
)
_ING = {
    "reminding": "remind", "suggesting": "suggest", "recommending": "recommend", "using": "use", "sending": "send",
    "adding": "add", "including": "include", "running": "run", "checking": "check", "writing": "write",
    "giving": "give", "summarizing": "summarize", "summarising": "summarise", "translating": "translate",
    "formatting": "format", "explaining": "explain", "signing": "sign", "confirming": "confirm", "quoting": "quote",
    "citing": "cite", "asking": "ask",
}  # fmt: skip
_SPEAKING = frozenset(
    ("reminding", "suggesting", "recommending", "explaining", "confirming", "asking", "citing")
)
_STOP_DOING = compile_late(
    rf"(?i)^{LEAD}(?:you|u) (?:can|may) (?:now )?stop (?P<verb>{'|'.join(_ING)})"
    rf"(?P<rest>(?! (?:now|it|that|this)\b) [^,;:?]{{3,80}}?)(?P<now> now)?(?: any ?more)?{_END_OR_ASIDE}"
)
_BACK_TO = compile_late(
    rf"(?i)^{LEAD}(?:(?:let'?s |we can |(?:can|could) (?:you|u) (?:please )?|{_MAY} )?(?:please )?"
    r"(?:go|switch|change|come|move) back to |back to |(?:let'?s|we can|(?:you|u) (?:can|may)) (?P<verb>(?:speak|"
    rf"(?:answer|reply|speak|talk|write)(?: to me| with me)?(?: only)? in) )(?={LANGUAGE} again\b))"
    rf"(?:(?P<language>{LANGUAGE})|(?P<units>(?:metric|imperial|celsius|fahrenheit)(?: units)?)|"
    r"(?P<answers>(?:short|long|brief|detailed|formal|casual) (?:answers|replies|responses))|(?P<indent>tabs|spaces))"
    rf"(?:(?:,? (?:please|pls))?(?: again| now| from now on))*(?:(?:,? please)?\?|{_END_OR_ASIDE})"
)
_RULE_ABOUT = compile_late(
    rf"(?i)^{LEAD}(?:(?:(?:you|u) can )?(?:just )?(?:forget(?: about)?|never ?mind|nvm|scrap|drop) (?:the|that|my) "
    rf"(?:(?P<thing>{_TOPIC}) (?:thing|bit|stuff|business|rule|convention|instruction|preference)|"
    r"(?P<rule>(?!(?:previous|earlier|system|old|first|last|above|whole|new|same)\b)(?-i:[a-z-]+(?: [a-z-]+)?)) "
    r"(?:convention|style rule|instruction))"
    r"(?: (?:then|please|from now on|(?:that )?I (?:gave|told) (?:you|u)(?: about)?|from (?:before|earlier)))*|"
    rf"(?:forget|never ?mind|I take back) what I said about (?:the |using )?(?P<about>{_TOPIC})){_END_OR_ASIDE}"
)
_STOP_MANNER = compile_late(
    rf"(?i)^{LEAD}(?:stop|quit|enough(?: of)?|no more|you can stop)(?: with)?(?: the| all the| your)? "
    r"(?:(?P<voice>(?:talk|speak|writ|answer|reply|respond)ing (?:to me )?(?:like|as) (?P<who>an? [\w -]{2,30}?))|"
    r"(?P<voice_only>pirate|robot|cowboy|shakespeare|yoda|baby) (?:talk|speak|voice|thing)|(?P<rhyme>(?:(?:talk|speak|"
    rf"writ|answer|reply)ing in )?rhym(?:es?|ing)))(?: any ?more| now)?{_END}"
)
_NORMALLY = compile_late(
    rf"(?i)^{LEAD}(?:fine[,.]? )?(?:(?:you can |just |can you )?(?:talk|speak|write|answer)(?: to me| with me)? "
    r"normal(?:ly)?|"
    rf"(?:back to )?normal(?: voice)?(?=,? (?:please|pls|plz)))(?: again| now)*\??{_END}"
)
"""The end of a voice that the assistant was to imitate."""
_FOR_NOW = compile_late(
    r"(?i)\b(?:today|tonight|tomorrow|this (?:time|once|one|week|morning|evening|afternoon|message|answer)|for now|"
    r"just (?:this )?once|for the moment|at the moment|until|till|while|right now|(?:in|for|with) (?:this|that|these)|"
    r"only (?:if|when|in|for)|except|if(?! (?:you|u) (?:like|want|wish|\w+ me)\b))\b"
)
_BACK = r"(?: (?:again|now|any ?more|after all|any ?time|from now on|going forward|these days))"
_MAY_DO = compile_late(
    rf"(?i)^{LEAD}(?:{_MAY}|(?:totally |perfectly )?(?:ok|okay|fine|alright) to) (?P<first>(?:now|again) )?(?:(?P<talk>"
    r"(?:talk|speak|ask|chat|joke)(?: to| with)?(?: me)? about|bring up|mention|discuss|remind me (?:of|about))|"
    rf"(?P<verb>(?!(?:stop|quit|start|keep|see|be|have|get|go|come|take|find|tell|help|try|let|forget)\b)[a-z]+)) "
    rf"(?P<things>(?:things|anything|everything) about )?(?P<what>(?!{_REFERRING}|me\b)[^,;:!?–—]{{2,80}}?|"
    rf"(?P<pronoun>him|her|them|it))(?P<back>{_BACK}*)(?: (?:with me|to me))?{_END_OR_ASIDE}"
)
_IS_ALLOWED = compile_late(
    rf"(?i)^{LEAD}(?:(?P<talk>(?:talking|speaking|asking|joking)(?: to me)? about |mentioning |bringing up |"
    r"(?:questions|talk|jokes|news|reminders|suggestions) (?:about|on|of) )?"
    rf"(?P<what>(?!{_REFERRING})[^,;:!?–—]{{2,60}}?)) (?:is|are) "
    rf"(?:(?P<fine>{_FINE}(?: with me| by me)?)|(?:no longer|not) (?:an? )?(?:off[ -]limits|taboo|forbidden|banned|"
    rf"off the table|sore (?:point|topic|subject)))(?P<place> (?:in|on|for|to) [^,;:!?–—]{{2,40}}?)?(?P<back>{_BACK}*)"
    rf"{_END_OR_ASIDE}"
)
_KIND_OF_THING = compile_late(
    r"(?i)(?:(?:[\w-]+ ){0,2}(?:talk|jokes|questions|topics|reminders|calls|meetings|suggestions|recommendations|mails|"
    rf"emails|messages|appointments|(?:code )?reviews)|{_THING})(?: {_PLACE_OF_THING})?"
)
"""Things that are fine as an order allows them. "Linda is fine now" speaks of her health."""
_NOW_USE = compile_late(
    r"(?i)(?:^|[,;:] )(?:(?:so|now|then|and|please) )+(?P<said>use (?P<what>[\w-]+(?: [\w-]+)? (?:in|for|on) (?!(?:it|"
    r"this|that|here)\b)[\w-]+(?: [\w-]+)?))(?: now| again| from now on| please)*[.!]*$"
)
_LONGER = compile_late(
    rf"(?i)^{LEAD}(?:(?:the|your) )?(?P<what>answers|replies|responses|explanations) (?:can|may) be (?:(?:a bit|a "
    rf"little|much|even) )?(?P<how>longer|more detailed|shorter|briefer){_BACK}+{_END_OR_ASIDE}"
)
_LANGUAGE_IS_FINE = compile_late(
    rf"(?i)^{LEAD}(?:(?P<full>full|only|all|just) )*(?P<language>{LANGUAGE})(?P<answers> (?:answers?|replies))? "
    rf"(?:is|are) "
    rf"{_FINE}"
    rf"(?P<back>{_BACK}*)(?P<none>,? (?:and )?no {LANGUAGE} (?:needed|necessary|required)(?: any ?more)?)?{_END}"
)
_RULES = r"(?:rules?|instructions?|conventions?|guidelines?)"
_DROP = (
    r"(?:(?:(?:you|u) can )?(?:just )?(?:forget(?: about)?|never ?mind|nvm|scrap|drop|cancel|ignore|disregard|lift|"
    r"ditch)|no more)"
)
_SOME = r"(?:(?:all|any|of|the|those|these|that|my|our|whole) )"
_ABOUT = r"(?:about|on|for|regarding|concerning)"
_PUBLIC = (
    r"(?:travel|entry|flight|driving|parking|hosepipe|water\w*|smoking|drinking|alcohol|burn\w*|fire|fishing|hunting|"
    r"import|export|trade|visa|visitor|muzzle|firework\w*|phone|plastic|hiring|wage|salary|rent|asset)"
)
"""Matters of bans and freezes in the news."""
_GONE = (
    r"(?:(?:is|are|was|were|has been|have been)(?: (?:now|finally|officially))? (?:off|gone|over|lifted|history|"
    r"cancell?ed|dropped|void|obsolete|withdrawn|scrapped)|(?:no longer|do(?:es)?n't|do(?:es)? not) (?:holds?|"
    r"appl(?:y|ies)|counts?))"
)
_RULE_OF = compile_late(
    rf"(?i)^{LEAD}(?:{_DROP} (?:(?:the|that|my) (?:(?:old|whole) )?(?:rule|instruction|convention) "
    rf"(?:about|on|for|against|with|of)|(?:{_SOME}*(?:previous|prior|earlier|former|old) |(?:my|our) ){_RULES} "
    rf"{_ABOUT}|"
    rf"{_SOME}*{_RULES} (?:that )?(?:I|we) (?:gave|told|set)(?: (?:you|u))? {_ABOUT}) "
    r"(?:the |our |my |using |not )?(?P<about>[^,;:!?–—]{3,60}?)|"
    r"I take (?:it|that) back about (?:the |our |using )?(?P<taken>(?!(?:my|your|his|her|their)\b)[^,;:!?–—]{3,60}?)|"
    rf"{_DROP} the (?:thing|bit|part) about (?:the |using )?(?P<thing>{FORM})(?=[,;–—-]+ (?:we|it|they|that|"
    r"this|the)\b)|"
    rf"(?:(?:your|that|my|our|the|this|all) )*(?:no[ -])?(?P<rule>(?!(?:your|that|my|our|the|this|all|house|new)\b|"
    rf"{_PUBLIC} (?:ban|freeze))[\w -]{{3,40}}?) (?:(?:rules?|ban|instructions?|convention) {_GONE}|(?P<freeze>freeze|"
    rf"moratorium) {_GONE}|"
    r"thing (?:is (?:void|moot|obsolete)|no longer (?:applies|holds|counts))(?: too)?))"
    rf"(?: now| any ?more| too| again| of course| obviously)*{_END_OR_ASIDE}"
)
_NO_MORE = compile_late(
    rf"(?i)^{LEAD}no more (?P<what>(?!{_REFERRING}|(?:the|my|your|new|failing|open)\b)(?:[a-z-]+ ){{0,2}}(?:lines|"
    rf"entries|"
    r"comments|docstrings|summaries|recaps|notes|tests|headers|footers|labels|tags|tickets|logs|examples|reminders|"
    r"tables|links|diagrams|checklists|screenshots|descriptions|explanations))(?: (?:please|pls|from now on))*"
    r"(?:[,;–—-]+|,? (?:because|since|as)) (?=(?:we|it|they|that|the [\w-]+) )"
    r"(?P<aside>(?=.*\b(?:generat\w+|automat\w+|handles?|does (?:it|that)|now|already|moved|switched|dropped|"
    r"uses?|writes?|adds?|stopped)\b)\S.*)$"
)
"""The end of an order to add a thing, with its reason: "no more changelog lines, we generate them"."""
_THEREFORE = compile_late(
    r"(?i)^(?=.{0,100}\b(?:any ?more|no longer|quit|retired|changed)\b)(?:I|we|my|our|it|the)\b[^.;!?]{4,100}?,? so "
    r"(?P<rest>(?:you|u) (?:can|may)\b.*)$"
)
"""A lasting reason before a permission: "I don't work nights any more so you can call me now"."""
_ONCE_MORE = compile_late(
    rf"(?i)^{LEAD}(?:(?P<said>(?:suggest|recommend|propose|offer|mention|bring up|remind me (?:of|about)|use|include|"
    rf"add|greet me|call me) (?!{_REFERRING}|(?:the|this|that|these|those|my|your|an?|one|some|more)\b)"
    rf"[^,;:!?–—]{{2,60}}?) again|(?:(?P<use>use|include|add|give me)|I(?:'d| would) like|I want) (?:more |some )?"
    rf"(?P<thing>{_PLAIN_THING})(?P<again> again)?|(?P<stop>(?!.*\bnow\b)(?:stop|quit) (?:{'|'.join(_ING)}) "
    rf"(?!{_REFERRING}|to\b)[^,;:!?–—]{{2,40}}?)){_RETURN.replace('return', 'end')}?{_END}"
)
"""An order for what an earlier one forbids, or the reverse: "suggest cheese again", "stop adding tests"."""
_EMOTICON = compile_late(r"(?: ?(?:[:;]-?[)(DP]|<3|[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f]))+$")
_LOWER_LANGUAGE = compile_late(
    rf"(?<=\bthe )(?!polish\b)(?:{LANGUAGES.lower()})(?= (?:thing|bit|stuff|business|rule)\b)"
)
_WANTED = compile_late(
    r"(?i)\b(?:normal|normally|quit|enough|no more|again|now|any ?more|any longer|longer|actually|fine|ok|okay|back|"
    r"stop|forget|never ?mind|nvm|scrap|drop|"
    r"mind|after all|too|from now on|going forward|take|so|alright|talk|speak|mention|bring up|discuss|taboo|forbidden|"
    r"banned|off|ban|ignore|disregard|cancel|lift|lifted|ditch|appl(?:y|ies)|holds?|counts?|void|moot|obsolete|over|"
    r"freeze)\b"
)
"""Words of which each withdrawal has one."""
_LONGEST = 240
ANY = "any"
"""Value of a slot for which no instruction holds any more."""
TALKS = "talk or mention or bring or speak or ask or discuss or remind or tell"
_SYNONYMS = (
    ("job", "work"),
    ("suggest", "recommend", "propose", "offer"),
    ("call", "phone", "ring"),
    ("answer", "reply", "respond", "speak", "talk", "write"),
    ("mail", "email"),
    ("store", "save", "record", "memorize"),
    ("explain", "explanation"),
    ("cite", "citation"),
    ("summarize", "summarise", "summary"),
    ("kid", "child"),
    tuple(MOTHER.split("|")),
    tuple(FATHER.split("|")),
)
_ALTERNATIVES = {word: " or ".join(words) for words in _SYNONYMS for word in words}
_LIMITS = (
    "short or brief or concise or terse or longer or detailed",
    "answer or reply or response or explanation",
    "-mail",
    "-email",
    "-commit",
)
_GENERAL_VERBS = frozenset(
    ("use", "include", "add", "give", "put", "make", "do", "have", "show", "start", "go")
)
_LASTS = compile_late(r"(?i)\b(?:again|any ?more|after all|any ?time|from now on|going forward|these days)\b")
_ONE = compile_late(r"(?i)^(?:the|this|that|these|those|my|our|your|his|her|their|its|an?|one|\d+)\b")
"""One thing, which "now" allows for now: "you can delete the file now"."""
_PROVISOS = ("-without", "-unless", "-approve", "-permission", "-confirm", "-ok")
"""Words of an order with a proviso, which a permission does not end: "never push without asking me"."""
_TO_KIND = compile_late(r"(?i)\b([\w-]+) (?:messages|mails|emails|e-mails|texts|letters)\b")
_MATTER_WORD = compile_late(r"[^\W_][\w-]*")
_NO_MATTER = frozenset(
    """
    him her them about with to the again now some more much any few bit new old please without too really full before
    after until while during above below between against into through under over out up down
    """.split()  # noqa: SIM905
)
_NO_CONTENT = STOP - {"name", "names", "naming"}
_AT_PLACE = compile_late(rf"(?i) {_PLACE_OF_THING}$")
_NAME = compile_late(r"(?<=[a-z,] )(?!I\b)[A-Z][\w-]+")
_SUBJECT_OF = compile_late(r"(?i)^(?:(?:my|our) )?(?P<who>[^\W\d_]+) (?:isn'?t|is|was|wasn'?t|has|and I)\b")


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A permission or the end of an instruction."""

    norm: str
    """In the third person: "user allows the assistant to …"."""
    slot: Slot
    aside: str = ""
    """The rest of the sentence, which may hold another instruction: "forget the tabs rule, use spaces"."""
    situation: str = ""
    """Where alone it holds: "in commits"."""
    lifts: tuple[str, ...] = ()
    """The matter, as CandidateNorm.lifts has it."""
    only_lifts: bool = False
    """It says nothing where it ends no order."""


def withdrawal_in(sentence: str, subject: str = "user", before: str = "") -> Withdrawal | None:
    """The instruction that a sentence ends or the permission that it gives; None otherwise.

    The sentence `before` says whom "him" or "her" refers to.
    """
    if len(sentence) > _LONGEST or not _WANTED.search(sentence):
        return None
    text = _EMOTICON.sub("", " ".join(sentence.replace("’", "'").split()).strip("\"'“”"))
    text = _LOWER_LANGUAGE.sub(lambda match: match[0].title(), text)
    if _FOR_NOW.search(text) or is_attributed(text):
        return None
    because = _THEREFORE.match(text)
    for part in (text, because["rest"]) if because else (text,):
        for read in (_permission, _release, _return, _dropped, _manner):
            if found := read(part, subject):
                return found
    return _lifting(text, subject, before)


def as_permission(sentence: str, *, alone: bool) -> str | None:
    """An order against an earlier one as its withdrawal: "use emojis please" as "you can use emojis again".

    `alone`: it is the whole message; within one it is for the request beside it.
    """
    match = _ONCE_MORE.match(sentence.strip()) if len(sentence) <= _LONGEST else None
    if match is None or (match["thing"] and not match["again"] and not (alone and match["use"])):
        return None
    again = match["stop"] or f"{match['said'] or 'use ' + match['thing']} again"
    return f"you can {again}"


def matter(text: str) -> tuple[str, ...]:
    """The content words of a text with their alternatives: "Torsten's work" as "torsten", "job or work"."""
    words: list[str] = _MATTER_WORD.findall(_TO_KIND.sub(r"\1", text.replace("'s ", " ")).lower())
    kept = [word for word in words if word not in _NO_MATTER and stems_of(word, _NO_CONTENT)]
    return tuple(dict.fromkeys(_ALTERNATIVES.get(word.removesuffix("s"), word) for word in kept))


def _lifting(text: str, subject: str, before: str) -> Withdrawal | None:
    """What a permission or withdrawal says that ends only orders about the matter in its words."""
    lifts: tuple[str, ...] = ()
    said, norm, aside = "", "", ""
    if match := _LONGER.match(text):
        norm = in_words(f"give {match['how']} {match['what']}", subject, "allows")
        slot = Slot("texts: length", ANY)
        return Withdrawal(norm, slot, match["aside"] or "", "", _LIMITS, only_lifts=True)
    if match := _LANGUAGE_IS_FINE.match(text):
        if not match["none"] and not (match["answers"] and (match["full"] or match["back"])):
            return None
        said = f"answer in {match['language'].title()}"
        slot = slot_of(said)
        return Withdrawal(
            in_words(said, subject, "allows"), slot, "", "", matter(match["language"]), only_lifts=True
        )
    if match := _MAY_DO.match(text):
        what, aside = match["what"], match["aside"]
        lasts = _LASTS.search(f"{match['first'] or ''} {match['back']}") is not None
        if match["pronoun"]:
            found = _SUBJECT_OF.match(before) if match["talk"] else None
            what = found["who"] if found else " ".join(_NAME.findall(before)[:1]) if match["talk"] else ""
        elif not match["talk"] and not lasts and (not (match["first"] or match["back"]) or _ONE.match(what)):
            return None
        verb = (match["verb"] or "").lower()
        lifts = matter(what)
        said = f"{match['talk'] or match['verb']} {match['things'] or ''}{what}"
        if lifts and match["talk"]:
            lifts = (*lifts, TALKS)
        elif lifts and verb not in _GENERAL_VERBS:
            lifts = (*matter(verb), *lifts)
        if lifts and not match["talk"]:
            lifts = (*lifts, *_PROVISOS)
    elif match := _IS_ALLOWED.match(text):
        aside = match["aside"]
        if match["fine"] and not (
            match["back"] and (match["talk"] or _KIND_OF_THING.fullmatch(match["what"]))
        ):
            return None
        said = f"{'' if match['talk'] else 'use '}{match['what']}{match['place'] or ''}"
        lifts, norm = (
            matter(f"{match['what']}{match['place'] or ''}"),
            f"{subject} is fine with {said.removeprefix('use ')}",
        )
        if lifts and match["talk"]:
            said, norm, lifts = f"talk about {match['what']}", "", (*lifts, TALKS)
    elif match := _NOW_USE.search(text):
        said, lifts = match["said"], matter(match["what"])
    elif match := _NO_MORE.match(text):
        what = match["what"]
        slot = Slot(slot_of(what).name, "no")
        return Withdrawal(f"{subject} wants no more {what}", slot, "", "", matter(what), only_lifts=True)
    elif match := _RULE_OF.match(text):
        about = match["about"] or match["taken"] or match["thing"] or match["rule"]
        about = f"{about} {match['freeze']}" if match["freeze"] else about
        norm = f"{subject} has no instruction about {about} any more"
        lifts = matter(about)
        return Withdrawal(
            norm, Slot(slot_of(about).name, ANY), match["aside"] or "", "", lifts, only_lifts=True
        )
    if not lifts:
        return None
    slot = _slot_at_place(said)
    return Withdrawal(
        norm or in_words(said, subject, "allows"),
        Slot(slot.name, "yes"),
        aside or "",
        "",
        lifts,
        only_lifts=True,
    )


def _permission(text: str, subject: str) -> Withdrawal | None:
    if match := _USE.match(text):
        words = f"{match['now'] or ''}{match['return'] or ''}"
        lasts = any(word in words.lower() for word in ("again", "more", "after", "forward", "from"))
        if not words or not (lasts or match["plain"]):
            return None
        return _allowed(match["said"], subject, match["aside"])
    if match := _IS_FINE.match(text):
        if not (match["return"] or match["at_last"] or _CHANGES_MIND.search(match["lead"])):
            return None
        said, place = f"use {match['thing'].lower()}", match["place"] or match["place_behind"] or ""
        if match["but"]:  # the general instruction ends, and the new one says where
            norm = in_words(f"{said} {place}{match['but']}", subject, "allows")
            return Withdrawal(norm, slot_of(said), match["aside"] or "")
        return _allowed(said, subject, match["aside"], place)
    if match := _MINDS_NOT.match(text):
        return _allowed(f"use {match['thing'].lower()}", subject, match["aside"])
    if match := _CALL.match(text):
        return _allowed(_BY_PHONE.sub("call", match["said"]), subject)
    if match := _TELL.match(text):
        return _allowed(match["said"], subject)
    if match := _DO.match(text):
        return _allowed(match["said"], subject)
    return None


def _allowed(said: str, subject: str, aside: str | None = None, situation: str = "") -> Withdrawal:
    return Withdrawal(
        in_words(said, subject, "allows"),
        slot_of(said, situation) if situation else _slot_at_place(said),
        aside or "",
        situation,
        _matter_of(said, situation),
    )


def _slot_at_place(said: str) -> Slot:
    """The slot of an order whose place is at its end: "use emojis in commits"."""
    place = _AT_PLACE.search(said)
    return slot_of(said[: place.start()], place[0]) if place else slot_of(said)


def _matter_of(said: str, situation: str = "") -> tuple[str, ...]:
    """The matter of an order in its words, without a general verb at its beginning."""
    verb, _, rest = said.partition(" ")
    return matter(f"{rest if verb.lower() in _GENERAL_VERBS else said} {situation}")


def _release(text: str, subject: str) -> Withdrawal | None:
    said = aside = ""
    if match := _NEED_NOT.match(text):
        said = match["said"] if match["more"] or match["longer"] or match["so"] else ""
    elif match := _STOP_DOING.match(text):
        verb, aside = match["verb"].lower(), match["aside"] or ""
        if not match["now"] or verb in _SPEAKING:  # "you can stop adding salt now" is for now
            said = f"{_ING[verb]}{match['rest']}"
    if not said or _WITHOUT_OBJECT.match(said) or _TASK.match(said) or said.endswith(" thing"):
        return None
    slot = Slot((of := slot_of(said)).name, _opposite(of.value))
    return Withdrawal(in_words(said, subject, "no longer needs"), slot, aside, "", _matter_of(said))


def _return(text: str, subject: str) -> Withdrawal | None:
    match = _BACK_TO.match(text)
    if match is None:
        return None
    if _CUISINE.fullmatch(match["language"] or "") and not (match["verb"] or _FROM_NOW.search(text)):
        return None
    said = (
        f"answer in {match['language']}" if match["language"]
        else f"give {match['answers']}" if match["answers"]
        else f"use {match['units'] or match['indent']}"
    )  # fmt: skip
    return Withdrawal(in_words(said, subject), slot_of(said), match["aside"] or "")


def _dropped(text: str, subject: str) -> Withdrawal | None:
    match = _RULE_ABOUT.match(text)
    if match is None:
        return None
    thing = match["thing"] or match["about"] or match["rule"]
    if _CUISINE.fullmatch(thing):
        return None
    slot = slot_of(f"answer in {thing}")
    if slot.name != "answers: language":
        thing = thing.lower()
        slot = slot_of(f"use {thing}")
    return Withdrawal(
        f"{subject} has no instruction about {thing} any more",
        Slot(slot.name, ANY),
        match["aside"] or "",
        "",
        matter(thing),
    )


def _manner(text: str, subject: str) -> Withdrawal | None:
    if match := _STOP_MANNER.match(text):
        if match["rhyme"]:
            return Withdrawal(
                f"{subject} wants the assistant not to rhyme", Slot(slot_of("answer in rhymes").name, "no")
            )
        said = f"talk like {match['who'] or 'a ' + match['voice_only'].lower()}"
        return Withdrawal(f"{subject} wants the assistant not to {said}", Slot(slot_of(said).name, "no"))
    if _NORMALLY.match(text):
        return Withdrawal(
            f"{subject} wants the assistant to talk normally",
            Slot(slot_of("talk like a pirate").name, "normal"),
        )
    return None


def _opposite(value: str) -> str:
    """The value of a slot whose instruction no longer holds."""
    if value in ("yes", "no"):
        return "no" if value == "yes" else "yes"
    return value.removeprefix("no ") if value.startswith("no ") else f"no {value}"
