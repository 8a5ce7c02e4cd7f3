"""Values of facts in the form in which they are compared: "the City of Berlin, Germany" and "berlin" are one place."""

from __future__ import annotations

import re
import unicodedata

from memory_service.text.late_pattern import compile_late

_MARKS = " \t\n.,;:!?\"'`“”„«»‘’()[]{}-–—"
_ENGLISH_ARTICLE = compile_late(r"^(?:(?:a|an|the|my|our|his|her|their)\s+)+(?=\S)", re.IGNORECASE)
_ARTICLE_ABROAD = compile_late(
    r"^(?:(?:eine?[nmrs]?|de[nmr]|die|das|une?|les?|la|des|du|el|los|las|una|gli|lo|il)\s+|l['’])(?=\S)",
    re.IGNORECASE,
)
_ONES_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINAL_WORDS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
)
_NUMBERS = {word: number for number, word in enumerate(_ONES_WORDS.split())}
_TENS = {word: 10 * number for number, word in enumerate(_TENS_WORDS.split(), 2)}
_ORDINALS = {word: number for number, word in enumerate(_ORDINAL_WORDS.split(), 1)} | {"thirtieth": 30}
_MONTH_NAMES = (
    "january jan januar janvier enero gennaio",
    "february feb februar février febrero febbraio",
    "march mar märz mars marzo",
    "april apr avril abril aprile",
    "may mai mayo maggio",
    "june jun juni juin junio giugno",
    "july jul juli juillet julio luglio",
    "august aug août agosto",
    "september sep sept septembre septiembre settembre",
    "october oct oktober octobre octubre ottobre",
    "november nov novembre noviembre",
    "december dec dezember décembre diciembre dicembre",
)
_MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES, 1) for name in names.split()}
_ISO_DATE = compile_late(r"\b(?:(?:1[89]|20)\d\d-)(\d\d)-(\d\d)\b")
_YEAR = compile_late(r"^(?:in )?((?:1[89]|20)\d\d)$")

_COUNTRIES = frozenset(
    name.strip()
    for name in """
    afghanistan, albania, algeria, argentina, armenia, australia, austria, azerbaijan, bangladesh, belarus, belgium,
    bolivia, bosnia, brazil, britain, bulgaria, cambodia, cameroon, canada, chile, china, colombia, costa rica, croatia,
    cuba, cyprus, czech republic, czechia, denmark, dominican republic, ecuador, egypt, england, estonia, ethiopia,
    finland, france, georgia, germany, ghana, great britain, greece, guatemala, honduras, hungary, iceland, india,
    indonesia, iran, iraq, ireland, israel, italy, ivory coast, jamaica, japan, jordan, kazakhstan, kenya, kosovo,
    kuwait, latvia, lebanon, libya, lithuania, malaysia, malta, mexico, moldova, mongolia, montenegro, morocco, nepal,
    netherlands, new zealand, nicaragua, nigeria, north macedonia, northern ireland, norway, pakistan, panama, paraguay,
    peru, philippines, poland, portugal, qatar, romania, russia, saudi arabia, scotland, senegal, serbia, slovakia,
    slovenia, somalia, south africa, south korea, korea, spain, sri lanka, sudan, sweden, switzerland, syria, taiwan,
    tanzania, thailand, tunisia, turkey, turkiye, uganda, ukraine, united arab emirates, uae, united kingdom, uk,
    united states, united states of america, america, us, usa, uruguay, venezuela, vietnam, wales, yemen, zambia,
    zimbabwe, holland, deutschland, österreich, schweiz, frankreich, italien, spanien, polen, allemagne, autriche,
    suisse, espagne, italie, belgique, alemania, españa, francia, italia, méxico, germania, svizzera, spagna
    """.replace("\n", " ").split(",")
)
_REGIONS = frozenset(
    name.strip()
    for name in """
    europe, asia, africa, north america, south america, latin america, oceania, middle east, alabama, alaska, arizona,
    arkansas, california, colorado, connecticut, delaware, florida, hawaii, idaho, illinois, indiana, iowa, kansas,
    kentucky, louisiana, maine, maryland, massachusetts, michigan, minnesota, mississippi, missouri, montana, nebraska,
    nevada, new hampshire, new jersey, new mexico, north carolina, north dakota, ohio, oklahoma, oregon, pennsylvania,
    rhode island, south carolina, south dakota, tennessee, texas, utah, vermont, virginia, west virginia, wisconsin,
    wyoming, new england, midwest, bavaria, saxony, hesse, tuscany, sicily, andalusia, catalonia, provence, brittany,
    normandy, bay area
    """.replace("\n", " ").split(",")
)
_KIND_OF_PLACE = compile_late(
    r"(?:^|\s)(?:house|houses|home|apartment|flat|studio|condo|cabin|cottage|mansion|trailer|van|caravan|boat|dorm|"
    r"basement|attic|loft|room|place|building|farm|ranch|town|village|city|suburbs?|countryside|country|mountains?|"
    r"neighbou?rhood|area|district|community|hostel|hotel|shelter|state|island|complex|street|household|world|south|"
    r"housing|residence|dormitory|bungalow|maisonette|bedsit|flatshare|halls|north|east|west|middle|centre|center|outskirts|coast|woods|forest|desert|lake|beach|nowhere|peace)"
    r"(?=$|\s)"
)


