"""Facts about persons whom the speaker names: "Tomás is allergic to peanuts"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from memory_service.rules.facts.attributes import canonical
from memory_service.rules.facts.changes import changes
from memory_service.rules.facts.clause_facts import clause_facts, one_of
from memory_service.rules.facts.clause_words import FOODS
from memory_service.rules.facts.clauses import PEOPLE, Clause
from memory_service.rules.facts.patterns import NO_NAME
from memory_service.rules.word_lists import DAY
from memory_service.text.late_pattern import compile_late
from memory_service.types import CandidateFact

_ELSE = (
    r"(?!(?:A|An|All|Also|Although|Always|Another|Any|Anybody|Anyone|Anything|As|At|Because|Before|Both|By|Currently|"
    r"During|Each|Either|Every|Everything|Few|For|From|Half|Here|How|However|If|In|Its|Last|Many|Maybe|Most|Much|"
    r"Neither|Never|Next|No|Nobody|None|Not|Note|Nothing|Now|Often|On|Once|One|Only|Or|Other|Perhaps|Please|Probably|"
    r"Remember|Since|Some|Something|Sometimes|Still|Such|Their|There|These|Those|Though|To|Tomorrow|Tonight|Two|Until|"
    r"Usually|What|Whatever|When|Where|Which|While|Who|Whoever|Whose|Why|With|Your|User|Users|Mine|Yours|After|"
    r"(?!(?:Al|Bever|Bil|Car|El|Emi|Ever|Hol|Jul|Kel|Kimber|Li|Mil|Mol|Nel|Pol|Sal|Shel|Tal|Wil)ly\b|Emily|Lily|"
    r"July)\w+ly|"
    r"Spring|Summer|Autumn|Winter|Afterwards|Apparently|Finally|Recently|Meanwhile|Previously)\b)"
)
"""Capitalized first words that are no name, beside NO_NAME."""
ONE_NAME = rf"{NO_NAME}{_ELSE}[A-ZÄÖÜÉÈÀÁÍÓÚÇŁŚŠŽØÅ](?:['’][A-Z])?[^\W\d_]*[a-zà-ÿ](?:-[A-Z][a-zà-ÿ]+)?"
ROLE_AND_NAME = compile_late(
    rf"(?i)\b(?:my|our) (?:new |late |own )?(?P<kin>{PEOPLE}),? (?P<name>(?-i:{ONE_NAME}))(?![\w-])"
)
_PREDICATE = compile_late(
    rf"^(?P<name>{ONE_NAME}(?: {ONE_NAME})?)(?P<does>(?:'s| is| has| was)(?: \w+ly| also| now| still| already)* "
    r"(?:allergic|an? |vegan|vegetarian|pescatarian|veggie|coeliac|celiac|diabetic|deaf|blind|colou?r|dyslexic|"
    r"(?:divorced|separated|engaged|married|widowed|single)(?: now| again)?(?=$|[.,;!])|autistic|lactose|gluten|"
    r"pregnant|been diagnosed|diagnosed|asthma|diabetes|epilepsy|dementia|adhd|migraines|"
    r"[a-z]{4,14}(?:$|[.,;!])).*| (?:can't|doesn't|does not|cannot|never) (?:eat|have|drink|tolerate|drive|smoke|swim|"
    r"fly)\b.*| (?:suffers from|takes|lives|works|studies|plays|drives|speaks|moved|joined|has moved|has joined|"
    r"started|has started|starts|goes|got|has got|has stopped|stopped|(?:is|was) in (?:year|class|grade|the \d|"
    r"\w+ grade|nursery|kindergarten)) .*|'s in (?:year|class|grade) .*|"
    r"(?:'s| is|'s turning| is turning| turned| turns| just turned) \d{1,2}"
    r"(?=$| (?:now|today|tomorrow|already|years?)\b).*|"
    rf"(?:'s| is) eating (?:{FOODS}) (?:again|now)\b.*| eats (?:{FOODS}) (?:again|now)\b.*)$"
)
DOUBTED = compile_late(
    r"(?i)(?:\bI (?:think|believe|guess|hear|heard|suppose|assume)\b|\bor (?:is|does|has|not)\b|\b(?:apparently|maybe|"
    r"probably|perhaps|allegedly|supposedly)\b| at (?:night|home|weekends|the weekend)\b|"
    rf" on (?:{DAY}|weekends|nights|weekdays)|"
    r" for (?:a|the|one) (?:day|week|weekend|month|while|moment)\b| (?:full|part)[- ]time\b|\bany ?more than\b| in "
    r"(?:the|this|a|my|his|her) (?:\w+ )?(?:story|book|novel|film|movie|show|series|sequel|game|play|dream|"
    r"episode|season|"
    r"script|draft|chapter)\b)"
)
"""A doubt, a limit or fiction behind an ending."""
_ENDING = compile_late(
    rf"^(?:(?:my|our) (?P<kin>{PEOPLE}),? )?(?P<name>{ONE_NAME}),?(?P<does>(?: is|'s)? no longer .*|(?:'s| is) not .* "
    r"any ?(?:more|longer)\b(?! than).*| (?:isn't|doesn't|does not) .* any ?(?:more|longer)\b(?! than).*|(?:'s|"
    r" has)? (?:just |recently |"
    r"finally )?(?:lost (?:her|his) job|stopped being|been (?:laid off|made redundant|fired|let go))\b.*)$"
)
_ROLE = compile_late(rf"^(?:my|our) (?:{PEOPLE})(?= )")
_IN_LOWER_CASE = compile_late(
    r"^(?!(?:it|he|she|that|this|there|here|who|what|one|mine|mum|mom|dad|today|now|everyone|nobody|"
    r"life)\b)(?P<name>[a-z]{2,12})(?P<does>(?: is|'s| just turned| turned| turns)(?: now)? (?:\d{1,2}|one|two|three|"
    r"four|five|six|seven|eight|"
    r"nine|ten)(?=$| (?:now|today|tomorrow|already|years?)\b).*)$"
)
OF_PERSONS = frozenset(
    {"allergic_to", "has_condition", "diet", "does_not_eat", "avoids", "takes_medicine", "works_as", "works_at",
     "lives_in", "studies", "studies_at", "plays", "speaks", "drives", "school_grade", "has_given_up"}
)  # fmt: skip
"""Attributes that a person has and a thing does not; things have an age too."""
ENDED_OF_PERSONS = OF_PERSONS | {"smokes", "is", "relationship_status", "job_held"}
"""Those whose endings are read."""
_IF_KNOWN = frozenset({"age", "relationship_status"})
"""Read of persons whom the bank knows: things have an age as well."""
_AS_FRIEND, _AS_BEST_FRIEND = "my friend", "my best friend"


def named_facts(parts: Sequence[Clause], subject: str) -> Iterator[CandidateFact]:
    """Yield the facts of one sentence about persons by name; each clause is read as a statement about a friend."""
    for part in parts:
        if part.kind in ("statement", "other"):
            yield from _ended(
                _ROLE.sub(rf"\g<0> {part.name}", part.text) if part.name else part.text, subject
            )
        if part.kind != "other":
            continue
        match = (_PREDICATE if part.text[:1].isupper() else _IN_LOWER_CASE).match(part.text)
        if match is None:
            continue
        whose = f"{subject}'s friend"
        for fact in clause_facts((Clause(f"{_AS_FRIEND}{match['does']}", "statement"),), subject):
            attribute = canonical(fact).attribute
            if (
                fact.subject == whose
                and (fact.holds or fact.attribute == "does_not_eat")
                and (fact.attribute in OF_PERSONS or attribute in _IF_KNOWN)
            ):
                name = match["name"][0].upper() + match["name"][1:]
                yield replace(
                    fact, subject=name, text=fact.text.replace(whose, name, 1),
                    if_known=attribute in _IF_KNOWN,
                )  # fmt: skip


def _ended(clause: str, subject: str) -> Iterator[CandidateFact]:
    """Yield the endings in a statement about a person by name, read as one about a best friend; without the role only
    for a person whom the bank knows."""
    match = _ENDING.match(clause)
    if match is None:
        return
    kin, name, whose = match["kin"], match["name"], f"{subject}'s best friend"
    about = one_of(subject, kin, name) if kin else name
    for fact in changes(f"{_AS_BEST_FRIEND}{match['does']}", subject):
        if fact.subject == whose and not fact.holds and fact.attribute in ENDED_OF_PERSONS:
            yield replace(fact, subject=about, text=fact.text.replace(whose, about, 1), if_known=not kin)
