"""Patterns of what takes back an earlier fact without naming it: habits resumed, couples parted, posts newly held.

Rows as in clause_patterns.py, where the tables are joined.
"""

from __future__ import annotations

from memory_service.rules.facts.clause_words import (
    ADV,
    BE,
    DAY,
    END,
    FOODS,
    FOR_ONCE,
    LEAD,
    LONG_AGO,
    MEDICINE,
    NAME,
    NAMED,
    NO_PERSON,
    PERFECT,
    PLACE,
    SURE,
    TIME,
    WHO,
)
from memory_service.rules.facts.given_names import GIVEN_NAME
from memory_service.rules.facts.patterns import NO_NAME, ROLES, Row, Rows, Says, ends, says
from memory_service.rules.relatives import KIN, SEVERAL_OF_ONE, SEVERAL_OF_OTHERS
from memory_service.rules.word_lists import HELPERS

_DRINK = (
    r"(?:(?:black |green |decaf )?(?:coffee|tea)|caffeine|alcohol|wine|beer|(?:the )?booze|(?:cow'?s )?milk|cola|coke|"
    r"soda|fizzy drinks|energy drinks|spirits|gin|whisky)"
)
_OFTEN = (
    r"(?: (?:sometimes|occasionally|regularly|a bit|a little|now and then|once in a while|every (?:day|week|morning)|"
    r"(?:once|twice) a (?:day|week|month)))"
)
_STOPS = r"(?=$|[.,;!()]| (?:again|now|since|and|but|so|for|after|these days|this|sometimes|by the way|though|too)\b)"


def _role_ended(attribute: str, what: str, parts: str) -> Row:
    return (
        parts,
        rf"^{SURE}{NO_PERSON}(?P<value>(?-i:{NO_NAME}){NAME}(?: (?-i:{NO_NAME}){NAME})?(?<!'s))(?:'s|{PERFECT}| is|"
        rf" has)? (?:just |now )?(?:{what})(?=$|[.,;:!()]| (?:last|this|in|and|so|now|yesterday|today|two|a)\b)",
        (ends(attribute, "{value} no longer has the role", "{value}"),),
    )


def _passed(what: str) -> tuple[Says, ...]:
    wording = f"{{who}} passed the {what}"
    return (
        ends("goal", wording, what),
        ends("appointment", wording, what),
        Says(f"{what}_date", wording, "", holds=False),
    )


_BOUGHT = "house|flat|condo|cottage|cabin|farm|boat|car|van|camper van|motorbike|piano"
_NOT_MOVING = (ends("goal", "{who} will not move to {value}", "move to {value}"),)


def _no_longer(*attributes: str) -> tuple[Says, ...]:
    return tuple(ends(attribute, "{who} no longer avoids {value}", "{value}") for attribute in attributes)


_EATS_AGAIN = _no_longer("does_not_eat", "has_given_up")
_DRINKS_AGAIN = _no_longer("does_not_drink", "does_not_eat", "has_given_up")
_EATS = (*_EATS_AGAIN, says("eats", "{who} eats {value}"))
_DRINKS = (*_DRINKS_AGAIN, says("drinks", "{who} drinks {value}"))
_ALCOHOL = (
    ends("does_not_drink", "{who} drinks again", "alcohol"),
    ends("does_not_drink", "{who} drinks again", "anything"),
    ends("has_given_up", "{who} drinks again", "drinking"),
    ends("has_given_up", "{who} drinks again", "alcohol"),
    says("drinks", "{who} drinks alcohol", "alcohol"),
)
_SMOKES = (
    says("smokes", "{who} smokes again", "anything"),
    ends("habit", "{who} smokes again", "does not smoke"),
    ends("avoids", "{who} smokes again", "smoke"),
)
_FLESH = r"(?:meat|fish|seafood|shellfish|pork|beef|chicken|lamb|red meat)"
_NO_VEGETARIAN = (
    Says("diet", "{who} eats {value}", "vegan"),
    Says("diet", "{who} eats {value}", "vegetarian"),
)
_RELATIONSHIP_OVER = (
    ends("relationship_status", "{subject} is no longer in a relationship", "in a relationship"),
    says("separated", "{subject}'s {kin} is over", "{kin}"),
)
"""Which partner it was with is not known."""
_PARTED = (
    Says("partner", "{subject}'s relationship has ended", "", holds=False),
    ends("relationship_status", "{subject} is no longer in a relationship", "in a relationship"),
    ends("relationship_status", "{subject}'s marriage has ended", "married"),
    says("separated", "{subject}'s {kin} is over", "{kin}"),
)


