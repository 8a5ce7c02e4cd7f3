"""What a person's body does not bear: reactions to foods and medicines, and allergies named in passing.

Rows as in clause_patterns.py, where the tables are joined. The facts have the attribute of an allergy, so that every
context shows them; their text says no more than the person did.
"""

from __future__ import annotations

from collections.abc import Iterator

from memory_service.rules.facts.clause_words import ADV, END, FOODS, HAVE, LEAD, MEDICINE, WHO
from memory_service.rules.facts.patterns import Rows, says
from memory_service.text.late_pattern import compile_late
from memory_service.types import CandidateFact

_REACTION = (
    r"(?:hives|(?:an? (?:\w+ )?)?rash(?:es)?|anaphyla\w+|an? (?:bad|severe|serious|allergic|nasty) (?:allergic )?"
    r"reaction)"
)
_DRUGS = rf"{MEDICINE}|penicillin|ibuprofen|aspirin|paracetamol|codeine|antibiotics"
SUBSTANCE = (
    rf"(?:{FOODS}|{_DRUGS}|morphine|latex|nickel|"
    r"plasters|(?:bee|wasp|insect) stings?|bees|wasps|dust(?: mites)?|pollen|mould|mold|cats|dogs|kiwis?|apples|"
    r"peaches|avocados?|pine nuts|brazil nuts|pistachios|crab|lobster|squid|tuna|salmon|tofu|oats|rye|barley|wool|"
    r"perfume|iodine|sulphites|sulfites|bananas?|melons?|mango(?:es)?|oranges|lemons|citrus|carrots|corn|buckwheat|"
    r"chickpeas|lentils|peas|pineapple|papaya|tomato|mites|grass|birch|ragweed|horses|rabbits|feathers|hay)"
)
_VALUE = rf"(?P<value>{SUBSTANCE}(?:(?:, | or | and ){SUBSTANCE})?)"
_NO_VICE = (
    r"(?!(?:(?:red )?(?:wine|meat)|beer|alcohol|coffee|caffeine|sugar|carbs|chocolate|bread|fast food|sweets|cats|dogs|"
    r"onions|garlic)\b)"
)
"""Not what people say of their vices and their work."""
_WHEN = (
    r"(?:from|(?:when(?:ever)?|every time) (?:I|we|he|she|they) (?:eats?|have|has|drinks?|takes?|touch(?:es)?)"
    r"(?: any)?)"
)
_GETS = (says("allergic_to", "{who} gets a reaction from {value}"),)

_FORBIDDEN = (
    rf"(?:{_DRUGS}|acetaminophen|nsaids?|painkillers|iron tablets|antihistamines|steroids|cortisone|triptans?|"
    r"melatonin)"
)

REACTIONS: Rows = (
    (" react", rf"^{WHO}{ADV} reacts? (?:(?:really|very|so) )?(?:badly|terribly|horribly|violently|severely) to "
     rf"{_VALUE}{END}", (says("allergic_to", "{who} reacts badly to {value}"),)),
    (" break| come| get", rf"^{WHO}{ADV} (?:(?:breaks?|comes?) out in|gets?) {_REACTION} {_WHEN} {_VALUE}{END}", _GETS),
    (" take", rf"^{WHO}(?: can't| cannot| can not|'m not allowed to| am not allowed to|'m not supposed to) take "
     rf"(?P<value>{_FORBIDDEN}(?: or {_FORBIDDEN})?)(?=$|[.,;!?()]| (?:because|since|as|due|any ?more|any longer(?! "
     r"than)|at all|and|but|so)\b)(?! and [\w ]*\b(?:together|at once|at the same time)\b)",
     (says("allergic_to", "{who} cannot take {value}"),)),
    (" swell", rf"^{WHO}{ADV} swells? up {_WHEN} {_VALUE}{END}", _GETS),
    (" allergy", rf"^(?![Ww]e\b){WHO}{HAVE}{ADV} (?:(?!(?:with|without|about|of|on|for|from|to|who|that|no|"
     r"one)\b)[\w'-]+ ){1,4}?and (?:an? )?(?:(?:severe|mild|bad|serious|nasty|slight) )*(?P<value>(?!(?:severe|an?|"
     r"bad|no|one|two|some|suspected|possible|food)\b)[\w-]{2,20}(?: [\w-]{2,15})?) allergy(?=$|[.,;!?()]| (?:and|but|"
     r"so|since|because|too|as well)\b)", (says("allergic_to", "{who} is allergic to {value}"),)),
)  # fmt: skip

