"""Public pages are the same for every reader, so shared caches can keep them.

That the others are not stored is a test of the matrix (`test_matrix.py`).
"""

import re
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.template import TemplateSyntaxError, engines

from tests.access.matrix import ACTORS, PUBLIC
from tests.access.test_matrix import address, client_of
from tests.languages import address_in
from tests.pages import Page

READERS = ["nobody", "player", "director", "office"]
# Not pages: the health check, robots.txt, the choice of the language, which answers no GET, and the files of
# the transparency log, which have rules of their own (tests/scoring/transparency/test_pages.py).
NO_PAGES = {"health", "metrics", "ready", "robots", "set_language"}
NO_PAGES |= {
    "log_checkpoint",
    "log_keys",
    "log_tile",
    "log_bundle",
    "log_stamp",
    "log_past_checkpoint",
    "log_script",
}
NO_PAGES |= {"log_add_checkpoint"}
SHARED = sorted(set(PUBLIC) - NO_PAGES)
EVERYBODYS = "public, max-age=0, must-revalidate"
KEPT = f"{EVERYBODYS}, s-maxage=10, stale-while-revalidate=30"


@pytest.mark.parametrize("name", SHARED)
def test_a_public_page_is_the_same_for_every_reader(name, world):
    """Same bytes, no cookie set, nothing that would make a cache keep one version for each reader."""
    url, query, got = address(name, world), PUBLIC[name].query, {}
    for language in ("es", "en"):
        for actor in READERS:
            client = client_of(world, actor)
            client.cookies["theme"] = client.cookies["messages"] = actor
            response = client.get(address_in(language, url), query)
            complete = response.status_code == 200 and not response.streaming
            assert response.headers["Cache-Control"] == (KEPT if complete else EVERYBODYS), (name, actor)
            assert not response.cookies
            assert response.headers["Vary"] == "Accept-Encoding"
            got[language, actor] = b"".join(response) + response.headers.get("Location", "").encode()
        assert len({got[language, actor] for actor in READERS}) == 1, (name, language)


@pytest.mark.parametrize("name", SHARED)
def test_the_personal_version_differs_from_a_public_page_inside_the_readers_blocks_alone(name, world):
    """The script replaces these blocks alone, so what is personal elsewhere would never be seen with it."""
    url, query = address(name, world), PUBLIC[name].query
    public = client_of(world, "nobody").get(url, query)
    if public.status_code != 200 or not public.headers["Content-Type"].startswith("text/html"):
        return
    for actor in ("player", "office"):
        personal = client_of(world, actor).get(url, {**query, "yo": "1"})
        assert shared_lines(personal) == shared_lines(public), actor


def shared_lines(response) -> list[str]:
    """Return the body of a page as lines, without the reader's blocks and what marks a page as shared.

    In the personal version the server marks the reader's own row; on the public page, the script does.
    """
    html = re.sub(r"(?<=[?;&])yo=1(&amp;|&)", "", b"".join(response).decode())
    html = re.sub(r"(\?|&amp;|&)yo=1\b", "", html)
    return list(lines_of(Page(html).the("body")))


def lines_of(element) -> Iterator[str]:
    for child in element.children:
        if isinstance(child, str):
            if child.strip():
                yield child.strip()
        elif child.tag != "noscript" and not child.get("data-part") and "own-word" not in child.classes:
            marks = {**child.attributes, "class": " ".join(item for item in child.classes if item != "own")}
            yield f"<{child.tag} {sorted((name, value) for name, value in marks.items() if value)}>"
            yield from lines_of(child)


def test_the_personal_version_of_a_public_page_is_private_and_for_signed_in_readers_only(world):
    url = address("tournament", world)
    response = client_of(world, "nobody").get(url, {"yo": "1"})
    assert (response.status_code, response.url) == (302, url)
    client = client_of(world, "director")
    whole = client.get(url, {"yo": "1"})
    assert whole.headers["Cache-Control"] == "private, no-store"
    assert client.cookies[settings.SIGNED_IN_COOKIE].value == "1"
    response = client.get(url, {"yo": "1"}, headers={"X-Parts": "1"})
    parts = response.content.decode()
    # The announced length is that of the blocks: browsers refuse a response that is shorter than announced.
    assert int(response.headers["Content-Length"]) < int(whole.headers["Content-Length"]) / 4
    blocks = [block["data-part"] for block in Page(response).all(data_part=True)]
    assert blocks == ["account", "main-job", "messages", "acts"]
    assert "anular/" in parts and len(parts) < len(whole.content) / 4
    assert "anular/" not in client.get(url).content.decode()


def test_caches_keep_no_errors(world):
    client = client_of(world, "nobody")
    missing, posted = client.get("/torneos/2026/none-0/"), client.post("/clasificaciones/")
    assert (missing.status_code, missing.headers["Cache-Control"]) == (404, EVERYBODYS)
    assert (posted.status_code, posted.headers["Cache-Control"]) == (405, "private, no-store")


def test_scripts_learn_that_somebody_signed_out(world):
    client = client_of(world, "player")
    client.get("/inicio/")
    assert client.cookies[settings.SIGNED_IN_COOKIE].value == "1"
    client.logout()
    client.cookies[settings.SIGNED_IN_COOKIE] = "1"
    client.get("/inicio/")
    assert client.cookies[settings.SIGNED_IN_COOKIE].value == ""


def test_the_actors_of_this_test_are_those_of_the_matrix():
    assert set(READERS) <= set(ACTORS)


def test_a_block_for_the_reader_cannot_be_empty():
    """What stands beside an empty block instead of in it would never be shown to its reader."""
    source = "{% reader 'acts' %}\n\n{% endreader %}<a href='/'>Correct</a>"
    with pytest.raises(TemplateSyntaxError, match="acts"):
        engines["django"].from_string(source)
    assert "data-part" in engines["django"].from_string("{% reader 'acts' %}{{ x }}{% endreader %}").render()