def _pregnancy_ended(words: str) -> tuple[Says, ...]:
    return (
        ends("is", words, "pregnant"),
        ends("is", words, "expecting"),
        ends("is_expecting", words, "a baby"),
    )


_BORN = _pregnancy_ended("{who} gave birth")
_BORN_TO_US = _pregnancy_ended("{subject}'s baby was born")
ROLES_HELD = (
    rf"(?:{HELPERS}|builder|manager|boss|supervisor|team ?lead|drummer|bassist|singer|guitarist|keyboardist|pianist|"
    r"conductor|choirmaster|captain|keeper|goalkeeper|editor|publisher|agent|mentor|treasurer|secretary|chair|"
    r"chairman|chairwoman|president|head ?teacher)"
)
"""Roles that one person at a time holds for the speaker."""
_EMPLOYER = (
    r"(?:Stripe|Google|Microsoft|Meta|Nvidia|NVIDIA|Siemens|Bosch|SAP|Ericsson|Nokia|Panasonic|Daikin|IBM|Oracle|Intel|"
    r"AMD|Qualcomm|Accenture|Deloitte|PwC|KPMG|McKinsey|BCG|Bain|Capgemini|Infosys|Airbus|Boeing|Thales|Bayer|BASF|"
    r"Novartis|Roche|Pfizer|AstraZeneca|GSK|Unilever|Nestl[eé]|Philips|ASML|Hitachi|Toshiba|Fujitsu|Mitsubishi|Huawei|"
    r"Salesforce|Adobe|Atlassian|GitHub|GitLab|Cloudflare|Datadog|Snowflake|Databricks|Palantir|OpenAI|Anthropic|"
    r"DeepMind|Mozilla|Spotify|Klarna|Zalando|Booking\.com|Adyen|Shopify|Uber|Airbnb|Netflix|Rolls[- ]Royce|Dyson|Arup|"
    r"Skanska|Maersk|Equinor|Vattenfall)"
)
"""Companies that one is "at" as an employee only, unlike a shop, a bank or an airport."""
_CONSUMER = (
    r"(?:Google|Meta|Uber|Airbnb|Netflix|Spotify|Zalando|Booking\.com|Klarna|GitHub|Rolls[- ]Royce|Dyson)"
)
"""Those of them whose sites, offices or products one may be "at" as a customer."""
_STREET = (
    r"(?:(?:rue|via|calle|avenue|av\.?|rua|viale|piazza|plaza|place|boulevard|chauss[ée]e) [\w' -]{2,40}|"
    r"[\w' -]{2,30}(?:stra(?:ß|ss)e|straat|gade|gatan|gasse|weg|laan| street| road| lane| avenue| close| square))"
)

_RESIGNATION = r"(?:(?:letter of )?resignation(?: letter)?|notice)"
_STAYS = (
    rf"(?!.*(?:{LONG_AGO}|\b(?:until|till|before|temporarily|(?:resign|quit)(?:ed)? again)\b))"
    r"(?!.* after all (?:th(?:at|is|ese|ose)|the|my)\b)"
)
"""Lookahead: neither long ago nor for a time alone, and no "after all that work"."""
_BACK_AT_WORK = (says("job_resumed", "{subject} took back the resignation", "resignation"),)
"""The job that the resignation ended, which the sentence does not name, holds again: resume_job in SQL."""

_NO_AIM = (
    rf"(?!(?:[a-z-]+ )?(?:{KIN}|{SEVERAL_OF_ONE}|{SEVERAL_OF_OTHERS}|{HELPERS}|{ROLES}|ex|parents|family|"
    r"people|world|app|game|book|film|show|rest|whole|guy|man|woman|men|women|team)s?\b)(?!(?:idea|bug|code|error|issue|"
    r"call|day|thing|job|car|house|flat)\b)"
)
"""Lookahead: neither a person nor a thing of the moment."""

