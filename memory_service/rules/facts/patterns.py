"""Shared parts of the patterns of statements: subjects, word lists, ends of values."""

from __future__ import annotations

from typing import NamedTuple

from memory_service.rules.relatives import KIN, PARENT, PARTNER
from memory_service.rules.word_lists import DAY, MONTHS

THINGS = (
    "kids?|child(?:ren)?|sons?|daughters?|brothers?|sisters?|siblings?|dogs?|cats?|pets?|puppy|puppies|kittens?|"
    f"rabbits?|horses?|parrots?|{PARTNER}|car|motorcycle|bike|house|apartment|garden|"
    "degree|phd|master's|allergy|diabetes|asthma|migraines|adhd|autism|celiac disease"
)
_NATIONALITIES = (
    "Afghan|Albanian|Algerian|Argentinian|Armenian|Belgian|Bosnian|Bulgarian|Chilean|Colombian|Croatian|Cuban|Czech|"
    "Egyptian|English|Estonian|Ethiopian|Filipino|Ghanaian|Hungarian|Icelandic|Indonesian|Iranian|Iraqi|Israeli|"
    "Jamaican|Kenyan|Kurdish|Latvian|Lebanese|Lithuanian|Malaysian|Moroccan|Nepali|Nigerian|Pakistani|Palestinian|"
    "Peruvian|Romanian|Serbian|Slovak|Slovenian|Somali|Sudanese|Syrian|Taiwanese|Thai|Tunisian|Ukrainian|Venezuelan|"
    "Vietnamese|Welsh|Zimbabwean"
)
"""Those beside the ones in ADJECTIVES and NO_NAME."""
ADJECTIVES = (
    "vegan|vegetarian|pescatarian|single|married|divorced|engaged|widowed|retired|unemployed|self-employed|diabetic|"
    "left-handed|colou?r-?blind|deaf|blind|lactose[- ]intolerant|gluten[- ]intolerant|pregnant|transgender|trans|gay|"
    "lesbian|bisexual|bipolar|non-binary|christian|catholic|muslim|jewish|buddhist|hindu|atheist|bilingual|dyslexic|"
    "autistic|german|french|italian|spanish|american|british|swedish|polish|indian|chinese|japanese|canadian|"
    f"australian|dutch|{_NATIONALITIES.lower()}"
)
ROLES = (
    r"\w+(?:ologist|icist|ician|ctor|eer|iter|cher|wyer|rser|signer|ager|veloper|grammer|sician|tist|nter|river|aker|"
    r"river|chitect|ctrician|rnalist|nalyst|countant|sultant|sistant|mber|nner|udent|llower|liever|vocate|dent|ssor|"
    rf"ilor|tor)|nurse|chef|cook|pilot|vegan|vegetarian|lawyer|{PARENT}|pescatarian|team lead|parent|"
    r"grand\w+|widow(?:er)?|immigrant|refugee|veteran|muslim|christian|jew|buddhist|hindu|catholic|atheist|alcoholic|"
    r"introvert|extrovert|intern|freelancer|founder|entrepreneur|person|owner|coach|dancer|singer|gamer|runner|cyclist|"
    r"farmer|judge|soldier|clerk|cashier|barista|waiter|waitress|guide|trans(?:gender)? (?:woman|man)|single child|"
    r"twin|only child|german|american|citizen|native|beginner|fan"
)
SUBJECTS = (
    "physics|chemistry|biology|maths?|mathematics|medicine|law|history|economics|philosophy|psychology|sociology|"
    "engineering|architecture|computer science|geography|geology|linguistics|literature|politics|political science|"
    "theology|pharmacy|nursing|dentistry|veterinary medicine|business|accounting|journalism|archaeology|anthropology|"
    "fine art|art history|music|biochemistry|statistics"
)
"""Of study."""
CONDITIONS = (
    r"adhd|autism|asperger[’']?s|diabetes|epilepsy|dyslexia|asthma|parkinson[’']?s|celiac disease|multiple sclerosis|"
    r"bipolar disorder|ptsd|ocd"
)
DOSE = (
    r"(?:\d+(?:[.,]\d+)? ?(?:mg|mcg|ug|µg|g|ml|iu|units|milligrams?|micrograms?)|(?:one|two|three|four|five|six|seven|"
    r"eight|nine|ten|twelve|fifteen|sixteen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -]five)?|"
    r"(?:a|one|two|three|four|five) hundred) (?:mg|milligrams?|micrograms?))"
)
MEDICINE = (
    rf"(?:{DOSE} (?:of )?)?"
    r"(?!(?i:april)\b)[A-Za-z]*(?:formin|pril|sartan|statin|olol|azole|oxetine|opram|traline|axine|afil|gliptin|dipine|xaban|thiazide|"
    r"semide|olactone|gliflozin|zosin|dronate|tinib|apine|peridone|lepsin|cetam|glutide|umab|ximab|nercept|mycin|"
    r"cillin|cycline|triptan|"
    r"barbital|azepam|zolam|pidem|thyroxine?|thyroxin|tadine|rizine|predniso(?:lo)?ne|lukast|warfarin|insulin|lithium|"
    r"ritalin|concerta|elvanse|vyvanse|adderall|topiramate|amitriptyline|pregabalin|gabapentin|lamotrigine|"
    r"methotrexate|clopidogrel|digoxin|tamoxifen|bupropion|trazodone|buspirone|valproate|carbamazepine|azathioprine|"
    r"methylphenidate|humira|enbrel|ozempic|wegovy|mounjaro|statins|antidepressants?|blood thinners?|beta blockers?)"
)
NOT_LIKED = (
    r"it|that|this|you|your|how|the|them|to|what|when|these|those|him|her|his|their|every|all|any|some|"
    r"living(?= here| there)|seeing|hearing|being|having|holding|finding|is|and|but|where|everything|"
    r"both|both of|each|working with you|talking to you|chatting|one|ones|me|us|more|most|an?|how|if|as|"
    r"with|in|on|of|for|our|my|its|so|doing it|here|there|watching (?:our|my|them|her|him)"
)
NOT_A_JOB = (
    r"(?:tired|well|much|hard|usual|if|though|expected|planned|intended|before|long|far|soon|fast|quickly|late|best|"
    r"good|many|little|little|you|we|I|it|that|always|ever|one|part|normal|described|documented|advertised)"
)
"""Words behind "work as" that are no job."""
WHO = rf"(?P<who>I|my (?:{KIN}))"
AM = r"(?:(?:[’']m| am| is|[’']s)(?: actually| also| now| currently| still| originally)?)"
OFTEN = (
    r"(?: really| also| now| currently| still| just| absolutely| usually| mostly| both| all| recently|"
    r" finally)*"
)
VALUE = r"(?P<value>[^.,;:!?\n()\"“”]{2,80}?)"
STOP = (
    r"(?=[.,;:!?\n()]|$| (?:and|but|because|so|since|which|who|when|while|though|although|as well|too|now|"
    r"these days|right now|at the moment|for (?:\w+ ){0,2}(?:years?|months?|weeks?)|"
    r"with my|if|until|in case|today|lately|any ?more|any longer|that)\b| [-–—])"
)
WE_OR = rf"(?P<who>I|[Ww]e|my (?:{KIN}))"
"""`we` is the speaker."""
PERFECT = r"(?:[’']ve| have| has|[’']s)?"
LATELY = r"(?: just| finally| recently| already| actually| eventually| officially| now| also| then| kind of)*"
NAME = r"[A-ZÄÖÜÉÈÀÁÍÓÚ][\w’'-]*\w"
NO_NAME = (
    rf"(?!(?:{DAY}s?|January|February|March|April|June|July|August|September|October|November|December|Christmas|"
    r"Easter|I|He|She|They|We|You|It|This|That|The|And|But|So|My|Our|Her|His|Everyone|Everybody|Someone|Somebody|"
    r"Nobody|People|German|French|Italian|Spanish|American|British|Swedish|Polish|Indian|Chinese|Japanese|Canadian|"
    r"Australian|Dutch|Irish|Russian|Turkish|Mexican|Brazilian|Greek|Jewish|Muslim|Christian|Catholic|Buddhist|Hindu|"
    r"Korean|Portuguese|Scottish|Austrian|Swiss|Danish|Norwegian|Finnish|Husband|Wife|Girlfriend|Boyfriend|Partner|Mom|"
    r"Mum|Dad|Mother|Father|Grandma|Grandpa|Sister|Brother|Aunt|Uncle|Son|Daughter|Yes|No|Then|Now|Today|Yesterday|"
    rf"{_NATIONALITIES}|Homeless|Freelance|Obese|Overweight|Nonbinary|Asexual|Disabled|Asian|European|African)\b)"
)
"""Capitalized words that are no name."""
PLACE_NAME = rf"(?P<value>(?:the )?{NO_NAME}{NAME}(?: (?:(?:of|the|and|de|am|upon) )?{NO_NAME}{NAME}){{0,3}})"
OVER = (
    r"(?=[.,;:!?\n)]|$| (?:last|yesterday|recently|ago|a|an|one|two|three|four|five|six|after|because|since|in|on|this|"
    r"\d+ (?:days?|weeks?|months?|years?) ago|today|and|but|so|for good|amicably|when|earlier|during|around|due|"
    r"over the|at the|while|as|together|again|now)\b"
    r"| [-–—])"
)
"""Text that may follow a change without a value: a time, a reason, the end of the sentence."""
APART = (
    r"(?=[.,;:!?\n)]|$| (?:last|yesterday|recently|(?:an?|one|two|three|four|five|six|some|a few|\d+) (?:days?|weeks?|"
    r"months?|years?|while)|after|because|since|in (?:the (?:spring|summer|autumn|fall|winter|end)|(?-i:[A-Z])\w+|\d|"
    rf"(?i:{MONTHS}))|this|today|and|but|so|for good|amicably|when|earlier|again|now)\b| [-–—])"
)
"""As OVER, after words that may have an object or a place: "split" a pizza, "are over" at someone's."""


