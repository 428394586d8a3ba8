"""Each page in one language: no sentence of the other, numbers and dates as that language writes them."""

import re
from functools import cached_property
from html.parser import HTMLParser

import pytest
from django.conf import settings
from django.urls import reverse

from tests.access import matrix
from tests.access import world as federation
from tests.i18n.messages import PLACEHOLDERS, TAGS, translations
from tests.undone import undone

READ = ("placeholder", "aria-label", "title", "alt", "content", "data-label")
# The wording of either language: too short a text could be a name, or be the same in both.
WORDS_NEEDED = 3
pytestmark = pytest.mark.django_db


class Text(HTMLParser):
    """What a page says: its text and the attributes that are read out, except where `lang` marks another
    language, as on the button that changes it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self.language = ""
        self._unread = ""
        self.feed(html)

    def handle_starttag(self, tag, attrs) -> None:
        values = dict(attrs)
        if tag == "html":
            self.language = values.get("lang", "")
        if tag in ("script", "style"):
            self._unread = tag
        self.said += [values[name] for name in READ if values.get(name)]

    def handle_endtag(self, tag) -> None:
        if tag == self._unread:
            self._unread = ""

    def handle_data(self, data) -> None:
        if not self._unread:
            self.said.append(data)

    @cached_property
    def text(self) -> str:
        return re.sub(r"\s+", " ", "\n".join(self.said))


def fragments(texts) -> set[str]:
    """What stays of messages between their placeholders, where that is long enough to know it by."""
    parts = (part.strip(" .,:;()«»“”") for text in texts for part in PLACEHOLDERS.split(TAGS.sub("", text)))
    return {part for part in parts if len(part.split()) >= WORDS_NEEDED}


@pytest.fixture(scope="module")
def sayings() -> dict[str, set[str]]:
    """By language, what only that language says."""
    english, spanish = set(), set()
    for (_context, singular, plural), texts in translations():
        english |= fragments([singular, plural or ""])
        spanish |= fragments(texts)
    return {"en": english - spanish, "es": spanish - english}


@pytest.fixture(scope="module")
def built(django_db_setup, django_db_blocker):
    with undone(django_db_blocker):
        yield federation.build()


@pytest.fixture
def world(built, db):
    return built


def visit(client, language: str, url: str, query: dict) -> Text | None:
    """The page at an address; None where it takes no GET."""
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    response = client.get(url, query, follow=True)
    if response.status_code == 405:
        return None
    assert response.headers["Content-Type"].startswith("text/html"), url
    return Text(response.content.decode())


def pages(world) -> list[tuple[str, dict]]:
    """Every address of the project that shows a page, and two that do not exist."""
    no_page = {"health", "set_language", "upload_template", "upload_file", "office_import_template"}
    named = [
        (reverse(name, args=page.args(world)), page.query)
        for name, page in matrix.MATRIX.items()
        if name not in no_page and page.get is not matrix.NO_GET
    ]
    extra = [
        (reverse("regulation", args=["aeb-2022"]), {}),
        (reverse("search"), {"q": "x"}),
        (reverse("standing", args=["2p"]), {"a": "ayer"}),
        (reverse("tournaments"), {"q": "zzz"}),
        (reverse("category_assign"), {"numero": world.player_number}),
        (reverse("tournament", args=[2020, "nothing-1"]), {}),
        ("/nada/", {}),
    ]
    return named + extra


@pytest.mark.parametrize(("language", "other"), [("es", "en"), ("en", "es")])
@pytest.mark.parametrize("reader", ["nobody", "player", "director", "office"])
def test_no_page_mixes_the_languages(world, client, sayings, language, other, reader):
    if account := world.accounts[reader]:
        client.force_login(account)
    spoken_here = 0
    for url, query in pages(world):
        if "salir" in url:
            continue  # signs out whoever comes
        page = visit(client, language, url, query)
        if page is None:
            continue
        assert page.language == language, url
        foreign = [saying for saying in sayings[other] if saying in page.text]
        whole = [saying for saying in foreign if re.search(rf"(?<!\w){re.escape(saying)}(?!\w)", page.text)]
        assert whole == [], url
        spoken_here += sum(saying in page.text for saying in sayings[language])
    assert spoken_here > 200  # the pages were read


def test_the_sieve_finds_a_foreign_sentence(sayings):
    """Against sets of sayings that are empty or too strict to find anything."""
    assert "There is no page at this address" in sayings["en"]
    assert "No hay ninguna página en esta dirección" in sayings["es"]
    assert min(len(sayings["en"]), len(sayings["es"])) > 500
    assert Text('<html lang="es"><p>Hola <b>a</b> todos</p><script>x</script>').text == "Hola a todos"
