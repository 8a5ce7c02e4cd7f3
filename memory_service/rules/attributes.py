"""What a candidate fact is about, in one form whoever wrote it: the same question has the same subject and attribute.

Whether two facts exclude each other follows from the cardinality of what they are about:

- `one`: it changes with time, so a newer value succeeds an older one (home, employer, partner, age). A small closed
  list: what is wrongly on it closes a fact that still holds.
- `fixed`: it never changes, so another value speaks against the first one (birthday, birthplace).
- `many`: values stand beside each other (likes, pets, languages).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from memory_service.rules import values
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
    """Fit for comparing, not for printing. With an attribute and `holds` false, None means whatever it was."""
    cardinality: Cardinality
    opposes: str | None
    """The attribute that says the opposite of the same value: `dislikes` for `likes`."""
    holds: bool
    stated: bool


ONE = frozenset(
    {
        "lives_in",  # a second home is rarer than a move, and "moved to" is mostly what is said
        "lives_in_country",
        "address",
        "works_at",  # two employers at once are rarer than a change
        "works_as",
        "studies_at",
        "partner",
        "relationship_status",
        "age",
        "name",  # what somebody is called changes with marriage and with transition
        "preferred_name",
        "pronouns",
        "phone",
        "email",
        "diet",
        "drives",  # what one drives now; who owns two cars says "has"
        "school_grade",
    }
)
"""And every `favorite_...` and `number_of_...`. Not: where somebody comes from (a town and its country), what they
study, play, use, have."""
FIXED = frozenset({"birthday", "birth_year", "born_in", "born_in_country", "native_language", "blood_type"})
"""Not grew_up_in: one may grow up in two towns, and in a town and its country."""

_ALSO_NAMED = (
    "from grew_up_in nationality likes dislikes prefers eats does_not_eat drinks does_not_drink smokes does_not_smoke "
    "allergic_to has_condition has pet child sibling friend number_of_children plays uses speaks studies religion "
    "fears is"
)
NAMED = (*sorted(ONE | FIXED), *_ALSO_NAMED.split())
"""The attributes that a model is asked to use."""

_OPPOSITES = (
    ("likes", "dislikes"),
    ("eats", "does_not_eat"),
    ("drinks", "does_not_drink"),
    ("smokes", "does_not_smoke"),
    ("trusts", "distrusts"),
    ("supports", "rejects"),
)
OPPOSES = dict(_OPPOSITES) | {other: one for one, other in _OPPOSITES}

_SYNONYMS = {
    "lives_in": "residence home residency city town place_of_residence city_of_residence residence_city home_city "
    "home_town_now location living_in living_place living_location lives live resides_in resides based_in address_city "
    "moved_to relocated_to home_location lives_at",
    "lives_in_country": "country country_of_residence residence_country",
    "address": "home_address street_address postal_address",
    "works_at": "employer company workplace works_for work_place employed_by employed_at company_name employer_name "
    "organization organisation work_at job_at place_of_work works_with employment_place work_location job_location",
    "works_as": "job occupation profession role position title job_title job_role work career employment work_role "
    "works occupation_title job_position employment_status",
    "studies": "major field_of_study subject_of_study studying study degree_program course_of_study",
    "studies_at": "university college school attends student_at school_name university_name enrolled_at",
    "partner": "spouse husband wife girlfriend boyfriend fiance fiancé fiancee fiancée significant_other married_to "
    "dating engaged_to in_relationship_with in_a_relationship_with romantic_partner life_partner dates",
    "relationship_status": "marital_status civil_status relationship love_life_status family_status",
    "age": "years_old age_in_years is_aged",
    "name": "full_name first_name called is_called first_and_last_name legal_name",
    "preferred_name": "nickname wants_to_be_called goes_by call_me prefers_to_be_called",
    "phone": "phone_number telephone mobile cell mobile_number telephone_number cell_phone contact_number",
    "email": "email_address e_mail mail mail_address",
    "birthday": "birth_date date_of_birth birthdate dob born_on birth_day",
    "birth_year": "year_of_birth",
    "born_in": "birthplace place_of_birth birth_place born_at city_of_birth",
    "born_in_country": "country_of_birth birth_country",
    "native_language": "mother_tongue first_language",
    "from": "origin hometown home_town comes_from place_of_origin originally_from country_of_origin is_from",
    "nationality": "citizenship",
    "grew_up_in": "raised_in childhood_home grew_up_at",
    "likes": "like loves love enjoys enjoy adores adore fond_of is_fond_of fan_of is_fan_of into is_into preference "
    "hobby hobbies interest interests interested_in is_interested_in passion passions passionate_about pastime "
    "pastimes favors appreciates liking likings",
    "dislikes": "dislike hates hate detests detest loathes cannot_stand can_t_stand cant_stand does_not_like "
    "doesn_t_like doesnt_like not_fond_of does_not_enjoy doesn_t_enjoy is_not_a_fan_of not_a_fan_of aversion aversions "
    "disliking",
    "prefers": "prefer",
    "does_not_eat": "doesn_t_eat doesnt_eat never_eats avoids_eating food_avoided",
    "does_not_drink": "doesn_t_drink doesnt_drink never_drinks avoids_drinking",
    "does_not_smoke": "doesn_t_smoke non_smoker never_smokes",
    "rejects": "opposes is_against against",
    "allergic_to": "allergy allergies allergen allergens allergic food_allergy food_allergies is_allergic_to",
    "has_condition": "condition medical_condition diagnosis health_condition diagnosed_with illness disease disability "
    "has_diagnosis suffers_from chronic_condition",
    "has": "owns own possesses possession possessions have has_a ownership",
    "pet": "pets pet_name dog cat puppy kitten rabbit horse parrot hamster dog_name cat_name puppy_name kitten_name "
    "rabbit_name horse_name parrot_name hamster_name has_pet has_dog has_cat owns_pet owns_dog",
    "child": "children kid kids son sons daughter daughters child_name son_name daughter_name has_child has_children "
    "has_son has_daughter parent_of",
    "sibling": "siblings sibling_name brothers sisters has_sibling has_siblings brother sister brother_name "
    "sister_name",
    "friend": "friends friend_name has_friend",
    "best_friend": "best_friend_name",
    "speaks": "speak languages language language_spoken languages_spoken spoken_language spoken_languages "
    "speaks_language",
    "plays": "play instrument sport instruments sports plays_sport plays_instrument",
    "uses": "use tool tools software uses_tool",
    "drives": "car current_car vehicle drive car_model drives_a car_brand car_make",
    "diet": "dietary_preference dietary_restriction dietary_restrictions diet_type eating_habits dietary_habits "
    "dietary_preferences follows_diet dietary_choice",
    "religion": "faith religious_affiliation religious_belief",
    "is": "identity identifies_as trait personality_trait characteristic personality attribute",
    "fears": "fear afraid_of is_afraid_of scared_of phobia phobias is_scared_of",
    "goal": "goals aim aims ambition ambitions dream plan plans",
    "skill": "skills ability abilities",
    "studied_at": "alma_mater graduated_from graduated_at education",
}  # fmt: skip
_CANONICAL = {synonym: name for name, synonyms in _SYNONYMS.items() for synonym in synonyms.split()}
_PARTNER = "partner wife husband spouse girlfriend boyfriend fiance fiancé fiancee fiancée"
_PARTNER_NAMES = frozenset(f"{kin}_name" for kin in _PARTNER.split())
_FILLER = re.compile(
    r"^(?:(?:current|currently|present|new|main|primary|own|personal|user|users|user_s|the|is_a|his|her|their|my)_)+"
    r"(?=\w)|(?:_of_(?:the_)?user)$"
)
_SELF = re.compile(r"(?i)^(?:the )?user$|^(?:i|me|myself|self|speaker|the speaker)$")
_OF_SELF = re.compile(r"(?i)^(?:the )?user['’]?s (?=\S)|^my (?=\S)")
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
_PROFESSION = re.compile(
    r"(?:^|\s)(?:nurse|teacher|lawyer|attorney|doctor|physician|engineer|accountant|pilot|programmer|developer|"
    r"architect|dentist|pharmacist|plumber|electrician|carpenter|mechanic|surgeon|veterinarian|paramedic|firefighter|"
    r"librarian|professor|receptionist|cashier|waiter|waitress|barista|butcher|translator|hairdresser|"
    r"psychologist|therapist|physiotherapist|midwife|economist|biologist|chemist|physicist|"
    r"software developer|data scientist|project manager|product manager|truck driver|bus driver|taxi driver|"
    r"police officer|flight attendant|social worker)$"
)
"""What is said as "I am a nurse" but is a job beyond doubt: not runner, writer, dancer, parent, owner."""
_FAN = re.compile(
    r"^(?:(?:big|huge|great|massive|avid|total|real|true)\s+)*(?P<what>\w[\w' -]*?)\s+(?:fan|lover|enthusiast|buff)$"
)
_JOB_ENDS = re.compile(r"\s(?:at|in|for|with|from|near|by|on|bei|chez|en|presso)\s.*$")
_COUNTED = re.compile(
    r"^(?P<count>no|two|three|four|five|six|seven|eight|nine|ten|\d+|several)\s+(?P<what>[a-z][a-z' -]*?)s?$"
)
_ORNAMENT = re.compile(
    r"^(?:(?:new|old|own|cute|little|big|small|nice|beautiful|lovely|used|pet|rescue|sweet|romantic)\s+)+(?=\S)"
)
_LOVED = {
    "girlfriend": "in a relationship", "boyfriend": "in a relationship", "partner": "in a relationship",
    "wife": "married", "husband": "married",
}  # fmt: skip
_YES = frozenset({"yes", "true", "y"})
_NO = frozenset({"no", "false", "n", "none"})
_PLURALS = {"children": "children", "child": "children", "kid": "children", "kids": "children"}


def canonical(fact: CandidateFact) -> CanonicalFact:
    """The fact in the form in which facts are compared; never raises, whatever a model wrote."""
    attribute = _attribute(fact.attribute)
    subject = _subject(fact.subject, attribute)
    if attribute is None:
        value = values.plain(fact.value) if fact.value else None
        return CanonicalFact(fact.text, subject, None, value or None, "many", None, fact.holds, fact.stated)
    holds = fact.holds
    said = fact.value or ""
    if values.plain(said) in _NO and attribute not in OPPOSES and not _counts(attribute):
        attribute, said, holds = "is", attribute.replace("_", " "), False
    elif values.plain(said) in _YES and not _counts(attribute):
        attribute, said = "is", attribute.removeprefix("is_").replace("_", " ")
    attribute, value, cardinality = _answer(attribute, said)
    if attribute == "has" and (status := _LOVED.get(value)):
        # "I don't have a girlfriend" says that there is no partner; "I have one" not who it is.
        attribute, value = ("relationship_status", status) if holds else ("partner", "")
        cardinality = "one"
    return CanonicalFact(
        fact.text, subject, attribute, value or None, cardinality, OPPOSES.get(attribute), holds, fact.stated
    )


def _subject(subject: str | None, attribute: str | None) -> str | None:
    trimmed = " ".join((subject or "").replace("’", "'").split()).strip(" .,;:\"'")
    if not trimmed:
        return "user" if attribute else None
    if _SELF.match(trimmed):
        return "user"
    return _OF_SELF.sub("user's ", trimmed).lower()


def _attribute(attribute: str | None) -> str | None:
    name = re.sub(r"(?<=[a-zà-ÿ])(?=[A-Z])", "_", attribute or "")
    name = re.sub(r"[^\w]+|_+", "_", name.lower()).strip("_")
    if not name:
        return None
    name = name.replace("favourite", "favorite")
    if name in _PARTNER_NAMES:
        return "partner"
    if name not in _CANONICAL:
        name = _FILLER.sub("", name) or name
    if name in _PARTNER_NAMES:
        return "partner"
    return _CANONICAL.get(name, name)


def _counts(attribute: str) -> bool:
    return attribute.startswith("number_of_")


def _answer(attribute: str, said: str) -> tuple[str, str, Cardinality]:
    """The attribute, sharpened by what its value is, with the value and the cardinality."""
    value = values.plain(said)
    match attribute:
        case "is" | "diet" | "relationship_status":
            attribute, value = _state(attribute, value)
        case "lives_in" | "born_in":
            return _place(attribute, said)
        case "lives_in_country" | "born_in_country" | "from" | "grew_up_in":
            value = values.place(said)
        case "avoids":
            attribute, value = _avoided(value)
        case "has" | "pet" | "child" | "sibling":
            attribute, value = _had(attribute, value)
        case "works_as":
            value = values.thing(_JOB_ENDS.sub("", value))
        case "works_at":
            value = re.sub(r"^.*\b(?:called|named)\s+(?=\S)", "", value)
        case "age" | "birth_year":
            value = values.number(said) or value
        case "birthday":
            value = values.day_of_year(said)
        case "phone":
            value = values.digits(said)
        case (
            "likes" | "dislikes" | "eats" | "drinks" | "speaks" | "allergic_to" | "uses" | "plays" | "studies"
        ):
            value = values.thing(said)
        case _:
            if _counts(attribute):
                value = values.number(said) or ("0" if value in {"no", "none"} else value)
    return attribute, value, _cardinality(attribute)


def _cardinality(attribute: str) -> Cardinality:
    if attribute in ONE or attribute.startswith("favorite_") or _counts(attribute):
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
    if attribute == "is" and (fan := _FAN.match(value)):
        return "likes", fan["what"]
    if attribute == "is" and _PROFESSION.search(job := _JOB_ENDS.sub("", value)):
        return "works_as", job
    return "is" if attribute == "diet" else attribute, value


def _place(attribute: str, said: str) -> tuple[str, str, Cardinality]:
    """A town, a country, a year of birth; how somebody lives excludes no other answer."""
    if attribute == "born_in" and (born := values.year(said)):
        return "birth_year", born, "fixed"
    name = values.place(said)
    if values.is_country(name):
        attribute = f"{attribute}_country"
    elif values.is_wider_than_a_town(name) or values.is_kind_of_place(said):
        return attribute, name, "many"
    return attribute, name, _cardinality(attribute)


def _avoided(value: str) -> tuple[str, str]:
    """ "eat pork" of what somebody does not do; without an object it is the whole."""
    verb, _, what = value.partition(" ")
    if verb in ("eat", "drink", "smoke"):
        return f"does_not_{verb}", values.thing(what) or "anything"
    return "avoids", value


def _had(attribute: str, value: str) -> tuple[str, str]:
    """Counted things are a number that changes: two dogs become three. What one is called is another question."""
    value = _ORNAMENT.sub("", re.sub(r"\s+(?:named|called)\s.*$", "", value))
    if counted := _COUNTED.match(value):
        what = counted["what"].strip().replace(" ", "_")
        plural = _PLURALS.get(what, f"{what}s")
        count = {"no": "0"}.get(counted["count"]) or values.number(counted["count"]) or counted["count"]
        return f"number_of_{plural}", count
    if attribute != "has" and value.isdigit():
        return {"pet": "number_of_pets", "child": "number_of_children", "sibling": "number_of_siblings"}[
            attribute
        ], value
    return attribute, values.thing(value)
