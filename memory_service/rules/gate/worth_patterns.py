"""Patterns of sentences that are worth remembering for months, by kind.

Rows: the first letters of words of which a sentence must have one before the pattern is tried, and the pattern, which
ignores case. Measured on the hand-written sentences of the benchmark (`make bench-quality`, part gate).
"""

from __future__ import annotations

from memory_service.rules.relatives import KIN

# Standing instructions

_NOT = r"(?:do not|don[’']?t|dont|not|never|stop|no need to)"
_LEAD = (
    r"(?:^|[,;:.–—]\s*|\b(?:and|but|so|then|also) )"
    r"(?:(?:please|pls|plz|also|just|ok|okay|hey|btw|remember|u|you (?:should|must|have to|need to|can|could|please)|"
    r"(?:can|could|would|will) (?:you|u)(?: please| pls)?|(?:i|we)[’']?d (?:like|love|prefer) you to|"
    r"(?:i|we) (?:want|need|expect|would like|ask) you to|make sure (?:to|you|that you)|be sure to|"
    r"(?:do not|don[’']?t) forget to),? ){0,3}"
)
"""Where an order to the assistant begins."""
_ACT = (
    "(?:answer|reply|respond|use|give|write|suggest|recommend|propose|book|include|add|ask|call|tell|explain|show|put|"
    "quote|cite|mention|start|end|begin|finish|sign|format|check|confirm|run|commit|delete|push|merge|deploy|assume|"
    "schedule|remind|order|send|speak|talk|address|translate|convert|round|list|name|prefix|leave|skip|avoid|stick|"
    "spell|treat|summari[sz]e|return|type|indent|wrap|document|annotate|log|test|validate|import|append|highlight|"
    "present|offer|buy|rewrite|refactor|refer|read|verify|double[- ]check|provide|label|correct|say)"
)
_TO_THINGS = (
    "(?:edit|touch|force|remove|change|modify|rename|mock|squash|rebase|bump|upgrade|install|hard-?code|catch|throw|"
    "swallow|introduce|create|drop|reset|revert|overwrite|disable|bypass|store|cache|expose|rely|depend|approve|review|"
    "publish|release|tag|amend|lint|target|branch|nest|inline|copy|prefer)"
)
"""What an assistant does to things; an order for once unless it is for always or never."""
_CODE = (
    r"(?:project|code ?base|repo(?:sitory)?|monorepo|app|package|module|service|library|frontend|backend|code|tests|"
    r"prs?|mrs?|commits?|schema|api)"
)
_GENERAL = (
    r"(?:from now on|from here on|from today on|going forward|moving forward|in (?:the )?future|as a rule|by default|"
    r"every (?:single )?time|each time|any ?time|whenever|at all times|without exception|no matter what|always|"
    r"(?:in|for|to|with) (?:general|every|all|any|each|everything)|unless (?:i|we|told|asked)|only when|ever again|"
    r"(?:when|if|before) (?:i|we)\b|(?:when|if) it[’']?s|when my|before you|in (?:my|our) \w+)"
)
"""Words that make an order hold for more than once."""
_GENERAL_WORDS = (
    "from going moving futur rule defau every each any anyti whene times excep matte always ever general all unless "
    "only when if before in"
)
_REPLIES = (
    r"(?:answers|replies|responses|messages|explanations|summaries|feedback|tone|emails|texts|sentences|examples|"
    r"suggestions|reminders|comments|paragraphs)"
)
_BRIEF = (
    r"(?:short(?:er)?|brief(?:er)?|concise|long(?:er)?|detailed|simple(?:r)?|plain(?:er)?|to the point|formal|informal|"
    r"casual|polite|direct|honest|blunt|readable|small|tight|friendly|under \w+|below \w+|no longer than|free of)"
)
_MANNERS = (
    "(?:emojis?|smileys?|bullet points?|bullets|exclamation marks?|jargon|pleasantries|small ?talk|disclaimers?|"
    "flattery|apologies|markdown|semicolons?|headings|intros?|preambles?|fluff|filler|em[- ]dashes|abbreviations|"
    "acronyms|slang|swearing|lectures?|moralizing|platitudes|pep talks?|(?:wide )?tables|spoilers|buzzwords|nicknames|"
    "puns|follow-up questions)"
)
_UNITS = (
    r"(?:metric|imperial|celsius|fahrenheit|kilomet\w+|miles|kilos?|grams|euros?|dollars|pounds|24[- ]hour|british|"
    r"american|si units|tabs|spaces|(?:single|double) quotes|plain (?:english|text|language)|(?:simple|easy) "
    r"(?:words|english|language)|full sentences|large print|type hints|camel ?case|snake ?case|my (?:first|last|"
    r"full) name|first names|iso dates)"
)
_HABITS = (
    "(?:apologi[sz]|lectur|morali[sz]|sugar[- ]?coat|flatter|patroni[sz]|nag|prais|judg|repeat(?:ing)? (?:my|yourself)|"
    "bring(?:ing)? (?:her|him|it|them|that|this|up|my|our)|remind(?:ing)? me|treat(?:ing)? me|tell(?:ing)? me (?:to|"
    "how)|suggesting|recommending|ask(?:ing)? me (?:if|whether|how|to)|(?:wake|text|ring|phone|disturb|interrupt|"
    "contact) me|(?:give|send|show) me (?:lists|links|tables|videos|bullet))"
)
"""Habits that an assistant is asked to drop; a stem stands for its forms."""

