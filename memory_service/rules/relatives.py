"""Words for the relatives, partners and animals of a person, as alternatives of patterns.

Lists in other modules differ where weights were fitted with them (`facts/lasting.py`, `gate/sentence_score.py`,
`gate/sentence_features.py`), or where they name the attributes of models (`facts/attribute_names.py`).
"""

from __future__ import annotations

MOTHER = "mother|mummy|mum|mom|mama|mam"
FATHER = "father|daddy|dad|papa"
GRANDMOTHER = "grandmother|grandmum|grandma|granma|granny|gran|nanna|nana|nan"
GRANDFATHER = "grandfather|grandpa|granpa|granddad|grandad|gramps"
PARENT = f"{MOTHER}|{FATHER}"
PARENTS = {word: role.split("|")[0] for role in (MOTHER, FATHER) for word in role.split("|")[1:]}
"""Each word for a parent, and "mother" or "father"."""
ELDERS = "|".join(word for role in (MOTHER, FATHER, GRANDMOTHER, GRANDFATHER) for word in role.split("|")[1:])
"""Words that are also used as names: "Mum" without a possessive is the speaker's own."""
PARTNER = "wife|husband|spouse|partner|boyfriend|girlfriend|fianc[ée]e?"
OF_ONE = f"{PARENT}|{GRANDMOTHER}|{GRANDFATHER}|{PARTNER}"
"""Relatives of whom a person has one, or two who are known apart without a name."""
CHILD_OR_SIBLING = "son|daughter|brother|sister"
CLOSE_RELATIVES = f"{OF_ONE}|{CHILD_OR_SIBLING}|best friend"
RELATIVES = (
    f"{CLOSE_RELATIVES}|step(?:{PARENT}|{CHILD_OR_SIBLING})|grandson|granddaughter|auntie|aunt|uncle|cousin|niece|"
    "nephew"
)
PETS = "dog|cat|puppy|kitten|rabbit|horse|parrot|hamster|bunny|guinea pig|bird|tortoise|pony"
KIN = f"{RELATIVES}|roommate|boss|{PETS}"
"""Nouns behind "my" that patterns accept as a subject beside "I"."""
SEVERAL_OF_ONE = (
    f"{CHILD_OR_SIBLING}|child|kid|baby|boy|girl|twin|sibling|grandson|granddaughter|grandchild|one|{PETS}"
)
SEVERAL_OF_OTHERS = (
    "friend|colleague|neighbou?r|cousin|client|customer|patient|student|pupil|classmate|teammate|employee|tenant|"
    "flatmate|roommate|housemate|auntie|aunt|uncle|niece|nephew|in-law"
)
"""Roles that several have: facts about two unnamed friends may be about two people, those about "my son" rarely."""
ONE_OF = {
    "kids": "child", "children": "child", "boys": "son", "girls": "daughter", "grandchildren": "grandchild",
    "grandkids": "grandchild", "puppies": "puppy",
    **{f"{one}s": one for one in (*CHILD_OR_SIBLING.split("|"), "twin", "nephew", "niece", "cat", "dog", "rabbit",
                                  "horse", "kitten", "guinea pig")},
}  # fmt: skip
"""Plural and singular of those who may be listed by name."""
FEMALE = frozenset(
    f"{MOTHER}|{GRANDMOTHER}|wife|girlfriend|fiancée|daughter|sister|auntie|aunt|niece|granddaughter|landlady".split(
        "|"
    )
)
MALE = frozenset(
    f"{FATHER}|{GRANDFATHER}|husband|boyfriend|fiancé|son|brother|uncle|nephew|grandson|landlord".split("|")
)
