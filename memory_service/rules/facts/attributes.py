"""The canonical form of a candidate fact: the same question has the same subject and attribute, from rules or a
model.

Whether two facts exclude each other follows from the cardinality of their attribute (attribute_names.py).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from memory_service.rules.facts import value_normalization
from memory_service.rules.facts.alternatives import choice_of
from memory_service.rules.facts.attribute_names import (
    CANONICAL,
    DENIED,
    DENIES,
    FIXED,
    NEVER_NO,
    ONE,
    ONE_ENDS,
    ONE_STARTS,
    OPPOSES,
    PARTNER_NAMES,
    REPLACED,
    REPLACED_ENDS,
    SINGLE_ROLES,
)
from memory_service.rules.facts.clause_words import DOSE, TOOLS
from memory_service.rules.norms.slots import category_of, is_negative
from memory_service.rules.relatives import GRANDFATHER, GRANDMOTHER, PARENT, PARENTS, SEVERAL_OF_OTHERS
from memory_service.text.late_pattern import compile_late
from memory_service.types import CandidateFact

Cardinality = Literal["one", "fixed", "many"]


@dataclass(frozen=True, slots=True)
class CanonicalFact:
    """A candidate fact as memory_api.upsert_facts takes it; `text` is left as it was written."""

    text: str
    subject: str | None
    """Lower case; `user` for the person whose bank it is."""
    attribute: str | None
    value: str | None
    """For comparison, not for display. None with an attribute and `holds` false: any value has ended."""
    cardinality: Cardinality
    opposes: str | None
    """The attribute that says the opposite of the same value: `dislikes` for `likes`."""
    holds: bool
    stated: bool
    if_known: bool
    starts_at: str | None = None
    ends_at: str | None = None


_FILLER = compile_late(
    r"^(?:(?:current|currently|present|new|main|primary|own|personal|user|users|user_s|the|is_a|his|her|their|my)_)+"
    r"(?=\w)|(?:_of_(?:the_)?user)$"
)
_SELF = compile_late(r"(?i)^(?:the )?user$|^(?:i|me|myself|self|speaker|the speaker)$")
_OF_SELF = compile_late(r"(?i)^(?:the )?user['’]?s (?=\S)|^my (?=\S)")
_PARENT = compile_late(rf"(?<='s )(?:{'|'.join(PARENTS)})$")
_SEVERAL_HOLDERS = compile_late(rf"'s (?:[a-z-]+ )*(?<!best )(?:{SEVERAL_OF_OTHERS})$")
_BESIDE_A_PLACE = compile_late(
    r"(?i)(?:alone|on|near|above|below|opposite|behind|next to|close to|[\w ]{1,20} minutes? from)\b(?! (?:sea|"
    r"tyne|trent)\b)"
)
"""Where a home lies in its house or its surroundings: it stands beside the town."""
_WHERE = compile_late(r" (?:in|at|on|near) .*$")
_INTOLERANT = compile_late(r"(?P<what>lactose|gluten|histamine|fructose)[- ]intolerant")
_ILLNESS_OF = {
    "diabetic": "diabetes", "type 1 diabetic": "type 1 diabetes", "type 2 diabetic": "type 2 diabetes",
    "epileptic": "epilepsy", "asthmatic": "asthma", "dyslexic": "dyslexia", "dyspraxic": "dyspraxia",
    "autistic": "autism",
    "coeliac": "celiac disease", "celiac": "celiac disease", "coeliac disease": "celiac disease",
    "anaemic": "anaemia", "anemic": "anaemia", "anemia": "anaemia",
}  # fmt: skip
_CONDITION = compile_late(
    r"(?:type (?:1|2|one|two) )?diabetic|dyslexic|dyspraxic|autistic|coeliac|celiac|epileptic|asthmatic|left[- ]handed|"
    r"colou?r[- ]?blind|deaf|blind|anaemic|anemic"
)
_STATUSES = {
    "single": "single", "not in a relationship": "single", "married": "married", "divorced": "divorced",
    "engaged": "engaged", "widowed": "widowed", "widow": "widowed", "widower": "widowed", "separated": "separated",
    "dating": "in a relationship", "in a relationship": "in a relationship", "taken": "in a relationship",
    "verheiratet": "married", "ledig": "single", "geschieden": "divorced", "verwitwet": "widowed",
    "marié": "married", "mariée": "married", "célibataire": "single", "divorcé": "divorced", "divorcée": "divorced",
    "casado": "married", "casada": "married", "soltero": "single", "soltera": "single", "divorciado": "divorced",
    "divorciada": "divorced", "sposato": "married", "sposata": "married", "divorziato": "divorced",
    "divorziata": "divorced",
}  # fmt: skip
_DIETS = {
    "vegan": "vegan", "vegetarian": "vegetarian", "pescatarian": "pescatarian", "omnivore": "omnivore",
    "vegetarisch": "vegetarian", "végétarien": "vegetarian", "végétarienne": "vegetarian", "végane": "vegan",
    "vegano": "vegan", "vegana": "vegan", "vegetariano": "vegetarian", "vegetariana": "vegetarian",
}  # fmt: skip
"""Those that exclude each other; "gluten-free" stands beside any of them."""
_JOBLESS = frozenset({"retired", "unemployed", "jobless", "out of work", "between jobs"})
_PROFESSION = compile_late(
    r"(?:^|\s)(?:nurse|teacher|lawyer|attorney|doctor|physician|engineer|accountant|pilot|programmer|developer|"
    r"architect|dentist|pharmacist|plumber|electrician|carpenter|mechanic|surgeon|veterinarian|paramedic|firefighter|"
    r"librarian|professor|receptionist|cashier|waiter|waitress|barista|butcher|translator|hairdresser|psychologist|"
    r"therapist|physiotherapist|midwife|economist|biologist|chemist|physicist|software developer|data scientist|"
    r"project manager|product manager|truck driver|bus driver|taxi driver|team lead|(?:[a-z]+ )?technician|"
    r"(?:[a-z]+ )?analyst|sales manager|store manager|police officer|flight attendant|social worker)$"
)
"""Jobs in "I am a nurse"; words such as runner, writer, dancer, parent, owner are ambiguous and left out."""
_LASTING_TRAIT = compile_late(
    r"(?:(?:recovering|former|ex|sober|single|new|proud|working|first-time|identical|fraternal|adoptive|foster|"
    rf"trans(?:gender)?|practi[cs]ing|devout|lapsed)[ -])*(?:(?:step)?(?:{PARENT})|{GRANDMOTHER}|{GRANDFATHER}|"
    r"(?:step-?|grand)?parent|god(?:mother|father|parent)|twin|"
    r"triplet|only child|eldest child|middle child|youngest child|"
    r"orphan|adoptee|widow(?:er)?|veteran|immigrant|refugee|alcoholic|addict|cancer survivor|introvert|"
    r"extrovert|ambivert|"
    r"gay|lesbian|bi(?:sexual)?|queer|asexual|straight|trans(?:gender)?|non-?binary|(?:trans )?(?:man|woman)|atheist|"
    r"agnostic|christian|catholic|protestant|orthodox|muslim|jewish|jew|hindu|buddhist|sikh|quaker|mormon|bilingual|"
    r"trilingual|adopted|german|french|italian|spanish|american|british|swedish|polish|indian|chinese|japanese|"
    r"canadian|australian|dutch)"
)
"""What a person is for years: it decays slowly, unlike "pregnant" or "tired"."""
_MEMBER = compile_late(
    r"(?:active |paid-up |founding |long-time )?member of (?:the |my |our )?(?!staff\b|"
    r"society\b)(?P<group>\w.*)"
)
_FAN = compile_late(
    r"^(?:(?:big|huge|great|massive|avid|total|real|true)\s+)*(?P<what>\w[\w' -]*?)\s+(?:fan|lover|enthusiast|buff)$"
)
_JOB_ENDS = compile_late(r"\s(?:at|in|for|with|from|near|by|on|bei|chez|en|presso)\s.*$")
_VERSIONED = compile_late(r"^(?P<tool>[a-z][a-z+#. ]*?[a-z+#]) ?v?(?P<version>\d+(?:\.\d+)*)$")
_MODEL = compile_late(r"(?!.*(?:\d[\d\s()/-]+\d|\d{3})).*\d")
"""A text with a number that is too short to be dialled: "a Pixel 9"."""
_DOSE = compile_late(rf"(?i)^{DOSE} (?:of )?|(?: now)?,? {DOSE}$")
_WHERE_USED = compile_late(
    r" (?:in (?:the )?(?:production|prod|staging|development|dev)|for (?:the |my |"
    r"our )?[\w-]+(?: [\w-]+)?)$"
)
_TOOL_SOMEWHERE = compile_late(
    rf"(?i)^(?P<tool>{TOOLS})(?: (?:mostly|mainly|a lot))?(?: (?:in|on|at|for) [^,]{{2,60}})?$"
)
"""A tool and where it is used."""
_MADE_WITH = compile_late(
    r"^(?:now )?(?:mostly |all |entirely |mainly )?(?:(?:written|built|made|coded|developed|hosted|deployed|managed|"
    r"done|"
    r"based|run|running|runs|lives|sits) (?:on|in|with|by|using|via|at)|uses?) "
)
_COUNTED = compile_late(
    r"^(?P<count>no|two|three|four|five|six|seven|eight|nine|ten|\d+|several)\s+(?P<what>[a-z][a-z' -]*?)s?$"
)
_ORNAMENT = compile_late(
    r"^(?:(?:new|old|own|cute|little|big|small|nice|beautiful|lovely|used|pet|rescue|sweet|romantic)\s+)+(?=\S)"
)
_LOVED = {
    "girlfriend": "in a relationship", "boyfriend": "in a relationship", "partner": "in a relationship",
    "wife": "married", "husband": "married",
}  # fmt: skip
_IN_A_SITUATION = compile_late(
    r"(?i)\b(?:when(?:ever)?|if|for|unless|until|while|during|on|about|except|but|and|only|even|mostly|sometimes|"
    r"to (?:my|our)|in this (?:repo|repository|project|codebase)|in (?:chats?|meetings?|texts?)|(?:e-?mails?|letters?|"
    r"commits?|code|comments?|documents?|docs|"
    r"titles?|variables?|names?|reports?|posts?|essays?))\b"
)
"""Words of an instruction that stands beside the general one: "answer in German when I write German"."""
_FROM_NOW = compile_late(r"(?i)\b(?:from now on|going forward|in (?:the )?future)\b")
_OF_ANSWERS = compile_late(
    r"(?i)\b(?:answers?|repl(?:y|ies)|responses?|explanations?|your messages?|tone|language|wording|units|celsius|"
    r"fahrenheit|"
    r"metric|emojis?|emoticons?|to be addressed|being addressed|prices)\b"
)
"""Words of a preference about answers; clothes may be formal as well."""
_OWN_TEXTS = compile_late(r"(?i)^to (?:write|send|read|get)\b(?!.*\b(?:your|answers|replies)\b)")
"""What the person does: "I prefer to write in a formal tone"."""
_THINGS = frozenset(
    {
        "likes",
        "dislikes",
        "eats",
        "drinks",
        "speaks",
        "allergic_to",
        "not_allergic_to",
        "uses",
        "plays",
        "studies",
    }
)
"""Attributes whose values are compared without an article in any language."""
_YES = frozenset({"yes", "true", "y"})
_NO = frozenset({"no", "false", "n", "none"})
_PLURALS = {"children": "children", "child": "children", "kid": "children", "kids": "children"}


def canonical(fact: CandidateFact, user: str | None = None) -> CanonicalFact:
    """Return the canonical form of a fact; never raises. `user` is the name of the bank's person: facts about this
    name and about "user" have the same subject."""
    attribute = attribute_of(fact.attribute)
    subject = of_user(_subject(fact.subject, attribute), user)
    if attribute is None:
        value = value_normalization.plain(fact.value) if fact.value else None
        return CanonicalFact(
            fact.text, subject, None, value or None, "many", None, fact.holds, fact.stated, fact.if_known,
            fact.starts_at, fact.ends_at,
        )  # fmt: skip
    holds = fact.holds
    said = fact.value or ""
    if value_normalization.plain(said) in _NO and attribute not in NEVER_NO and not _counts(attribute):
        attribute, said, holds = "is", attribute.replace("_", " "), False
    elif value_normalization.plain(said) in _YES and not _counts(attribute):
        attribute, said = "is", attribute.removeprefix("is_").replace("_", " ")
    if (
        holds
        and attribute in ("prefers", "instruction")
        and (chosen := _one_of_several(attribute, said, fact.text))
    ):
        attribute, said = chosen
    if holds and attribute == "uses" and (used := _TOOL_SOMEWHERE.match(said)):
        said = used["tool"]
    attribute, value, cardinality = _answer(attribute, said)
    if attribute == "has" and (status := _LOVED.get(value)):
        # "I don't have a girlfriend" states that there is no partner; "I have one" does not name them.
        attribute, value = ("relationship_status", status) if holds else ("partner", "")
        cardinality = "one"
    if attribute in ("has_died", "died"):
        attribute, value, cardinality = _death(attribute, value, subject)
    if not holds and not value and cardinality == "many" and not is_replaced(attribute):
        return CanonicalFact(
            fact.text, subject, None, None, "many", None, holds, fact.stated, fact.if_known, fact.starts_at
        )
    opposite = OPPOSES.get(attribute)
    if subject and _SEVERAL_HOLDERS.search(subject):
        cardinality, opposite = "many", None
    return CanonicalFact(
        fact.text, subject, attribute, value or None, cardinality, opposite, holds, fact.stated, fact.if_known,
        fact.starts_at, fact.ends_at,
    )  # fmt: skip


def _one_of_several(attribute: str, said: str, text: str) -> tuple[str, str] | None:
    """The attribute and value of a preference or instruction that replaces the former one: the length of answers."""
    if attribute == "prefers" and (chosen := choice_of(said)):
        return chosen
    category = None if _IN_A_SITUATION.search(_FROM_NOW.sub("", text)) else category_of(said)
    if category is None or (
        attribute == "prefers" and (not _OF_ANSWERS.search(said) or _OWN_TEXTS.search(said))
    ):
        return None
    if is_negative(said) and category.name.endswith(
        ("language", "currency")
    ):  # never in English: any other one
        return None
    name = re.sub(r"\W+", "_", category.name)
    return f"{name}_instruction", category.value


def _death(attribute: str, value: str, subject: str | None) -> tuple[str, str, Cardinality]:
    """The death of a relative has its time as the value, and none without: "died in March" replaces "died"."""
    if attribute == "has_died" and value == "died":
        attribute, value = "died", ""
    of_relative = attribute == "died" and subject is not None and "'s " in subject
    return attribute, value, "one" if of_relative else "many"


def is_replaced(attribute: str | None) -> bool:
    """Whether a new value of this attribute takes the place of the former ones though several may hold."""
    return attribute is not None and (attribute in REPLACED or attribute.endswith(REPLACED_ENDS))


def _subject(subject: str | None, attribute: str | None) -> str | None:
    trimmed = " ".join((subject or "").replace("’", "'").split()).strip(" .,;:\"'")
    if not trimmed:
        return "user" if attribute else None
    if _SELF.match(trimmed):
        return "user"
    return _PARENT.sub(lambda match: PARENTS[match[0]], _OF_SELF.sub("user's ", trimmed).lower())


def of_user(subject: str | None, user: str | None) -> str | None:
    """A canonical subject, `user` in place of the user's name: the whole name, or its first word."""
    if subject and user:
        whole = " ".join(user.replace("’", "'").lower().split())
        for name in dict.fromkeys((whole, whole.split(" ")[0])):
            if name and (subject == name or subject.startswith(f"{name}'s ")):
                return "user" + subject[len(name) :]
    return subject


