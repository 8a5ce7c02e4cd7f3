"""Patterns of the setup of a team, an office or a household: duties, contacts, plans, systems, sites.

Rows as in clause_patterns.py, where the tables are joined.
"""

from __future__ import annotations

from memory_service.rules.facts.clause_words import ADV, BE, DAY, END, HAVE, NAME, NUMBER, PERFECT, TOOLS
from memory_service.rules.facts.patterns import NO_NAME, Rows, says
from memory_service.rules.word_lists import TEAM_ROLES

_OFFICE = (
    "(?:book-?keeper|accountant|solicitor|lawyer|notary|agent|plumber|builder|contractor|electrician|architect|caterer|"
    "florist|photographer|translator|publisher|supplier|surgeon|consultant|specialist|cardiologist|midwife|tutor|"
    "instructor|babysitter|childminder|gardener|handyman|mechanic|hairdresser|barber|landlord|landlady|administrator|"
    "admin|receptionist|(?:office|project|account|product|line|ward|shop|branch) manager|intern|"
    "trainee|apprentice|head ?teacher|professor|advis[eo]r|supervisor|contact(?: (?:person|"
    "for [a-z]+))?|(?:technical|billing|emergency) contact|account owner|priest|vicar|pastor|cleaner|carer|"
    f"social worker|case worker|{TEAM_ROLES})"
)
_TITLED = (
    rf"(?P<value>(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof(?:essor)?|Frau|Herr|Don|Doña|Señora?|Madame|Monsieur|Sister|Father)\.? )?"
    rf"(?-i:{NO_NAME}){NAME}(?: (?-i:{NO_NAME}){NAME}){{0,2}})"
)
_SITES = (
    r"(?:shops|branches|offices|stores|sites|locations|restaurants|caf[eé]s|clinics|warehouses|factories|floors|employees|"
    r"staff|developers|engineers|drivers|nurses|vets|teachers|trainees|apprentices|volunteers|members|students|"
    r"pupils|users|seats|licen[cs]es|tablets|laptops|computers|pcs|tills|printers|servers|vans|trucks|lorries|rooms|beds|"
    r"tables|machines|microservices|services|environments|clusters|repos(?:itories)?|databases|regions|tenants)"
)
_SYSTEM = (
    "(?:(?:label |receipt |office |network |laser )?printer|till|router|internet|wi-?fi|broadband|phone system|crm|erp|"
    "payroll|accounting(?: software)?|booking system|billing system|ticket system|website|web ?shop|online shop|"
    "(?:mobile |web |desktop |ios |android )?app|api|backend|front ?end|database|db|ci|pipeline|staging|production|"
    "prod|bundler|package manager|test runner|orm|queue|cache|search|auth|monitoring|message broker|build tool|"
    "state management|design system|scanner|server|nas|firewall|vpn|os|operating system|license|subscription)"
)
_OS = (
    r"(?:Windows(?: \d+| XP| Server \d+)?(?: with WSL2?)?|Linux|Ubuntu(?: [\d.]+)?|Debian(?: \d+)?|Fedora(?: \d+)?|"
    r"Arch(?: Linux)?|Mint|Manjaro|NixOS|macOS(?: \w+)?|MacOS|Mac|ChromeOS|FreeBSD|Android(?: \d+)?|iOS(?: \d+)?)"
)
_PLAN = (
    r"(?P<value>(?-i:[A-Z])[\w+]*(?: (?-i:[A-Z])[\w+]*)?) (?:plan|tier|tariff|subscription|package)"
    r"(?! (?:meeting|review|talk)\b)"
)


_ON_PLAN = (says("subscription", "{who} is on the {value} plan"),)

