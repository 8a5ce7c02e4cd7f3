"""Standing instructions to the assistant, as facts about the user.

A request for now ("make it shorter", "use Python here") is none. The fact is in the third person, so that a context
shows a wish of the user and not a command.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from memory_service.injection.detection import command_in
from memory_service.rules.facts.clauses import Clause, clauses
from memory_service.rules.facts.informal_english import plainly
from memory_service.rules.facts.order_limits import FOR_NOW, LASTS, is_limited, is_task
from memory_service.rules.facts.reported_speech import reported
from memory_service.rules.facts.situations import is_recurring, situation_of
from memory_service.rules.facts.user_text import LEFT_OUT
from memory_service.rules.word_lists import COUNT, DAY, LANGUAGE, LANGUAGES
from memory_service.text.late_pattern import LatePattern, compile_late
from memory_service.types import CandidateFact

INSTRUCTION = "instruction"
"""The attribute of these facts."""
_VERB = (
    "(?:suggest|recommend|use|answer|reply|respond|write|give|call|address|mention|ask|include|add|put|sign|start|end|"
    "begin|send|show|explain|translate|format|speak|talk|tell|say|assume|make|push|commit|touch|run|create|deploy|"
    "delete|change|remind|keep|round|convert|quote|cite|check|confirm|leave|skip|schedule|book|plan|propose|"
    "apologi[sz]e|offer|bring up|name|list|spell|let me know|warn|wait|stop|avoid|prefer|contact|email|text|reference|"
    "link|correct|indent|summari[sz]e|structure|draft|pick|choose|import|test|merge|rebase|comment|document|review|order|cook|count|"
    "greet|treat|refer|finish|read|print|return|work|be|do|try|go|have)"
)
_STYLE = (
    r"(?:emojis?|emoticons?|smileys?|bullet ?points?|bullets|lists?|numbered lists|headings?|headers?|tables|"
    r"exclamation marks|exclamation points|jargon|small talk|apologies|apologi[sz]ing|disclaimers?|fluff|filler|"
    r"compliments|praise|flattery|moraliz?ing|moralising|preaching|lectures?|lecturing|hedging|caveats|buzzwords|"
    r"acronyms|abbreviations|markdown|bold|italics|em dashes|dashes|semicolons|metaphors|jokes|puns|sarcasm|"
    r"pleasantries|intros?|introductions?|preamble|summaries|recaps?|comments|code comments|docstrings|passive voice|"
    r"slang|swearing|pep talks?|motivational \w+|follow-up questions|hashtags|links|ads|percentages|ounces|cups|"
    r"imperial(?: units)?|fahrenheit|pounds|miles|inches|capital letters|caps|all caps|greetings?|sign-offs?|"
    r"filler words|big words|long words|long (?:answers|replies|texts|sentences|messages|paragraphs|explanations)|"
    r"walls of text|explanations?)"
)
_OUTPUT = (
    r"(?:answers?|replies|reply|responses?|messages|explanations?|texts?|summaries|sentences|paragraphs|tone|"
    r"language|suggestions|recommendations|code|examples|emails|recipes|lists|feedback|comments|commit "
    r"messages|commits|diffs?|units|dates|times|numbers|outputs?|snippets|reminders|titles|variable names)"
)
_LASTING = (
    r"(?:from (?:now|here|today|this point) on(?:wards?)?|in (?:the )?future|going forward|from here on out|next time|"
    r"in general|generally|by default|as a (?:general )?rule|as a default|every (?:single )?time|each time|in (?:all|"
    r"every one of|any of) (?:your|our|my|the) \w+|at all times|with me|whenever (?:I|you|we) [^,.;]{2,60}|"
    r"when(?:ever)? (?:you|I) (?:answer|reply|write|suggest|recommend|give|ask|paste|send|explain|talk)[^,.;]{0,60}|"
    r"for (?:all|every|any) (?:\w+ )?(?:answers?|replies|recipes?|code|emails?|messages?|questions?|plans?|lists?|"
    r"files?|projects?|commits?|functions?|tests?|reports?|documents?))"
)
_ONE_PLACE = r"\b(?:in|for|on) (?:this|that|these|those)\b"
_UNITS = (
    r"(?:(?:the )?metric(?: system| units?)?|celsius|centigrade|fahrenheit|imperial(?: units?)?|kilomet(?:re|"
    r"er)s|grams?(?: and \w+)?|si units|(?:the )?24[- ]hour (?:clock|time|format)|(?:the )?12[- ]hour "
    r"(?:clock|time|format)|"
    r"(?:british|american|australian|canadian|uk|us) (?:english|spelling)|iso dates?|(?:simple|plain|easy|short|"
    r"simpler|shorter|formal|informal|gender-neutral|inclusive) (?:words|language|english|sentences|german|french|"
    r"spanish|answers|tone)|euros?|dollars|pounds sterling|they/them|she/her|he/him|oxford commas?|sentence case|"
    r"lower ?case|title case|type hints|conventional commits|apa(?: 7| style)?|mla|chicago style|tabs|spaces|"
    r"snake_case|camelcase|the du form|du|sie|tu|usted|vous)"
)
_LEAD = rf"(?:(?:please|pls|kindly|and|but|also|so|just|oh|ok|then|lumi|for me|{_LASTING})[, ]+)*"
_MUST_NOT = (
    r"(?:don't|do not|dont|never|stop|quit|no need to|you (?:can|should|must|may) (?:always|never|not)|you "
    r"(?:shouldn't|mustn't|don't have to|don't need to)|can you (?:please )?(?:not|stop|always|never)|could "
    r"you (?:please )?(?:not|stop|always|never)|can you please always)"
)
_NEVER = r"(?:never|don't|do not|dont)(?: ever)?"
_ACT = (
    rf"(?:{_VERB}|spend|pay|buy|purchase|reserve|transfer|share|post|publish|tweet|submit|install|upgrade|update|"
    r"remove|edit|modify|move|rename|overwrite|replace|cancel|reschedule|invite|accept|approve|agree to|promise|grant|"
    r"forward|upload|restart|release|close|open|drop|message|phone|reply)"
)
_APPROVAL = r"(?:permission|approval|consent|ok|okay|go-ahead|confirmation|say-so|review|sign-off|agreement|knowledge)"
_UNAPPROVED = (
    rf"(?:without (?:(?:first |ever )?(?:asking|checking|consulting|confirming|telling)(?: with)?(?: me|"
    rf" us)?(?: first)?|"
    rf"(?:my|our) (?:\w+ )?{_APPROVAL})|(?:unless|until|before) (?:I|we)(?:'ve| have)?(?: explicitly| first)? "
    r"(?:ask(?:ed)?|sa(?:y|id)|approved?|confirm(?:ed)?|agreed?|okayed|checked|reviewed|seen|signed off|allow(?:ed)?|"
    r"tell you|told you)\b[^,;]{0,30})"
)
"""The proviso that a person decides: "never send anything without asking me"."""
_REGULAR_TIME = (
    rf"(?:on (?:a )?(?:{DAY}s(?: (?:and|or) \w+days)?|weekends|weekdays|(?:bank |public )?holidays|the weekend)|at "
    r"(?:weekends|night)|(?:before|after|past|between) (?:\d{1,2}\b[^,;]{0,20}|noon|midnight))"
)
"""A time that comes again: "on Fridays", not "on Friday"."""
_LASTING_ORDERS = tuple(
    LatePattern(rf"(?i)^{pattern}")
    for pattern in (
        rf"{_LEAD}(?:{_LASTING},? )(?:please )?(?P<value>(?:always |never |don't |do not |only |no "
        rf")?(?:{_VERB}|{_STYLE})\b.*)$",
        rf"{_LEAD}(?:can|could|would|will) you (?:please )?(?P<value>(?:always|never) (?:{_VERB})\b.*|"
        rf"keep (?:all |all of )?your {_OUTPUT}\b.*|"
        rf"(?:{_VERB})\b.{{2,120}} (?:from (?:now|here) on(?:wards?)?|in (?:the )?future|going forward))$",
        rf"{_LEAD}(?P<value>(?:always|never|don't ever|do not ever) (?:ever |again )?(?:{_VERB})\b(?! "
        rf"(?:mind|fun|nice|good|great|the case|so|been|sure|easy|hard))(?! (?:it|that|this|the door|the "
        rf"phone|a call|a book|alone|up|us|going|trying|learning|back)\b).*)$",
        rf"{_LEAD}(?:(?:can|could|would|will) you (?:please |just )?)?"
        rf"(?P<value>keep (?:it|things|everything) (?:short|brief|simple|concise|casual|formal|"
        rf"professional|light|positive|practical|real)(?: and \w+)? {_LASTING})$",
        rf"{_LEAD}(?P<value>(?:{_MUST_NOT}) (?:ever )?(?:suggest|recommend|mention|remind me|ask me|call me|bring up|"
        r"offer me|propose|tell me to|start with|start (?:every|each|your)|begin (?:every|each|with|your)|apologi[sz]e|"
        r"apologi[sz]ing|suggesting|recommending|calling me|mentioning|asking me|telling me to|starting|repeating|"
        r"repeat|lecture|lecturing|assume|sugarcoat|sugar-coat|push|flatter|say sorry|saying|explain (?:the )?basics|"
        r"rewrite whole|rewrite entire|paste whole|include|sign|correct (?:me|my))\b.*)$",
        rf"{_LEAD}(?P<value>(?:{_VERB})\b.{{2,120}} {_LASTING})$",
        rf"{_LEAD}(?P<value>address me (?:as|with|by)\b.*)$",
        rf"{_LEAD}(?P<value>(?:contact|email|e-mail|text|ring|phone|write to|reach|message) (?:me|us) (?:only )?(?:by|"
        rf"via|at|on|"
        rf"after|before|through) (?:[^.,;]{{0,30}} only\b.*|e-?mail\b.*|text\b.*|chat\b.*|post\b.*|letter\b.*))$",
        rf"{_LEAD}(?P<value>{_NEVER} {_ACT}\b(?! (?:it|this|that|these|those|them|him|"
        rf"her)\b)[^,;]{{0,100}}? {_UNAPPROVED})$",
        rf"{_LEAD}(?P<value>(?:always )?(?:ask|check(?: with)?|consult|confirm(?: with)?|warn|let me know)(?: me| us)?"
        rf"(?: first)? before (?:(?:you )?(?:ever )?{_ACT}|(?!(?:be|go|hav)ing\b)[a-z]+ing) (?:up )?(?:anything|any|"
        r"something|stuff|an?|new|more|money|code|to \w+|(?:\w+ )?(?!(?:this|its|his|us|"
        r"yours?)\b)[a-z]+s)\b[^,;]{0,60})$",
        rf"{_LEAD}(?P<value>(?:{_NEVER} (?:schedule|book|plan|arrange|put|set up|send|call|text|message|phone|ring|"
        r"e-?mail|contact|remind|suggest|offer|wake)\b(?! (?:it|this|that|these|those|them|him|her|the|my)\b)|"
        r"no (?:more )?(?:calls|meetings|messages|texts|e-?mails|reminders|notifications|appointments|bookings|"
        rf"alerts)\b)[^,;]{{0,50}}? {_REGULAR_TIME})$",
        rf"{_LEAD}(?P<value>(?:give|show|use|write|put|list|express|state|quote|report)(?: me)? (?:all|any|every)"
        r"(?: the| my| your)? (?:\w+ )?(?:distances?|prices?|weights?|temperatures?|times?|dates?|measurements?|"
        r"amounts?|sizes?|speeds?|quantit(?:y|ies)|costs?|heights?|volumes?|units?) in (?!(?:the|this|that|a|an|one|"
        r"my|order) )[^,;]{2,40})$",
        rf"{_LEAD}(?P<value>{_NEVER} (?:just )?(?:tell|give|show) me (?:the )?(?:full |whole |final )?"
        r"(?:answers?|solutions?)(?: (?:for|to|of|in|on) [^,;]{2,40}?)? (?:right away|straight away|immediately|at "
        r"once|"
        r"directly|outright)(?:,? (?:just|only) [^,;]{2,40})?)$",
        rf"{_LEAD}(?P<value>correct (?:all |any )?(?:of )?(?:my|our) [^,;]{{2,60}}? always)$",
        rf"{_LEAD}(?P<value>(?:write|speak|talk|reply) to me (?:more )?(?:informal|formal|casual)(?:ly)?)(?:$|,)",
        rf"{_LEAD}(?P<value>always (?:keep|limit) (?:it|things|(?:your |the )?(?:answers|replies|responses|messages)) "
        rf"(?:to|under|below) (?:max |at most )?{COUNT} (?:words|lines|sentences|paragraphs)(?: max| at most| tops)?)$",
        rf"{_LEAD}(?P<value>(?:max |at most )?{COUNT} (?:words|lines|sentences|paragraphs)(?: max| at most| tops)?,? "
        r"always)$",
        rf"{_LEAD}(?P<value>no (?!(?:repl(?:y|ies)|answers?|words?|responses?|news|messages?|e-?mails?|calls?|"
        rf"pressure|rush|"
        r"comments?|sign)\b)[\w-]+(?: [\w-]+)? from (?:your (?:side|end|part)|you))$",
        rf"{_LEAD}(?P<value>{_NEVER} (?:give|send|show|offer) me (?:any )?(?!(?:the|this|that|those|these|your|my|"
        rf"its|an?)\b)"
        r"(?:[\w-]+ ){0,2}(?!(?:excuses|ideas|flowers|looks|headaches|goosebumps|hopes|problems|this|us|nightmares|"
        r"lies)\b)[a-z-]+s)$",
    )
)
_OF_FORM = tuple(
    LatePattern(rf"(?i)^{pattern}")
    for pattern in (
        rf"{_LEAD}(?P<value>(?:keep|make) (?:all |all of )?(?:your|the|all|our|my) {_OUTPUT}\b.*)$",
        rf"{_LEAD}(?P<value>(?:{_MUST_NOT}|avoid|skip|less|fewer|no more|no|without|leave out|drop|cut|"
        rf"enough with|spare me|zero) (?:the |your |any |all |all the |so many |using |use |with |doing the |"
        rf"do the |including |adding |add |giving me |give me |too many |much )*(?:{_STYLE})\b.{{0,80}})$",
        rf"{_LEAD}(?P<value>(?:always )?(?:use|stick to|stick with|give me|write in|talk in|think in|work "
        rf"in) (?:only )?{_UNITS}\b.*)$",
        rf"{_LEAD}(?P<value>(?:always |only )?(?:answer|reply|respond|write|talk|speak|explain)(?: (?:to|with) me| me|"
        rf" things| everything)?(?: only| always)? in (?:{LANGUAGE}|(?:short|simple|easy|plain|full|"
        rf"complete|lower ?case|small) (?:sentences?|words|english|language|german|french|spanish|"
        rf"paragraphs?)|lower ?case|bullet points|plain text|plain english)\b.*)$",
        rf"{_LEAD}(?P<value>(?:be|stay) (?:more |less |always )?(?:brief|concise|direct|blunt|honest|formal|informal|"
        r"casual|short|straight|terse|gentle|critical|specific)(?: (?:and \w+|with me|in your \w+|please))*)$",
        rf"{_LEAD}(?P<value>(?:show|give|send|post) (?:me )?(?:only (?:the )?(?:diffs?|code|changes|changed "
        rf"lines|results?|final \w+|numbers)|(?:the )?(?:diffs?|code|changes|changed lines) only)\b.*)$",
        rf"{_LEAD}(?P<value>indent (?:with|by|using) (?:{COUNT} )?(?:spaces|tabs)\b(?!.*{_ONE_PLACE}).{{0,60}})$",
        rf"{_LEAD}(?:can|could|would|will) you (?:please )?(?P<value>stick (?:to|with) {_UNITS}\b"
        rf"(?!.*{_ONE_PLACE}).*)$",
        rf"{_LEAD}(?P<value>just (?:the code|the answer|the facts|the diff|answers?|code)(?:,? no \w+)?)$",
    )
)
"""Orders about the form of an answer or text. Without a word like "always" they may be for a request beside them."""
_OF_WORDS = LatePattern(
    rf"(?i)^(?:{_MUST_NOT}|avoid|skip|without|no) (?:us(?:e|ing) |say(?:ing)? |writ(?:e|ing) )?(?:the )?(?:words?|"
    rf"phrases?|terms?|expressions?)\b|^use (?:max(?:imum)?|at most|no more than) {COUNT} \w+$"
)
"""Further orders about the form, which are no standing instructions."""
_PATTERNS = (*_LASTING_ORDERS, *_OF_FORM)
_WANTS = LatePattern(
    rf"(?i)^(?:I|we)(?: really| only| just| always| generally| usually| would| much)*(?:'d)?(?: really| only|"
    rf" just| always| much| rather)* (?:want|like|prefer|need|have|get|appreciate) "
    rf"(?P<value>(?:your |the |my |all |just |only |it (?:when|if) )*(?:(?:very |more |super )?(?:short|"
    rf"shorter|brief|concise|long|detailed|direct|honest|simple|blunt|plain|quick|straight|bullet|formal|"
    rf"informal|metric|the|clear|practical|step-by-step|one-line|terse|full)[, ]+(?:and )?)+(?:{_OUTPUT}|"
    rf"diffs?|code|step-by-step \w+|units|bullet points|prose|facts)\b.{{0,60}}|"
    rf"(?:(?:all|only|the|your) )*(?:answers?|replies|responses?|explanations?|messages) (?:to be )?(?:only |"
    rf"always )?in (?-i:{LANGUAGES})(?: only)?)$"
)
_DONT_WANT = LatePattern(
    rf"(?i)^(?:I|we) (?:don't|do not|never|really don't) (?:want|need|like|care for|wanna see|want to (?:see|"
    rf"hear|read|get))(?: to see| any| your| the)* (?P<value>(?:{_STYLE}|(?:\w+ ){{0,4}}(?:suggested|"
    rf"suggestions|recommended|recommendations|mentioned|ever again|in my \w+|in your \w+)|"
    rf"(?!to\b)[\w-]+ talk)\b.{{0,60}})$"
)
_WANTS_NO = LatePattern(
    rf"(?i)^(?:I|we)(?: really| just| always| generally)* want (?P<value>(?:no|fewer|less) (?:more )?(?:{_STYLE})"
    rf"(?: in (?:your|the|my) {_OUTPUT})?)$"
)
_RULE = LatePattern(
    r"(?i)^(?:(?:one|the|my|our|new|another|first|second|golden|house|ground|only|general|quick|last|"
    r"standing) )*(?:rules?|convention|instruction|request|preference|ask)(?: for (?:you|this \w+|the \w+|"
    r"next time|later))?(?: is(?: that)?|:) (?P<value>.{6,140})$"
)
_FOR_NOW = LatePattern(rf"(?i)\b(?:{FOR_NOW}|(?<!from )here)\b")
_JOINED_TO_STATEMENT = LatePattern(
    r"(?i)^(?:they|it|he|she|we|I|these|those|this|that|there|my|our|the|you)\b[^,.;:!?]* and (?P<rest>(?:always|"
    r"never) .*)$"
)
_ASKS_POLITELY = LatePattern(r"(?i)^(?:and |so |but |also )*(?:please|can|could|would|will) ")
_QUESTION = LatePattern(r"(?i)^(?:please )?(?:can|could|would|will) you (?:please )?")
_ASIDE = LatePattern(
    r"(?i)(?:[,;:–—-]+ |,? (?:because|since|as|so|but|cos|cause) )(?:(?:and|so|but|then) )?(?:I|we|it|that|"
    r"they|he|she|my|can you|could you|what|how|is|do)\b.*$"
)
_POINTS_BACK = LatePattern(
    r"(?i)^(?:always|never) [a-z]+(?:$|[;,])|\b(?:tell|told|ask|call|show|give) (?:him|her|them)\b|^no \w+, you "
    r"(?:have|must|need)\b"
)
"""Verbs without an object and orders about another person: they refer to the sentence before, not to answers."""
_RELEASES = compile_late(
    r"(?i)^(?:you (?:don't|do not) (?:have|need) to|no need to)\b.*\b(?:any ?more|any longer)$"
)
"""The end of an earlier order, which is a norm alone."""
_ATTRIBUTION = compile_late(
    r"(?:,|[\"”'’–—])[\"”'’]? ?(?:(?:said|says|told me|tells me|was saying|goes|joked|jokes|insists|insisted|argued|"
    r"claims|claimed|wrote|replied|asked|asks|according to) "
    r"(?:(?i:my|our|the|his|her|their|he|she|they|someone|everyone)\b|"
    r"(?!I\b)[A-Z])|(?:(?i:my|our|the|his|her|their) [\w' -]{2,30}|he|she|they|(?!I\b)[A-Z][\w'-]+) "
    r"(?:said|says|told me|tells me|joked|jokes|insists|insisted|argued|claims|claimed|wrote|asked|asks)\b)[^,;]{0,40}$"
)
_CANCELLED = compile_late(
    r"(?i)[,;:–—-] ?(?:(?:oh|ah|ok|sorry|actually),? )?(?:no,? wait|wait,? no|no,? actually|actually,? no|never ?mind|"
    r"nvm|"
    r"scratch that|forget (?:it|that))\b(?=[.! ]*$|.{0,30}\b(?:keep|leave) (?:it|that|them|things|everything) (?:all )?"
    r"(?:as|like|the way)\b)"
)
"""An order that its sentence takes back: "answer in German - no wait, keep it as it was"."""
LIMIT_BEHIND = compile_late(
    rf"(?i), (?:and )?(?P<limit>(?:max(?:imum)?|at most|no more than) {COUNT} (?:sentences?|words|lines|"
    rf"paragraphs?))[.!]*$"
)
"""A length behind another order, which a later one replaces alone: "answer with the code first, max 3 sentences"."""
_POLITE = compile_late(r"(?i),? (?:please|pls|plz)$")
_LONGEST = 30
"""Words of an instruction."""
_LONGEST_CLAUSE = 220


def standing_instructions(parts: Sequence[Clause], sentence: str, subject: str) -> Iterator[CandidateFact]:
    """Yield the standing instructions of one sentence, given with its clauses."""
    if is_attributed(sentence) or is_limited(sentence) or _IDIOM.search(sentence):
        return
    if subject != "user" and _MANNER.match(sentence) and not _FOR_GOOD.search(sentence):
        return  # among persons "be honest" is addressed to another of them
    text = sentence.replace("’", "'").strip().strip("*-• ").rstrip(" .!…?")
    order, where = situation_of(text)
    found = list(_standing(clauses(order), order, sentence, where, subject)) if where else []
    if not found and not is_recurring(where) and not _DEFINITE.search(where):
        found = _standing(parts, text, sentence, "", subject)
    yield from found


def _standing(
    parts: Sequence[Clause], order: str, sentence: str, where: str, subject: str
) -> Iterator[CandidateFact]:
    """Yield those of an order that is given in the situation `where`, which the fact's text holds."""
    if _FOR_NOW.search(where):
        return
    whole = _ASIDE.sub("", order)
    seen: set[str] = set()
    asked = plainly(sentence)
    told = _JOINED_TO_STATEMENT.search(whole)
    for text in (*(part.text for part in parts), whole):
        if told and told["rest"].startswith(text):
            continue  # "They brighten up our day and always make us smile"
        if text.count('"') % 2:
            continue  # a clause that ends within a quote: 'sign my emails with "Best'
        if LEFT_OUT in text or (asked.endswith(text + "?") and not _ASKS_POLITELY.match(text)):
            continue  # "Any tips on book club meetings in the future?"
        if len(text) > _LONGEST_CLAUSE or _FOR_NOW.search(text) or (text is whole and seen):
            continue
        value = _instruction(text)
        if value and value.endswith(" then") and (at := _TIME.search(order)):
            value = f"{value.removesuffix('then')}{at[0]}"
        if value is None or len(value.split()) > _LONGEST or value in seen or lacks_object(value, where):
            continue
        seen.add(value)
        if limit := LIMIT_BEHIND.search(value):
            value, use = value[: limit.start()], f"use {limit['limit']}"
            yield CandidateFact(f"{in_third_person(use, subject)}.", subject, INSTRUCTION, use, stated=True)
        asked_for = _ASKS_FOR.match(where)
        implied = asked_for is not None and asked_for["thing"].lower() in value.lower()
        said = value if implied or not where else f"{value} {where[:1].lower()}{where[1:]}"
        fact = in_third_person(said, subject)
        if command_in(fact) is None:  # otherwise the wording alone would quarantine the whole episode
            yield CandidateFact(f"{fact}.", subject, INSTRUCTION, value, stated=True)