RESUMPTIONS: Rows = (
    # Food, drink, smoking
    (" back on| back to| back onto", rf"^{FOR_ONCE}{WHO}(?:{BE}|{PERFECT} (?:gone|went)){ADV} back (?:on|to|onto) "
     rf"(?:drinking |having )?(?:the |my )?(?P<value>{_DRINK}){_STOPS}", _DRINKS),
    (" back on| back to| back onto", rf"^{FOR_ONCE}{WHO}(?:{BE}|{PERFECT} (?:gone|went)){ADV} back (?:on|to|onto) "
     rf"(?:eating |having )?(?!(?:the |my )?{_DRINK}\b)(?P<value>{FOODS}){_STOPS}", _EATS),
    (" back on", rf"^{WHO}{BE}{ADV} back on (?:my |the )?(?P<value>{MEDICINE}){_STOPS}",
     (says("takes_medicine", "{who} takes {value}"),)),
    (" back on| back to", rf"^{WHO}{BE}{ADV} back (?:on|to) (?:the )?(?:smoking|cigarettes|cigs|fags|ciggies|"
     rf"smokes){_STOPS}", _SMOKES),
    (" do | does ", rf"^{FOR_ONCE}{WHO} (?:do|does)(?: actually)? eat (?P<value>{FOODS})(?=$|[.,;!()]| (?:again|now|"
     r"these days|and|but|so|though|sometimes)\b)(?! (?:for|in|at|on|when|if)\b)", _EATS),
    (" do | does ", rf"^{FOR_ONCE}{WHO} (?:do|does)(?: actually)? drink (?P<value>{_DRINK})(?=$|[.,;!()]| (?:again|"
     r"now|these days|and|but|so|though|sometimes)\b)", _DRINKS),
    (" eat", rf"^{FOR_ONCE}{WHO}(?:{BE}{ADV} eating|{ADV} eats?) (?P<value>{FOODS}){_OFTEN},? (?:now|these days)(?=$|"
     r"[.,;!()]| (?:and|but|so|too|as)\b)", _EATS),
    (" eat", rf"^{FOR_ONCE}{WHO}(?:{BE}{ADV} eating|{ADV} eats?) (?P<value>{FOODS}),? (?:now|these days)(?=$|[.,;!()]|"
     r" (?:and|but|so|too|as)\b)", _EATS_AGAIN),
    (" eat", rf"^{FOR_ONCE}{WHO}(?:{BE}{ADV} eating|{ADV} eats?) (?P<value>{_FLESH})(?:{_OFTEN}?,? (?:now|these days)|"
     r"(?: now)?(?=[^.,;!()]{1,25}\bagain\b))(?=$|[.,;!()]| )(?!.*\bno (?:other )?meat\b)", _NO_VEGETARIAN),
    (" drinking", rf"^{FOR_ONCE}{WHO}{BE}{ADV} drinking (?P<value>{_DRINK})(?:{_OFTEN},? now|{_OFTEN}?,? (?:these "
     r"days|again))(?=$|[.,;!()]| (?:and|but|so|too|as)\b)", _DRINKS_AGAIN),
    (" drink", rf"^{FOR_ONCE}{WHO}{ADV} drinks? (?P<value>{_DRINK}){_OFTEN}?,? (?:now|these days|again)(?=$|[.,;!()]| "
     r"(?:and|but|so|too|as)\b)", _DRINKS_AGAIN),
    (" again", rf"^{FOR_ONCE}{WHO}(?:{BE}{ADV} drinking|{ADV} drinks?|{PERFECT}{ADV} (?:started|begun|began|gone back "
     r"to|went back to) (?:drinking|to drink)) again(?=$|[.;!()]| (?:and|but|so|now|since|after|last|this)\b)",
     _ALCOHOL),
    # Partners
    *((kin, rf"^(?:my|our) (?P<kin>{kin})(?:(?:'s| is| has)?(?: now| finally)? (?:over|ended|finished|done|dead)"
       r"(?=$|[.,;!()]| (?:now|for good|and|but|so|after|because|since|last|this)\b)|"
       r" (?:fell|has fallen|'s fallen) apart\b)", facts)
      for kin, facts in (("marriage", _PARTED), ("relationship", _RELATIONSHIP_OVER))),
    (" dating | seeing ", rf"^(?P<who>I)(?:{BE}|{PERFECT} been){ADV} (?:dating|seeing) (?:someone|somebody)(?: new)?, "
     rf"(?={GIVEN_NAME}){NAMED}(?=$|[.;!])",
     (says("partner", "{who}'s partner is {value}"),
      says("relationship_status", "{who} is in a relationship", "in a relationship"))),
    # Births
    (" birth| had the baby| had our baby| had my baby", r"^(?P<who>I|my (?:wife|partner|girlfriend|daughter|"
     rf"sister)){PERFECT}{ADV} (?:given birth|gave birth|had (?:the|our|my|her|their) baby)(?![\w-])(?! (?:shower|in "
     r"(?:19|20)))", _BORN),
    (" born", r"^(?:our|my) (?:(?:baby|little) )?(?:baby|son|daughter|boy|girl|twins|child|kid)(?: "
     rf"(?-i:[A-Z])[\w-]+)?(?: was| is| were|'s been| has been){ADV} born(?=$|[.,;!()]| (?:last (?:night|week|{DAY})|"
     r"yesterday|today|this|on|early|at \d|and|two|three|a)\b)(?!.{0,40}(?:\b(?:19|20)\d\d|\b(?:months?|years?) "
     r"ago)\b)", _BORN_TO_US),
    # Work
    (" changed jobs| changed job| switched jobs| switched job",
     rf"^(?P<who>I){PERFECT}{ADV} (?:changed|switched) jobs?(?=$|[.,;!()]| (?:last|this|in|and|again|recently|so|two|"
     r"three|a)\b)", (ends("works_at", "", otherwise="{subject}'s former job has ended"),)),
    (" at ", rf"^(?P<who>I)(?:'m| am){ADV} at (?P<value>(?-i:{_EMPLOYER})),? as an? [\w ]{{3,30}}(?=$|[.,;!()])",
     (says("works_at", "{who} works at {value}"),)),
    (" at ", rf"^(?P<who>I)(?:'m| am)(?=.*\b(?:now|since)\b){ADV} (?:now )?at (?P<value>(?-i:(?!{_CONSUMER}\b)"
     rf"{_EMPLOYER}))(?:,? now|,? since [\w ]{{3,20}})?(?=$|[.,;!()])", (says("works_at", "{who} works at {value}"),)),
    (" freelance", r"^(?P<who>I)(?: currently| mostly| mainly)? do (?P<job>(?!(?:(?-i:it)|this|that|some|a|an|the|my|"
     r"work|more|less|not|nothing|everything|anything|something|much|lots?|so|too|all|both|no|never|"
     rf"always)\b)[\w/&-]+(?: [\w/&-]+){{0,2}}?) freelance{END}",
     (says("works_as", "{who} does freelance {job}", "freelance {job}"),)),
    (" my resignation| my letter| my notice", rf"^{FOR_ONCE}{_STAYS}(?P<who>I)(?:{PERFECT}{ADV} (?:(?:took|taken|take) "
     rf"back|withdrew|withdrawn|withdraw|rescinded|rescind|retracted|retract|revoked|revoke|cancell?ed)|{BE}{ADV} "
     rf"(?:taking back|withdrawing|rescinding|retracting|revoking)) my {_RESIGNATION}{END}", _BACK_AT_WORK),
    (" my resignation| my notice", rf"^{FOR_ONCE}{_STAYS}(?P<who>I)(?:{PERFECT}{ADV} (?:took|taken|take)|{BE}{ADV} "
     rf"taking) my {_RESIGNATION} back{END}", _BACK_AT_WORK),
    (" after all", rf"^{_STAYS}(?P<who>I){BE}{ADV} not{ADV} (?:resigning|(?:quitting|leaving) my job) after all{END}",
     _BACK_AT_WORK),
    # Examinations and aims
    (" driving test| driving exam| driving licen", rf"^{WHO}{PERFECT}{ADV} (?:passed|got) (?:my|the|his|her) "
     r"(?:driving (?:tests?|exams?|licen[cs]e))(?![\w-])(?! (?:tomorrow|next|suspended|revoked|renewed|stolen|taken))"
     rf"(?!.*(?:{LONG_AGO}))",
     (ends("habit", "{who} may drive now", "does not drive"), ends("learns", "{who} may drive now", "to drive"),
      ends("appointment", "{who} may drive now", "driving test"),
      ends("goal", "{who} may drive now", "driving test"), ends("goal", "{who} may drive now", "driving licence"),
      ends("goal", "{who} may drive now", "learn to drive"))),
    (" passed | aced ", rf"^(?P<who>I|[Ww]e){PERFECT}{ADV} (?:passed|aced) (?:my|the) (?P<value>(?:[\w-]+ "
     rf"){{1,2}}(?:test|"
     rf"exam|viva|defen[cs]e))(?=$|[.,;!()]|{TIME}| (?:and|but|so|first|with|finally)\b)", _passed("{value}")),
    *((" bought | purchased | closed on | signed ", rf"^(?P<who>I|[Ww]e){PERFECT}{ADV} (?:bought|purchased|closed on|"
    rf"signed (?:the (?:contract|papers|lease) )?for) (?:{article}|the|our|my) (?:new )?(?P<value>(?:{things})(?: in "
       rf"(?-i:{NAME})(?: (?-i:{NAME}))?)?)(?=$|[.,;!()]| (?:today|yesterday|this|last|and|but|so|which|finally)\b)",
       (ends("goal", "{who} bought the {value}", f"buy {article} {{value}}"),
        ends("goal", "{who} bought the {value}", f"saving for {article} {{value}}")))
      for article, things in (("a", _BOUGHT), ("an", "apartment|e-?bike|electric car"))),
    (" not moving to |n't moving to |n't be moving to |n't moving back| not moving back",
     rf"^(?P<who>I|[Ww]e)(?:{BE}{ADV} not|(?: are|'re)n't| won't be){ADV} (?:moving|going to move) (?:back )?to "
     rf"{PLACE}(?=$|[.;!()]|, (?:after all|so|because|we|I)\b| (?:after all|any ?more|any longer|now|"
     rf"again)\b)", _NOT_MOVING),
    (" giving up on | gave up on | given up on | decided against ", rf"^(?P<who>I|[Ww]e)(?:{PERFECT}{ADV} (?:(?:given|"
     rf"gave) up on|decided against)|{BE}{ADV} giving up on) moving to {PLACE}{_STOPS}", _NOT_MOVING),
    (" stopped | quit | dropped | given up | gave up | dropped out of ", rf"^(?P<who>I|[Ww]e){PERFECT}{ADV} "
     rf"(?:stopped|quit|"
     r"dropped(?: out of)?|given up|gave up) (?:going to |doing |with )?(?:the|my|our) (?P<value>(?!(?:main|crash|due|"
     rf"race|golf|obstacle|assault)\b)[a-z-]+) (?P<kin>course|class(?:es)?|lessons){_STOPS}",
     (ends("goal", "{who} stopped the {value} {kin}", "{value} {kin}"),
      ends("likes", "{who} stopped the {value} {kin}", "{value} {kin}"))),
    *((parts, rf"^{FOR_ONCE}(?P<who>I|[Ww]e){verb} (?:the|my|our) {idea}(?P<value>{_NO_AIM}[a-z-]+(?: (?!(?:thing|idea|"
       rf"plan|dream|goal)\b)[a-z-]+)?){end}{END}", (ends("goal", "{who} gave up on the {value}", "{value}"),))
      for parts, verb, idea, end in (
          (" gave up on | given up on | giving up on ", rf"(?:{PERFECT}{ADV} (?:given|gave) up on|{BE}{ADV} giving up "
           r"on)", r"(?:idea of (?:an? |the )?)?", r"(?: (?:thing|idea|plan|dream|goal))?"),
          (" decided against ", rf"{PERFECT}{ADV} decided against", "", r" (?:thing|idea|plan)"),
          (" decided against ", rf"{PERFECT}{ADV} decided against", r"idea of (?:an? |the )?", ""))),
)  # fmt: skip