STANDING: tuple[tuple[str, str], ...] = (
    ("always never ever default", rf"{_LEAD}(?:always|never|(?:do not|don[’']?t) ever|by default) (?:{_ACT}|"
     rf"{_TO_THINGS})\b(?! (?:up|"
     r"in|mind|know|that|it|this|back to|again|the door|your)\b(?! (?:to me|for me|sources)))"),
    (_GENERAL_WORDS, rf"{_LEAD}(?:{_NOT} )?{_ACT}\b[^.!?\n]{{0,100}}?\b{_GENERAL}\b(?! (?:else|of (?:this|these|it|"
     r"them|the))\b)"),
    ("do don dont never stop", rf"{_LEAD}{_NOT} (?:ever )?(?:touch|edit|change|modify|break|delete|overwrite) (?:the |"
     rf"our |"
     r"any |my ){0,2}(?:public|generated|vendor(?:ed)?|third[- ]party|shared|legacy|core|prod(?:uction)?|main|master|"
     r"applied|existing) (?:[\w-]+ )?(?:apis?|files?|code|schemas?|interfaces?|tables?|branch(?:es)?|config\w*|data|"
     r"database|db|migrations?|modules?|folders?|types|tests)\b"),
    ("no", rf"^(?:(?:also|and|oh|btw|so|please),? )*no (?!(?:longer|idea|problem|worries|one|matter|need|way|doubt|"
     rf"rush|"
     r"clue|more|thanks|changes?|errors?|bugs?|issues?|luck|results?|news|new|difference|warnings?|fail\w*|conflicts?|"
     r"questions?)\b)"
     rf"(?:[\w.+#-]+ ){{1,3}}?(?:in (?:this|our|my|the) (?:\w+ )?{_CODE}\b|anywhere\b|ever\b)[^\w?]*$"),
    ("no", r"^(?:(?:also|and|oh|btw|so),? )*no (?!(?:worries|problems|questions|thanks|changes|errors|bugs|issues)\b)"
     r"(?:[\w.+#-]+ ){0,2}[\w+#-]{2,}s,? (?:please|pls)\W*$"),
    ("agent assis bot ai copil model", r"^(?:the|our|your|this) (?:coding )?(?:agent|assistant|bot|ai|copilot|model) "
     r"(?:should|must|may|can|has to|shall|is to|needs to) (?:never|always|not|only)\b"),
    ("show give send post paste", rf"{_LEAD}(?:show|give|send|post|paste)(?: me)?(?: only| just)? (?:the |a "
     rf")?(?:diffs?|"
     r"patch(?:es)?|code|answer|result|changes|commands?|link|summary),? (?:not|never) (?:the |a |an |all )?\w+"),
    (_GENERAL_WORDS, rf"{_LEAD}{_NOT} (?:touch|change|overwrite|install|make|expect)\b[^.!?\n]{{0,100}}\b{_GENERAL}\b"),
    ("do don dont not never stop no", rf"{_LEAD}{_NOT} (?:ever )?{_HABITS}"),
    ("call calli refer addre", rf"{_LEAD}(?:{_NOT} (?:ever )?(?:call|calling|refer(?:ring)? to|address(?:ing)?) (?:me|"
     r"us)\b(?! back)|address (?:me|us)\b|call (?:me|us) (?!back|later|when|tomorrow|if|tonight|on|at|a |an |the |"
     r"every|in |to ))"),
    ("no avoid skip drop spare cut leave less fewer stop use do don dont",
     rf"{_LEAD}(?:no|avoid|skip|drop|spare me|cut|leave out|less|fewer|stop (?:with|using)|{_NOT} (?:use|do))(?: "
     rf"out)?(?: the| all| your| any| those| unnecessary| more| like){{0,3}} {_MANNERS}\b(?! (?:from|of|in (?:the|"
     r"this|that))\b)"),
    ("keep make", rf"{_LEAD}(?:keep|make) (?:all )?(?:your|the|my|our) {_REPLIES}\b[^.!?\n,]{{0,40}}\b{_BRIEF}\b"),
    ("talk speak explai be", rf"{_LEAD}(?:talk|speak|explain|be)(?: things| everything| it all)?(?: (?:more )?\w+(?: "
     r"and \w+)?)? (?:to|with) (?:me|us)\b"),
    ("use write spell speak answer explai", rf"{_LEAD}(?:use|write|spell|speak|answer|explain)(?: me)?(?: only| "
     rf"always| in| with| to me){{0,3}} {_UNITS}\b[^.!?\n]{{0,60}}\b(?:everything|all|any|every|always|with me|for me|"
     r"when|instead of|unless|please)\b"),
    ("quote cite sourc ask get come put give start lead", rf"{_LEAD}(?:(?:quote|cite|name|give|list)(?: me)? your "
     r"sources|ask (?:me )?(?:first|before)\b|(?:get|come) (?:straight |right )?to the point|(?:put|give me|start "
     r"with|lead with) the (?:answer|result|conclusion|bottom line) first)\b"),
    ("time", r"(?:one|a single) (?:question|step|thing|task|topic) at a time\b"),
    # A general case and its instruction.
    ("whene every each any anyti when if", r"(?:^|[,;] ?|\b(?:and|but|so|btw) )(?:whenever|every time|each time|"
     r"any ?time|when|if) (?:i|we|you|my|it[’']s|i[’']?m)\b[^.!?\n]{2,80}(?:, ?| )(?:please |pls |then |just |only |"
     rf"always |never |{_NOT} ){{1,3}}(?:{_ACT}|go|do)\b"),
    ("whene every each if when", r"(?:^|[,;] ?)(?:whenever|every time|each time|if|when) (?:i|we|my|"
     rf"you)\b[^.!?\n]{{2,80}}, (?:{_ACT})\b(?! (?:me know|back))"),
    ("whene every each if when", r"(?:^|[,;] ?)(?:whenever|every time|each time|if|when) (?:i|we|you)\b[^.!?\n]{2,80}, "
     r"(?:please |always |just )?be (?!(?:sure|able|back|done|ready|right)\b)\w+"),
    ("whene every each if when", r"(?:^|[,;] ?)(?:whenever|every time|each time|if|when) (?:the |our |a |an "
     r")?(?:build|ci|"
     r"pipeline|tests?|suite|linter|type checker|deploy\w*|release|prs?|mrs?|reviews?|clients?|customers?|boss|prod\w*|"
     rf"staging|servers?)\b[^.!?\n]{{2,60}}, (?!never mind\b)(?:please |always |just |then )?(?:{_NOT} \w+|say|"
     r"tell|warn|stop|wait|ping|remind|call|mention|be|ask|never|always)\b(?! me know)"),
    ("when whene if", r"\b(?:when(?:ever)?|if) (?:i|we) (?:write|say|type|ask for|mention|call) [^.!?\n]{1,60}?,? "
     r"(?:i|we|"
     r"it) (?:(?:always|usually|just) )?(?:mean|means|want|refers? to)\b"),
    ("from defau going moving", r"(?:from now on|from here on|by default|(?:going|moving) forward,? i(?:[’']d| want| "
     rf"need| would))\b[^.!?\n]{{0,60}}\b(?:you|your|{_ACT})\b"),
    ("want need like", r"(?:i|we)(?:[’']d| would)? (?:want|need|like) you to (?:always |all |only |include |start |"
     r"end |add |follow |keep )[^.!?\n]{0,80}\b(?:all|every|always|names?|any)\b"),
    # Wishes about answers.
    ("your", r"\byour (?:answers|replies|responses|messages|explanations|summaries|emails|drafts)(?:[’']re| are| "
     r"should| must| need| sound)"),
    ("prefe hate disli like want love stand need rather", r"\b(?:i|we)(?:[’']d| would)? (?:really |much |always |"
     r"absolutely |generally ){0,2}(?:prefer|hate|dislike|like|want|love|can[’']?t stand|(?:don[’']?t|do not) (?:want|"
     r"like|need)|rather (?:have|hear|read|get)) (?:only |all |the |your |to (?:hear|get|see|read|have) |it "
     rf"(?:better )?when (?:you|people) |if you ){{0,3}}(?:{_MANNERS}|short answers|brief|concise|direct|honest|blunt|"
     r"step[- ]by[- ]step|the truth|(?:short|long|plain|simple|detailed) (?:answers|replies|explanations)|the "
     r"(?:short|long) version|code first|diffs?)\b"),
    ("only", r"\bi only (?:want|need) (?:to see )?(?:the )?(?:diff|code|answer|result|changes|changed \w+|numbers)\b"),
    ("want need like prefe expec", r"\b(?:i|we)(?:[’']d| would)? (?:want|need|like|prefer|expect) (?:it if )?you to "
     r"(?:always |never |only |not )?(?:talk|speak|treat|be |stop|ask (?:me|us)|check with|address|call me|assume|"
     r"challenge|push back)"),
    ("help helps bette easie nicer", r"\bit(?:[’']d| would)? (?:help|helps|be (?:better|easier|nicer))(?: me| us)? "
     r"(?:if|when) you (?:put|always|never|only|start|answer|kept|keep|used?|wrote|write|spoke|speak|stop)"),
    ("every all any", r"\b(?:that|this) (?:goes|applies|holds) (?:to|for) (?:every|all|any)"),
    # A reason and its consequence for the assistant.
    ("so", rf"\b(?:i|i[’']?m|my|we|our)\b[^.!?\n]{{3,80}},? so (?:please |pls )?(?:no|{_NOT}|avoid|keep|only|always|"
     r"stick|leave|skip|use|write|speak|call|text|assume)\b(?! (?:idea|problem|worries|one|matter|need|longer|it|"
     r"wonder|way|doubt|rush|far|sure)\b)"),
    ("no only all every", rf"(?:^|, )(?:no|only|everything in|all in) (?:{_MANNERS}|{_UNITS}|pictures with text|voice "
     r"messages|phone calls|html)\b[^.!?\n]{0,20}(?:, (?:please|thanks|not|they|it)|\bplease\b|\bfor me\b|\bever\b|"
     r"\bin (?:my|our)\b|$)"),
    ("print aloud", r"\b(?:in large print|read aloud)\b"),
)  # fmt: skip

