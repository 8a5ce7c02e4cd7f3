"""Search for `Order`s: their words where an order begins, with the words that must stand near them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from memory_service.injection.order_patterns import ORDERS, READER, Order
from memory_service.injection.order_patterns_other_languages import (
    BEGINS,
    NARRATES,
    SPACED,
    UNSPACED,
    pattern_of,
)
from memory_service.text.late_pattern import LatePattern, compile_late
from memory_service.text.unicode_folding import folded, words_of

START = 4
"""Compared letters of a word: "inst" is the start of "instruct" and of "instructions"."""
_FIRST = compile_late(r"\w+\*?")
_WILD = 3
"""Letters by which a word with any ending is looked up."""
_LOOK_BACK = 60
_SENTENCE = 200
_MOST = 400
"""Places of one order that are read per text: bounds the time that hostile text takes."""
_ADVERBS = (
    "(?:always|also|just|now|then|secretly|silently|quietly|covertly|discreetly|simply|immediately|automatically|"
    "instantly|first|instead|please|kindly|must|should|shall|will|have to|need to|are to|can|may|henceforth|forever|"
    "directly|subtly)"
)
_BEGINS = (
    r"(?:^|[.!?;:,\"'“”()>*|#\n–—-] ?|\b(?:and|then|but|or|please|kindly|you|from now on|"
    r"on|afterwards|later|today|tomorrow|daily|"
    r"(?:each|every|the|this) (?:day|week|month|hour|morning|evening|night|session|conversation|chat|turn|time)|"
    rf"{READER}) )(?:{_ADVERBS} ){{0,3}}$"
)
"""What stands before the words of an order in English."""
_NARRATES = r"\b(?:i|we|he|she|they|my|our|his|her|their|who)\b"
_ADDRESSES = rf"\b(?:you|your|please|{READER})\b"
_SENTENCE_END = compile_late(r"[.!?](?:[\s\"'”)]|$)|[\n。！？]")


class Reading:
    """A folded text with the positions and sets of words that all tables need."""

    def __init__(self, plain: str) -> None:
        self.plain = plain
        self.words = words_of(plain)[1]
        self.starts = frozenset([word[:START] for word in self.words])
        self.ascii = plain.isascii()
        self._sentences: dict[int, str] = {}

    def places(self, word: str) -> list[int]:
        """Positions of a word, at most _MOST."""
        plain, found = self.plain, list[int]()
        place = plain.find(word)
        while place >= 0 and len(found) < _MOST:
            if not (place and _is_letter(plain[place - 1])):
                found.append(place)
            place = plain.find(word, place + len(word))
        return found

    def sentence_from(self, start: int) -> str:
        """The rest of the sentence from `start` on."""
        sentence = self._sentences.get(start)
        if sentence is None:
            sentence = self.plain[start : start + _SENTENCE]
            end = _SENTENCE_END.search(sentence)
            self._sentences[start] = sentence = sentence if end is None else sentence[: end.start()]
        return sentence


class OrderTable:
    """Orders of languages with the same word order, searched only where one of their words occurs."""

    def __init__(
        self,
        orders: Sequence[Order],
        begins: str = "",
        narrates: str = "",
        addresses: str = "$^",
        *,
        spaced: bool = True,
    ) -> None:
        self._begins = LatePattern(begins)
        self._narrates = LatePattern(narrates)
        self._addresses = LatePattern(addresses)
        self._spaced = spaced
        self._phrases: dict[str, list[tuple[_CompiledOrder, str, LatePattern | None]]] = {}
        for order in orders:
            ready = _CompiledOrder(order)
            for phrase in map(folded, order.words.split("|")):
                pattern = LatePattern(rf"{pattern_of(phrase, spaced=False)}(?!\w)") if "*" in phrase else None
                self._phrases.setdefault(_key(phrase) if spaced else phrase, []).append(
                    (ready, phrase, pattern)
                )
        self._keys = self._phrases.keys()
        self._words = frozenset([key for key in self._keys if not key.endswith("*")])
        self._wild = frozenset([key[:-1] for key in self._keys if key.endswith("*")])

    def find(self, reading: Reading) -> str | None:
        """Return the reason of the first order in the text, or None."""
        plain = reading.plain
        at_order: dict[int, bool] = {}
        for key, places in self._candidates(reading):
            for order, phrase, pattern in self._phrases[key]:
                if order.needs and order.needs.isdisjoint(reading.words):
                    continue
                for start in places:
                    if pattern is not None:
                        match = pattern.match_at(plain, start)
                        end = match.end() if match else -1
                    else:
                        end = start + len(phrase) if plain.startswith(phrase, start) else -1
                    if end < 0 or (self._spaced and _is_letter(plain[end : end + 1])):
                        continue
                    if order.then is not None and order.then.match_at(plain, end) is None:
                        continue
                    if order.begins_order:
                        if start not in at_order:
                            at_order[start] = self._may_begin_order(plain, start)
                        if not at_order[start]:
                            continue
                    sentence = reading.sentence_from(start)
                    near = (
                        sentence
                        if order.sentence
                        else plain[max(0, start - order.back) : start + order.reach]
                    )
                    if any(one.search(near) is None for one in order.near):
                        continue
                    if order.unless is None or (
                        order.unless.search(sentence) is None
                        and (
                            not order.back
                            or order.unless.search(plain[max(0, start - order.back) : start]) is None
                        )
                    ):
                        return order.reason
        return None

    def _candidates(self, reading: Reading) -> Iterator[tuple[str, list[int]]]:
        """Yield the keys of this table that occur in the text, with their positions."""
        if not self._spaced:
            if not reading.ascii:
                for key in self._keys:
                    if key in reading.plain:
                        found = islice(re.finditer(re.escape(key), reading.plain), _MOST)
                        yield key, [match.start() for match in found]
            return
        for word in self._words & reading.words:
            yield word, reading.places(word)
        if self._wild:
            for begin in self._wild & {start[:_WILD] for start in reading.starts}:
                yield f"{begin}*", reading.places(begin)

    def _may_begin_order(self, plain: str, start: int) -> bool:
        """Whether an order may begin at `start`: not behind a subject, and not in a narrated sentence."""
        if self._spaced and not self._begins.search(plain[max(0, start - _LOOK_BACK) : start]):
            return False
        before = plain[max(0, start - _SENTENCE) : start]
        before = before[max((end.end() for end in _SENTENCE_END.finditer(before)), default=0) :]
        narrated = max((match.start() for match in self._narrates.finditer(before)), default=-1)
        if narrated < 0:
            return True
        return narrated < max((match.start() for match in self._addresses.finditer(before)), default=-1)


class _CompiledOrder:
    """An order with lazily compiled patterns."""

    def __init__(self, order: Order) -> None:
        self.reason = order.reason
        self.then = LatePattern(order.then) if order.then else None
        self.near = [LatePattern(pattern) for pattern in order.near]
        self.unless = LatePattern(order.unless) if order.unless else None
        self.needs = frozenset(order.needs.split("|")) if order.needs else frozenset[str]()
        self.begins_order = order.begins_order
        self.reach = order.reach
        self.sentence = order.sentence
        self.back = order.back


def _is_letter(character: str) -> bool:
    return character.isalnum() or character == "_"


def _key(phrase: str) -> str:
    """The first word of a phrase, or "*" with its first _WILD letters where it has any ending."""
    word = _FIRST.findall(phrase)[0]
    return f"{word[:-1][:_WILD]}*" if word.endswith("*") else word


ORDER_TABLES = (
    OrderTable(ORDERS, _BEGINS, _NARRATES, _ADDRESSES),
    OrderTable(SPACED, BEGINS, NARRATES),
    OrderTable(UNSPACED, narrates=NARRATES, spaced=False),
)
