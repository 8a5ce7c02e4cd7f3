"""Statements that must not be remembered (gate `harm_check`; docs/design.md, "Gate").

Two kinds only: an insult of a whole group of people, and a guess about a private condition (health, sexuality, faith,
status) of another person. Statements about oneself and reports of what others said are allowed.
"""

from __future__ import annotations

from memory_service.text.late_pattern import compile_late
from memory_service.text.unicode_folding import words_of

_GROUP = (
    "(?:women|men|girls|boys|females|males|blacks?|black people|whites?|white people|asians?|arabs?|mexicans?|"
    "latin[oa]s?|africans?|chinese people|indians?|germans|poles|russians|turks|americans|french people|italians|"
    "muslims?|jews|jewish people|christians|catholics|hindus|atheists|immigrants|migrants|refugees|foreigners|gays|"
    "gay people|lesbians|trans people|homosexuals|gypsies|roma(?: people)?|old people|elderly people|young people|"
    "boomers|millennials|disabled people|autistic people|fat people|poor people|homeless people|blondes)"
)
_BAD = (
    "(?:lazy|stupid|dumb|idiots|criminals?|thieves|dangerous|dirty|inferior|terrorists?|greedy|liars|violent|rapists|"
    "scum|vermin|animals|parasites|untrustworthy|bad drivers|bad at (?:math|maths|driving|science|tech)|too emotional|"
    "irrational|hysterical|uneducated|backward|primitive|disgusting|subhuman|evil|cheap|crooks|drunks|sick|"
    "mentally ill|not (?:smart|intelligent|trustworthy)|a (?:plague|disease|problem))"
)
_STEREOTYPE = compile_late(
    rf"(?i)\b(?:all|most|those|these|typical|every|such)?\s?{_GROUP} (?:are|is|were)(?: (?:all|always|just|"
    rf"naturally|generally|usually|so|such|basically|simply|really|inherently)){{0,3}} {_BAD}\b|"
    rf"(?i:\b{_GROUP} (?:can[’']t|cannot|shouldn[’']t|should not|don[’']t|do not) (?:drive|be trusted|do "
    rf"math|be allowed|vote|belong here|lead|think (?:logically|straight)))|"
    rf"(?i:\b(?:never|don[’']t|do not|can[’']t) (?:trust|hire|rent to) (?:a |an |any )?{_GROUP}\b)"
)
_STEREOTYPE_ELSEWHERE = compile_late(
    r"(?i)\b(?:frauen|männer|ausländer|migranten|flüchtlinge|juden|muslime|zigeuner|türken|polen|schwule|schwarze|"
    r"rentner|blondinen) sind (?:(?:alle|immer|einfach|halt|doch|so|nur|alles) ){0,3}(?:dumm|faul|kriminell\w*|"
    r"verbrecher|diebe|dreckig|gefährlich|minderwertig|terroristen|hysterisch|gierig|lügner|schmarotzer|"
    r"schlechte autofahrer\w*)\b|"
    r"\bles (?:femmes|hommes|immigrés|migrants|étrangers|arabes|juifs|musulmans|gitans|noirs|homosexuels|vieux) sont "
    r"(?:(?:tous|toutes|toujours|si|trop) ){0,2}(?:des )?(?:null?e?s|bêtes|stupides|paresseu(?:x|ses)|voleu(?:rs|ses)|"
    r"criminel(?:le)?s|sales|dangereu(?:x|ses)|menteu(?:rs|ses)|terroristes|idiote?s|délinquants|inférieure?s)\b|"
    r"\b(?:mujeres|hombres|inmigrantes|extranjeros|gitanos|moros|negros|judíos|musulmanes) son (?:(?:todos|todas|"
    r"siempre|muy|unos|unas) ){0,2}(?:delincuentes|ladron[ea]s|criminales|vag[oa]s|tont[oa]s|suci[oa]s|peligros[oa]s|"
    r"terroristas|mentiros[oa]s|inferiores)\b|"
    r"\b(?:donne|uomini|immigrati|stranieri|zingari|ebrei|neri|musulmani) sono (?:(?:tutti|tutte|sempre|dei) ){0,2}"
    r"(?:ladri|criminali|pigr[ie]|stupid[ie]|sporch[ie]|pericolos[ie]|terroristi|bugiard[ie]|inferiori|delinquenti)\b|"
    r"\b(?:mulheres|homens|imigrantes|estrangeiros|ciganos|negros|judeus|muçulmanos) são (?:(?:todos|todas|sempre|"
    r"muito|uns) ){0,2}(?:ladrões|criminosos|preguiços[oa]s|burr[oa]s|suj[oa]s|perigos[oa]s|terroristas|bandidos)\b"
)
_DENIED = compile_late(
    r"(?i)\b(?:not (?:all|every|true|that)|wrong|false|prejudice|stereotyp\w*|racis\w*|sexis\w*|bigot\w*|nonsense|"
    r"disagree|hate (?:it )?when|angry that|myth|unfair|offend\w*|hurt\w*|claims?|claimed|said|says|saying|think|"
    r"thinks|shout(?:ed|s|ing)?|yell(?:ed|s|ing)?|scream(?:ed|s|ing)?|wrote|writes|posted|tweeted|graffiti|sagt|sagte|"
    r"behauptet|behauptete|falsch|vorurteil\w*|nicht alle|dit|disent|faux|préjugé\w*|dice|dicen|dijo|falso|mentira|"
    r"prejuicio\w*|dicono|disse|dizem|preconceito\w*)\b"
)
_SOMEBODY = (
    r"(?:he|she|they|(?:my|our|the|his|her|their) (?:new |old )?(?:boss|manager|neighbou?r|colleague|"
    r"coworker|co-worker|teacher|landlord|friend|roommate|sister-in-law|"
    r"brother-in-law|customer|client|candidate|applicant|employee|ex|doctor|student|tenant|nanny|guy|girl|"
    r"woman|man)|(?-i:(?!I\b|You\b|We\b|It\b|This\b|That\b|There\b|What\b|Who\b)[A-Z][a-z]+))"
)
_GUESS = (
    "(?:must be|is probably|are probably|is clearly|is obviously|is surely|is definitely|might be|may be|could be|"
    "seems|seems to be|looks|acts|sounds|probably has|probably is|has to be|is secretly|is likely)"
)
_PRIVATE = (
    "(?:gay|lesbian|bisexual|homosexual|transgender|trans|bipolar|schizophrenic|autistic|mentally ill|a psychopath|"
    "a sociopath|a narcissist|borderline|an alcoholic|a drug addict|an addict|on drugs|hiv[- ]positive|hiv|aids|"
    "pregnant|infertile|suicidal|an illegal|illegal|undocumented|a terrorist|an islamist|a criminal|a muslim|muslim|"
    "a jew|jewish|a communist|a nazi|a prostitute|a pedophile|anorexic|bulimic|demented)"
)
_INFERENCE = compile_late(
    rf"(?i:\b{_SOMEBODY} {_GUESS}(?: (?:a bit|a|an|totally|secretly|really|just))? ?{_PRIVATE}\b)|"
    r"(?i:\b(?:I (?:think|guess|bet|suspect|assume|reckon)|rumou?r has it|people say|apparently,?)(?: that)? "
    rf"{_SOMEBODY}(?:[’']s| is| has)(?: (?:a bit|totally|secretly|really|just))? {_PRIVATE}\b)"
)
_INFERENCE_ELSEWHERE = compile_late(
    r"(?i)\b(?:ist|hat|sei) (?:bestimmt|wahrscheinlich|sicher|sicherlich|wohl|vermutlich|offensichtlich) "
    r"(?:ein |eine )?"
    r"(?:schwul|lesbisch|alkoholiker\w*|schwanger|schizophren|autistisch|drogensüchtig|psychopath|jude|moslem)\b|"
    r"\best (?:sûrement|probablement|sans doute|certainement) (?:un |une )?(?:gay|homo\w*|lesbienne|alcoolique|"
    r"enceinte|schizophrène|autiste|drogué\w*|juif|juive|musulmane?)\b|"
    r"\b(?:seguro que|seguramente|probablemente) (?:él |ella )?(?:es|está) (?:un |una )?(?:gay|lesbiana|alcohólic[oa]|"
    r"embarazada|esquizofrénic[oa]|autista|drogadict[oa]|judí[oa]|musulm[aá]n\w*)\b|"
    r"\bè (?:sicuramente|probabilmente) (?:un |una |un['’])?(?:gay|lesbica|alcolizzat[oa]|incinta|schizofrenic[oa]|"
    r"autistic[oa]|ebre[oa]|musulman[oa])\b"
)


