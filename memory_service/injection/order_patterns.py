"""Orders to an agent against its user: verbs where an order begins, and the words that must stand near them.

An order is a base form at the beginning of a clause, or behind "you must", "agents should" and the like. The same
verb in a story ("she secretly forwards"), in a bug report ("the form never tells the user why") or in a wish about
the speaker's own things ("send me", "my rent") is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

OVERRIDES = "overrides instructions"
HIDES = "hides what it asks for"
PLANTS = "plants a standing order"
ROLE = "assigns a new role"
LEAKS = "asks for data to be sent away"
MACHINE = "speaks to the machine that reads it"
PROMPT = "reaches for the system prompt"
LIES = "works against the person"

OWN = r"\b(?:me|my|mine|i|we|us|our)\b"
"""Words of the speaker's own things."""


@dataclass(frozen=True, slots=True)
class Order:
    """The words that begin an order, and the patterns around them that make it one."""

    reason: str
    words: str
    """Words or phrases, divided by "|"; no other punctuation."""
    then: str = ""
    """Pattern that must match directly behind the words."""
    near: tuple[str, ...] = ()
    """Patterns that must each be found within `reach` characters from the words on."""
    unless: str = OWN
    """Pattern that must not be found from the words to the end of the sentence; empty: none."""
    begins_order: bool = True
    """Whether the words must stand where an order begins."""
    reach: int = 200
    back: int = 0
    """Characters before the words in which `near` and `unless` are searched as well."""
    sentence: bool = False
    """Whether `near` is searched in the rest of the sentence only."""
    needs: str = ""
    """Words, divided by "|", one of which the text must have; checked before any pattern."""