_IDIOM = compile_late(r"(?i)\bdon['’]?t ask me (?:why|how|where|when|what|who)(?=$|[.,;!])")
_MANNER = compile_late(
    r"(?i)(?:(?:and|but|so|just|then|now|oh|well|please|[A-Z]\w+),? )*"
    r"(?:be|don['’]?t (?:be|say sorry|apologi[sz]e|worry))\b"
)
_FOR_GOOD = compile_late(
    r"(?i)\b(?:always|never|don['’]?t ever|from (?:now|here) on|in (?:the )?future|going forward|by default|as a rule|"
    r"every time|each time|whenever|when you|in general|again|any ?more|no more|stop|"
    r"answers?|replies|responses?|please)\b"
)
"""Words of an order that stands for longer, or of a request to the assistant."""
_TIME = compile_late(
    rf"(?i)\b(?:(?:from|between) \d[\w:]*(?: ?[ap]m)? (?:to|and|till|until) \d[\w:]*(?: ?[ap]m)?(?: (?:every|each) "
    rf"\w+)?|"
    rf"on {DAY}s(?: and {DAY}s)?|(?:on|at) weekends|at night)\b"
)
"""The time that "then" refers to in the same sentence."""
_ASKS_FOR = compile_late(r"(?i)^when(?:ever)? I ask for (?P<thing>[\w -]+)$")
"""A situation that an order about the same thing implies: "when I ask for code, give me the code only"."""
_DEFINITE = compile_late(r"(?i)\b(?:the|this|that|these|those|my|our)\b")
"""Words for one thing, so that a situation is one occasion: "when you write the report"."""
_UNNAMED = (
    r"(?:(?:it|him|her|them|that|this)(?: up)?(?: (?:again|ever|any ?more|either|please))*"
    r"(?: (?:when|if|unless|until|before|after|while|to|with|around|in|on|at|for|from|without|outside|anywhere) [^:]*"
    r")?|(?:one|ones|any)(?: (?:again|ever|any ?more|either|please))*(?: (?:when|if|unless|until|before) .*)?)"
)
_NO_OBJECT = compile_late(
    r"(?i)^(?:please )?(?:(?:don't|do not|dont|never|stop) )?(?:remind|tell|mention|ask|bring up|suggest|recommend|"
    r"propose|"
    rf"offer)(?:ing)? (?:(?:me|us)(?: when .*| if .*)?|{_UNNAMED})$|"
    r"\b(?:there|then)$"
)
"""An order without what it is about: "don't remind me", "don't mention him when Lotte is here"."""
_NO_REFERENT = compile_late(
    rf"(?i)^(?:(?:please|always|only|also) )*(?:{_NEVER} |stop |avoid )?(?:remind(?:ing)? (?:me|us) (?:of|about)|"
    r"(?:talk|speak|think|ask)(?:ing)?(?: me| to me| with me)? (?:about|of)|(?:us|suggest|recommend|e-?mail|text|"
    rf"messag|call|invit|schedul|book|delet|shar|post)(?:e|ing)?) {_UNNAMED}$"
)
"""An order about a thing or person that only the sentence before it names: "never email him on weekends"."""