_PART_OF_PLACE = compile_late(
    r"(?i)(?:the )?(?:south|north|east|west|middle|cent(?:er|re)|suburbs?|outskirts|coast|countryside) of "
)

_OUR = compile_late(r"(col|fav|flav)our")


def american(text: str) -> str:
    """Spell "colour", "favour" and "flavour" in a lower-case text "color", "favor" and "flavor"."""
    return _OUR.sub(r"\1or", text)


def plain(value: str) -> str:
    """The value without case, articles, quotes, outer punctuation and doubled spaces."""
    folded = unicodedata.normalize("NFKC", value).replace("’", "'").casefold()
    folded = " ".join(folded.split()).strip(_MARKS)
    return _ENGLISH_ARTICLE.sub("", folded).strip(_MARKS) or folded


def thing(value: str) -> str:
    """A plain value without the articles of the other languages either."""
    folded = plain(value)
    return _ARTICLE_ABROAD.sub("", folded).strip(_MARKS) or folded


def place(value: str) -> str:
    """Return the name of a place; the part behind a comma is left out."""
    name = plain(value.split(",")[0])
    return re.sub(r"^(?:city|town|greater|downtown|central) (?:of )?(?=\S)", "", name)


def is_country(name: str) -> bool:
    return name in _COUNTRIES


def is_wider_than_a_town(name: str) -> bool:
    """Whether the name is of a region, which can hold beside a town."""
    return name in _REGIONS


def names_kind_of_place(value: str) -> bool:
    """Whether the value has a word for homes and surroundings; "a drawer" has none."""
    return bool(_KIND_OF_PLACE.search(plain(value)) or _PART_OF_PLACE.match(value))


def is_kind_of_place(value: str) -> bool:
    """Whether the value describes a home rather than a place: "a small apartment", "the suburbs of Paris".

    "Salt Lake City" is a name, by its capitals.
    """
    if re.match(r"(?i)\s*(?:an?|my|our|his|her|their)\s", value) or _PART_OF_PLACE.match(value):
        return True
    return value == value.lower() and bool(_KIND_OF_PLACE.search(place(value)))


def number(value: str) -> str | None:
    """The number that begins the value, in digits: "thirty-five years" is "35"; None where none does."""
    words = plain(value).replace("-", " ").split()
    if not words:
        return None
    if match := re.match(r"\d+(?:[.,]\d+)?", words[0]):
        return match.group()
    if words[0] in _TENS:
        ones = _NUMBERS.get(words[1], 0) if len(words) > 1 else 0
        return str(_TENS[words[0]] + (ones if 0 < ones < 10 else 0))
    return str(_NUMBERS[words[0]]) if words[0] in _NUMBERS else None


def day_of_year(value: str) -> str:
    """Return a birthday as "05-04"; unchanged where month and day are not found."""
    if match := _ISO_DATE.search(value):
        return f"{match[1]}-{match[2]}"
    words = re.findall(r"[^\W\d_]+|\d+", plain(value))
    month = next((_MONTHS[word] for word in words if word in _MONTHS), None)
    day = next(
        (int(word) for word in words if word.isdigit() and 1 <= int(word) <= 31), None
    ) or _spelled_day(words)
    return f"{month:02}-{day:02}" if month and day else plain(value)


def year(value: str) -> str | None:
    match = _YEAR.match(plain(value))
    return match[1] if match else None


def digits(value: str) -> str:
    return re.sub(r"(?!^\+)\D", "", plain(value)) or plain(value)


def _spelled_day(words: list[str]) -> int | None:
    for before, word in zip(["", *words], words, strict=False):
        if word in _ORDINALS:
            tens = _TENS.get(before, 0)
            return tens + _ORDINALS[word] if tens in (20, 30) and _ORDINALS[word] < 10 else _ORDINALS[word]
    return None
