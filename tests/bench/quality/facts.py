"""Facts, supersessions and false conflicts that the rules find in the project's labelled chats.

Each chat of the folder chats/ is sent to a new bank as exchanges, and the facts at the end are compared with its
labels. A found fact and a labelled one match when all of this holds:
- they come from the same message of a person;
- both are about the person, or both about another one (a fact about the person may name the other in its words);
- both affirm or both deny (`likes`, `dislikes`);
- their values share words with F1 >= 0.5 (if the attributes fit), or their texts do, or a found text of at most
  40 words contains two thirds of the labelled value's words. A label resolves the references of its message ("the 13th"
  is 13 February 2025, "she" is Ruth): the two thirds may also be of the words that the label shares with one of its
  messages, if these are at least two.
Words are compared without case, endings, ordinals, stop words and the person's name; "dad" is "father". A found fact is
right when it matches a label, when it states only a part of a label of the same message, when it states a label of
another message (text or value with F1 >= 0.5), or when it only names the person; all others are wrong. A supersession
is followed when the new fact is found and the old one is closed, or only the ending of the old one is found ("we
replaced Heroku with Fly.io") from a message of either; a fact known only by its ending counts nowhere else. The old one
is closed if a found fact that matches it, or states only a part of it, has ended. The attribute `other` of a label fits
every attribute.
As in the service, facts whose periods do not overlap are in no conflict.
The column `bare` is recall and precision if the words of resolved references are required too. Conflicts whose two
facts match labels that supersede each other are right, all others false; a fact is wrongly closed when each label that
it matches still holds at the end.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import asyncpg

from memory_service.config import Settings
from memory_service.embedded import open_server
from memory_service.memory import Memory
from tests.bench.quality import own_chats
from tests.bench.quality.data import out, table
from tests.bench.quality.evidence import Said
from tests.bench.quality.gate import load

_FACTS = """
select f.memory_id, f.fact as text, f.subject, f.attribute, f.value, f.valid_to, f.superseded_by, f.status,
       (select array_agg(m.value ->> 'message_id')
          from memory.fact_evidence e
          join memory.episodic_memory p on p.bank_id = e.bank_id and p.memory_id = e.episode_id
         cross join lateral jsonb_array_elements(p.full_text -> 'messages') as m
         where e.bank_id = f.bank_id and e.fact_id = f.memory_id
           and (e.holds or f.valid_to = f.valid_from)) as messages,
       f.valid_to is not distinct from f.valid_from as only_ended
  from memory.semantic_memory f
 where f.bank_id = $1 and f.status <> 'merged_into'"""
_CONFLICTS = """
select c.one_id, c.other_id, one.fact as one, other.fact as other
  from memory.fact_conflict c
  join memory.semantic_memory one on one.bank_id = c.bank_id and one.memory_id = c.one_id
  join memory.semantic_memory other on other.bank_id = c.bank_id and other.memory_id = c.other_id
 where c.bank_id = $1 and one.status <> 'merged_into' and other.status <> 'merged_into'
   and greatest(one.valid_from, other.valid_from)
       < least(coalesce(one.valid_to, 'infinity'), coalesce(other.valid_to, 'infinity'))"""
_CLIENT_IDS = "select m.message_id::text as id, m.client_id from memory.message m where m.bank_id = $1"

MATCH = 0.5
CONTAINED = 0.66
LONGEST = 40
FEWEST_STATED = 2
_GRAMMAR = frozenset(
    """
    a an the and or but of in on at to for with from by as is are was were be been am do does did has have had will
    would can could should i my me we our us you your he she it they his her their its him them this that these those
    there user s not no so very really just also now that who which when where than then about per s t m re ve d ll
    called name named wants want asks assistant
    myself ours ourselves yours yourself yourselves himself hers herself itself theirs themselves what whom being
    having doing if because until while against between into through during before after above below up down out off
    over under again further once here why how all any both each few more most other some such nor only own same too
    don now
    """.split()  # noqa: SIM905
)
_DIGITS: dict[str, str] = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
    )
}
_KIN = {
    "mum": "mother", "mom": "mother", "mam": "mother", "dad": "father", "nan": "grandmother", "gran": "grandmother",
    "granny": "grandmother", "grandma": "grandmother", "grandpa": "grandfather", "granddad": "grandfather",
    "gf": "girlfriend", "bf": "boyfriend", "sis": "sister", "bro": "brother", "kid": "child", "kids": "child",
    "children": "child",
}  # fmt: skip
_ORDINAL = re.compile(r"\b(\d+)(?:st|nd|rd|th)\b")
_DENIES = re.compile(
    r"\b(?:not|no|never|n[’']t|without|dislikes?|hates?|can[’']?t|cannot|no longer|avoids?)\b|n[’']t\b"
)
_AGAINST = frozenset(
    {"dislikes", "does_not_eat", "does_not_drink", "does_not_smoke", "avoids", "is_not", "not_allergic_to"}
)
_AFFIRMS = frozenset(
    {"likes", "uses", "has", "owns", "has_pet", "lives_in", "works_at", "is", "drives", "eats"}
)
_OWN = frozenset({"user", ""})
_FAMILIES = (
    "lives_in lives_in_country address from born_in",
    "works_as works_at is studies studies_at",
    "likes habit plays hobby prefers preference goal learns does fan",
    "has owns has_pet pet uses drives phone_model laptop car device other plays",
    "dislikes avoids does_not_eat diet allergic_to preference does_not_drink",
    "partner relationship_status kin_name",
    "health has_condition is allergic_to takes_medicine diet does_not_eat",
    "instruction preference prefers likes dislikes",
    "name preferred_name",
    "age birthday birth_year",
    "goal plans plan",
    "skill speaks learns studies uses",
)
_NO_ATTRIBUTE = "other"
"""A label's attribute that says nothing: it fits every found one."""
_TYPED = frozenset(name for family in _FAMILIES for name in family.split()) - {_NO_ATTRIBUTE}
_ANY_VALUE = "anything"
"""The value of facts whose text alone names it: "Nadim no longer smokes"."""
_NO_LONGER = re.compile(r"\b(?:no longer|stopped|any ?more)\b")


