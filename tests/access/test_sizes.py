"""Bytes that a reader's browser transfers, compressed as the site compresses them."""

import gzip
import re

from django.contrib.staticfiles import finders

from tests.access.test_matrix import address, client_of

FIRST_VISIT, LATER = 90_000, 15_000


def compressed(path: str) -> int:
    """Return the size of a static file as it is sent: fonts are compressed already."""
    with open(finders.find(path), "rb") as file:
        content = file.read()
    return len(content) if path.endswith(".woff2") else len(gzip.compress(content, 6))


def test_the_pages_that_most_people_read_are_small(world):
    """Page, style sheet, scripts, emblem and the one font file that Spanish and English texts need."""
    sizes = {}
    for name in ("player", "home", "standing", "tournament"):
        html = client_of(world, "nobody").get(address(name, world)).content
        files = set(re.findall(r'/static/([^"]+)', html.decode()))
        assert "css/site.css" in files and any("latin-wght" in path for path in files)
        later = len(gzip.compress(html, 6))
        sizes[name] = (later + sum(map(compressed, files)) <= FIRST_VISIT, later <= LATER)
    assert set(sizes.values()) == {(True, True)}, sizes