SETUPS: Rows = (
    # Duties and contacts
    (" maintain| look after| looks after| handle| responsible| charge of| take care of",
     f"^(?P<who>I|[Ww]e){ADV} (?:maintain|look after|handle|(?:'m|am|are) (?:responsible for|in charge of)|take care "
     f"of) (?P<value>(?:the|all|our|everything) [^.,;:!?()]{{3,40}}?){END}",
     (says("responsible_for", "{who} is responsible for {value}"),)),
    (" responsible| charge of", rf"^(?P<who>I|[Ww]e){BE}{ADV} (?:responsible for|in charge of) (?P<value>(?!(?:it|that|"
     rf"this|my|your)\b)[^.,;:!?()]{{3,40}}?){END}", (says("responsible_for", "{who} is responsible for {value}"),)),
    ("y |ur ", rf"^(?:my|our) (?:new |current )?(?P<kin>{_OFFICE})(?:'s| is)(?: now| currently| called| named)* "
     rf"{_TITLED}(?![\w'])", (says("{kin}_name", "{subject}'s {kin} is called {value}"),)),
    # Sites and numbers
    (" have | has |'ve got", rf"^(?P<who>[Ww]e){HAVE}{ADV} (?P<value>(?:{NUMBER}|\d+|about \d+|around \d+) "
     rf"(?:[\w-]+ )?{_SITES})(?=$|[.,;:!?()]| (?:in|on|at|across|and|but|all|with|now|here|total|altogether)\b)(?! "
     r"(?:down|waiting|missing|left)\b)", (says("has", "{who} has {value}"),)),
    # Plans and systems
    (" plan", rf"^(?P<who>I|[Ww]e){PERFECT}{ADV} signed up (?:for|to) (?:the |a |an )?(?P<value>(?-i:[A-Z])[\w+]*(?: "
     r"(?-i:[A-Z])[\w+]*)?) (?:plan|tier|package)\b", _ON_PLAN),
    (" plan| tier| tariff| subscription| package", rf"^(?P<who>I|[Ww]e)(?:{BE}{ADV} on|{PERFECT}{ADV} (?:upgraded|"
     rf"moved|switched|went|gone|changed|downgraded) (?:back )?to|{HAVE}|{PERFECT}{ADV} (?:bought|ordered|booked|"
     rf"taken out)) (?:the |a |an )?{_PLAN}\b", _ON_PLAN),
    (" plan| tier| tariff| subscription| package", rf"^(?P<who>I|[Ww]e){PERFECT}{ADV} (?:cancelled|canceled|left|"
     rf"dropped) (?:the |our |my )?{_PLAN}\b",
     (says("subscription", "{who} is no longer on the {value} plan", holds=False),)),
    (" on ", rf"^(?P<who>I|[Ww]e)(?:{BE}{ADV}(?: stuck| running)? on|{ADV} runs? on|{ADV} runs?) "
     rf"(?P<value>(?-i:{_OS}))(?![\w-])", (says("uses", "{who} uses {value}"),)),
    (" on ", rf"^(?P<who>I|[Ww]e){BE}{ADV}(?: stuck| still| running)? on (?P<value>(?:{TOOLS}) v?\d[\d.]*)(?![\w-])",
     (says("uses", "{who} uses {value}"),)),
    (" bumped ", rf"^(?P<who>I|[Ww]e){PERFECT}{ADV} bumped(?: (?:everything|it|us|(?:the|our|my) \w+))? to (?P<value>"
     rf"(?:{TOOLS}) v?\d[\d.]*)(?![\w-])", (says("uses", "{who} uses {value}"),)),
    (" deploy | host | run | test | log | build | print ", rf"^(?P<who>I|[Ww]e){ADV} (?:deploy|host|run|test|lint|"
     r"bundle|monitor)(?: everything| it all| (?:our|the) \w+)? (?:with|on|to|in|using|via) "
     rf"(?!{DAY}s?\b)(?P<value>(?:{TOOLS})|(?-i:[A-Z])\w+(?: (?-i:[A-Z0-9])\w*)?)(?![\w-]){END}",
     (says("uses", "{who} uses {value}"),)),
    (" print ", rf"^(?P<who>I|[Ww]e){ADV} print (?:on|with) (?:an? |the )?(?!{DAY}s?\b)(?P<value>(?-i:[A-Z])\w+(?: "
     rf"\w*\d[\w-]*)?){END}", (says("uses", "{who} uses {value}"),)),
    (" back up ", rf"^(?P<who>I|[Ww]e){ADV} (?P<value>back up (?:every|each|daily|nightly|weekly|"
     rf"once)[^.,;!?()]{{2,40}}?){END}", (says("habit", "{who} {value}", "{value}"),)),
    ("ours", r"^(?:my|our) (?P<kin>(?:opening|business|working|office) (?:hours|times)) (?:is|are) "
     r"(?P<value>[^;!?()]*?\d[^;!?()]*?)$", (says("{kin}", "{subject}'s {kin} are {value}"),)),
    (" starts | begins ", r"^my (?P<kin>(?:early |late |night )?shift|work|working day|school|course) (?:starts|"
     rf"begins) at (?P<value>(?:half past |quarter (?:past|to) )?(?:{NUMBER})(?::\d\d)?(?: ?[ap]m)?)(?![\w:])",
     (says("{kin}_start", "{subject}'s {kin} starts at {value}"),)),
    (" closed | close ", rf"^(?P<who>[Ww]e)(?:{BE} closed| close) (?P<value>(?:on {DAY}s?|for the whole of "
     r"(?-i:[A-Z])\w+|in (?:january|february|march|april|july|august|december)))(?![\w-])",
     (says("closed", "{who} is closed {value}"),)),
)  # fmt: skip