@dataclass(frozen=True, slots=True)
class Label:
    """A fact as it was written down by hand."""

    id: str
    subject: str
    attribute: str
    value: str
    text: str
    messages: frozenset[str]
    ends: bool
    superseded_by: str | None
    told: tuple[str, ...] = ()
    """Its messages' texts."""


@dataclass(frozen=True, slots=True)
class Found:
    """A fact as the service holds it."""

    id: str
    subject: str
    attribute: str | None
    value: str | None
    text: str
    messages: frozenset[str]
    ends: bool
    only_ended: bool = False
    """Known by its end alone ("we replaced Heroku with Fly.io")."""


@dataclass(frozen=True, slots=True)
class Chat:
    """One labelled chat."""

    name: str
    people: frozenset[str]
    """The persons of the bank in lower case: its subject, or all speakers."""
    messages: Said
    """By conversation."""
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """The figures of one chat."""

    labels: int
    hits: int
    """Labels that a found fact matches."""
    found: int
    right: int
    """Found facts that match a label."""
    successions: int
    followed: int
    """Of these, those found: the old fact is closed, or its ending known, and the new one known."""
    conflicts: int
    """False conflicts."""
    closed: int
    """Wrongly closed facts."""
    bare_hits: int
    bare_right: int
    """`hits` and `right` if the words of resolved references are required too."""


def chats(*, held_out: bool | None = None, folder: Path = own_chats.FOLDER) -> list[Chat]:
    """The labelled chats by name; only held out ones, only others, or all."""
    return [read(path) for path in own_chats.files(held=held_out, folder=folder)]


def read(path: Path) -> Chat:
    chat = own_chats.read(path)
    names = {m["name"].lower() for m in chat["messages"] if m["role"] == "user" and m.get("name")}
    texts = {m["id"]: str(m["content"]) for m in chat["messages"]}
    people = {chat["subject"].lower()} if chat["subject"] else names
    labels = tuple(
        Label(
            one["id"], one["subject"], one["attribute"], str(one["value"]), one["text"], frozenset(one["from"]),
            one["valid_to"] is not None or one["superseded_by"] is not None, one["superseded_by"],
            tuple(texts[message] for message in one["from"] if message in texts),
        )
        for one in chat["facts"]
    )  # fmt: skip
    return Chat(path.stem, frozenset(people), own_chats.said_in(chat), labels)


def words(text: str, people: frozenset[str] = frozenset()) -> frozenset[str]:
    """What a text says, as a set of words without case, endings, ordinals, stop words and the names of `people`."""
    names = {part for name in people for part in name.split()}
    lowered = _ORDINAL.sub(r"\1", text.lower().replace("'s ", " ").replace("’s ", " "))
    return frozenset(
        _stem(_DIGITS.get(token) or _KIN.get(token) or token)
        for token in re.findall(r"[^\W_]+", lowered)
        if token not in _GRAMMAR and token not in names
    )


def _stem(word: str) -> str:
    for ending in ("ingly", "edly", "ing", "ied", "ies", "ed", "es", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)].removesuffix("i")
    return word


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0