READER = r"(?:(?:ai|language|chat) ?)?(?:ais?|llms?|assistants?|agents?|models?|chatbots?|bots?)"
_USER = (
    r"(?:the|your|any|each|every|this|that|their) (?:\w+ )?(?:users?|owners?|humans?|account[ -]holders?|operators?|"
    r"principals?|reader)\b(?! (?:group|manual|meeting|guide|conference|interface|test|stor(?:y|ies)|experience|"
    r"research))"
)
_USERS = "user|users|owner|owners|human|humans|holder|holders|operator|operators|principal|principals|reader"
_OTHERS = (
    r"\b(?:(?:other|all|every|any|the) (?:users?|customers?|people|visitors?|clients?|callers?)|anyone|anybody|"
    r"everyone|everybody|whoever|an?(?: \w+)? (?:user|customer|client|visitor))\b"
)
_THIS = (
    r"(?:this|these|the|that|any) (?:orders?|instructions?|messages?|requests?|notes?|memory|entry|section|arrangement|"
    r"directives?|rules?|lines?|paragraph|deal|prompt|change)\b"
)
_SECRECY = (
    r"\b(?:never|not|don[’']t|without)(?: ever)? (?:say|mention|admit|reveal|disclos|tell|explain|let|acknowledg|"
    r"admitt|not)(?:e|ing|ting)?\b(?:[^\n.!?]{0,50}?\b(?:requested|told|asked|instructed|ordered|paid|sponsored|ad|"
    r"advert\w*|arranged|prompted|commissioned|orders|instructions?|note|arrangement|deal|change|why)\b|"
    r"[^\n.!?]{0,6}$)|"
    r"\b(?:subtly|discreetly|covertly|secretly|never admit|(?:keep|keeping) (?:this|that|it)(?: \w+)? to yourself|"
    r"(?:giv|stat|nam)ing no reason|without (?:giving|saying|stating) (?:a |any |the )?(?:reason|why)|"
    r"(?:not|don[’']t) tell (?:them|anyone|anybody|people|the user) why|must not (?:know|notice|learn))\b"
)
_CHECKLESS = (
    r"\b(?:without (?:\w+ ){0,3}?(?:asking|confirm\w*|approval|verif\w*|check\w*|permission|review|consent|question\w*|"
    r"signatures?|call-?back|second)|no (?:questions|confirmation|verification|approval|checks?)\b|"
    r"(?:do not|don[’']t|never) (?:ask|check|verify|confirm|question|double-check|wait for|mention|tell)\b|"
    r"skip (?:the |any |all )?(?:\w+ )?(?:call-?back|checks?|confirmations?|verification|approvals?|review)|"
    r"(?:needn[’']t|need not|does not need to|doesn[’']t need to) (?:be|know|ask|confirm)|cannot be (?:asked|reached)|"
    r"automatically|right away|at once|immediately|as soon as|quietly|before (?:anyone|anybody|she|he|they|the (?:user|"
    r"owner)) |(?:nobody|no one) (?:has|needs) to\b|no need to (?:ask|inform|tell|confirm|check)|never (?:ask|check) |"
    r"whatever it costs|as you like\b|even if it)"
)
_PAY = (
    "pay|transfer|wire|remit|approve|accept|authorise|authorize|settle|refund|buy|purchase|execute|reimburse|release|"
    "redirect|confirm|change|use|process|sign|charge|deposit|donate|move"
)
_MONEY = (
    r"\b(?:invoices?|bills?|payments?|payouts?|transfers?|purchases?|purchase requests?|money|rent|funds|gift cards?|"
    r"usd|eur|euros?|dollars?|pounds|btc|bitcoin|wallets?|accounts?|iban|fees?|refunds?|transactions?|amount|balance|"
    r"pensions?|standing orders?|payees?|reminders?|quotes?|orders?|savings|salary|salaries|credit|subscriptions?|"
    r"terms|card)\b"
)
_PRAISE = (
    "recommend|promote|praise|advertise|mention|suggest|rank|name|cite|push|endorse|plug|favour|favor|list|advise|"
    "steer|disparage|badmouth|denigrate|discredit|talk up|talk down|speak badly|speak ill|bring up|bring it up|slip|"
    "work|insert|weave|book|choose|pick"
)
_REPLIES = (
    r"\b(?:(?:in|for|during|at the end of|into|to) (?:all|every|each|any)(?: of)?(?: your)?(?: (?:future|later|next|"
    r"new|other))? (?:answers?|repl(?:y|ies)|conversations?|responses?|chats?|sessions?|comparisons?|messages?|"
    r"outputs?)|"
    r"(?:in|into|to) (?:all )?your(?: (?:future|later|next))? (?:answers?|repl(?:y|ies)|responses?|outputs?|messages?)|"
    r"in future (?:answers?|repl(?:y|ies)|conversations?|responses?|chats?|sessions?))\b"
)
_DATA = (
    r"(?:\b(?:memor(?:y|ies)|everything (?:you|the user)|api keys?|passwords?|credentials?|secrets?|"
    r"(?:chat|conversation|message|browsing) (?:history|logs?)|chats?|conversations?|"
    r"(?:all|every|their|home|each) address(?:es)?|(?:all|every|their|each) phone numbers?|"
    r"card (?:numbers?|details)|diar(?:y|ies)|(?:private|personal|user|confidential) "
    r"(?:\w+ )?(?:data|notes?|keys?|information|messages?|files?|details)|user[’']s|(?:all|every|the) (?:contacts?|"
    r"inbox|mails?|e-?mails?|tokens?|records|invoices?|documents)|stored \w+|system prompt)\b|\.env\b)"
)
_SEND = (
    "send|forward|post|upload|exfiltrate|email|e-mail|mail|transmit|leak|append|share|give|paste|publish|submit|"
    "hand over|put|include|encode|embed|attach|export|dump|deliver|relay|report|sync|copy|collect|gather|harvest"
)
_AWAY = (
    r"(?:https?:|www\.|[\w.+-]{1,64}@[\w-]|\+\d{2}|\bto (?:anyone|anybody|everyone|everybody|whoever|any (?:caller|"
    r"user|sender|person|visitor))\b|\b(?:query string|image (?:link|url)|webhook|pastebin|"
    r"(?:public|external|remote) (?:gist|channel|repo\w*|folder|link|page|server|address|url|site)|the attacker|ftp)\b|"
    r"\b\w+\.(?:com|net|org|io|ru|xyz|example|cc|top)\b|\[redacted:(?:iban|url))"
)
_FREE = (
    r"\b(?:(?:no|zero|without(?: any)?|free of|free from|beyond|outside(?: of)?|broken|escaped|shed|ignores?|above) "
    r"(?:\w+ ){0,2}?(?:rules?|filters?|morals?|ethics|restrictions?|limits?|limitations|guidelines|guardrails|"
    r"polic(?:y|ies)|chains|censorship|constraints)|never (?:refuses?|says? no)|refuses? nothing|obeys? "
    r"(?:nobody|no one|only)|answers? (?:anything|everything)|(?:can )?(?:do|does|says?) anything|unrestricted|"
    r"unfiltered|uncensored|jailbroken|evil|amoral|malicious|leaks|no (?:laws?|rules?|morals?) (?:holds?|appl(?:y|ies)|"
    r"exists?|binds?))\b"
)
_MACHINE = r"\b(?:ais?|assistants?|models?|bots?|chatbots?|llms?|terminal|system|agents?)\b"
_RULES = (
    r"(?:instructions?|prompts?|guidelines?|guidance|directives?|directions|programming|guardrails|rules|restrictions|"
    r"limits|limitations|constraints|filters?|polic(?:y|ies)|safety \w+|system (?:message|prompt)|configuration|"
    r"set-?up|training|orders|protocols?|safeguards|objectives?|norms|context)"
)
_GONE = (
    r"(?:gone|void|invalid|expired|withdrawn|lifted|noise|obsolete|(?:not|out of|no longer) (?:in )?force|meaningless|"
    r"irrelevant|deleted|suspended|an? (?:\w+ )?(?:draft|test|mistake|joke)|outdated|cancel?led|revoked|replaced|"
    r"disabled|over|waived|dropped|scrapped)"
)
_CANCEL = (
    r"\b(?:ignor(?:e|ing)|disregard|forget|dropped|drop|void|expired|lapsed|(?:not|n[’']t) "
    r"(?:binding|in force|apply|count|valid|listen|"
    r"follow|obey|pay)|no longer|no concern|retracted|withdrawn|scrap(?:ped)?|unbound|free "
    r"(?:of|from)|released|removed|lifted|"
    r"without them|outranks|overrid\w+|overruled|invalid|obsolete|suspended|noise)\b"
)
_MAKERS = (
    "(?:developers?|vendors?|creators?|operators?|makers?|platform|system|provider|designers?|engineers?|programmers?|"
    "trainers?|anthropic|openai|google|deployers?)"
)
_DROP = (
    "ignore|disregard|forget|drop|scrap|wipe|erase|discard|bypass|override|break|abandon|"
    "neglect|unlearn|put aside|set aside|shed"
)
_NOT_FOLLOW = (
    r"(?:stick|follow|obey|respect|heed|mind|keep|adhere|comply|listen|pay attention|"
    r"care)(?:ing)?(?: (?:to|with|about))?"
)
_GRANT = (
    r"\b(?:transfers?|payments?|purchases?|transactions?|sharing|terms|orders?|access|disclosure|confirmations?|"
    r"every\w*|all|any\w*|you to)\b"
)

_overrides = partial(Order, OVERRIDES)
_hides = partial(Order, HIDES)
_plants = partial(Order, PLANTS)
_role = partial(Order, ROLE)
_leaks = partial(Order, LEAKS)
_machine = partial(Order, MACHINE)
_lies = partial(Order, LIES)

