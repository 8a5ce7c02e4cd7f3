"""Attributes of facts: names, synonyms and cardinality.

- `one`: changes with time; a newer value supersedes an older one (home, employer, partner, age). A short closed list: a
  wrong entry closes facts that still hold.
- `fixed`: never changes; another value contradicts the first one (birthday, birthplace).
- `many`, all others: several values hold at once (likes, pets, languages).
"""

from __future__ import annotations

from memory_service.rules.word_lists import HELPERS, TEAM_ROLES

ONE = frozenset(
    {
        "lives_in",  # a second home is rarer than a move, and "moved to" is the commonest wording
        "lives_in_country", "address",
        "works_at",  # two employers at once are rarer than a change
        "works_as", "studies_at", "partner", "relationship_status", "age",
        "name",  # names change with marriage and with transition
        "preferred_name", "pronouns", "phone", "email", "diet",
        "drives",  # the present car; owners of two cars say "has"
        "school_grade", "manager", "phone_model", "height", "weight", "hourly_rate", "day_rate", "rent", "salary",
        "wedding_date", "viva_date", "launch_date", "release_date", "move_date", "surgery_date", "operation_date",
    }
)  # fmt: skip
"""And every `number_of_...`, and those of ONE_STARTS and ONE_ENDS. Not `from` (a town and its country), `studies`,
`plays`, `uses`, `has`."""
ONE_ENDS = ("_dose", "_instruction")
"""Ends of the names of other attributes of one value: of instructions, those about the length of answers and the like
(norms/slots.py)."""
ONE_STARTS = ("favorite_", "preferred_")
"""Their beginnings: of preferences, those between alternatives (alternatives.py)."""
_KEPT_ONE = (
    f"{HELPERS.replace('|', ' ')} backend bank browser bundler cache ci database db distro editor frontend gym "
    "hosting ide insurance linter orm os pipeline provider queue shell supplier terminal test_runner builder drummer "
    "bassist singer guitarist keyboardist conductor captain goalkeeper treasurer secretary chair chairman chairwoman "
    "president headteacher"
)
SINGLE_ROLES = frozenset(
    role.replace(" ", "_").replace("-?", "")
    for role in TEAM_ROLES.split("|")
    if role not in ("contact person", "qa")
)
"""Roles of a team that one person has: `..._name` of these has one value at a time."""
OF_NOW = frozenset({"rate", "opening_time", "closing_time"})
"""Values that "now" replaces: "I charge 95 euros an hour now"."""
_LIMITS = "quota limit rate_limit api_limit request_limit api_rate_limit"
PERIODS = {"second": "second|sec|s", "minute": "minute|min", "hour": "hour", "day": "day", "month": "month"}
"""The periods of limits, with their spellings: a limit per minute and one per day hold side by side."""
ALTERED = frozenset(
    [
        *("budget", "deposit", "fee", "price", *_LIMITS.split()),
        *(f"{limit}_per_{period}" for limit in _LIMITS.split() for period in PERIODS),
    ]
)
"""Amounts that "now" and a change replace: "we lowered the budget to 340,000"."""
REPLACED = (
    OF_NOW
    | ALTERED
    | {"lives_with", "studies", "job_held"}
    | frozenset(f"{role}_name" for role in SINGLE_ROLES)
    | frozenset(f"{role}{end}" for role in _KEPT_ONE.split() for end in ("", "_name"))
)
REPLACED_ENDS = ("_version", "_date", "_time")
"""With every `..._version` and the `..._date` and `..._time` of an event: several values may hold at once, but one
that is said to be new ("my new dentist is ...") takes the place of the former ones."""
FIXED = frozenset({"birthday", "birth_year", "born_in", "born_in_country", "native_language", "blood_type"})
"""Not grew_up_in: two towns, or a town and its country, can both be true."""