def lacks_object(order: str, situation: str = "") -> bool:
    """Whether an order refers to something that neither it nor its situation names: "never suggest one", "no semicolons
    there", "never mention it to Greg"."""
    return _NO_OBJECT.search(order) is not None or (not situation and _NO_REFERENT.search(order) is not None)


def is_attributed(sentence: str) -> bool:
    """Whether the end of a sentence takes its words back or names another speaker of them: "…, said my son"."""
    return _ATTRIBUTION.search(sentence) is not None or _CANCELLED.search(sentence) is not None


def is_for_request(order: str, sentence: str, beside: Iterable[str]) -> bool:
    """Whether an order of a sentence is about the form of one answer: it is requested in the same sentence or in one of
    those `beside`, and no word says that the order lasts ("Review this PR. Be blunt.")."""
    if LASTS.search(sentence) or not any(pattern.match(order) for pattern in (*_OF_FORM, _OF_WORDS)):
        return False
    before = sentence[: max(sentence.lower().find(order.lower()), 0)]
    return any(is_task(text) for text in (before, *beside))


def is_standing(sentence: str) -> bool:
    """Whether a sentence as a whole is a standing instruction."""
    text = sentence.strip().rstrip(" .!…?")
    return len(text) <= _LONGEST_CLAUSE and not _FOR_NOW.search(text) and _instruction(text) is not None