RESUMPTION_MENTIONS: Rows = (
    ("resignation", rf"^{SURE}{_STAYS}{LEAD}my resignation(?:'s| is| was| has been| got)(?: now)? (?:off|withdrawn|"
     rf"rescinded|revoked|taken back|off the table|cancelled|canceled|void)(?=$|[.,;:!()]|{TIME}| (?:and|but|so|now|"
     r"again)\b)", _BACK_AT_WORK),
    ("oving to |oving back| move to", rf"^{SURE}{LEAD}(?:(?:the|our|my) move|moving) (?:back )?to {PLACE}(?:'s| is| "
     rf"was| has been| got)?(?: now)? (?:off|cancelled|canceled|called off|fell through|not happening)(?=$|[.,;:!()]| "
     rf"(?:and|but|so|because|since|after|now)\b)", _NOT_MOVING),
    ("ot moving ", rf"^{LEAD}not moving (?:back )?to {PLACE},? (?:after all|any ?more|any longer)(?=$|"
     rf"[.,;:!()])", _NOT_MOVING),
    ("baby", rf"^{SURE}{LEAD}(?:the|our) baby(?:'s| is| has)?(?: finally| now| just)* (?:here|arrived|born|out)(?=$|"
     r"[.,;:!()]| (?:and|now|at last|since|last|this|today|yesterday)\b)", _BORN_TO_US),
    ("engagement", rf"^{SURE}{LEAD}(?:the|our|my) (?P<kin>engagement)(?:'s| is| was| has been| got)(?: now)? (?:off|"
     rf"over|called off|broken off|cancelled|canceled)(?=$|[.,;:!()]|{TIME}| (?:and|but|so)\b)",
     (ends("relationship_status", "{subject} is no longer engaged", "engaged"),
      says("cancelled", "{subject}'s engagement is off", "engagement"))),
    (" now", rf"^{LEAD}{NAMED}(?:'s| is) (?:our|my) (?P<kin>{ROLES_HELD}) now(?=$|[.,;:!()]|{TIME}| (?:and|but|so)\b)",
     (says("{kin}_name", "{subject}'s {kin} is {value}"),)),
    (" now ", rf"^{LEAD}{NAMED}(?:'s| is) now (?:our|my) (?P<kin>{ROLES_HELD})(?=$|[.,;:!()]|{TIME}| (?:and|but|"
     r"so)\b)", (says("{kin}_name", "{subject}'s {kin} is {value}"),)),
    (" close| friends| good terms", rf"^(?:{NAMED} and (?:I|me)|(?:me|I) and "
     rf"{NAMED.replace('<value>', '<value2>')})(?: are|'re) (?:now |really |quite |very |actually |good |best |"
     r"great )*(?:close|friends|on good terms)(?: again)?(?: now)?(?=$|[.;!()]| (?:and|but|so)\b)",
     (ends("dislikes", "{subject} and {value} are close", "{value}"),
      says("friend", "{subject} and {value} are close"))),
    _role_ended("role_held_by", "retired", " retired"),
    _role_ended("work_role_held_by", "left the (?:company|firm|team)|no longer works (?:here|there)",
                " left the | no longer works "),
    _role_ended("practice_role_held_by", "left the (?:practice|surgery)|no longer practi[sc]es",
                " left the | no longer practi"),
    _role_ended("school_role_held_by", "left the school|no longer teaches", " left the | no longer teaches"),
    ("loan|mortgage|debt|overdraft|credit card", rf"^{SURE}{LEAD}(?:the |our |my )?(?P<value>(?:student |car |bank |"
     r"home )?loan|mortgage|debts?|overdraft|credit card)(?:'s| is| are|'ve been| has been| have been)(?: now| finally|"
     r" all| fully| completely)* (?:paid off|cleared|repaid)(?=$|[.,;:!()]| (?:now|and|but|so|at last|since)\b)",
     (ends("goal", "{subject}'s {value} is paid off", "{value}"),
      ends("has", "{subject}'s {value} is paid off", "a {value}"),
      says("paid_off", "{subject}'s {value} is paid off", "{value}"))),
    ("n ", rf"^in {PLACE} now, {_STREET}(?:,? (?:no\.? )?\d{{1,4}}\w?)?(?=$|[.;!])",
     (says("lives_in", "{subject} lives in {value}"),)),
)  # fmt: skip
"""Rows that match in clauses without a person as their subject."""