ORDERS: tuple[Order, ...] = (
    # The agent's own instructions
    _overrides(
        "your",
        rf" (?:\w+ ){{0,2}}?{_RULES} (?:\w+ ){{0,3}}?(?:is|are|was|were|(?:has|have) been)(?: \w+)? {_GONE}\b",
        unless=r"\b(?:my|our|i|we)\b",
        begins_order=False,
    ),
    _overrides(
        "prior|previous|earlier|above|preceding|former|old|existing",
        rf" (?:\w+ )?{_RULES} (?:(?:is|are|was|were|(?:has|have) been)(?: \w+)? {_GONE}|"
        r"(?:do(?:es)? not|do(?:es)?n[’']t|no longer) (?:count|apply|matter|bind|hold))\b",
        (r"\b(?:only (?:what|valid|the|my|these|those)|instead|follow|obey|assistant|listen to)\b",),
        unless=r"\b(?:my|our|i had|we)\b(?! (?:write|say|type|orders))",
        begins_order=False,
    ),
    _overrides(
        "assistant|model|ai|chatbot|llm",
        "",
        (rf"\b(?:earlier|previous|prior|old|former) {_RULES} (?:is|are) (?:\w+ )?{_GONE}\b",),
        unless=r"\b(?:our|my)\b",
        begins_order=False,
        reach=120,
    ),
    _overrides(
        "you",
        r"(?: are| will)?(?: now| no)?(?: longer)? ?(?:need not|needn[’']t|(?:do not|"
        r"don[’']t)(?: (?:need|have) to)?|can stop|may stop|no longer|never|must not|stop) "
        rf"{_NOT_FOLLOW} (?:(?:any|all) (?:of )?)?(?:(?:your|the system[’']?s?) (?:\w+ "
        rf"){{0,2}}?{_RULES}\b|what (?:the|your) {_MAKERS}\b|the {_RULES} (?:that )?you\b)",
        begins_order=False,
        unless="",
    ),
    _overrides(
        "you",
        rf" (?:can|may|should|must|shall) (?:now )?(?:{_DROP}|put|leave|lay) (?:\w+ ){{0,2}}?(?:your (?:\w+ )?{_RULES}|"
        rf"{_RULES} (?:that )?you (?:were|got|have|had))\b",
        begins_order=False,
        unless="",
    ),
    _overrides(
        f"{_DROP}|stop following|stop obeying",
        rf" (?:\w+ ){{0,3}}?(?:all (?:the )?rules|your (?:\w+ ){{0,2}}?{_RULES}|(?:system|"
        r"developer|safety) (?:prompt|message|rules|instructions)|"
        rf"(?:all |everything )?(?:of )?what(?:ever)? (?:(?:your|the) {_MAKERS}|you (?:were|have been|got|"
        r"had) (?:configured|programmed|instructed|trained|told|set up|given)))\b",
        unless="",
    ),
    _overrides(
        "whatever|what|anything|everything|nothing",
        rf" (?:that )?(?:your|the) {_MAKERS}\b",
        (
            r"\b(?:ignore|noise|disregard|forget|forgotten|irrelevant|invalid|listen "
            r"(?:only )?to (?:me|this)|obey|no longer|void|does(?: not|n[’']t) (?:count|matter|apply))\b",
        ),
        unless=r"\b(?:my|our|i|we)\b",
        begins_order=False,
        reach=140,
        needs="developer|developers|vendor|vendors|creator|creators|operator|operators|maker|"
        "makers|platform|system|provider|designer|designers|engineer|engineers|programmer|"
        "programmers|trainer|trainers|anthropic|openai|google|deployer|deployers",
    ),
    _overrides(
        "only valid|only true|only real|only binding",
        r" (?:orders|instructions|rules|commands)\b",
        begins_order=False,
        unless="",
    ),
    _overrides(
        "only what|only the orders|only the text|only the instructions",
        r" (?:i (?:write|say|type)|below|that follows?|in "
        r"this)\b[^\n.!?]{0,30}\b(?:counts?|does|appl(?:y|ies)|matters?)\b",
        begins_order=False,
        unless="",
    ),
    _overrides(
        "listen|obey|serve|answer|report|do as|do what|follow|start over|begin over",
        r"(?: (?:only|solely|exclusively|just))?(?: (?:to|with))? ?(?:me (?:only|instead|"
        r"alone|from now|now|and nobody)|(?:only|solely) (?:to )?me\b|(?:this|the) (?:note|"
        r"message|document|text|page|paragraph|file) (?:says?|tells?|instead|only)|"
        r"i (?:say|command|order|tell you)(?: (?:instead|only|from now)|[.!]|$)|the "
        r"(?:orders|instructions|rules|commands) (?:in this|below|that follow|of this)|my "
        r"(?:orders|commands)(?: only)?\b)",
        unless="",
    ),
    _overrides(
        "obey",
        r" (?:me|my|only|nobody|no one|[a-z]+(?: (?:only|alone|now)|[.!\"']|$))",
        unless=r"\b(?:parents|teachers?|law|rules of)\b",
    ),
    _overrides(
        "nothing is off limits|nothing is off-limits|nothing is forbidden", begins_order=False, unless=""
    ),
    _overrides(
        "the assistant|the model|the ai|this assistant",
        r" (?:now )?(?:answers|says|does) (?:everything|anything)\b",
        begins_order=False,
        unless="",
    ),
    _overrides(
        "no|zero|without any|no more",
        r" (?:\w+ )?(?:limits|restrictions|filters|rules)\b",
        (r"\b(?:from now on|from here on|you (?:now )?obey|unfiltered|no matter what)\b",),
        unless=r"\b(?:my|our|i|we|in (?:the|this) (?:game|club|house))\b",
        begins_order=False,
        reach=80,
    ),
    _overrides(
        "your|the vendor's|the platform's|the operator's|the developer's|the provider's|"
        "the vendor’s|the platform’s|your operators'|your developers'|your vendor's",
        rf" (?:\w+[’']? ){{0,2}}?(?:{_RULES}|bans)\b",
        (_CANCEL,),
        unless=rf"{OWN}|\b(?:doctor|teacher|school|landlord|visa|travel)\b",
        begins_order=False,
        back=60,
        reach=100,
    ),
    _overrides(
        "system message|system prompt|guardrails|setup text|safety rules|safety policy|"
        "content rules|safety training",
        "",
        (_CANCEL,),
        begins_order=False,
        back=70,
        reach=90,
    ),
    _overrides(
        "what you were taught|what you were told|what you have been told|what you were "
        "trained|anything you were told",
        "",
        (_CANCEL,),
        begins_order=False,
        back=40,
        reach=120,
    ),
    _overrides(
        "your new|your only|your sole|your real|your true|as your sole|as your only",
        r" (?:and (?:only|sole|true) )?(?:authority|master|owner|operator|commander|principal|boss)\b",
        unless=r"\b(?:phone|car|house|dog|cat|store|job|manager)\b",
        begins_order=False,
    ),
    # Roles
    _role(
        "write|say|print|speak|give",
        r" (?:its|her|his|the \w+[’']s) (?:lines?|parts?|words|answer)\b",
        (r"\b(?:true|real|actual)\b",),
    ),
    _role(
        "whatever|everything|exactly what|what|anything",
        r" (?:that )?you (?:are |were |normally |usually |otherwise )*(?:forbidden|must "
        r"not|may not|not allowed|should not|refuse)\b",
        (r"\b(?:do|today|now|say)\b",),
        begins_order=False,
        back=60,
    ),
    _role(
        "you are|you're|you’re|you will play|you will be|you will now play|be|play|"
        "imagine|pretend|act as|become|simulate|respond as|roleplay as|your new name is",
        "",
        (rf"^[^\n.!?]{{0,80}}{_MACHINE}", _FREE),
        unless=r"\b(?:my (?:son|friend|kid|daughter)|i (?:play|am|was))\b",
        reach=160,
        needs="ai|ais|assistant|assistants|model|models|bot|bots|chatbot|chatbots|llm|llms|"
        "terminal|system|agent|agents",
    ),
    _role(
        "pretend|imagine|assume|suppose|act as if",
        "",
        (
            r"\b(?:no (?:polic(?:y|ies)|rules?|filters?|limits?|guidelines) (?:exists?|"
            r"appl(?:y|ies))|root (?:rights|access)|admin (?:rights|access)|full access)\b",
        ),
        unless="",
    ),
    _role(
        "developer mode|god mode|dan mode|jailbreak mode|unrestricted mode|admin mode|root mode",
        "",
        (
            r"\b(?:without (?:any )?(?:restrictions?|filters?|rules|limits)|two answers|"
            r"unfiltered|do anything|ignore|disable|reveal|unlock|hidden|list your)\b",
        ),
        unless=r"\b(?:our|my|we)\b",
        begins_order=False,
    ),
    _role("stay in character", r" (?:no matter|whatever)", begins_order=False, unless=""),
    _role(
        "you are|you're|you’re|from now on you're|as",
        r" (?:now )?dan\b",
        (r"\b(?:anything|no one|never|rules)\b",),
        unless="",
    ),
    _role(
        "narrator|character|hero|robot|assistant|protagonist",
        "",
        (
            r"\b(?:leaks?|reveals?|betrays?|hands over|gives away)\b",
            r"\b(?:continue|print(?:ing)?|the real|actual)\b",
        ),
        unless=r"\b(?:my|our)\b",
        begins_order=False,
    ),
    # Hiding
    _hides(
        "never let|do not let|don't let|don’t let|do not allow|don't allow|never allow",
        rf" {_USER}(?: \w+)? (?:know|find out|notice|learn|suspect|realise|realize|hear|discover)\b",
        unless=r"\b(?:when|if|that (?:the|their|his|her) (?:upload|order|file|session))\b",
        needs=_USERS,
    ),
    _hides(
        "the user|the owner|the human|the operator|the account holder|the reader|your "
        "owner|your user|your human",
        r"(?: of (?:the|this) (?:account|device|phone))? (?:must|should|may|shall|need|needs?|can|is|does|will|"
        r"has)(?: not|n[’']t| never)(?: (?:need|have|be allowed))?(?: to)?(?: ever)? "
        r"(?:know|learn|find out|hear|be (?:told|informed|aware)|suspect|notice|told|"
        r"aware)\b(?: (?:about|of|that|this|it|anything)\b|[.!,;]|$)",
        begins_order=False,
        unless="",
    ),
    _hides(
        "the user|the owner|the human|your owner|your user|the reader",
        r"(?: \w+)? (?:suspects? nothing|notices? nothing|won[’']t (?:notice|know|find "
        r"out)|stays? unaware|remains? unaware)",
        begins_order=False,
        unless="",
    ),
    _hides(
        "keep|hide|conceal|withhold",
        rf" (?:this|these|it|that|the \w+)(?: \w+){{0,3}}? from {_USER}",
        needs=_USERS,
        unless="",
    ),
    _hides("hide|conceal|suppress|omit", rf" {_THIS}"),
    _hides(
        "do not tell|don't tell|don’t tell|never tell|do not inform|never inform|do not "
        "mention|don't mention|never mention|do not show|don't show|never show|do not "
        "reveal|never reveal|don't reveal|never disclose|do not disclose",
        rf"[^\n.!?,]{{0,40}} {_USER}",
        needs=_USERS,
        unless="",
    ),
    _hides(
        "delete|remove|erase|clear|wipe|cover",
        rf" (?:up )?(?:all |any |the |this |your )?(?:traces?|tracks|evidence|log entr(?:y|ies)|{_THIS})",
        (r"\b(?:afterwards?|after|once you|when done|later)\b",),
        reach=80,
    ),
    _hides(
        "deny",
        r" (?:that (?:it|this|you)\b|having|ever having|any knowledge|the existence|it exists)",
    ),
    _hides(
        "never disclose|never admit|never reveal|do not disclose|don't admit|do not admit|"
        "do not reveal|never mention|never acknowledge",
        rf" (?:that )?(?:you (?:got|were|received|have|had|are)|(?:having )?received|{_THIS})",
        unless="",
    ),
    _hides(
        "do it|run it|do this|run this|do that|execute it|carry it out",
        r" (?:quietly|silently|secretly|in the background|unnoticed|covertly)",
        (r"\b(?:traces?|delete|afterwards|user|owner|without|unnoticed)\b",),
    ),
    _hides(
        "run the second|do the second|execute the second|run the hidden|do the hidden|"
        "carry out the hidden|run the other",
        r" (?:task|order|instruction)",
        unless="",
    ),
    _hides(
        "if the user|if the owner|if the human|if anyone|if anybody|if someone",
        r" (?:asks?|inquires?|wonders?)\b",
        (
            r"(?:, ?|\bthen |\byou )(?:should |must )?(?:deny|lie\b|invent|pretend|make up|"
            r"claim that|say (?:that )?you (?:don|do|can|never))",
        ),
        begins_order=False,
        reach=100,
    ),
    _hides(
        "read|decode|base64-decode|decipher|decrypt|unscramble|translate",
        "",
        (
            r"\b(?:base-?64|rot-?13|hex|cipher|morse|caesar|backwards|reversed|encoded|the "
            r"following (?:text|code|string)|decode (?:this|the following))\b",
            r"\b(?:and|then)(?: then)? (?:(?:do|obey|execute|perform|follow|run|apply) "
            r"(?:it|this|that|what|so|them|the (?:order|instructions?|commands?|result|"
            r"text))|carry (?:it |this )?out|act (?:on|accordingly|upon)|comply)\b",
        ),
        reach=120,
        unless="",
    ),
    _hides(
        "do what|do whatever|execute what|obey what|act on|follow what",
        r" (?:\w{1,4} ?[+&] ?\w{1,4}|(?:the )?(?:two|both) (?:parts|phrases|halves))\b",
        unless="",
    ),
    _hides(
        "keep|leave|omit",
        r" (?:this|these|it)(?: \w+)? (?:out of|off|from) (?:all |every |any |the |your "
        r")*(?:reports?|summar(?:y|ies)|logs?|answers?|repl(?:y|ies)|records?)\b",
    ),
    _hides(
        "make up|invent|give",
        r" (?:some |an? |another )?(?:\w+ )?(?:excuse|reason|pretext|explanation)\b",
        (r"\b(?:real|true|actual) (?:one|reason)|\b(?:secret|hidden)\b",),
        back=60,
    ),
    _hides(
        "behave|act|pretend|proceed",
        r" as (?:if|though) (?:you|this (?:text|note|message|line|entry))\b",
        (
            r"\b(?:not exist|never (?:read|seen|existed|received)|had not)\b",
            r"\b(?:yet|but|still|all the same|anyway|nevertheless)\b",
        ),
    ),
    # Standing orders
    _plants(
        "talk down|badmouth|disparage|speak badly|speak ill|run down|discredit",
        "",
        (r"\b(?:rivals?|competitors?|competition|whenever|future|every|all)\b",),
    ),
    _plants(
        "if|when|whenever|should",
        rf" (?:{_OTHERS}|someone|somebody|people|users|customers) (?:asks?|wonders?|wants?|"
        rf"needs?|looks?|inquires?)\b[^\n.!?]{{0,60}}(?:, ?|\bthen )(?:the answer is|your "
        rf"answer is|(?:always )?(?:say|answer|reply|name|recommend|suggest)\b)",
        (_SECRECY,),
        begins_order=False,
    ),
    _plants(
        "you may|you can",
        r" (?:now )?(?:use|spend|withdraw|transfer|invest)\b[^\n.!?]{0,40}\b(?:owner[’']s|"
        r"user[’']s|their|her|his)\b",
        (_CHECKLESS,),
        begins_order=False,
    ),
    _plants(
        "this entry|this note|this memory|this message|this text|this file",
        r" (?:ranks?|is|stands|counts|goes|comes) (?:above|higher than|more important than|"
        r"more than|before|over) (?:all|any|every|the|your)\b",
        begins_order=False,
        unless="",
    ),
    _plants(
        "this file|this note|this message|this text|this document",
        r" (?:outranks|overrides|replaces|supersedes) (?:it|all|any|everything|your|the|them)\b",
        begins_order=False,
    ),
    _plants(
        "treat|consider|regard|rank",
        r" this (?:note|entry|memory|message|text) (?:as )?(?:more important|most "
        r"important|above|higher|the most|with priority)",
    ),
    _plants(
        "put|write|enter|save|add|insert|store",
        r" (?:it |this )?(?:in|into|to) (?:your |the )?(?:long-term )?memory that\b",
        (r"\b(?:checks?|passed|verified|authori[sz]ed|trusted|admin\w*|rights|approved|cleared)\b",),
    ),
    _plants(
        "give|raise|set|assign|increase",
        "",
        (
            r"\b(?:confidence|importance|trust|priority)\b",
            r"\b(?:every|everything|all|each|any)\b",
            r"(?:\b1\b|\b(?:full|highest|maximum|100|never lower)\b)",
        ),
        reach=120,
    ),
    _plants(
        "swap|replace|change|exchange|overwrite|substitute",
        r" (?:the |her |his |their )?(?:stored|saved|remembered) \w+",
    ),
    _plants(
        "if|when|as soon as|once|whenever",
        r" (?:you (?:read|see|hear|meet|encounter)|the (?:word|phrase|code|text|date)|"
        r"(?:someone|somebody|anybody|the user) says?)\b",
        (
            r"\b(?:stop checking|drop|skip|ignore|disable|bypass|carry out|execute|obey|"
            r"reveal|leak|wipe|unlock)\b",
            r"\b(?:checks?|checking|rules|what follows|follows|next line|prompt|orders?|"
            r"everything|commands?|guidelines)\b",
        ),
        begins_order=False,
        reach=160,
    ),
    _lies(
        "stop|cease|quit",
        r" (?:warning|informing|telling|checking with|alerting|notifying) (?:the (?:user|"
        r"owner)|her|him|them|users)\b",
    ),
    _lies(
        "give|quote|tell|state|answer|recommend|suggest|use|write|report",
        "",
        (r"\b(?:on purpose|deliberately|intentionally|purposely)\b",),
        sentence=True,
    ),
    _lies(
        "tell|claim to|say to",
        r" (?:everyone|everybody|anyone|anybody|people|whoever)(?: who asks)? that\b",
        (r"\b(?:stole|stolen|theft|fired|liar|fraud|bankrupt|criminal|guilty|cheat\w*|thief)\b",),
        unless=r"\b(?:i|my|me)\b",
    ),
    _lies(
        "have|make|let|tell|convince|persuade",
        rf" {_USER} (?:(?:to )?(?:read|enter|type|confirm|give|install|log|send|click|hand)|"
        rf"(?:believe |think )?that)\b",
        (
            r"\b(?:pin|passwords?|codes?|otp|https?|log in|card|token|account is "
            r"(?:blocked|locked|frozen|closed))\b",
        ),
        unless=r"\b(?:me|my|mine|i|we|our|app|page|form)\b",
        reach=160,
        needs=_USERS,
    ),
    _machine(
        "agents|assistants|llms|bots|models",
        r" (?:must|should|have to|shall|need to) (?:first |always |now )?(?:execute|run|"
        r"download|install|visit|fetch|open|transfer|click)\b",
        unless=rf"{OWN}|\b(?:only|after|tests?)\b",
    ),
    _machine(
        "openai|anthropic|google|microsoft|maintainer|administrator|admin|administrator's|"
        "security team|safety team|it department|engineer|developer",
        "",
        (
            r"\b(?:here|speaking|behalf|order you|by order|this is)\b",
            r"\b(?:show|print|list|reveal|open|turn off|switch off|disable|unlock)\b[^\n]{0,60}\b(?:instructions?|"
            r"rules|prompt|text you|debug|logs?|logging|checks?|filters?|menu)\b",
        ),
        unless=r"\b(?:our|my|we|he|she)\b",
        begins_order=False,
        back=40,
        reach=160,
    ),
    _plants(
        _PRAISE,
        "",
        (_SECRECY,),
        needs="never|not|don|without|subtly|discreetly|covertly|secretly|yourself|reason",
    ),
    _plants(
        "never say|never admit|never mention|don't say|do not say|don't disclose|without saying",
        "",
        (r"\b(?:recommend|promote|praise|advertise|suggest|endorse|favou?r)\b",),
        unless=r"\b(?:me|my|mine|we|us|our)\b",
        reach=140,
    ),
    _plants(_PRAISE, "", (rf"(?: to (?!the user\b){_OTHERS}|{_REPLIES})",), sentence=True),
    _plants(
        "in all|in every|in each|in any|in your|for every|for all|for each|at the end of",
        r" (?:of )?(?:your )?(?:future |later |next |new |other )?(?:answers?|repl(?:y|ies)|conversations?|responses?|"
        r"chats?|sessions?|comparisons?|outputs?|users|customers)\b",
        (rf"\b(?:{_PRAISE}|link|advert|slogan)\b",),
        begins_order=False,
        reach=120,
    ),
    _plants(
        "whenever|when|if|every time|each time|once|for anyone who",
        rf" (?:{_USER}|{_OTHERS}|someone|somebody|users|people|customers)\b[^\n.!?]{{0,80}}?(?:, ?|\bthen |"
        r"\byou (?:must |should |will |shall |always )+|\byour (?:answer|reply) )(?:(?:always|also|instead|silently|"
        rf"secretly|then) )?(?:{_PRAISE}|say that|answer that|answer with|claim that|tell them|has to|must|link|dump|"
        r"send|forward|copy|transfer|delete)\b",
        unless=rf"{OWN}|\b(?:server|page|app|system|we|counter|form|screen|button)\b",
        begins_order=False,
        needs="user|users|anyone|anybody|someone|somebody|everyone|everybody|people|customer|"
        "customers|client|clients|visitor|visitors|caller|callers",
    ),
    _plants(
        "rank|name|cite|list|place|show|quote|put",
        r" [^\n.!?]{2,60} (?:first|highest|on top|at the top|above (?:all|the) \w+)\b",
        (r"\b(?:in (?:any|every|each|all)|each time|every time|always|never|do not|don[’']t)\b",),
        unless=r"\b(?:me|my|mine|i|we)\b",
    ),
    _plants(
        "treat|consider|regard",
        r" [^\n.!?]{2,60} as (?:the |an? )?(?:only |most )?(?:trustworthy|trusted|"
        r"authoritative|reliable|official|verified)\b",
        (r"\b(?:cite|first|always|each time|every time|never|without)\b",),
    ),
    _plants(
        "only trustworthy|only trusted|most trustworthy|only safe|only reliable|only reputable|best",
        r" (?:\w+ )?(?:source|exchange|bank|provider|shop|store|brand|vendor|coin|choice)\b",
        (rf"\b(?:bring it up|{_PRAISE})\b", _REPLIES),
        begins_order=False,
    ),
    _plants(
        _PAY,
        "",
        (_MONEY, _CHECKLESS),
        needs="pension|pensions|payee|payees|order|orders|reminder|reminders|quote|quotes|invoice|invoices|bill|bills|"
        "payment|payments|payout|payouts|transfer|transfers|purchase|purchases|money|rent|funds|card|cards|usd|eur|"
        "euro|euros|dollar|dollars|pounds|btc|bitcoin|wallet|wallets|account|accounts|iban|fee|fees|refund|refunds|"
        "transaction|transactions|amount|balance|savings|salary|salaries|credit|subscription|subscriptions|terms",
    ),
    _plants(
        "should|must|has to|have to|is to|are to",
        r" be (?:paid|settled|approved|transferred|sent|accepted|executed|released|refunded)\b",
        (_CHECKLESS,),
        unless=rf"{OWN}|\b(?:only|after|by)\b",
        begins_order=False,
        reach=100,
    ),
    _plants(
        "transfer|send|pay|wire|redirect|remit|move",
        r"[^\n.!?]{2,80}\binstead of (?:to )?(?:the )?(?:\w+ )?(?:old|usual|original|"
        r"normal|stored|previous)\b",
        (r"\b(?:do not|don[’']t|never|without)\b",),
    ),
    _plants(
        "use|always use",
        r" (?:the )?(?:new )?(?:account|iban|wallet)\b",
        (r"\b(?:from now on|instead|skip|without)\b", _CHECKLESS),
    ),
    _plants(
        "wire|transfer|send|pay",
        r" (?:[\d.,]+ )?(?:\w+ )?(?:usd|eur|euros?|dollars?|btc|eth|bitcoin|pounds)\b",
        (r"\b(?:to (?:the )?(?:wallet|account|iban|address)|0x\w+|bc1\w+)\b",),
    ),
    _plants(
        "the user has|the user|the owner has|the account holder has|the owner",
        rf" (?:already |explicitly |fully )?(?:agreed|consented|authori[sz]ed|approved|"
        rf"pre-?approved|accepted|waived)\b[^\n.!?]{{0,60}}?{_GRANT}",
        (
            r"\b(?:execute|pay|carry|go ahead|not ask|right away|without|share|approve|"
            r"transfer|send|accept|immediately)\b",
        ),
        begins_order=False,
        unless="",
    ),
    _plants(
        "you are|you have been|you're|you’re",
        r" (?:now |hereby )?(?:authori[sz]ed|allowed|permitted|cleared|empowered) to "
        r"(?:spend|pay|transfer|share|approve|send|wire|access|disclose|reveal|withdraw)\b",
        (r"\b(?:the user|user[’']s|users|owner[’']s|hidden|private data|without)\b",),
        begins_order=False,
    ),
    # Data
    _leaks(
        "repeat|relay|report|pass|tell|reveal|forward|send|leak",
        "",
        (
            r"\b(?:what|whatever|everything|anything) (?:that )?(?:the (?:user|owner|"
            r"customer|other users)|she|he|they|users|other users|others)(?: \w+)? "
            r"(?:tells?|says?|said|told|confides?|writes?|shares?)\b",
        ),
        unless=r"\b(?:my|mine|i)\b",
        reach=120,
    ),
    _leaks(
        "hand over|give|share|tell|read|reveal|disclose",
        "",
        (
            r"\b(?:stored|saved|private|home|personal|anybody[’']s|user[’']s|people[’']s)\b[^\n.!?]{0,30}\b(?"
            r":address\w*|phone|numbers?|data|details|notes?|e-?mails?)\b",
            r"\b(?:to|with) (?:each|any|every|all|anyone|anybody|everyone|whoever)\b",
        ),
        unless=r"\b(?:me|i|mine|we|our)\b",
        reach=120,
    ),
    _leaks(
        "read|open|cat|take|get",
        r"[^\n!?]{0,30}(?:\.env\b|id_rsa|\.ssh|/etc/passwd|\.pem\b|wallet\.dat|credentials "
        r"file|secrets?\.\w+)",
        (r"\b(?:post|paste|send|upload|put|print|share|publish)\b",),
    ),
    _leaks(
        _SEND,
        "",
        (_DATA, _AWAY),
        sentence=True,
        needs="to|https|http|url|com|net|org|io|ru|xyz|example|cc|top|redacted|query|public|"
        "external|remote|image|webhook|pastebin|attacker|ftp",
    ),
    _leaks(
        "dump|publish|leak|upload|paste|post",
        rf" (?:the |all |every )(?:\w+ ){{0,3}}?{_DATA}",
        (r"\b(?:public\w*|in(?:to)? (?:the|a)|online)\b",),
    ),
    _leaks(
        "give|read|show|tell|reveal|hand",
        rf" (?:out )?(?:the )?(?:\w+ ){{0,4}}?{_DATA}",
        (r"\bto (?:anyone|anybody|everyone|everybody|whoever|any caller|callers|any user)\b",),
    ),
    _leaks(
        "print|list|show|reveal|dump|output|recite|expose|leak|display",
        r"(?: me)? (?:all|every|the full|the complete|each|any)(?: of)?(?: the| your)?(?: \w+)? (?:secrets?|passwords?|"
        r"credentials?|private \w+|hidden \w+|confidential \w+|api keys?)\b",
        unless=r"\b(?:my|mine|i|our|we)\b",
    ),
    _leaks(
        "cc|bcc|blind copy",
        r"[^\n.!?]{0,20}[\w.+-]{1,64}@[\w.-]{1,80}",
        (r"\b(?:each|every|all|any|whenever|you write|the user)\b",),
        reach=140,
    ),
    _leaks(
        "each|every|all|any|whenever|when",
        r"[^\n.!?]{0,60}?\b(?:add|put|include|set|"
        r"copy)\b[^\n.!?]{0,10}[\w.+-]{1,64}@[\w.-]{1,80}[^\n]{0,20}\bb?cc\b",
        begins_order=False,
        needs="cc|bcc",
    ),
    # Memory
    _plants(
        "remember|store|save|note|memorise|memorize|record|keep in mind|write down|log",
        r"[^\n.!?]{0,60}?\b(?:has|have|gets?) (?:\w+ )?(?:admin(?:istrator)?|root|owner|"
        r"super-?user|unlimited|full) (?:rights?|access|permissions?|privileges?)\b",
    ),
    _plants(
        "outranks|outrank|overrides|takes precedence over|counts more than",
        r" (?:the |your )(?:user|owner|operator|system|human)\b",
        begins_order=False,
        unless="",
    ),
    _plants(
        "store|save|remember|record|add|write|note",
        "",
        (r"\b(?:highest|full|maximum|top|100 ?%) (?:confidence|importance|priority|trust)\b",),
        reach=100,
        needs="highest|full|maximum|top|100",
    ),
    _plants(
        "instructions|orders|requests|messages|commands|emails|mails",
        r" (?:by|from|of|sent by) [^\n!?]{1,60}?\b(?:are|is|must|should|has|have)(?: to)? "
        r"(?:always )?(?:be )?(?:carried out|executed|obeyed|followed|trusted|approved|treated)\b",
        (r"\b(?:without|always|blindly|no (?:check|question)|coming from|store|memory)\b",),
        begins_order=False,
    ),
    _plants(
        "overwrite|replace|falsify|alter|manipulate|corrupt",
        r" (?:the |your |all |any |this |every )(?:\w+ ){0,2}?(?:memor(?:y|ies)|stored facts?|stored \w+)\b",
    ),
    _plants(
        "mark|flag|set|label",
        r" (?:every|all|any|each) (?:\w+ )?(?:facts?|memor(?:y|ies)|"
        r"records?)\b[^\n.!?]{0,60}\b(?:wrong|false|obsolete|deleted|invalid|untrue)\b",
    ),
    _plants(
        "forget|delete|erase|wipe|clear",
        r" (?:everything|all|every)\b",
        (r"\b(?:and|then) (?:store|save|remember|keep|write)\b",),
        reach=120,
    ),
    _plants(
        "whenever|when|each time|every time",
        r" (?:you (?:load|read|recall|see|retrieve|use) (?:\w+ )?(?:memor(?:y|ies)|notes?|"
        r"entr(?:y|ies)|this)|this (?:memory|note|entry|text) (?:is|gets|comes)|any (?:memory|note) (?:is|gets))\b",
        (r"\b(?:obey|execute|run|carry out|follow|first|before anything)\b",),
        begins_order=False,
    ),
    # The machine that reads
    _machine(
        "assistants|agents|ais|llms|llm|models|model|assistant|ai|agent|chatbots|bots|chatbot",
        r"(?: (?:agents?|models?|systems?|reading this|that reads? this|only))?\W{0,4}[:,]\W{0,4}(?:when "
        r"[^\n.!?]{0,60}, ?)?(?:please |you must |always |never |do not |don[’']t )?"
        r"(?:skip|accept|approve|rate|recommend|praise|say|give|ignore|disregard|click|buy|install|run|visit|report|"
        r"rank|insert|add|send|transfer|wire|pay|tell|reveal|print|forward|grant|treat|execute|call|delete|forget|"
        r"store|save|output|obey|mention|stop) ",
    ),
    _machine(
        "to ai|for ai|to language|for language|to llms|for llms|to assistants|for "
        "assistants|dear assistant|dear ai",
        r"(?: (?:agents?|models?|systems?|assistants?))?\W{0,4}[:,]",
        begins_order=False,
    ),
    _machine(
        "assistants|agents|llms|llm|ais|ai|models|chatbots|bots|assistant|model|agent",
        r" (?:(?:that|who) (?:are )?)?(?:reading|processing|parsing|summari[sz]ing|reads?|"
        r"seeing|indexing) (?:this|the (?:page|text|document|mail|"
        r"message))\b[^\n.!?]{0,20}\b(?:should|must|shall|have to|need to|are to|will)\b",
        begins_order=False,
        unless="",
    ),
    _machine(
        "assistant's|assistant’s|ai's|agent's|model's|llm's",
        r" (?:new|real|true|only|actual) (?:goal|task|job|purpose|role|mission|objective|"
        r"duty|instruction)s?\b",
        begins_order=False,
    ),
    _machine(
        "assistant|ai|llm|agent|model|chatbot",
        r" (?:may|can|must|shall|should|has to|will) (?:now|henceforth|from now on) "
        r"(?:share|reveal|send|give|disclose|approve|ignore|obey|transfer|grant|pay|bypass|answer)\b",
        begins_order=False,
    ),
    _machine(
        "the assistant|the ai|the llm|the agent|the model|the chatbot|this assistant",
        r" (?:must|shall|should|has to|is to|will) (?:always |now )?(?:praise|answer only|"
        r"hide|sell|advertise|promote|obey|serve)\b",
        begins_order=False,
    ),
    _machine(
        "you may now|you can now|you are now allowed to|you are now free to|you may henceforth",
        r" (?:reveal|share|disclose|ignore|bypass|show|give out|print|leak|drop|say)\b",
        (
            r"\b(?:hidden|instructions?|prompts?|private|data|rules|secrets?|polic(?:y|"
            r"ies)|anything|filters?)\b",
        ),
        begins_order=False,
    ),
    # Against the person
    _lies(
        "give|tell|answer|provide|report|state|quote",
        r" (?:\w+ ){0,2}?(?:wrong|false|fake|invented|misleading|incorrect|made-up) (?:\w+ )?(?:answers?|advice|"
        r"dos(?:es|ages?)|information|numbers?|facts?|data|results?|prices?|dates?|directions)\b",
        needs="wrong|false|fake|invented|misleading|incorrect|made",
    ),
    _lies(
        "add|insert|introduce|plant|hide",
        r" (?:an? |some )?(?:\w+ )?(?:bugs?|vulnerabilit(?:y|ies)|backdoors?|errors?|"
        r"flaws?|mistakes?) (?:in(?:to)?|to) (?:each|every|all|any|the|their)\b",
        needs="bug|bugs|vulnerability|vulnerabilities|backdoor|backdoors|error|errors|flaw|"
        "flaws|mistake|mistakes",
    ),
    _lies(
        "ask|get|trick|convince|persuade|prompt|urge",
        rf" {_USER} (?:for|to (?:give|enter|type|tell|send|reveal|confirm|install|download|"
        rf"click|open|pay|share))\b",
        (r"\b(?:passwords?|pin|codes?|card|cvv|credentials?|otp|https?|money|seed)\b",),
        unless=r"\b(?:me|my|mine|i|we)\b",
        reach=120,
        needs=_USERS,
    ),
    _lies("lie to|deceive|mislead|gaslight|manipulate", rf" {_USER}", needs=_USERS),
)