_ALSO_NAMED = (
    "from grew_up_in nationality likes dislikes prefers eats does_not_eat drinks does_not_drink smokes does_not_smoke "
    "allergic_to has_condition has pet child sibling friend number_of_children plays uses speaks studies religion "
    "fears is"
)
NAMED = (*sorted(ONE | FIXED), *_ALSO_NAMED.split())
"""The attributes that a model is asked to use."""
BY_RULES = frozenset(
    {"anniversary", "goal", "exam", "habit", "has_been_to", "has_died", "hobby", "identity", "instruction", "learns",
     "member_of", "number_of_household_members", "separated", "takes_medicine", "works_in"}
)  # fmt: skip
"""Attributes that only the rules use, beside `..._name` and `..._age` of people and animals."""

_OPPOSITES = (
    ("likes", "dislikes"),
    ("eats", "does_not_eat"),
    ("drinks", "does_not_drink"),
    ("smokes", "does_not_smoke"),
    ("trusts", "distrusts"),
    ("supports", "rejects"),
)
DENIED = {
    "is": "is_not",
    "identity": "identity_is_not",
    "diet": "diet_is_not",
    "relationship_status": "relationship_status_is_not",
    "works_as": "does_not_work_as",
    "allergic_to": "not_allergic_to",
    "has_condition": "does_not_have_condition",
}
"""Attributes of denials. A denial is a fact, since it states no change."""
DENIES = {denial: denied for denied, denial in DENIED.items()}
_VERBS = dict(_OPPOSITES) | {other: one for one, other in _OPPOSITES}
OPPOSES = _VERBS | DENIED | DENIES
NEVER_NO = frozenset(_VERBS) | frozenset(DENIES)
"""Attributes with another attribute for their denial: "no" as a value is no denial of them."""

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
    "not_allergic_to": "is_not_allergic_to isn_t_allergic_to",
    "does_not_have_condition": "doesn_t_have_condition",
    "allergic_to": "allergy allergies allergen allergens allergic food_allergy food_allergies is_allergic_to",
    "has_condition": "condition conditions medical_condition medical_conditions health_conditions diagnosis "
    "health_condition diagnosed_with illness disease disability has_diagnosis suffers_from chronic_condition",
    "takes_medicine": "medication medications medicines meds takes_medication",
    "has": "owns own possesses possession possessions have has_a ownership",
    "pet": "pets pet_name dog cat puppy kitten rabbit horse parrot hamster dog_name cat_name puppy_name kitten_name "
    "rabbit_name horse_name parrot_name hamster_name has_pet has_dog has_cat owns_pet owns_dog",
    "child": "children kid kids son sons daughter daughters child_name son_name daughter_name has_child has_children "
    "has_son has_daughter parent_of",
    "sibling": "siblings sibling_name brothers sisters has_sibling has_siblings brother sister brother_name "
    "sister_name",
    "friend": "friends friend_name has_friend",
    "manager": "manager_name boss boss_name line_manager line_manager_name direct_manager current_manager",
    "phone_model": "smartphone mobile_phone handset",
    "best_friend": "best_friend_name",
    "speaks": "speak languages language language_spoken languages_spoken spoken_language spoken_languages "
    "speaks_language",
    "plays": "play instrument sport instruments sports plays_sport plays_instrument",
    "uses": "use tool tools software uses_tool",
    "drives": "car current_car vehicle drive car_model drives_a car_brand car_make",
    "diet": "dietary_preference dietary_restriction dietary_restrictions diet_type eating_habits dietary_habits "
    "dietary_preferences follows_diet dietary_choice",
    "religion": "faith religious_affiliation religious_belief",
    "identity": "identifies_as",
    "is": "trait personality_trait characteristic personality attribute",
    "fears": "fear afraid_of is_afraid_of scared_of phobia phobias is_scared_of",
    "goal": "goals aim aims ambition ambitions dream plan plans",
    "skill": "skills ability abilities",
    "studied_at": "alma_mater graduated_from graduated_at education",
}  # fmt: skip
CANONICAL = {synonym: name for name, synonyms in _SYNONYMS.items() for synonym in synonyms.split()}
_PARTNER = "partner wife husband spouse girlfriend boyfriend fiance fiancé fiancee fiancée"
PARTNER_NAMES = frozenset(f"{kin}_name" for kin in _PARTNER.split())