SETUP_MENTIONS: Rows = (
    (" our | the ", rf"^(?!(?:Who|What|Which|Maybe|Perhaps|Probably|Apparently|Nobody|Somebody|Someone|Everyone|"
     rf"Everybody|Anyone|Today|Currently)\b){_TITLED} (?:is|became|has become) (?:our (?:new )?|the "
     rf"(?=[a-z -]+ now\b))(?P<kin>(?:{TEAM_ROLES}))(?: now)?(?=$|[.,;!)]| (?:and|but|since|from now on)\b)"
     r"(?!.*\b(?:while|until|for now|for the "
     r"(?:day|week|month|time being)|this (?:week|month)|today|temporarily|interim|acting|was|were)\b)",
     (says("{kin}_name", "{subject}'s {kin} is called {value}"),)),
    (" on | in ", r"^(?:our |the )?(?P<kin>ci|pipeline|backend|front ?end|database|db|monitoring|staging|production|"
     rf"prod|app|website) (?:(?:is|runs?|lives) now|(?=[^.,;]* now\b)(?:is|runs?|lives)) (?:on|in) (?P<value>{TOOLS})"
     r"(?: now)?(?=$|[.,;!)]| (?:and|but|since|so)\b)", (says("{kin}", "{subject}'s {kin} is {value}"),)),
    ("he new |y new |ur new ", rf"^the new (?P<kin>{_OFFICE})(?:'s| is)(?: called| named)? {_TITLED}(?![\w'])",
     (says("{kin}_name", "{subject}'s {kin} is called {value}"),)),
    (" is a| runs on | is in | is an", rf"^the (?P<kin>{_SYSTEM})(?: (?:in|at|on) (?:the |our )?[\w -]{{3,25}}?)? "
     rf"(?:is (?:an? |in )|runs on )(?!{DAY}s?\b)(?P<value>(?-i:(?!I\b|It\b|The\b)[A-Z])[\w.+-]*(?: "
     rf"(?:[A-Z0-9][\w.+-]*|with [A-Z][\w.]*)){{0,2}}){END}", (says("{kin}", "{subject}'s {kin} is {value}"),)),
)  # fmt: skip
"""Rows that match in clauses without a person as their subject."""
