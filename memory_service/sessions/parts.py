"""Texts as trees of content-addressed parts: equal stretches of two texts become equal parts, stored once.

A leaf is a stretch of the text, a node the digests of its children. Where a leaf or a node ends depends only on its own
content, so a change of the text changes the leaves around it and the nodes above them; all others stay as they are.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

DIGEST_BYTES = 32
MARK = "\x1a"
"""Around the length of a child's text, in place of this text; JSON has no control characters but as escapes."""
HOLE = re.compile(f"{MARK}([0-9]+){MARK}")

LEAF_CHARS = 256
"""A leaf ends after a stretch with which it reaches this length: a message of a chat is one part."""
MIN_LEAF_CHARS = 64
LEAF_ONE_IN = 4
"""A leaf of at least MIN_LEAF_CHARS ends after one in so many stretches: after a deletion at the beginning of a list of
short values, later leaves are the same."""
MAX_CHILDREN = 32
NODE_ONE_IN = 8
"""A node ends after one in so many children: of a list of 1,000 messages that grows by one, three to five nodes of
about eight digests are new."""
STRETCH = re.compile(r".{256,1024}?(?:\},|\],|\\n| )|.{1,1024}", re.DOTALL)
"""How a long text is cut: behind values and words where possible."""
MAX_STRETCH_CHARS = 1_024


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a text in which a mark stands for each child; without content, the children's texts in order."""

    content: str
    children: bytes = b""
    """Digests, DIGEST_BYTES each."""


class NewParts(dict[bytes, Part]):
    """Parts by their digest."""

    def add(self, part: Part) -> bytes:
        """Add a part; its digest."""
        digest = digest_of(part)
        self[digest] = part
        return digest


@dataclass(frozen=True, slots=True)
class SessionParts:
    """A session's data: the root of its parts, its length as JSON text in bytes, and the parts that are new."""

    root: bytes
    length: int
    new: NewParts


def digest_of(part: Part) -> bytes:
    """SHA-256 of a part's children and content."""
    length = len(part.children).to_bytes(4, "big")
    return hashlib.sha256(length + part.children + part.content.encode()).digest()


def digests_in(children: bytes) -> list[bytes]:
    return [children[start : start + DIGEST_BYTES] for start in range(0, len(children), DIGEST_BYTES)]


def write_tree(parts: NewParts, stretches: Iterable[Part], last_parts: Sequence[Part] = ()) -> bytes:
    """Add the tree of a text to `parts`, from its stretches; the digest of its root.

    `last_parts`: the text is appended to that of a tree, of which these are the root, its last child, and so on down to
    a leaf; the result is the same as that of the whole text.
    """
    spine = last_parts[::-1]
    kept = bool(spine) and ends_leaf(spine[0].content)
    """Whether the last part of this level remains; else it is replaced by a longer one."""
    begun = () if kept or not spine else spine[:1]
    level = [parts.add(leaf) for leaf in leaves_of(chain(begun, stretches))]
    for node in spine[1:]:
        children = digests_in(node.children)
        if not kept:
            children.pop()
        kept = kept and ends_node(children)
        level = [parts.add(one) for one in nodes_of(level if kept else children + level)]
    if kept:
        level.insert(0, digest_of(spine[-1]))
    while len(level) > 1:
        level = [parts.add(one) for one in nodes_of(level)]
    return level[0]


def leaves_of(stretches: Iterable[Part]) -> Iterator[Part]:
    """The stretches joined into leaves, at least one."""
    texts: list[str] = []
    children = b""
    empty = True
    for stretch in stretches:
        texts.append(stretch.content)
        children += stretch.children
        content = stretch.content if len(texts) == 1 else "".join(texts)
        if ends_leaf(content):
            yield Part(content, children)
            texts, children, empty = [], b"", False
    if texts or empty:
        yield Part("".join(texts), children)


def ends_leaf(content: str) -> bool:
    """Whether a leaf with this content takes no more."""
    if len(content) >= LEAF_CHARS:
        return True
    return len(content) >= MIN_LEAF_CHARS and zlib.crc32(content[-16:].encode()) % LEAF_ONE_IN == 0


def nodes_of(digests: Sequence[bytes]) -> Iterator[Part]:
    start = 0
    for end in range(1, len(digests) + 1):
        if end == len(digests) or ends_node(digests[start:end]):
            yield Part("", b"".join(digests[start:end]))
            start = end


def ends_node(children: Sequence[bytes]) -> bool:
    """Whether a node with these children takes no more; it has two at least, so that each level is shorter."""
    if len(children) >= MAX_CHILDREN:
        return True
    return len(children) > 1 and children[-1][0] % NODE_ONE_IN == 0


def stretches_of(text: str) -> list[str]:
    """The text cut into stretches of at most MAX_STRETCH_CHARS."""
    return [text] if len(text) <= MAX_STRETCH_CHARS else STRETCH.findall(text)


def text_of(parts: Mapping[bytes, Part], root: bytes) -> str:
    """The text of a tree. Errors: KeyError for a part that is not among `parts`."""
    return "".join(texts_in(parts, root))


def texts_in(parts: Mapping[bytes, Part], root: bytes) -> Generator[str]:
    part = parts[root]
    if not part.children:
        yield part.content
        return
    children = digests_in(part.children)
    if not part.content:
        for child in children:
            yield from texts_in(parts, child)
        return
    for place, text in enumerate(HOLE.split(part.content)):
        if place % 2:
            yield from texts_in(parts, children[place // 2])
        else:
            yield text


def references(parts: Mapping[bytes, Part], root: bytes) -> set[bytes]:
    """Digests of parts that these ones, or the session, reference and that are not among them."""
    children = chain.from_iterable(digests_in(part.children) for part in parts.values())
    return {digest for digest in (root, *children) if digest not in parts}
