"""Patterns of one thing in place of another: cars, phones, tools, medicines.

Rows as in clause_patterns.py, where the tables are joined.
"""

from __future__ import annotations

from memory_service.rules.facts.clause_words import (
    ADV,
    BE,
    CARS,
    CLAUSE_START,
    DOSE,
    END,
    LEAD,
    MEDICINE,
    PERFECT,
    PHONE,
    SURE,
    TIME,
    TOOLS,
)
from memory_service.rules.facts.patterns import KIN, Says, ends, says

_THE = r"(?:(?:my|our|the|an?|some|this) )?(?:old |new |current |former )?"
_ONE_CAR = (
    r"(?!(?-i:focus|seat|ram|leaf|swift|mini|polo|fiesta|panda|caddy)\b)(?=[\w-]+ (?:(?:rover|[\w-]*\d[\w-]*|"
    r"(?-i:[A-Z])[\w-]+) )?(?:goes|went|is|has)\b)"
)
"""Lookahead: a model's name and at most its number, and no common word such as "seat"."""
_NO_PRONOUN = (
    r"(?!(?:it|that|this|these|those|them|they|he|she|him|her|you|me|us|one|each|every|all|everything|something|"
    r"anything|nothing|more|what|who|which)\b)"
)
_PHRASE = (
    rf"{_NO_PRONOUN}[\w&+#/-]+(?:\.\w+)?(?: (?!(?:and|but|so|because|for|with|by|as|in|on|at|from|to|is|are|was|has|"
    r"have|had|been|got|just|now|will|can|it)\b)[\w&+#/.-]*\w){0,2}"
)
_MED = rf"(?:{MEDICINE}|(?-i:[A-Z])[a-z]{{4,}}(?:-[A-Z][a-z]+)?)"
_DRIVES = (ends("drives", "{who} no longer drives {old}"), says("drives", "{who} drives {value}"))
_PHONES = (
    ends("phone_model", "{who} no longer has the phone {old}"),
    says("phone_model", "{who} has the phone {value}"),
)
_TAKES = (
    ends("takes_medicine", "{subject} no longer takes {old}"),
    says("takes_medicine", "{subject} takes {value}"),
)
_DOSES = (says("{kin}_dose", "{subject}'s dose of {kin} is {value}"),)
_DOCTOR = (
    r"(?<!['’]s )\b(?:doc(?:tor)?|gp|specialist|consultant|cardiologist|psychiatrist|neurologist|Dr\.? \w+)(?:'ve|"
    r"'s| have| has)?"
)
"""Not another person's: "my mum's doctor"."""
_REPLACED = (
    ends("has", "{subject} no longer has {old}"),
    says("has_replaced", "{subject} has {value} in place of {old}", "{value}"),
)
_USES = (says("uses", "{subject} uses {value}"),)
_STOPPED = (ends("uses", "{subject} no longer uses {old}"),)
_SWAPPED = (
    rf"(?:{PERFECT}{ADV} (?:swapped|traded|exchanged|replaced|ditched|sold|part[- ]exchanged)|{BE}{ADV} "
    rf"(?:swapping|trading|replacing))"
)
_FOR = r"(?: in| out)? (?:for|with|by|against|in favou?r of) "

REPLACEMENTS: tuple[tuple[str, str, tuple[Says, ...]], ...] = (
    (" swap| trad| exchang| replac| ditch| sold ",
     rf"^(?P<who>I|[Ww]e){_SWAPPED} {_THE}(?P<old>{CARS})(?<! in)(?<! out){_FOR}{_THE}(?P<value>{CARS}){END}", _DRIVES),
    (" swap| trad| exchang| replac| ditch",
     rf"^(?P<who>I|[Ww]e){_SWAPPED} {_THE}(?P<old>{PHONE}){_FOR}{_THE}(?P<value>{PHONE}){END}", _PHONES),
)  # fmt: skip