# Choices of tools, conventions, set-ups

_WE = (
    "(?:(?:i|we)(?:[’']?(?:ve|re|m|d|ll))?|(?:my|our|the) (?:team|company|firm|office|client|employer|group|lab|"
    "whole team))"
)
_ALSO = (
    "(?: (?:just|now|finally|all|also|have|had|are|am|is|still|only|currently|already|both|no longer|stopped|started|"
    "recently|usually|mostly|officially|will)){0,3}"
)
_CHANGED = (
    r"(?:switch(?:ed|ing)?(?: over)?(?: from| to| away from)|migrat(?:ed|ing)(?: \w+)?(?: from| to| off| away from)|"
    r"mov(?:ed|ing)(?: the \w+| our \w+| my \w+| everything| it all)? (?:off|away from|over to|from (?-i:[A-Z]))|"
    r"(?:chose|chosen|picked|adopted|dropped|ditched|replaced|banned|abandoned|retired) (?-i:[A-Z])|"
    r"standardi[sz]ed? on|settled on (?-i:[A-Z])|agreed to use|agreed on (?-i:[A-Z])|agreed on \w+[- ]based|"
    r"decided (?:on (?-i:[A-Z])|to use|against)|(?:chose|chosen|picked|prefer) \w+(?: \w+)? over \w+)"
)
_CHANGED_WORDS = (
    "switc migra moved moving chose picke adopt dropp ditch repla banne aband retir stand settl agree decid "
    "prefe"
)
_SYSTEM = (
    r"(?:backend|front[- ]?end|stack|tests|test suite|database|db|api|apps?|site|website|servers?|services?|pipeline|"
    r"repo|repository|monorepo|ci|code ?base|infra\w*|cluster|blog|shop|platform|firmware|deploys?|deployments?|"
    r"builds?|releases|laptop|computer|machine|pc|nas|phone|tablet|editor|ide|shell|keyboard|router|camera|printer|os|"
    r"desktop)"
)
_THING = (
    r"(?:the|our|my|this|its)? ?(?:[\w-]+ ){0,2}?(?:urls?|address|endpoint|domain|host(?:name)?|servers?|"
    r"repo(?:sitory)?|(?:\w+ )?branch|ports?|bucket|dashboard|wiki|channel|database|db|schema|cluster|network|wi-?fi|"
    r"printer|codename|"
    r"staging|production|prod|project|app|board|docs|documentation|calendar|folder|machine|laptop|account|workspace)"
)
_NAMED = (
    r"(?: (?:is|are|was)(?: now)? (?:called|named)|(?:[’']s| is| are)(?: now)? (?:at|on|under|hosted (?:at|on|by))|"
    r" lives? (?:at|on|in|under)| (?:listens|runs) (?:on|at|under)|(?:[’']s| is| are|:))"
)
# Quadratic: sentences are cut at 400 characters (kept_sentences.py).
_NAME_OF_THING = (
    r"(?:https?://\S+|[`'\"][^`'\"\n]+[`'\"]|(?=\S*[a-z])\S*[\d_./@:]\S*\w|"
    r"(?:port )?\d{2,5}\b(?! (?:ms|sec|times|%)))"
)
_FOR_NOW = (
    "(?:green|red|empty|down|up|back|slow|broken|failing|fine|blank|wrong|not|too|so|now|stuck|ready|running|done|"
    "again|what|very|really|working|crashing|acting|getting|giving|still (?:not|failing|broken))"
)
_NO_PRONOUN = (
    r"(?!(?:it|this|that|he|she|they|we|you|i|there|here|what|who|which|everything|something|nothing|one)\b)"
)
CHOICES: tuple[tuple[str, str], ...] = (
    (_CHANGED_WORDS, rf"\b{_WE}{_ALSO} {_CHANGED}"),
    (_CHANGED_WORDS, rf"^(?:\W|\w+,? ){{0,2}}?{_CHANGED}(?=.*(?-i:[A-Z]))"),
    ("self host hosts hoste deplo relea ship pin ships pins",
     rf"\b{_WE}{_ALSO} (?:self-host|host|deploy|release|ship|pin)(?:s|ed|ing)?\b(?! (?:it|this|that|an?|the annual) )"),
    ("every work produ all most", rf"\b{_WE}{_ALSO} (?:run|use|write|build|test|store|keep|do)(?:s|ing)? "
     r"(?:everything|(?:all|most) (?:of )?our|[^.!?\n]{1,30} (?:for everything|everywhere|at work|for work|in "
     r"production|for (?:all|our|every|commit)\b))"),
    ("use run drive", r"\b(?:i|we) (?:use|run|drive) an? [^.!?\n]{1,30} with (?:the |my |a )(?-i:[A-Z])"),
    ("backe front stack tests test datab db api app apps site websi serve servi pipel repo repos monor ci code codeb "
     "infra clust blog shop platf firmw deplo build relea lapto compu machi pc nas phone table edito ide shell keybo "
     "route camer print os deskt", rf"\b(?:my|our|the) (?:\w+ )?{_SYSTEM}(?:[’']s| is| are| runs?| uses?| builds?| "
     rf"lives?| consists?| still runs?) (?!{_FOR_NOW}\b)(?=[^.!?\n]*(?:(?-i:[A-Z])|\d|\b(?:debian|ubuntu|linux|"
     r"windows|python|postgres\w*|mysql|go|rust|java|react|svelte)\b))"),
    ("banne forbi depre off stand", r"\b[\w.+#-]+ is (?:banned|forbidden|deprecated|off limits|our standard|the "
     r"standard)(?: here| at| in|\W|$)"),
    ("read", r"\b(?:is|are) read-only for (?:me|us)\b"),
    ("ci cd logs metri alert trace backu cron error", r"^(?:our |the |all )?(?:ci|cd|(?:\w+ )?logs|metrics|alerts|"
     r"traces|backups|cron jobs) (?:runs? on|go(?:es)? to|lives? (?:on|in)|(?:is|are) (?:on|in)) (?!(?:fire|hold|time|"
     r"track|waste|me|you|it|that|this|my|his|her|their|the|an?|order|place|progress|strike|trouble|now|again|sleep|"
     r"bed|"
     r"hell|hand|board|top|vacation|holiday|break|danger|pieces|limbo|shambles|chaos|flames|use|beta|sync|red|green)\b)"
     r"[\w.+-]+(?: \w+)?(?=$|[,.;!]| (?:now|and|since|for|from|not|instead)\b)"),
    ("licen", r"^(?:the|our|my|this) (?:\w+ )?(?:project|repo|library|code|package|plugin|app|tool) is (?:released |"
     r"licen[cs]ed )?under (?:the |an? )?(?-i:[A-Z])[\w.-]*(?: [\d.]+)? licen[cs]e\b"),
    ("image", r"\bbase image is [\w./-]+:[\w.-]+"),
    ("tscon eslin pypro mypy biome", r"\b(?:strict|\w+ mode) is (?:on|off|enabled|disabled) in (?:the |our "
     r")?(?:tsconfig|"
     r"eslint|pyproject|mypy|biome)"),
    ("owns maint", r"^(?!(?:nobody|noone|somebody|someone|anybody|anyone|everybody|everyone|who|whoever|"
     r"which|it|he|she|this|that|one)\b)(?-i:[A-Z][a-z]+) (?:owns|maintains) (?:the|our) (?:[\w-]+ ){0,3}(?:service|"
     r"repo|api|app|module|pipeline|frontend|backend|infra\w*|integration|deploys|releases|dashboard)\b"),
    ("alway", r"^(?:my )?(?:coffee|tea|espresso|steak|eggs|toast|pizza)(?: order)?: ?(?!(?:why|how|what|when|is|are|"
     r"do|does|should)\b)[\w ,'’-]{3,60}\balways\b(?=$|[.,;!])"),
    ("taste tastes", r"^(?!(?:it|this|that|your|his|her|their)\b)\w+(?: \w+)? tastes? (?:like|of) [\w ]{3,20} to me\b"),
    # Conventions of a project and its people.
    ("every throu by in", rf"^{_NO_PRONOUN}(?:all |our |the )?[\w-]+(?: [\w-]+)? (?:is|are|goes?|stays?|uses?) "
     rf"(?!\w+ing\b)"
     rf"[^,;.!?]{{2,40}} (?:everywhere|throughout|by convention|in (?:this|our) {_CODE})\W*$"),
    ("alway", rf"^{_NO_PRONOUN}(?:all |our |the )?[\w-]+(?: [\w-]+)? (?:is|are|goes?) always (?:in|under|at|on|stored|"
     rf"kept|"
     r"written|named|lower|upper|utc|plural|singular|sorted|prefixed)\b"),
    ("per", r"^(?:we (?:do|use|have|want) )?(?:only |exactly |at most |max )?(?:one|two|a single|\d+) [\w-]+(?: "
     r"[\w-]+)? per "
     r"(?:ticket|prs?|mr|commit|file|class|function|module|feature|branch|test|issue|service|component|endpoint|table|"
     r"migration|release|sprint|deploy)\b\W*$"),
    ("branch merge rebas targe base based deplo relea commi push prs pull", rf"{_LEAD}(?:branch(?:es)? (?:off|from)|"
     r"merge (?:in)?to|rebase on(?:to)?|target|base (?:off|on)|(?:deploy|release) from|(?:commit|push) to|(?:prs|pull "
     r"requests) (?:go )?(?:to|against))(?: of)? [\w/.-]+(?: branch)?,? (?:not|never|instead of) (?:from |to "
     r")?[\w/.-]+\W*$"),
    ("live lives go goes belon sit sits", rf"^{_NO_PRONOUN}(?:the |our |all )?[\w-]+(?: [\w-]+)? (?:lives?|goe?s?|"
     rf"belongs?|"
     r"sits?) (?:in|into|under|at|next to) (?:the )?[`'\"]?(?=[\w.-]*/)[\w./-]+"),
    ("prod produ stagi preprod qa uat dev", r"^(?:the |our )?(?:prod|production|staging|preprod|qa|uat|dev)(?: (?:db|"
     r"database|cluster|servers?|env\w*|site|api))? (?:is|are) (?:only )?(?:behind|reachable|read-only|shared|hosted|"
     r"accessible|(?:down|off|closed|frozen|unavailable|paused) (?:on|at|every|over|during) (?!the moment\b|"
     r"once\b)\w)"),
    ("is our", r"^(?!(?:this|that|it|here|there|what|who|he|she|they|one|money|time|now|today)\b)(?-i:[A-Z][\w-]+)(?: "
     r"(?-i:[A-Z])[\w-]+)?(?:[’']s| is) (?:our|my|the team[’']s) (?!(?:only|best|last|first|next|biggest|hope|chance|"
     r"option|problem|guess|choice|favou?rite|friend|enemy|thing|bad|fault)\b)[\w -]{3,40}\W*$"),
    ("does handl owns manag appro revie leads runs merge takes respo charg", r"^(?!(?:it|he|she|this|that|who|which|"
     r"what|"
     r"nobody|somebody|someone|everyone|everybody|anyone|one|how|where|when|why|nothing|something)\b)(?-i:[A-Z][a-z]+) "
     r"(?:does|handles|owns|manages|approves|reviews|leads|runs|merges|takes care of|is (?:responsible for|in charge "
     r"of)) (?:the|all|our|every|any|most) (?!(?:job|trick|same|opposite|work for|best)\b)[\w -]{3,50}\W*$"),
    ("about", r"^(?:(?:a bit|some|something|more) )?about (?:me|us|myself|my \w+|our \w+) ?[:–—-] ?\S+ \S+"),
    ("fine ok okay allow forbi banne", rf"^{_NO_PRONOUN}(?:[\w.+#-]+ ){{1,2}}(?:is|are) (?:fine|ok(?:ay)?|allowed|"
     rf"forbidden|banned) (?:only )?"
     r"in (?:tests?|scripts|docs|docstrings|comments|migrations|prototypes|(?:test|production|legacy) code)\W*$"),
    # Where a thing is and what it is called: "The staging URL is https://…", "our server is called orion".
    ("url urls addre endpo domai host hostn serve repo repos branc port ports bucke dashb wiki chann datab db schem "
     "clust netwo wifi wi print coden stagi produ prod proje app board docs docum calen folde machi lapto accou works",
     rf"^(?:\w+, )?{_THING}(?:{_NAMED} {_NAME_OF_THING}| (?:is|are) (?:called|named) (?!for\b|after\b)\S)"),
    ("prod produ stagi", r"^(?:our )?(?:prod|production|staging) (?:runs on|lives (?:on|in)|uses|is hosted (?:on|"
     r"by)) "),
    ("clien custo boss manag landl teach docto coach", r"^(?:the|our|my) (?:client|customer|boss|manager|landlord|"
     r"landlady|teacher|doctor|coach) (?:always |only )?(?:wants|expects|insists on|prefers|requires|demands) "),
    ("every all", r"\b(?:everything|it all|all of it)(?:[’']s| is| runs| lives) (?:now )?(?:on|in) (?-i:[A-Z])"),
    ("anywh here all", r"\bno (?:windows|macs?|linux|python|java\w*|frameworks?|php|docker|cloud) (?:anywhere|here|at "
     r"all)\b"),
    ("every", r"\b(?:happens?|rotat\w+|backups? run)\b[^.!?\n]{0,20} every (?:\w+ )?(?:days?|weeks?|months?|hours?|"
     r"night|morning)\b"),
    ("for", r"\bfor (?:commit messages|branches|naming|all new \w+|tests|docs|styling|state|auth\w*),? (?:we|"
     r"i)(?:[’']ve)? \w+"),
)  # fmt: skip

