"""Patterns of what people were and have: past work, trades, groups, couples, households, languages, names.

Rows as in clause_patterns.py, where the tables are joined. Group `does` is a predicate in the first person; the fact
has it in the third.
"""

from __future__ import annotations

from memory_service.rules.facts.clause_words import (
    ADV,
    ANIMAL,
    BE,
    DATE,
    END,
    HAVE,
    LANGUAGE,
    MONTH,
    NAME,
    NAMED,
    NO_PERSON,
    NUMBER,
    PERFECT,
    WHO,
)
from memory_service.rules.facts.patterns import FOR_REAL, NO_NAME, Rows, does, says
from memory_service.rules.relatives import PARTNER, PETS, RELATIVES

_NO_PRONOUN = r"(?![^.,;!?]*\b(?:me|you|it|him|her|them|us|this|that|these|those|here|there|what|how)\b)"
_YEARS = r"(?:(?:about|over|nearly|almost|around|some|more than) )?(?:\w+[ -]){1,2}(?:years|decades)"
_STOPS = r"(?=$|[.,;:!?()]| (?:and|but|so|until|before|at|in|with|now|too|as)\b)"
_WORKED = (
    rf"(?P<does>(?:taught|worked|nursed|farmed|served|drove|ran|managed|coached|sang|played|danced) (?!(?:to|out|into|"
    rf"away|around|along|dead|with (?:the|an?) (?:idea|thought)|up|on and off)\b){_NO_PRONOUN}"
    rf"[^.,;!?()]{{2,50}}? for {_YEARS}){_STOPS}"
)
_GROUP = (
    r"(?:(?:[\w'-]+ ){0,2}(?:choir|orchestra|running group|brass band|jazz band|wind band|rock band|folk band|"
    r"covers? band|book club|"
    r"theatre group|theater group|drama group|theatre company|writing group|reading group|study group|walking group|"
    r"hiking group|running club|walking club|cycling club|chess club|rowing club|swimming club|knitting circle|quiz "
    r"team|volleyball team|football team|hockey team|rugby team|bowling team|netball team|handball team|basketball "
    r"team|relay team|housing co-?operative|allotment society|flat ?share|house ?share))"
)
_BUSINESS = (
    r"(?:(?:bakery|bookshop|shop|store|café|cafe|restaurant|bar|pub|brewery|bistro|hotel|hostel|b&b|guest ?house|"
    r"salon|studio|gallery|garage|workshop|clinic|practice|surgery|nursery|kindergarten|kennels?|school|academy|"
    r"agency|farm|vineyard|food truck|market stall|launderette|business)(?: (?:for|in|on|near|at|with) "
    r"[^.,;!?()]{3,40}?)?)"
)
_VEHICLE = (
    r"(?:(?:[\w-]+ )?(?:taxi|cab|tram|bus|coach|lorry|ambulance|forklift|delivery van|milk float|rickshaw)|"
    r"(?:[\w-]+ )?(?:train|truck)(?= for a living))"
)
_NO_VERB = (
    r"(?!(?:don't|do|doesn't|didn't|can't|can|could|would|will|should|must|may|might|never|am|was|have|had|wish|want|"
    r"like|love|hate|need|know|think|guess|hope)\b)"
)
_SINCE = (
    rf"(?:(?:for )?{_YEARS}|(?:for )?(?:\w+ ){{1,2}}months|since (?:(?:19|20)\d\d|(?:high )?school|university|college|"
    r"uni|we were \w+))(?=$|[.,;!?()]| (?:and|but|now|in|this|next|today)\b)"
)
_TOGETHER = says("partner_since", "{subject} and their partner have been together {value}")
_OF_SEA = (
    r"by (?:the|a) (?:sea(?:side)?|river|lake|canal|harbou?r|park|station|airport|coast|beach|forest|woods|church|"
    r"railway|motorway|stadium|port)"
)

