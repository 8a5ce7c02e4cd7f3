"""Links between the pages lead to files and headings that exist."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.pages import PAGES, anchors_of, links_of


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_resolve(page: Path) -> None:
    for link in links_of(page):
        if link.startswith(("http://", "https://")):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        assert not anchor or anchor in anchors_of(target), link