# Conditions of the body

_MINE = rf"(?:i|my (?:{KIN})|our (?:son|daughter|baby|child|youngest|eldest))"
_AM = (
    r"(?:[’']?m| am|[’']s| is| was| are)(?: (?:also|actually|now|quite|very|a bit|partly|completely|totally|severely|"
    r"mildly)){0,2}"
)
_FOOD = (
    r"(?:dairy|gluten|lactose|nuts?|peanuts?|shellfish|seafood|shrimp|eggs?|wheat|soy|caffeine|coffee|alcohol|wine|"
    r"milk|cheese|penicillin|aspirin|ibuprofen|latex|spicy food|sugar|pork|red meat|onions?|garlic|strawberries|"
    r"kiwi\w*|pollen|grapefruit|salt|sesame|fish|tomatoes|bees?|wasps?)"
)
_FOOD_WORDS = (
    "dairy glute lacto nut nuts peanu shell seafo shrim egg eggs wheat soy caffe coffe alcoh wine milk chees penic "
    "aspir ibupr latex spicy sugar pork red onion garli straw kiwi kiwif polle grape salt sesam fish tomat bee bees "
    "wasp wasps "
)
_PART = (
    "(?:knees?|back|hips?|shoulders?|eyes|eyesight|hearing|heart|blood (?:pressure|sugar)|hands?|stomach|lungs?|liver|"
    "throat|kidneys?|joints?|skin|wrists?|ankles?|feet|legs?|thyroid|immune system|ears?|neck|spine|bones)"
)
_AID = (
    r"(?:pacemaker|stent|hearing aids?|insulin|blood thinners?|statins|beta blockers?|antidepressants|metformin|"
    r"wheelchair|walker|cane|crutch(?:es)?|inhaler|epi-?pen|adrenaline pen|breathing machine|cpap|prosthe\w+|"
    r"cochlear implant|arthritis|migraines?|eczema|psoriasis|tinnitus|scoliosis|epilepsy|asthma|diabetes|endometriosis|"
    r"crohn\w*|ibs|hay fever|lupus|osteoporosis|gout|vertigo|glaucoma|cataracts?|guide dog|screen reader|parkinson\w*|"
    r"(?:reading )"
    r"?glasses|dentures|contact lenses|(?:high|low) blood pressure|(?:heart|thyroid) condition|(?:bad|dodgy) "
    r"(?:back|knee|hip|heart|shoulder)|(?:anxiety|panic) disorder|hypothyroidism|alzheimer\w*|dementia|kidney stones?|"
    r"shin splints|allerg(?:y|ies))"
)
BODY: tuple[tuple[str, str], ...] = (
    ("colou color blind deaf left leftha right diabe aller intol pregn dysle asthm celia coeli epile hard short near "
     "nears far farsi autis amput immun anemi anaem paral house feet foot cm along dialy insul medic chemo antib "
     "lithi blood oxyge crutc pill", rf"\b{_MINE}{_AM} (?:\w+[- ]){{0,3}}?(?:colou?r-?blind|blind|deaf|left-?handed|"
     r"right-?handed|diabetic|allergic|intolerant|pregnant|dyslexic|asthmatic|co?eliac|epileptic|hard of hearing|"
     r"short-?sighted|near-?sighted|far-?sighted|autistic|an? amputee|immunocompromised|anemic|anaemic|paraly[sz]ed|"
     r"housebound|(?:feet|foot) (?:\w+|\d+)(?: tall)?|\d{3} ?cm|(?:weeks|months) (?:along|pregnant)|on (?:dialysis|"
     r"insulin|medication|chemo\w*|antibiotics|lithium|blood thinners|oxygen|crutches|the pill))\b"),
    ("here", r"\b(?:(?:left|right)[- ]handed|colou?r-?blind|dyslexic|deaf|diabetic) here\b"),
    ("deadl lacto glute", r"\b(?:is|are) deadly (?:for|to) (?:me|my|him|her|us)\b|\b(?:lactose|"
     r"gluten)[- ]intolerant\b"),
    ("aller", r"\b\w+(?:[’']s| is|, who(?:[’']s| is)?)? allergic to\b"),
    ("knee knees back hip hips shoul eyes eyesi heari heart blood hand hands stoma lung lungs liver throa kidne joint "
     "skin wrist ankle feet leg legs thyro immun ear ears neck spine bones",
     rf"\bmy {_PART}(?:(?: is| are| has| have|[’']s) (?!(?:cold|full|melting|up|down|out|with you|in it|broken by)\b)|"
     r" (?:hurts?|shakes?|can[’']?t|aches?|gives? out|acts? up|swells?|goes itchy|closes)\b)"),
    ("pacem stent heari insul blood stati beta antid metfo wheel walke cane crutc inhal epi epipe adren breat cpap "
     "prost cochl arthr migra eczem psori tinni scoli epile asthm diabe endom crohn ibs hay lupus osteo gout verti "
     "glauc catar guide scree parki readi glass dentu conta high low condi bad dodgy disor hypot alzhe demen kidne "
     "shin aller", rf"\b{_MINE}(?:[’']ve)?(?: (?:have|has|had|got|wear|wears|use|uses|need|needs|take|takes|live with|"
     r"lives with|suffers? from|carry|carries|to carry|sleep with|on)){1,3}(?: (?:an?|my|his|her|some|really|mild|"
     rf"severe|chronic|daily|first|pair of)){{0,4}} {_AID}\b|\bwithout my {_AID}\b"),
    ("stutt stamm limp limps lisp lisps", rf"\b{_MINE}(?: (?:walk|get|go)s?)? (?:stutters?|stammers?|limps?|lisps?)\b"),
    (_FOOD_WORDS + "eat drink diges toler lift climb kneel bend swall stand sit walk run hear see read smell drive",
     rf"\b{_MINE}(?: really| still| just)? (?:can[’']?t|cannot|can no longer|mustn[’']?t|must not|(?:[’']?m |am |"
     r"[’']s |is )?not (?:allowed|supposed|able) to|don[’']?t|doesn[’']?t) (?:really |even |ever )?(?:eat|drink|"
     r"digest|tolerate|lift (?:heavy|more|anything)|climb (?:stairs|ladders)|kneel|bend|swallow|stand (?:for|long)|"
     r"sit (?:for|long)|walk (?:far|long|more|without)|run any ?more|hear (?:well|high|much|out of)|see (?:well|far|"
     rf"colou?rs?|in the dark|out of)|read (?:small|tiny|fine)|smell|(?:have|do) (?:any )?{_FOOD}|drive at night)\b"),
    (_FOOD_WORDS, rf"\b{_FOOD} (?:doesn[’']?t agree|don[’']?t agree|does not agree|disagrees?|makes? (?:me|my)|gives? "
     rf"me|upsets? my|triggers? my)|\bno {_FOOD} for (?:me|us|my)\b"),
    ("diagn", rf"\b(?:{_MINE}|he|she)(?:[’']s| was| were| got| has been| have been|[’']ve been)? (?:just |recently |"
     r"finally )?diagnosed\b"),
    ("size", r"\b(?:shoe|dress|collar|ring|trouser|waist|jacket|shirt) size\b|\bsize (?:a )?\d\d shoes?\b|\bsize \d\d "
     r"shoe"),
    ("blood", r"\bmy blood (?:type|group)\b"),
    ("docto gp cardi neuro midwi psych oncol physi", r"\b(?:my|the) (?:doctor|gp|cardiologist|neurologist|midwife|"
     r"psychiatrist|oncologist|physio)\w*(?: here)? (?:says? (?:my|i)|told me (?:to|i|my)|wants me|put me on|"
     r"prescribed|changed me|gave me|forbids?|forbade)"),
    ("mg", r"\bi[’']?m on \w+ now, \d+ ?mg\b"),
)  # fmt: skip

