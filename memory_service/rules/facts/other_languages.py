"""What people state about themselves in German, French, Spanish and Italian, as candidate facts: few and sure.

As in `statements`, but the wording of a fact is English around the value in its own language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_service.text.unicode_folding import words_of
from memory_service.types import CandidateFact

_VALUE = r"(?P<value>[^.,;:!?\n()\"“”„«»]{2,60}?)"
_NAME = r"(?P<value>(?-i:[A-ZÄÖÜÉÈÀÁÍÓÚ])[\w’'-]+(?: (?-i:[A-ZÄÖÜÉÈÀÁÍÓÚ])[\w’'-]+)?)"
_PLACE = r"(?P<value>[^.,;:!?\n]{2,40}?)"


def _stop(words: str) -> str:
    return rf"(?=[.,;:!?\n()\"]|$| (?:{words})\b| [-–—])"


_DE = _stop("und|aber|weil|da|wo|seit|mit meine[mrn]|sehr|nicht|gar|überhaupt|oder")
_FR = _stop("et|mais|parce|car|où|depuis|avec|du tout|ou|qui|que")
_ES = _stop("y|e|pero|porque|desde|donde|con mi|o|que")
_IT = _stop("e|ed|ma|perché|da|dove|con|o|che")
_DE_MANY = r"(?:eine?n?|zwei|drei|vier|fünf|sechs|keine?n?|[2-9])"
_FR_MANY = r"(?:un|une|deux|trois|quatre|cinq|six|[2-9])"
_ES_MANY = r"(?:una?|dos|tres|cuatro|cinco|seis|[2-9])"
_IT_MANY = r"(?:un[oa]?|due|tre|quattro|cinque|sei|[2-9])"
_DE_KIN = (
    r"Mann|Frau|Sohn|Tochter|Hund|Katze|Kater|Bruder|Schwester|Mutter|Vater|Freund(?:in)?|Partner(?:in)?|"
)
r"Chef(?:in)?"
_FR_KIN = r"mari|femme|fils|fille|chien|chatte?|frère|sœur|soeur|mère|père|copain|copine|patronn?e?"
_ES_KIN = r"marido|mujer|esposo|esposa|hij[oa]|perr[oa]|gat[oa]|herman[oa]|madre|padre|novi[oa]|jefe|jefa"
_IT_KIN = r"marito|moglie|figlio|figlia|cane|gatt[oa]|fratello|sorella|madre|padre|ragazz[oa]|capo"

_PATTERNS: tuple[tuple[str, str, str], ...] = (
    # German
    ("name", "is called", rf"\b(?:ich hei(?:ß|ss)e|mein name ist) {_NAME}"),
    ("lives_in", "lives in", rf"\b(?:ich (?:wohne|lebe)|(?:wohne|lebe) ich)(?: \w+){{0,3}}? in {_PLACE}{_DE}"),
    ("works_as", "works as", rf"\bich\b[^.!?\n]{{0,60}}?\barbeite(?: ich)?(?: \w+){{0,3}}? als {_VALUE}{_DE}"),
    ("works_at", "works at", rf"\b(?:ich arbeite|arbeite ich)(?: \w+){{0,3}}? (?:bei|für|in) {_VALUE}{_DE}"),
    ("from", "is from", rf"\bich komme aus {_NAME}"),
    ("born_in", "was born in", rf"\bich (?:bin|wurde) in {_NAME} geboren"),
    ("age", "is aged", r"\bich (?:\w+ \w+ und )?bin (?P<value>[1-9]\d?)(?: jahre)?(?=[.,;!]|$| jahre| alt| und)"),
    (
        "is", "is",
        r"\bich bin (?P<value>(?:vegan|vegetarisch|verheiratet|ledig|geschieden|verwitwet|schwanger|blind|taub|schwul|"
        r"lesbisch|linkshänder(?:in)?|laktoseintolerant|alleinerziehend\w*)\b|(?:von beruf |eine? )?(?-i:[A-ZÄÖÜ])\w+"
        r"(?:in|er|ist|or|eur|loge|mann|frau|wirt|arzt|t|ent))(?=[.,;!]|$| und| bei| in| aus)",
    ),
    ("allergic_to", "is allergic to", rf"\bich bin (?:\w+ )?allergisch (?:gegen|auf) {_VALUE}{_DE}"),
    (
        "has", "has",
        rf"\b(?:ich (?:habe|hab|besitze)|habe ich) (?P<value>{_DE_MANY} (?:[\w-]+ ){{0,2}}?(?:Kind(?:er)?|Söhne?|"
        rf"Sohn|T[oö]chter|"
        rf"Br[uü]der|Schwestern?|Geschwister|Hunde?|Katzen?|Kater|Pferde?|Haus|Wohnung|Garten|Auto|Motorrad|Fahrrad|"
        rf"Enkel\w*|Frau|Mann|Freund(?:in)?|\w*allergie)|Diabetes|Asthma|ADHS|Migräne|Zöliakie|Epilepsie)\b",
    ),
    ("dislikes", "dislikes", rf"\bich (?:mag|esse|trinke)(?: gar| überhaupt)? keine?n? {_VALUE}{_DE}"),
    (
        "dislikes", "dislikes",
        r"\bich mag (?!es\b|das\b|dich\b|sie\b|ihn\b)(?P<value>[^.,;:!?\n]{2,40}?) (?:gar |überhaupt |wirklich "
        r")?nicht\b",
    ),
    (
        "likes", "likes",
        rf"\bich (?:mag|liebe|bevorzuge) (?!es\b|das\b|dich\b|sie\b|ihn\b|dir\b|dein|euch\b|keine?n?\b|"
        rf"wie\b){_VALUE}{_DE}(?! nicht| gar| "
        rf"überhaupt)",
    ),
    ("likes", "likes", r"\bich (?:esse|trinke|spiele|lese|höre) (?:sehr |am liebsten )?gerne? (?P<value>\w+)"),
    ("dislikes", "dislikes", rf"\bich hasse (?!es\b|das\b|dich\b|sie\b|ihn\b){_VALUE}{_DE}"),
    ("uses", "uses", rf"\bich (?:benutze|verwende|nutze) (?!das\b|es\b|diese){_VALUE}{_DE}"),
    ("speaks", "speaks", r"\bich spreche (?P<value>(?:Deutsch|Englisch|\w+isch)\b)"),
    ("birthday", "has the birthday", rf"\bmein geburtstag ist (?:am )?{_VALUE}{_DE}"),
    ("kin_name", "says:", rf"\b(?P<value>meine? (?:{_DE_KIN}) hei(?:ß|ss)t {_NAME.replace('?P<value>', '')})"),
    ("lives_in", "lives in", rf"\bwir (?:wohnen|leben)(?: \w+){{0,3}}? in {_PLACE}{_DE}"),
    ("is", "is", r"\bich bin (?P<value>(?:eine? )?(?-i:[A-ZÄÖÜ])\w+) von beruf\b"),
    ("drives", "drives", rf"\bich fahre (?P<value>eine?n? (?-i:[A-ZÄÖÜ])\w+(?: \w+)?){_DE}"),
    ("kin_age", "says:", rf"\b(?P<value>meine? (?:{_DE_KIN}) ist \w+ (?:jahre|monate)(?: alt)?)\b"),
    # French
    ("name", "is called", rf"\bje m['’]appelle {_NAME}"),
    ("lives_in", "lives in", rf"\b(?:j['’]habite|je vis)(?: \w+){{0,2}}? (?:à|en|au|aux|dans|chez|près de) "
        rf"{_PLACE}{_FR}"),
    ("works_as", "works as", rf"\bje travaille(?: \w+)? (?:comme|en tant que) {_VALUE}{_FR}"),
    ("works_at", "works at", rf"\bje travaille(?: \w+)? (?:chez|à|pour|dans|au) {_VALUE}{_FR}"),
    ("from", "is from", rf"\bje viens (?:de |d['’]|du ){_NAME}"),
    ("born_in", "was born in", rf"\bje suis née? (?:à|en|au|le) {_PLACE}{_FR}"),
    ("age", "is aged", r"\bj['’]ai (?P<value>[1-9]\d?|\w+(?:-\w+){0,3}) ans\b"),
    (
        "is", "is",
        r"\bje suis (?P<value>(?:une? )?(?!bien\b|combien\b|premi|derni|fi[eè]r|entier|heureu|"
        r"pr[eê]t)(?:(?-i:[a-zà-ÿ])+(?:teur|trice|eur|euse|ier|ière|"
        r"iste|ienne?|logue)|avocate?|médecin|prof(?:esseure?)?|mère|père|étudiante?|végétarien(?:ne)?|végane?|mariée?|"
        r"célibataire|divorcée?|retraitée?|enceinte|diabétique|gauch(?:er|ère)|gay|lesbienne))(?=[.,;!]|$| (?:et|à|"
        r"en|dans|au|chez|de)\b)",
    ),
    ("allergic_to", "is allergic to", rf"\bje suis (?:\w+ )?allergique (?:à la |à l['’]|aux? |à ){_VALUE}{_FR}"),
    (
        "has", "has",
        rf"\bj['’]ai (?P<value>{_FR_MANY} (?:[\w-]+ ){{0,2}}?(?:enfants?|fils|filles?|frères?|s(?:œ|oe)urs?|chiens?|"
        rf"chat(?:te)?s?|"
        r"chev(?:al|aux)|maison|appartement|voiture|moto|vélo|jardin|petits?-enfants|mari|femme|copain|copine|jumeaux|"
        r"jumelles|allergie)|du diabète|de l['’]asthme)\b",
    ),
    ("has", "has", r"\bje n['’]ai (?P<value>pas d['’]enfants?)\b"),
    ("dislikes", "dislikes", rf"\bje n['’]aime (?:vraiment )?(?:pas|plus)(?: du tout| trop| beaucoup| vraiment)? "
        rf"(?!ça\b|que\b|cela\b|quand\b|comment\b|te\b){_VALUE}{_FR}"),
    ("dislikes", "dislikes", rf"\bje (?:ne (?:mange|bois) (?:pas|jamais|plus)(?: de| d['’])?|déteste) (?!ça\b|que\b|"
        rf"cela\b|quand\b|te\b){_VALUE}{_FR}"),
    ("likes", "likes", rf"\b(?:j['’](?:aime|adore)|je préfère)(?: bien| beaucoup| vraiment)? (?!bien\b|"
        rf"beaucoup\b|vraiment\b|ça\b|que\b|cela\b|"
        rf"quand\b|comment\b|te\b|vous\b|ce\b|cette\b|ton\b|ta\b|tes\b){_VALUE}{_FR}"),
    ("uses", "uses", rf"\bj['’]utilise (?!ça\b|cela\b|ce\b|cette\b){_VALUE}{_FR}"),
    ("birthday", "has the birthday", rf"\bmon anniversaire (?:est|c['’]est) {_VALUE}{_FR}"),
    ("kin_name", "says:", rf"\b(?P<value>(?:mon|ma) (?:{_FR_KIN}) s['’]appelle {_NAME.replace('?P<value>', '')})"),
    ("lives_in", "lives in", rf"\bnous (?:habitons|vivons) (?:à|en|au|aux|dans|près de) {_PLACE}{_FR}"),
    ("kin_age", "says:", rf"\b(?P<value>(?:mon|ma) (?:{_FR_KIN}) a \w+ (?:ans|mois))\b"),
    # Spanish
    ("name", "is called", rf"\b(?:me llamo|mi nombre es) {_NAME}"),
    ("lives_in", "lives in", rf"\bvivo(?: \w+){{0,2}}? en {_PLACE}{_ES}"),
    ("works_as", "works as", rf"\btrabajo(?: \w+)? (?:de|como) (?!noche\b|día\b){_VALUE}{_ES}"),
    ("works_at", "works at", rf"\btrabajo(?: \w+)? (?:en|para) (?!casa\b|eso\b|esto\b){_VALUE}{_ES}"),
    ("from", "is from", rf"\bsoy de {_NAME}"),
    ("born_in", "was born in", rf"\bnací en {_PLACE}{_ES}"),
    ("age", "is aged", r"\btengo (?P<value>[1-9]\d?|\w+(?: y \w+)?) años\b"),
    (
        "is", "is",
        r"\bsoy (?P<value>(?:una? )?(?:\w+(?:ólog[oa]|ero|era|ista|iano|iana)|doctora?|profesora?|programadora?|"
        r"diseñadora?|"
        r"pintora?|escritora?|abogad[oa]|médic[oa]|estudiante|madre|padre|vegan[oa]|casad[oa]|solter[oa]|divorciad[oa]|"
        r"jubilad[oa]|diabétic[oa]|celíac[oa]|zurd[oa]|arquitect[oa]|ingenier[oa]|gay|lesbiana))(?=[.,;!]|$| (?:y|de|"
        r"en)\b)",
    ),
    ("allergic_to", "is allergic to", rf"\bsoy (?:\w+ )?alérgic[oa] (?:al|a la|a los|a las|a) {_VALUE}{_ES}"),
    (
        "has", "has",
        rf"\btengo (?P<value>{_ES_MANY} (?:[\w-]+ ){{0,2}}?(?:hij[oa]s?|herman[oa]s?|perr[oa]s?|gat[oa]s?|niet[oa]s?|"
        rf"niñ[oa]s?|coche|"
        r"casa|piso|jardín|moto|bici\w*|novi[oa]|mujer|marido|alergia|caballos?|sobrin[oa]s?|gemel[oa]s)|diabetes|asma|"
        r"epilepsia|tdah|celiaquía)\b",
    ),
    ("dislikes", "dislikes", rf"\bno me gustan?(?: nada| mucho)? (?!eso\b|esto\b|que\b|tu\b|cómo\b){_VALUE}{_ES}"),
    ("dislikes", "dislikes", rf"\b(?:odio|detesto|no (?:como|bebo|tomo)) (?!eso\b|esto\b|que\b|cuando\b|nada\b|"
        rf"mucho\b){_VALUE}{_ES}"),
    ("likes", "likes", rf"(?<!no )\bme (?:gustan?|encantan?)(?: mucho)? (?!eso\b|esto\b|que\b|tu\b|cómo\b|la "
        rf"idea\b){_VALUE}{_ES}"),
    ("likes", "likes", rf"\bprefiero (?!que\b|no\b|eso\b|esto\b){_VALUE}{_ES}"),
    ("uses", "uses", rf"(?<!de )\b(?:uso|utilizo) (?!eso\b|esto\b){_VALUE}{_ES}"),
    ("birthday", "has the birthday", rf"\bmi cumpleaños es {_VALUE}{_ES}"),
    ("kin_name", "says:", rf"\b(?P<value>mi (?:{_ES_KIN}) se llama {_NAME.replace('?P<value>', '')})"),
    ("lives_in", "lives in", rf"\bvivimos en {_PLACE}{_ES}"),
    ("kin_age", "says:", rf"\b(?P<value>mi (?:{_ES_KIN}) tiene \w+ (?:años|meses))\b"),
    # Italian
    ("name", "is called", rf"\b(?:mi chiamo|il mio nome è) {_NAME}"),
    ("lives_in", "lives in", rf"\b(?:vivo|abito)(?: \w+)? (?:ad?|in|nel\w*|vicino a) {_PLACE}{_IT}"),
    ("works_as", "works as", rf"\blavoro(?: \w+)? (?:come|da) (?!casa\b){_VALUE}{_IT}"),
    ("works_at", "works at", rf"\blavoro(?: \w+)? (?:per|presso|in) {_VALUE}{_IT}"),
    ("from", "is from", rf"\bvengo da(?:ll['’]|lla )? ?{_NAME}"),
    ("born_in", "was born in", rf"\bsono nat[oa] (?:ad?|in|il) {_PLACE}{_IT}"),
    ("age", "is aged", r"\bho (?P<value>[1-9]\d?|\w+) anni\b"),
    (
        "is", "is",
        r"\bsono (?P<value>(?:una? |un['’])?(?:\w+(?:ologo|ologa|ista|iere|iera)|insegnante|medico|avvocat[oa]|"
        r"professor(?:e|essa)|dottor(?:e|essa)|student(?:e|essa)|madre|padre|vegan[oa]|vegetarian[oa]|sposat[oa]|"
        r"single|"
        r"divorziat[oa]|pensionat[oa]|diabetic[oa]|celiac[oa]|mancin[oa]|architett[oa]|ingegnere|programmator\w*|gay|"
        r"lesbica))"
        r"(?=[.,;!]|$| (?:e|a|in|di)\b)",
    ),
    ("allergic_to", "is allergic to", rf"\bsono (?:\w+ )?allergic[oa] (?:(?:al|alla|allo|ai|alle|agli|a) |"
        rf"all['’])(?:l[ae] |il |i |gli )?{_VALUE}{_IT}"),
    (
        "has", "has",
        rf"\bho (?P<value>(?:un['’]|{_IT_MANY} )(?:[\w-]+ ){{0,2}}?(?:figli[oae]?|fratell[oi]|sorell[ae]|can[ei]|"
        rf"gatt[oaie]|nipot[ei]|"
        r"casa|macchina|auto|moto|bici\w*|giardino|marito|moglie|ragazz[oa]|gemell[ie]|allergia|cavall[oi])|il diabete|"
        r"l['’]asma)\b",
    ),
    ("dislikes", "dislikes", rf"\bnon mi piac(?:e|ciono)(?: per niente| molto)? (?!che\b|questo\b|quello\b|"
        rf"come\b){_VALUE}{_IT}"),
    ("dislikes", "dislikes", rf"\b(?:odio|detesto|non (?:mangio|bevo)) (?!che\b|questo\b|quello\b|quando\b|niente\b|"
        rf"molto\b){_VALUE}{_IT}"),
    ("likes", "likes", rf"(?<!non )\bmi piac(?:e|ciono)(?: molto| tanto)? (?!che\b|questo\b|quello\b|"
        rf"come\b){_VALUE}{_IT}"),
    ("likes", "likes", rf"\b(?:preferisco|adoro) (?!che\b|non\b|questo\b|quello\b){_VALUE}{_IT}"),
    ("uses", "uses", rf"(?<!in )\b(?:uso|utilizzo) (?!questo\b|quello\b){_VALUE}{_IT}"),
    ("birthday", "has the birthday", rf"\bil mio compleanno è {_VALUE}{_IT}"),
    ("kin_name", "says:", rf"\b(?P<value>(?:mio|mia|il mio|la mia) (?:{_IT_KIN}) si chiama "
        rf"{_NAME.replace('?P<value>', '')})"),
    ("lives_in", "lives in", rf"\b(?:abitiamo|viviamo) (?:ad?|in|nel\w*) {_PLACE}{_IT}"),
    ("kin_age", "says:", rf"\b(?P<value>(?:mio|mia) (?:{_IT_KIN}) ha \w+ (?:anni|mesi))\b"),
)  # fmt: skip
_COMPILED = tuple((attribute, verb, re.compile(f"(?i){pattern}")) for attribute, verb, pattern in _PATTERNS)
_SELF = frozenset(
    """
        ich wir mein meine j je nous mon ma vivo vivimos trabajo tengo soy llamo nombre nací gusta gustan
        encanta encantan odio detesto prefiero uso utilizo como bebo tomo mi abito abitiamo viviamo lavoro vengo
        sono ho chiamo piace piacciono preferisco adoro utilizzo mangio bevo mio mia compleanno
        """.split()  # noqa: SIM905
)
"""Without any of these words nothing is stated here."""
_UNSURE = re.compile(
    r"(?i)\b(?:wenn|falls|ob|vielleicht|würde|wäre|hätte|möchte|früher|angenommen|glaube|hoffe|träume|sagt|sagte|"
    r"si|peut-être|voudrais|aimerais|aurais|serais|crois|imagine|dit|"
    r"quizás?|ojalá|creo|gustaría|quisiera|dice|dijo|imagina|"
    r"se|forse|vorrei|credo|magari|immagina|disse|detto)\b"
)
_DENIED = re.compile(r"(?i)\b(?:nicht|nie|niemals|kaum|pas|jamais|plus|no|nunca|jamás|non|mai)\b")
_ASKS_BACK = re.compile(r"(?i)^(?:wie|was|wo|comment|quand|où|cómo|dónde|come|dove)\b")
_NO_VALUE = re.compile(r"(?i)\[redacted|^(?:das|es|ça|eso|esto|ciò|questo)$")
_LONGEST_VALUE = 8
"""Words: a longer value is a story, not a value."""


def stated_abroad(sentence: str, subject: str) -> Iterator[CandidateFact]:
    """Yield what the speaker states of themselves in one sentence that is no question."""
    if _SELF.isdisjoint(words_of(sentence.lower())[1]) or _ASKS_BACK.match(sentence):
        return
    seen: set[tuple[str, str]] = set()
    for attribute, verb, pattern in _COMPILED:
        for match in pattern.finditer(sentence):
            start = max(sentence.rfind(sign, 0, match.start()) for sign in (",", ";", " – ", " — ")) + 1
            value = match["value"].strip(" -–—'")
            said = sentence[start : match.end()]
            if attribute in ("kin_name", "kin_age"):  # "se llama" is no doubt
                said = sentence[start : match.start()]
            quoted = sentence.count('"', 0, match.start()) % 2 or any(
                sign in sentence[: match.start()] for sign in "“„«"
            )
            denied = attribute not in ("dislikes", "has") and _DENIED.search(said)
            if (
                quoted
                or denied
                or _UNSURE.search(said)
                or not value
                or len(value.split()) > _LONGEST_VALUE
                or (attribute, value) in seen
                or _NO_VALUE.search(value)
            ):
                continue
            seen.add((attribute, value))
            yield CandidateFact(
                text=f"{subject} {verb} {value}.",
                subject=subject,
                attribute=attribute,
                value=value,
                stated=True,
            )