REPLACEMENT_MENTIONS: tuple[tuple[str, str, tuple[Says, ...]], ...] = (
    ("ew ", r"^(?:got |bought |I got |we got )?(?:an? |my |the )?new (?P<value>thinkpad|macbook|laptop|workstation|"
     rf"{PHONE})(?: too)?(?=$|[.,;!])", (says("has", "{subject} has a {value}", "a {value}"),)),
    (" replaces | replaced ", rf"^{SURE}(?:.*, (?:so |and )?)?{LEAD}(?:the |our |my )?(?P<value>{_PHRASE}(?: at "
     rf"[\d.]+)?) (?:replaces|has replaced|replaced|is replacing) (?:the |our |my )?(?P<old>{_PHRASE})(?: (?:as|in) "
     rf"(?:the |our |my )?(?P<kin>{_PHRASE}))?(?=$|[.,;:!?()]|{TIME})", _REPLACED),
    (" swapped | changed | replaced ", rf"^{SURE}(?:(?:the |my |our )?(?:doc(?:tor)?|gp|vet|specialist|consultant|"
     r"Dr\.? \w+)|they)(?:'ve|'s| has| have)? (?:swapped|changed|replaced) (?:me (?:over )?from )?(?:the |"
     rf"my )?(?P<old>{MEDICINE})(?: for| to| with| by| onto) (?:the )?(?P<value>{_MED})(?![\w-])", _TAKES),
    (" instead of ", rf"(?<![\w-])(?P<value>{MEDICINE})(?: now)? instead of (?:the |"
     rf"my )?(?P<old>{MEDICINE})(?![\w-])", _TAKES),
    (" not ", rf"\b(?:takes?|taking|on) (?P<value>{MEDICINE})(?: now)?,? (?:and )?not (?:the )?(?P<old>{MEDICINE})"
     r"(?![\w-])(?! (?:any|enough))", _TAKES),
    (" stopped | took me off | taken me off | discontinued | came off | off ",
     rf"^(?!.*\b(?:last time|once|when|whenever|if|almost|nearly)\b)(?:.*\b)?(?:{_DOCTOR}{ADV} (?:stopped|"
     rf"discontinued)|(?:{_DOCTOR}|(?:they|he|she)(?:'ve|'s| have| has)?){ADV} (?:took|taken) me off|(?:I|[Ww]e)(?:'ve|"
     rf" have)?{ADV} (?:stopped|quit|came off|come off|went off|stopped taking)|(?:I'm|I am){ADV} off) (?:the |"
     rf"my )?(?P<value>{MEDICINE})(?![\w-])",
     (ends("takes_medicine", "{subject} no longer takes {value}", "{value}"),)),
    (" to ", rf"(?:\b(?:{_DOCTOR}|(?:they|he|she|I|[Ww]e)(?:'ve|'s| have| has)?){ADV} (?:raised|increased|upped|"
     r"doubled|lowered|reduced|cut|halved|dropped|changed|put)|^(?:raised|increased|lowered|reduced|upped)) (?:up |"
     rf"down )?my (?:dose of )?(?P<kin>{MEDICINE})(?: dose| dosage)?(?: up| down)?(?: from {DOSE})? to "
     rf"(?P<value>{DOSE})(?![\w-])", _DOSES),
    (" to ", rf"^my (?P<kin>{MEDICINE})(?: dose| dosage)?(?: was| is| has been|'s)(?: now)? (?:raised|increased|"
     rf"lowered|reduced|changed|upped)(?: up| down)?(?: from {DOSE})? to (?P<value>{DOSE})(?![\w-])", _DOSES),
    (" put me on ", rf"(?<!n't )(?<!not )(?<!to )\bput me on (?P<value>{_MED})(?![\w-])",
     (says("takes_medicine", "{who} takes {value}"),)),
    (" dies | dead| died", rf"{CLAUSE_START}(?:the |my |our )?(?P<old>{TOOLS}|macbook|thinkpad|laptop)(?:'s| is)? "
     r"(?:dies|died|dead|retired|gone|out|history|being shut down)(?![\w-])", _STOPPED),
    (" goes to m| goes to o| went to m| went to o| is going to m",
     rf"^(?!.*\b(?:will|when|once|before|after|until|unless)\b)(?:{LEAD}|[^;:]*\b(?:I|[Ww]e)\b[^;:]*?(?:, | and )"
     rf"(?:and |so |but )*)(?:the|my|our) (?:old )?(?P<old>{_ONE_CAR}{CARS}) (?:goes|went|is going|has gone) to "
     rf"(?:my|our) (?!(?:dog|cat|puppy|kitten|rabbit|horse|parrot|hamster|boss)\b)(?:{KIN}|neighbou?r|friend|flatmate)"
     r"(?=$|[.!;)]| (?:now|for good|and|so|because)\b|, (?:and|so|because|as|who)\b)",
     (ends("drives", "{subject} no longer drives {old}"),)),
    ("witched | moved |oved |orted |onverted |ewrote |igrated ",
     rf"(?:{CLAUSE_START}(?:I|[Ww]e)(?:'ve| have)?{ADV} |^{LEAD})(?:switched|moved|ported|converted|rewrote|migrated) "
     r"(?:everything|it all|all of it|the (?:(?:whole|entire) )?(?:thing|project|code(?: ?base)?|scripts?|app))(?: "
     rf"over)? (?:from {TOOLS} )?(?:to|into|in) (?P<value>{TOOLS})(?![\w'’-])(?! (?:account|folder|channel|sheet|file|"
     r"doc|board|page|drive)\b)(?!.*\b(?:back|in my head|as an? (?:experiment|joke|test)|in a branch)\b)", _USES),
    (" moving us to ", rf"\b(?:is|are) (?:moving|switching|migrating) us (?:over )?to (?P<value>{TOOLS}|"
     rf"{_NO_PRONOUN}[^.,;:!?()]{{2,30}}?){END}", _USES),
)  # fmt: skip
"""Rows that match in clauses without a person as their subject."""