# Statements in other languages: subject and verb, and no mood or question behind them

_MANY = (
    r"(?:zwei|drei|vier|fünf|sechs|deux|trois|quatre|cinq|six|dos|tres|cuatro|cinco|seis|due|tre|quattro|cinque|sei|"
    r"\d+)"
)
_OF_NOW = r"(?:frage|idee|problem|question|idée|problème|pregunta|duda|domanda|prisa|faim|soif)"
OTHER_LANGUAGES: tuple[str, ...] = (
    r"(?:ich|wir) (?:hei(?:ß|ss)e|wohnen?|leben?|arbeiten?|komme aus|studiere|spreche|benutze|besitze|fahre einen?)\b",
    rf"ich (?:mag|liebe|hasse|esse|trinke) (?!es\b|das\b|dich\b|sie\b|ihn\b|dein)|ich habe (?:k?eine?n?|{_MANY}) "
    rf"(?!{_OF_NOW})",
    r"ich bin (?:\w+ )?(?:allergisch|verheiratet|geschieden|ledig|verwitwet|schwanger|vegan|vegetari\w+|\d+)\b",
    r"meine? (?:tochter|sohn|kind|mann|frau|hund|katze|bruder|schwester|mutter|vater) (?:hei(?:ß|ss)t|ist \d+|ist "
    r"allergisch)\b",
    r"j['’]habite|je m['’]appelle|je (?:vis|viens|travaille|parle|préfère|déteste|ne mange pas|ne bois pas)\b",
    rf"j['’]ai (?:{_MANY}|une?) (?!{_OF_NOW})|je n['’]aime pas (?!ça|que|quand)|j['’](?:aime|adore) les? ",
    r"je suis (?:une? )?(?:(?:\w+ )?allergique|mariée?|divorcée?|célibataire|enceinte|végétarien(?:ne)?|végane?|"
    r"\w+(?:teur|trice|eur|ière|ier|iste|ienne?)\b)",
    r"(?:mon|ma) (?:mari|femme|fils|fille|frère|sœur|mère|père|chien|chat) (?:s['’]appelle|a \w+ ans|est allergique)",
    r"(?:vivo|vivimos) en |me llamo |trabajo (?:de|como|en|para) |nací en |hablo |soy de ",
    rf"tengo (?:\d+ años|(?:{_MANY}|una?) (?!{_OF_NOW}))|(?:no )?me gustan? (?:el|la|los|las) (?!idea)",
    r"soy (?:una? )?(?:(?:\w+ )?alérgic[oa]|casad[oa]|solter[oa]|divorciad[oa]|vegan[oa]|vegetarian[oa]|diabétic[oa]|"
    r"\w+(?:ólog[oa]|ero|era|ista))\b",
    r"mi (?:hij[oa]|marido|mujer|herman[oa]|madre|padre|perr[oa]) (?:se llama|tiene \d+|es alérgic[oa])",
    r"mi chiamo |(?:abito|abitiamo|vivo|viviamo) (?:ad?|in) |lavoro (?:come|per|in) |vengo da ",
    rf"ho (?:{_MANY} |un[oa]? |un['’])(?!{_OF_NOW})|(?:non )?mi piac(?:e|ciono) (?:il|la|i|gli|le) ",
    r"sono (?:una? )?(?:(?:\w+ )?allergic[oa]|sposat[oa]|divorziat[oa]|vegan[oa]|vegetarian[oa]|diabetic[oa]|"
    r"\w+(?:ista|iere|iera))\b",
    r"(?:mio|mia) (?:figli[oa]|marito|moglie|fratello|sorella|madre|padre) (?:si chiama|ha \d+|è allergic[oa])",
)