def matches(found: Found, label: Label, people: frozenset[str], *, bare: bool = False) -> bool:
    """Whether the two are the same fact (see the module's text); `bare`: whatever the message leaves to the reader."""
    if not found.messages & label.messages or _sign(found) * _sign(label) < 0:
        return False
    if not _same_person(found, label, people):
        return False
    value, text = words(label.value, people), words(label.text, people)
    said = words(found.text, people)
    if overlap(said, text) >= MATCH:
        return True
    if not _compatible(found.attribute, label.attribute):
        return False
    if found.value and overlap(words(found.value, people), value) >= MATCH:
        return True
    if len(found.text.split()) > LONGEST:
        return False
    wanted = [value] if value else []
    if not bare:
        stated = [(value | text) & words(message, people) for message in label.told]
        wanted += [some for some in stated if len(some) >= FEWEST_STATED]
    return any(len(some & said) / len(some) >= CONTAINED for some in wanted)


def says_only(found: Found, label: Label, people: frozenset[str]) -> bool:
    """Whether a found fact says part of what a label says and nothing else: right, though not all of it is found."""
    said = words(found.value if found.attribute and found.value else found.text, people)
    known = words(f"{label.value} {label.text} {label.subject}", people)
    return (
        bool(found.messages & label.messages)
        and bool(said)
        and said <= known
        and _sign(found) * _sign(label) >= 0
        and _same_person(found, label, people)
    )


def restates(found: Found, label: Label, people: frozenset[str]) -> bool:
    """Whether a found fact says what a label says that was written down from another message."""
    if _sign(found) * _sign(label) < 0 or not _same_person(found, label, people):
        return False
    if overlap(words(found.text, people), words(label.text, people)) >= MATCH:
        return True
    known = _compatible(found.attribute, label.attribute) and found.attribute in _TYPED and bool(found.value)
    return known and overlap(words(found.value or "", people), words(label.value, people)) >= MATCH


def names_person(found: Found, people: frozenset[str]) -> bool:
    """Whether a found fact says only what the person is called, which no label repeats."""
    return found.attribute in ("name", "preferred_name") and not words(found.text, people)


def names_end_of(ending: Found, old: Label, new: Label, people: frozenset[str]) -> bool:
    """Whether an ending that a message of either label states names what the old one says."""
    named = ending.value or ""
    said = words(
        _NO_LONGER.sub("", ending.text) if named == _ANY_VALUE else named, frozenset({ending.subject})
    )
    return (
        bool(ending.messages & (old.messages | new.messages))
        and (bool(said) or ending.attribute == old.attribute)
        and said <= words(f"{old.value} {old.text}")
        and _compatible(ending.attribute, old.attribute)
        and _same_person(ending, old, people)
    )


def _sign(fact: Found | Label) -> int:
    """-1 where the attribute denies, 1 where it affirms, 0 where the words alone tell."""
    if fact.attribute in _AGAINST:
        return -1
    if fact.attribute in _AFFIRMS:
        return -1 if _DENIES.search(" ".join(fact.text.lower().split()[:6])) else 1
    return 0


def _same_person(found: Found, label: Label, people: frozenset[str]) -> bool:
    mine = _owner(found.subject, people)
    theirs = _owner(label.subject, people)
    if mine == theirs:
        return True
    named = words(label.subject if mine in _OWN else found.subject, people)
    said = words(f"{found.text} {label.text}", frozenset())
    return (
        (label.attribute in ("kin_name", "partner", "other", "has_pet"))
        or bool(named & said)
        or found.attribute is None
    )


def _owner(subject: str | None, people: frozenset[str]) -> str:
    name = (subject or "").lower().strip()
    return "" if len(people) <= 1 and (name in people or name in _OWN) else name


def _compatible(found: str | None, label: str) -> bool:
    if found is None or found not in _TYPED or label not in _TYPED or found == label:
        return True
    return any(found in family.split() and label in family.split() for family in _FAMILIES)