GAMES = (
    r"the sims|minecraft|skyrim|roblox|fortnite|stardew\w*|animal crossing|football manager|warcraft|zelda|"
    r"baldur\w*"
)
FOR_REAL = (
    r"(?!.*\b(?i:dream\w*|games?|gaming|video game|movie|film|musical|novel|book|story|stories|sequel|show|"
    r"series|episode|"
    rf"script|sketch|on stage|stage play|the play|rehearsal|simulation|role-?play\w*|{GAMES}|"
    r"in (?:my|his|her|our) head|fan ?fiction|comic|campaign|on paper|in theory|as a joke)\b)"
)
"""Lookahead: no fiction and no game in the rest of the sentence."""


class Says(NamedTuple):
    """The fact that a pattern states: {value} and the like are groups of the pattern."""

    attribute: str
    text: str
    value: str = "{value}"
    holds: bool = False
    otherwise: str | None = None
    """The text where no value is named."""


Row = tuple[str, str, tuple[Says, ...]]
"""Substrings of which one must occur before the pattern is tried, the pattern, and the facts that it states."""
Rows = tuple[Row, ...]


def says(attribute: str, text: str, value: str = "{value}", *, holds: bool = True) -> Says:
    """A fact that a pattern states, and that holds unless said otherwise."""
    return Says(attribute, text, value, holds=holds)


def ends(attribute: str, text: str, value: str = "{old}", otherwise: str | None = None) -> Says:
    """The former fact that a pattern ends."""
    return Says(attribute, text, value, holds=False, otherwise=otherwise)


def does(attribute: str) -> tuple[Says, ...]:
    """The fact of a predicate in the first person, group `does`; the fact has it in the third."""
    return (says(attribute, "{who} {does}", "{does}"),)