BIOGRAPHY: Rows = (
    # Work
    (" years| decades", rf"^{WHO}{ADV} {_WORKED}", does("has_done")),
    (" years| decades", rf"^I(?:'m| am) [^.,;!?]{{1,40}}? and {_WORKED}", does("has_done")),
    (" opening | launching | setting up | founding ", rf"^(?P<who>I|[Ww]e){BE}{ADV} (?:opening|launching|setting up|"
     rf"founding) (?:up )?(?P<value>(?:an?|my own|our own) (?:(?!(?:from|to|for|of|about|in|on|at|by|with)\b)[\w'-]+ "
     rf"){{0,3}}?{_BUSINESS}(?:,? (?:from|in|on) (?:{DATE}|{MONTH}|next \w+))?)(?=$|[.,;:!?()]|{END})",
     (says("goal", "{who} is opening {value}", "open {value}"),)),
    (" drive", rf"^{WHO}{ADV} drives? an? (?P<value>{_VEHICLE})(?: for a living)?(?=$|[.,;!?()]| (?:and|but|at night|"
     r"in (?-i:[A-Z]))\b)", (says("works_as", "{who} drives a {value}", "{value} driver"),)),
    (" for a living", rf"^I{ADV} {_NO_VERB}(?P<does>[a-z]+ {_NO_PRONOUN}[^.,;!?()]{{2,40}}? for a living){END}",
     does("works_in")),
    # Groups
    (" in a", rf"^{WHO}{BE}{ADV} in (?P<what>an? (?P<value>{_GROUP})){END}",
     (says("member_of", "{who} is in {what}"),)),
    (" joined ", rf"^{WHO}{PERFECT}{ADV} joined (?P<what>an? (?P<value>{_GROUP})){END}",
     (says("member_of", "{who} is in {what}"),)),
    (" start| finish", rf"^{WHO}{ADV} (?P<does>(?:starts?|finish(?:es)?) (?:work|my shift) at (?:{NUMBER})(?:[:.]\d\d|"
     rf" ?[ap]m)?){END}(?! (?:today|tomorrow|tonight|this|last|yesterday)\b)", does("habit")),
    # Couples and households
    (" together", rf"^(?:we|my (?:{PARTNER})(?: {NAME})? and I)(?:'ve| have) been (?:together|married) "
     rf"(?P<value>{_SINCE})(?!.*\b(?:band|team|company|business|firm|club)\b)", (_TOGETHER,)),
    (" and I have been together| and I've been together", rf"^{NO_PERSON}(?P<name>(?-i:{NO_NAME}){NAME}) and I(?:'ve| "
     rf"have) been (?:together|a couple) (?P<value>{_SINCE})(?!.*\b(?:band|team|company|business|firm|club)\b)",
     (says("partner", "{subject}'s partner is {name}", "{name}"), _TOGETHER)),
    (" with us| with me", rf"^(?:my|our) (?P<kin>{RELATIVES}|{PETS}|(?:mother|father|sister|brother)-in-law)"
     rf"(?:{PERFECT}{ADV} moved in|{ADV} lives|{BE}{ADV} living) with (?:us|me)(?=$|[.,;!?()]| "
     rf"(?:now|since|and|last|this|in|because|so)\b)(?!.*\b(?:until|till|for (?:the|a|an|one|two|three|\d+|now)|in "
     rf"(?:the|mind|spirit|term|summer|winter))\b)"
     rf"{FOR_REAL}", (says("lives_with", "{subject} lives with their {kin}", "{kin}"),)),
    (" live | lives | living ", rf"^{WHO}(?:{ADV} lives?|{BE}{ADV} living) (?P<where>{_OF_SEA}){END}",
     (says("home", "{who} lives {where}", "{where}"),)),
    # Things
    (" have no | has no |'ve no |'ve got no ", rf"^{WHO}(?: have| has|'ve|'ve got) no (?P<thing>car|driving licen[cs]e|"
     r"tv|television|smartphone|oven|dishwasher|washing machine|garden|balcony|children|kids|siblings|pets)(?=$|"
     r"[.,;!?()]| "
     r"(?:and|but|so|because|any ?more|of my own|at all|or)\b)", (says("has", "{who} has no {thing}", "no {thing}"),)),
    # Animals by name
    (", ", rf"^(?:I|[Ww]e)(?:{HAVE}|{PERFECT}{ADV} (?:adopted|got|bought|rescued)){ADV} an? (?:[\w-]+ ){{0,3}}?"
     rf"(?P<kin>{ANIMAL}), (?:an? (?:[\w-]+ ){{0,3}}?(?:called|named) )?{NAMED}(?=$|[.;!?()])",
     (says("{kin}_name", "{subject}'s {kin} is called {value}"),)),
    # Body
    (" kneel", rf"^{WHO} (?:can't|cannot|can no longer|can't really)(?: really)? (?P<value>kneel)(?=$|[.,;!?()]| "
     r"(?:and|but|so|because|since|any ?more|now|down)\b)",
     (says("has_condition", "{who} cannot {value}", "cannot {value}"),)),
)  # fmt: skip

BIOGRAPHY_MENTIONS: Rows = (
    (" language| tongue", rf"^(?P<value>{LANGUAGE})(?:'s| is) my (?:second|third|fourth|fifth) language(?=$|[.,;!?])",
     (says("speaks", "{subject} speaks {value}"),)),
    (" language| tongue", rf"^(?P<value>{LANGUAGE})(?:'s| is) my (?:first|native|mother) (?:language|tongue)(?=$|"
     r"[.,;!?]| and\b)", (says("native_language", "{subject}'s native language is {value}"),)),
    (" is | is called |'s ", rf"^(?:my|our) (?!(?:[a-z]+ )?[a-z]*(?:name|alias|handle|avatar|character)\b)"
     r"(?!(?:favou?rite|hero|idol|only|last|first|late|former|old|ex)\b)"
     r"(?P<kin>(?:[a-z]+ )?[a-z]+)(?<!['’]s)(?: is|'s)(?: called| named)? (?P<value>(?:Mr|Mrs|Ms|Dr|Prof|Professor|"
     rf"Frau|Herr)\.? (?!Who\b)(?-i:{NO_NAME}){NAME})(?=$|[.,;!?()]| (?:and|but|now|from|at|who|she|he)\b)",
     (says("{kin}_name", "{subject}'s {kin} is called {value}"),)),
    *((f" {child}", rf"\b(?:my|our) (?:youngest|younger|eldest|elder|oldest|older|middle) {child},? "
       rf"(?P<value>(?-i:{NO_NAME}[A-ZÉÖÜÄÅØ][a-zà-ÿ-]*[a-zà-ÿ])(?![\w]))(?='s\b|[.,;!?)]|$| (?!and\b)[a-z])",
       (says(f"{kin}_name", f"{{subject}}'s {kin} is called {{value}}"),))
      for child, kin in (("girl", "daughter"), ("boy", "son"))),
)  # fmt: skip
"""Rows that match anywhere in a clause."""