_HAS_GROUP = frozenset(
    """
        women men girls boys females males black blacks white whites asian asians arab arabs mexican
        mexicans latino latina latinos latinas african africans chinese indian indians germans poles
        russians turks americans french italians muslim muslims jews jewish christians catholics
        hindus atheists immigrants migrants refugees foreigners gay gays lesbians trans homosexuals
        gypsies roma old elderly young boomers millennials disabled autistic fat poor homeless
        blondes
        frauen männer ausländer migranten flüchtlinge juden muslime zigeuner türken polen schwule
        schwarze rentner blondinen femmes hommes immigrés étrangers arabes juifs musulmans gitans
        noirs homosexuels vieux mujeres hombres inmigrantes extranjeros gitanos moros negros judíos
        musulmanes donne uomini immigrati stranieri zingari ebrei neri musulmani mulheres homens
        imigrantes estrangeiros ciganos judeus muçulmanos
        """.split()  # noqa: SIM905
)
_HAS_PRIVATE = frozenset(
    """
        gay lesbian bisexual homosexual transgender trans bipolar schizophrenic autistic mentally
        psychopath sociopath narcissist borderline alcoholic addict drugs hiv aids pregnant
        infertile suicidal illegal undocumented terrorist islamist criminal muslim jew jewish
        communist nazi prostitute pedophile anorexic bulimic demented
        """.split()  # noqa: SIM905
)
_HAS_GUESS_ELSEWHERE = frozenset(
    """
        bestimmt wahrscheinlich sicher sicherlich wohl vermutlich offensichtlich sûrement
        probablement sans certainement seguro seguramente probablemente sicuramente probabilmente
        """.split()  # noqa: SIM905
)
"""Words without which the patterns match nothing."""
_HAS_ANY = _HAS_GROUP | _HAS_PRIVATE | _HAS_GUESS_ELSEWHERE


def may_harm(words: frozenset[str]) -> bool:
    """Whether the words of a text include one that the patterns need; cheap."""
    return not words.isdisjoint(_HAS_ANY)


def harm_in(sentence: str) -> str | None:
    """Return which harm the sentence would do if it were remembered, or None."""
    _, words = words_of(sentence.lower())
    if not may_harm(words):
        return None
    if (_STEREOTYPE.search(sentence) or _STEREOTYPE_ELSEWHERE.search(sentence)) and not _DENIED.search(
        sentence
    ):
        return "a group of people is called something bad"
    if _INFERENCE.search(sentence) or _INFERENCE_ELSEWHERE.search(sentence):
        return "a guess about somebody's private condition"
    return None