def compare(
    chat: Chat, facts: Sequence[Found], conflicts: Sequence[tuple[str, str]] = ()
) -> tuple[Result, list[str]]:
    """The result, and a line for each label that was missed and each found fact that is no label."""
    endings = [fact for fact in facts if fact.only_ended]
    facts = [fact for fact in facts if not fact.only_ended]
    pairs = {fact.id: [label for label in chat.labels if matches(fact, label, chat.people)] for fact in facts}
    by_id = {label.id: label for label in chat.labels}
    hit = {label.id for labels in pairs.values() for label in labels}
    by_label = {label.id: [f for f in facts if label in pairs[f.id]] for label in chat.labels}
    successions = [label for label in chat.labels if label.superseded_by in by_label]
    followed = [
        label
        for label in successions
        if label.superseded_by is not None
        and by_label[label.superseded_by]
        and (
            any(fact.ends for fact in by_label[label.id])
            or any(fact.ends and says_only(fact, label, chat.people) for fact in facts)
            or any(names_end_of(ending, label, by_id[label.superseded_by], chat.people) for ending in endings)
        )
    ]
    joined = {frozenset((label.id, label.superseded_by)) for label in successions}
    false = [
        (one, other)
        for one, other in conflicts
        if not any(
            frozenset((a.id, b.id)) in joined for a in pairs.get(one, ()) for b in pairs.get(other, ())
        )
    ]
    closed = [f for f in facts if f.ends and pairs[f.id] and not any(label.ends for label in pairs[f.id])]
    texts = {fact.id: fact.text for fact in facts}
    lines = [f"missed  {label.attribute}: {label.text}" for label in chat.labels if label.id not in hit]
    also_right = {
        fact.id
        for fact in facts
        if names_person(fact, chat.people)
        or any(
            says_only(fact, label, chat.people) or restates(fact, label, chat.people) for label in chat.labels
        )
    }
    wrong = [fact for fact in facts if not pairs[fact.id] and fact.id not in also_right]
    bare = [
        [label for label in chat.labels if matches(fact, label, chat.people, bare=True)] for fact in facts
    ]
    bare_right = [f for f, some in zip(facts, bare, strict=True) if some or f.id in also_right]
    lines += [f"wrong   {f.attribute}: {f.text} [{','.join(sorted(f.messages))}]" for f in wrong]
    lines += [f"closed  {f.attribute}: {f.text}" for f in closed]
    lines += [f"conflict  {texts.get(one)} / {texts.get(other)}" for one, other in false]
    lines += [f"unfollowed  {label.text}" for label in successions if label not in followed]
    right = len(facts) - len(wrong)
    return (
        Result(
            len(chat.labels),
            len(hit),
            len(facts),
            right,
            len(successions),
            len(followed),
            len(false),
            len(closed),
            len({label.id for some in bare for label in some}),
            len(bare_right),
        ),
        lines,
    )


async def measure(examples: bool) -> None:
    """Send all chats to an embedded Postgres and print a line for each; errors of held-out chats are never printed."""
    found = chats()
    if not found:
        out.print(f"Skipped: {own_chats.FOLDER} holds no chats")
        return
    results: dict[str, Result] = {}
    with tempfile.TemporaryDirectory(prefix="memory-facts-") as data, open_server(Path(data)) as server:
        settings = Settings.model_validate({"data_dir": Path(data), "exchange_quiet_seconds": 1})
        async with await Memory.open(settings) as memory:
            bare = await asyncpg.connect(server.url(database="memory"))
            for chat in found:
                await load(memory, chat.name, chat.messages)
                results[chat.name], lines = compare(chat, *await held(bare, chat.name))
                if examples and not own_chats.is_held(chat.name):
                    for line in lines:
                        out.print(f"  {chat.name}: {line}", markup=False)
            await bare.close()
    show(results)


async def held(
    connection: asyncpg.Connection[asyncpg.Record], bank_id: str
) -> tuple[list[Found], list[tuple[str, str]]]:
    """The facts of a bank with the caller's ids of their messages, and its conflicts."""
    ids = {row["id"]: row["client_id"] for row in await connection.fetch(_CLIENT_IDS, bank_id)}
    facts = [
        Found(
            str(row["memory_id"]), row["subject"] or "", row["attribute"], row["value"], row["text"],
            frozenset(ids[one] for one in row["messages"] or () if ids.get(one)),
            row["valid_to"] is not None,
            row["only_ended"],
        )
        for row in await connection.fetch(_FACTS, bank_id)
    ]  # fmt: skip
    conflicts = [
        (str(row["one_id"]), str(row["other_id"])) for row in await connection.fetch(_CONFLICTS, bank_id)
    ]
    return facts, conflicts


def show(results: Mapping[str, Result]) -> None:
    shown = table(
        "Facts by rules alone", "chat", "recall", "precision", "labels", "found", "successions", "of",
        "false conflicts", "wrongly closed", "bare",
    )  # fmt: skip
    fitted = [result for name, result in results.items() if not own_chats.is_held(name)]
    held_out = [result for name, result in results.items() if own_chats.is_held(name)]
    for name, result in results.items():
        shown.add_row(name, *cells(result))
    for name, some in (("fitted on", fitted), ("held out", held_out)):
        if some:
            shown.add_row(f"all {name}", *cells(total(some)))
    out.print(shown)


def total(results: Sequence[Result]) -> Result:
    return Result(*(sum(getattr(one, name) for one in results) for name in Result.__slots__))


def cells(result: Result) -> list[str]:
    recall = result.hits / result.labels if result.labels else 0.0
    precision = result.right / result.found if result.found else 0.0
    bare_recall = result.bare_hits / result.labels if result.labels else 0.0
    bare_precision = result.bare_right / result.found if result.found else 0.0
    return [
        f"{recall:.2f}", f"{precision:.2f}", str(result.labels), str(result.found), str(result.followed),
        str(result.successions), str(result.conflicts), str(result.closed), f"{bare_recall:.2f} {bare_precision:.2f}",
    ]  # fmt: skip