def attribute_of(attribute: str | None) -> str | None:
    """The canonical name of an attribute: "homeCity" is `lives_in`."""
    name = re.sub(r"(?<=[a-zà-ÿ])(?=[A-Z])", "_", attribute or "")
    name = re.sub(r"[^\w]+|_+", "_", name.lower()).strip("_")
    if not name:
        return None
    name = value_normalization.american(name)
    if name in PARTNER_NAMES:
        return "partner"
    if name not in CANONICAL:
        name = _FILLER.sub("", name) or name
    if name in PARTNER_NAMES:
        return "partner"
    return CANONICAL.get(name, name)


def _counts(attribute: str) -> bool:
    return attribute.startswith("number_of_")


def _answer(attribute: str, said: str) -> tuple[str, str, Cardinality]:
    """Return attribute, value and cardinality; the value may select a more specific attribute."""
    value = value_normalization.plain(said)
    match attribute:
        case "is" | "identity" | "diet" | "relationship_status":
            attribute, value = _state(attribute, value)
        case "is_not" | "identity_is_not" | "diet_is_not" | "relationship_status_is_not" | "does_not_work_as":
            attribute, value = _denied(attribute, value)
        case "lives_in" | "born_in":
            return _place(attribute, said)
        case "lives_in_country" | "born_in_country" | "from" | "grew_up_in":
            value = value_normalization.place(said)
        case "avoids":
            attribute, value = _avoided(value)
        case "has" | "pet" | "child" | "sibling":
            attribute, value = _had(attribute, value)
        case "works_as":
            value = value_normalization.thing(_JOB_ENDS.sub("", value))
        case "works_at":
            value = re.sub(r"^.*\b(?:called|named)\s+(?=\S)", "", value)
        case "drives":
            value = _ORNAMENT.sub("", value_normalization.thing(said))
        case "has_condition" | "does_not_have_condition":
            value = _ILLNESS_OF.get(value, value)
        case "age" | "birth_year":
            value = value_normalization.number(said) or value
        case "birthday":
            value = value_normalization.day_of_year(said)
        case "takes_medicine":
            value = _DOSE.sub("", value)
        case "phone" if _MODEL.match(said):
            attribute, value = "phone_model", value_normalization.thing(said)
        case "phone":
            value = value_normalization.digits(said)
        case _ if attribute in _THINGS:
            value = value_normalization.thing(said)
            if attribute == "uses":
                value = _WHERE_USED.sub("", value)
            if attribute == "uses" and (versioned := _VERSIONED.match(value)):
                attribute, value = f"{versioned['tool'].replace(' ', '_')}_version", versioned["version"]
        case _ if is_replaced(attribute):
            value = _MADE_WITH.sub("", value_normalization.thing(said)).removesuffix(" now")
        case _:
            if _counts(attribute):
                value = value_normalization.number(said) or ("0" if value in {"no", "none"} else value)
    return attribute, value, _cardinality(attribute)


