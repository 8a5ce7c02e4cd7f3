"""All pages that can be reached from one, by their links."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import httpx

MAX_PAGES = 400


@dataclass
class Structure(HTMLParser):
    """The elements of a page with the names of their attributes, its links, and its texts."""

    elements: list[tuple[str, tuple[str, ...]]] = field(default_factory=list[tuple[str, tuple[str, ...]]])
    links: list[str] = field(default_factory=list[str])
    addresses: list[str] = field(default_factory=list[str])
    """Values of attributes that a browser loads or goes to."""
    texts: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.elements.append((tag, tuple(sorted(given))))
        self.addresses += [
            value
            for name in ("href", "src", "action", "formaction", "data", "xlink:href")
            if (value := given.get(name))
        ]
        if tag == "a" and (link := given.get("href")):
            self.links.append(link)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def parsed(text: str) -> Structure:
    structure = Structure()
    structure.feed(text)
    structure.close()
    return structure


async def crawl(http: httpx.AsyncClient, *starts: str) -> dict[str, httpx.Response]:
    """The answers to all addresses under /ui that can be reached from `starts`, redirects followed."""
    found: dict[str, httpx.Response] = {}
    waiting = list(starts)
    while waiting:
        address = waiting.pop()
        if address in found:
            continue
        answer = found[address] = await http.get(address, follow_redirects=True)
        assert len(found) < MAX_PAGES
        if "text/html" in answer.headers["content-type"]:
            linked = (urljoin(address, link) for link in parsed(answer.text).links)
            waiting += [one for one in linked if urlsplit(one).path.startswith("/ui") and "#" not in one]
    return found