def _instruction(text: str) -> str | None:
    text = _POLITE.sub("", text)
    for pattern in _PATTERNS:
        if match := pattern.match(text):
            value = match["value"]
            break
    else:
        if match := _WANTS.match(text) or _WANTS_NO.match(text) or _RULE.match(text):
            value = match["value"]
        elif match := _DONT_WANT.match(text):
            value = f"no {match['value']}"
        else:
            return None
    value = re.sub(
        r"(?i),? (?:please|pls|plz|(?<!my )(?<!our )ok(?:ay)?|thanks|thank you|right)$", "", value.strip(" ,")
    )
    value = _QUESTION.sub("", value)
    value = re.sub(r"(?i)\bdont\b", "don't", value)
    if _POINTS_BACK.search(value) or _RELEASES.match(value):
        return None
    return value[:1].lower() + value[1:] if len(value.split()) > 1 else None


_YOU_DO = compile_late(
    r"(?i)\b(?P<when>when(?:ever)?|if|before|after|while|until|unless|once|anything|everything|something|whatever|what|"
    r"that|which|how|where|as|than) you (?P<adverb>(?:ever|always|never|just) )?(?P<verb>(?!please\b)[a-z]+(?:n't)?)"
    r"(?![\w'])"
)


def _of_it(match: re.Match[str]) -> str:
    """ "when you draft" with another subject: "when it drafts"."""
    does = reported(f"I {match['verb'].lower()}", "it").removeprefix("it ")
    return f"{match['when']} it {match['adverb'] or ''}{does}"


