"""Each page is in one language: no sentence of the other one, and nouns agree with their numbers."""

import re
from functools import cache

import pytest
from django.urls import reverse

from tests.access import matrix
from tests.access import world as federation
from tests.i18n.agreement import disagreements
from tests.i18n.messages import PLACEHOLDERS, TAGS, translations
from tests.languages import speak
from tests.pages import Element, Page
from tests.undone import rolled_back
from ui.shared import is_shared

PARTS = ("title", "h1", "h2", "h3", "p", "li", "dt", "dd", "td", "th", "caption", "summary", "figcaption")
READ = ("placeholder", "aria-label", "title", "alt", "content", "data-label")
# Fragments with fewer words could be names, or be the same in both languages.
WORDS_NEEDED = 3
pytestmark = pytest.mark.django_db


def read_aloud(page: Page) -> str:
    """Return the text of a page, and the attributes that screen readers and search engines read."""
    return " ".join([page.text, *(item[name] for item in page.walk() for name in READ if item.get(name))])


def parts_of(page: Page) -> list[str]:
    """Return the texts of a page's paragraphs, headings and cells separately, and those of its attributes.

    In one text, a number at the end of a paragraph would seem to count the first noun of the next heading.
    The attributes are those in `READ`.
    """
    read = [item[name] for item in page.walk() for name in READ if item.get(name)]
    return [*(item.text for item in page.all(*PARTS)), *read]


def fragments(texts) -> set[str]:
    """Return the parts of messages between placeholders that are long enough to recognise their language."""
    parts = (part.strip(" .,:;()«»“”") for text in texts for part in PLACEHOLDERS.split(TAGS.sub("", text)))
    return {part for part in parts if len(part.split()) >= WORDS_NEEDED}


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def fragments_in(text: str, known: dict[str, set[str]]) -> list[str]:
    """Return the fragments that stand in a text as whole words.

    known: {fragment: its words}; only the few fragments whose words are all in the text are searched for
    """
    of_text = words(text)
    return [
        fragment
        for fragment, needed in known.items()
        if needed <= of_text and fragment in text and whole(fragment).search(text)
    ]


@cache
def whole(fragment: str) -> re.Pattern:
    """Return the expression that matches a fragment as whole words. Compiling takes longer than searching."""
    return re.compile(rf"(?<!\w){re.escape(fragment)}(?!\w)")


@pytest.fixture(scope="module")
def fragments_by_language() -> dict[str, dict[str, set[str]]]:
    """Return {language: {fragment: its words}}, without the fragments that both languages have."""
    english, spanish = set(), set()
    for (_context, singular, plural), texts in translations():
        english |= fragments([singular, plural or ""])
        spanish |= fragments(texts)
    return {
        "en": {fragment: words(fragment) for fragment in english - spanish},
        "es": {fragment: words(fragment) for fragment in spanish - english},
    }


@pytest.fixture(scope="module")
def built(django_db_setup, django_db_blocker):
    with rolled_back(django_db_blocker):
        yield federation.build()


@pytest.fixture
def world(built, db):
    return built


def leave_out_other_languages(element: Element, language: str) -> None:
    """Remove the parts that say by their attribute `lang` that they are in another language."""
    kept = [item for item in element.elements if item.get("lang", language) == language]
    element.children = [item for item in element.children if isinstance(item, str) or item in kept]
    for item in kept:
        leave_out_other_languages(item, language)


def visit(client, language: str, url: str, query: dict) -> Page | None:
    """Return the page at a URL, or None if the URL does not accept GET."""
    speak(client, language)
    response = client.get(url, query, follow=True)
    if response.status_code == 405:
        return None
    assert response.headers["Content-Type"].startswith("text/html"), url
    return Page(response)


def pages(world, reader: str) -> list[tuple[str, dict]]:
    """Return (URL, query) of every page of the project, and of two URLs that do not exist.

    Pages that redirect this reader to the sign-in page are left out, except one (`category_assign`). Public
    pages are read as nobody alone: they are the same for everybody (tests/access/test_shared.py).
    """
    no_page = {"health", "ready", "metrics", "robots", "set_language"}
    no_page |= {"upload_template", "upload_file", "office_import_template"}
    no_page |= {"club_members_file", "clubs_like", "upload_people", *matrix.API}  # parts of pages
    no_page |= {
        "log_checkpoint",
        "log_keys",
        "log_tile",
        "log_bundle",
        "log_script",
        "log_receipt",
        "log_stamp",
        "log_past_checkpoint",
    }
    no_page |= {"announcement_feed", "calendar_feed", "calendar_region_feed", "calendar_club_feed"}
    no_page |= {"results_feed", "region_results_feed", "club_results_feed", "lists_feed"}
    named = [
        (reverse(name, args=page.args(world)), page.query)
        for name, page in matrix.MATRIX.items()
        if name not in no_page and page.get is not matrix.NO_GET and page.get[reader] != matrix.SIGN_IN
    ]
    extra = [
        (reverse("regulation", args=["aeb-2022"]), {}),
        (reverse("search"), {"q": "x"}),
        (reverse("standing", args=["2p"]), {"a": "ayer"}),
        (reverse("tournaments"), {"q": "zzz"}),
        (reverse("calendar"), {"vista": "mes"}),
        (reverse("category_assign"), {"numero": world.player_number}),
        (reverse("tournament", args=[2020, "nothing-1"]), {}),
        ("/nada/", {}),
    ]
    return [item for item in named + extra if reader == "nobody" or not is_shared(item[0])]


@pytest.mark.parametrize(("language", "other"), [("es", "en"), ("en", "es")])
@pytest.mark.parametrize("reader", ["nobody", "player", "director", "office"])
def test_every_page_is_in_one_language(world, client, fragments_by_language, language, other, reader):
    if account := world.accounts[reader]:
        client.force_login(account)
    own_fragments = 0
    for url, query in pages(world, reader):
        if "salir" in url:
            continue  # this page signs the user out
        page = visit(client, language, url, query)
        if page is None:
            continue
        assert page.language == language, url
        leave_out_other_languages(page, language)
        text = read_aloud(page)
        assert fragments_in(text, fragments_by_language[other]) == [], url
        assert [wrong for part in parts_of(page) for wrong in disagreements(part, language)] == [], url
        own_fragments += len(fragments_in(text, fragments_by_language[language]))
    assert own_fragments > 200  # make sure that the pages contain fragments in their own language


def test_the_check_finds_sentences_of_the_other_language(fragments_by_language):
    """The fragments contain real sentences of both languages, and `read_aloud` returns the text of a page.

    Without this test, empty fragments would go unnoticed: the other tests would find no foreign sentence.
    """
    assert "There is no page at this address" in fragments_by_language["en"]
    assert "No hay ninguna página en esta dirección" in fragments_by_language["es"]
    assert min(len(fragments_by_language["en"]), len(fragments_by_language["es"])) > 500
    page = Page('<html lang="es"><p>Hola <b>a</b> todos<img alt="Foto"></p><script>x</script></html>')
    assert read_aloud(page) == "Hola a todos Foto"
    page = Page('<html lang="es"><p lang="es">Hola</p><p lang="en">Hello <b>all</b></p></html>')
    leave_out_other_languages(page, "es")
    assert read_aloud(page) == "Hola"
    known = {"(there is": words("there is"), "is no": words("is no")}
    assert fragments_in("Foto: (there is not", known) == ["(there is"]