def _cardinality(attribute: str) -> Cardinality:
    if (
        attribute in ONE
        or attribute.startswith(ONE_STARTS)
        or attribute.endswith(ONE_ENDS)
        or attribute.removesuffix("_name") in SINGLE_ROLES
        or _counts(attribute)
    ):
        return "one"
    return "fixed" if attribute in FIXED else "many"


def _state(attribute: str, value: str) -> tuple[str, str]:
    if value in _STATUSES:
        return "relationship_status", _STATUSES[value]
    if value in _DIETS:
        return "diet", _DIETS[value]
    if value in _JOBLESS:
        return "works_as", value
    if value == "self-employed":
        return "works_at", value
    if attribute == "is" and (intolerant := _INTOLERANT.fullmatch(value)):
        return "has_condition", f"{intolerant['what']} intolerance"
    if attribute == "is" and _CONDITION.fullmatch(value):
        return "has_condition", _ILLNESS_OF.get(value, value)
    if attribute == "is" and value.startswith("not "):
        return _denied("is_not", value_normalization.plain(value.removeprefix("not ")))
    if attribute == "is" and _LASTING_TRAIT.fullmatch(value):
        return "identity", value
    if attribute == "is" and (member := _MEMBER.fullmatch(value)):
        return "member_of", member["group"]
    if attribute == "is" and (fan := _FAN.match(value)):
        return "likes", fan["what"]
    if attribute == "is" and _PROFESSION.search(job := _JOB_ENDS.sub("", value)):
        return "works_as", job
    return "is" if attribute == "diet" and value else attribute, value