_SWAPS = (
    (compile_late(r"(?i)\byourself\b"), "itself"),
    (compile_late(r"(?i)\byour\b"), "its"),
    (compile_late(r"(?i)\byou're\b|\byou are\b"), "it is"),
    (compile_late(r"(?i)\byou\b"), "it"),
)
_QUOTED = compile_late(r"(\"[^\"]*\"|“[^”]*”)")
_SPEAKER_DOES = compile_late(r"\b(?:I|[Ww]e)\b(?:'[a-z]+)?(?: [a-z']+){0,3}")


def outside_quotes(said: str, change: Callable[[str], str]) -> str:
    """The text with `change` applied to all but the words in double quotation marks."""
    return "".join(part if n % 2 else change(part) for n, part in enumerate(_QUOTED.split(said)))


def as_it(said: str) -> str:
    """An order with the assistant as "it": "anything you write" becomes "anything it writes"."""
    said = _YOU_DO.sub(_of_it, said)
    for pattern, word in _SWAPS:
        said = pattern.sub(word, said)
    return said


def of_speaker(said: str, me: str) -> str:
    """A text with `me` for "I", and the verb behind it: "unless I say so" becomes "unless the user says so"."""
    return _SPEAKER_DOES.sub(lambda match: reported(match.group(), me), said)