REACTION_MENTIONS: Rows = (
    (" disc| meniscus", r"^my (?:back|spine|neck|knee|left knee|right knee) (?:is|'s) (?:really |very |pretty |quite "
     r")?(?:bad|"
     r"shot|wrecked|ruined|knackered|dodgy|gone|a mess|not good)[ ,:;(–-]+(?:I have |I've got |it's |with )?(?:a )?"
     r"(?P<value>(?:slipped|herniated|prolapsed|bulging) disc|torn meniscus)\b",
     (says("has_condition", "{subject} has a {value}"),)),
    (" nothing", r"\bI(?:'m| am) allergic to nothing(?: else| really)?,? (?:except|but|apart from|other than|"
     r"besides)(?: "
     rf"for)? (?P<value>{SUBSTANCE}(?: [a-z]+)?){END}", (says("allergic_to", "{subject} is allergic to {value}"),)),
    (" me ", rf"^{LEAD}(?:the )?{_VALUE} (?:(?:always|usually|often) )?(?:gives? me|brings? me out in) {_REACTION}\b",
     (says("allergic_to", "{subject} gets a reaction from {value}"),)),
    (" kill m| hospital", rf"^{LEAD}(?:even )?(?:the |a single )?{_NO_VICE}{_VALUE} (?:could|would|can|will) "
     r"(?:(?:literally|actually|really) )?(?:kill me|(?:put|land) me in (?:the )?hospital|send me to "
     r"(?:the )?hospital)(?=$|[.!;)]|,? (?:so|because|since|as)\b|, I'm allergic)",
     (says("allergic_to", "{subject} must not have {value}"),)),
)  # fmt: skip
"""Rows that match in clauses without a person as their subject."""

_WITHOUT = (
    r"(?:no|without(?: the| any)?|leave out(?: the)?|skip the|hold the|avoid(?:ing)?|(?:can't|cannot) (?:have|eat|do|"
    r"take)(?: the| any)?|the)"
)
_ALLERGIC = compile_late(
    rf"(?i)\b{_WITHOUT} (?P<value>{SUBSTANCE})"
    r"(?:,? (?:please|for me|in (?:it|mine|that|there)|thanks|thank you|then))*"
    r"(?: (?:would|could|will) (?:put me in (?:the )?hospital|kill me))?(?:,| -| –)? ?(?:(?:because|since|as) )?"
    r"I(?:'m| am)(?: (?:\w+ly|very|quite))? allergic(?: to (?:it|them|those|that))?(?=$|[.,;!?)]| (?:and|so|but)\b)"
)
_FOR_THE_MOMENT = compile_late(
    r"(?i)\b(?:none|(?:run|ran|running) out|out of (?:it|them)|already|dr[aiu]nk|drinking|driv(?:e|ing)|today|tonight|"
    r"right now|yet|until|till|before|on an empty|with (?:alcohol|coffee|food|milk|wine|beer))\b"
)
_SAID = compile_late(
    r"(?i)[\"“”]|\b(?:said|says?|saying|is like|used to|as a (?:kid|child)|sign|tells?|told|asks?|asked|wrote|writes|"
    r"reads|customer|if|suppose|imagine|pretend)\b"
)


def allergies_to_it(sentence: str, subject: str) -> Iterator[CandidateFact]:
    """Yield the allergies whose substance is named before: "No peanuts please, I'm allergic to them"."""
    if "llergic" not in sentence.lower() or _SAID.search(sentence):
        return
    for match in _ALLERGIC.finditer(sentence):
        value = match["value"].lower()
        yield CandidateFact(f"{subject} is allergic to {value}.", subject, "allergic_to", value, stated=True)


_IN_PLACE_OF = compile_late(
    r"(?i) me (?:[\w-]+ ){1,5}(?:while|until) (?:\w+ ){1,3}(?:(?:is|are|['’]s|gets|comes|returns) )?(?:on \w+|"
    r"away|off|back|"
    r"ill|sick|returns|recovers)\b"
)


def is_for_the_moment(fact: CandidateFact, sentence: str) -> bool:
    """Whether a medicine is only out of the question now: "I can't take ibuprofen because I have none left"; or a post
    is another person's: "they made me team lead while she is on leave"."""
    if fact.attribute == "works_as":
        return _IN_PLACE_OF.search(sentence) is not None
    return " cannot take " in fact.text and _FOR_THE_MOMENT.search(sentence) is not None