def _denied(attribute: str, value: str) -> tuple[str, str]:
    """Return the attribute that denies what the value states: "not vegan" is about the diet as "vegan" is."""
    said, value = _state(DENIES[attribute], value)
    return ("dislikes" if said == "likes" else DENIED.get(said, "is_not")), value


def _place(attribute: str, said: str) -> tuple[str, str, Cardinality]:
    """Return a town, a country or a year of birth; a kind of home has cardinality `many`."""
    if attribute == "born_in" and (born := value_normalization.year(said)):
        return "birth_year", born, "fixed"
    if (
        said.startswith("with ") and attribute == "lives_in"
    ):  # company is no home, though both are stated with "live"
        return "lives_with", value_normalization.plain(_WHERE.sub("", said.removeprefix("with "))), "many"
    if attribute == "lives_in" and said == "alone":
        return "lives_with", said, "many"
    if said.startswith("with ") or _BESIDE_A_PLACE.match(said):
        return attribute, value_normalization.plain(said), "many"
    name = value_normalization.place(said)
    if value_normalization.is_country(name):
        attribute = f"{attribute}_country"
    elif value_normalization.is_wider_than_a_town(name) or value_normalization.is_kind_of_place(said):
        return attribute, name, "many"
    return attribute, name, _cardinality(attribute)


def _avoided(value: str) -> tuple[str, str]:
    """Split "eat pork" into attribute and object; without an object the value is "anything"."""
    verb, _, what = value.partition(" ")
    if verb in ("eat", "drink", "smoke"):
        return f"does_not_{verb}", value_normalization.thing(what) or "anything"
    return "avoids", value


def _had(attribute: str, value: str) -> tuple[str, str]:
    """Return the number of counted things, which changes (two dogs, then three), or the thing without its name."""
    value = _ORNAMENT.sub("", re.sub(r"\s+(?:named|called)\s.*$", "", value))
    if counted := _COUNTED.match(value):
        what = counted["what"].strip().replace(" ", "_")
        plural = _PLURALS.get(what, f"{what}s")
        count = (
            {"no": "0"}.get(counted["count"])
            or value_normalization.number(counted["count"])
            or counted["count"]
        )
        return f"number_of_{plural}", count
    if attribute != "has" and value.isdigit():
        return {"pet": "number_of_pets", "child": "number_of_children", "sibling": "number_of_siblings"}[
            attribute
        ], value
    return attribute, value_normalization.thing(value)