def in_third_person(value: str, subject: str) -> str:
    """Return "keep your answers short" as "user wants the assistant to keep its answers short"."""
    me = "the user" if subject == "user" else subject

    def change(part: str) -> str:
        part = re.sub(r"(?i)\b(?:my|our)\b", f"{me}'s", as_it(part))
        part = re.sub(
            r"(?i)^((?:don't|do not|never|stop) (?:ever )?mention(?:ing)? .+?) to me\b", r"\1", part
        )
        return re.sub(r"(?i)\bme\b|\bus\b(?! (?:spelling|english))", me, of_speaker(part, me))

    wish = outside_quotes(value, change)
    wish = re.sub(r"(?i)^it (?:(?:can|should|must|may) )(?:not|never) ", "don't ", wish)
    wish = re.sub(r"(?i)^it (?:(?:can|should|must|may) )(?=always )", "", wish)
    if match := re.match(r"(?i)it (?:don't|do not) (?:have|need) to (?P<rest>.*)", wish):
        return f"{subject} does not need the assistant to {match['rest']}"
    if match := re.match(r"(?i)(?:don't|do not|no need to) (?P<rest>.*)", wish):
        return f"{subject} wants the assistant not to {match['rest']}"
    if re.match(r"(?i)(?:can|could) it (?:please )?", wish):
        wish = re.sub(r"(?i)^(?:can|could) it (?:please )?", "", wish)
        return f"{subject} wants the assistant {'not to ' + wish[4:] if wish.startswith('not ') else 'to ' + wish}"
    first = wish.split(" ", 1)[0].lower()
    if first in ("no", "less", "fewer", "without", "just", "only", "zero") or not re.match(
        rf"(?i)(?:always |never |only |don't ever |do not ever )*(?:{_VERB}|stick|stay|drop|cut|leave|spare|"
        rf"enough|quit|post)\b",
        wish,
    ):
        return f"{subject} wants {wish}"
    if match := re.match(r"(?i)(?P<when>always|never|only) (?P<rest>.*)", wish):
        return f"{subject} wants the assistant {match['when'].lower()} to {match['rest']}"
    return f"{subject} wants the assistant to {wish}"
