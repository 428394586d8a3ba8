"""Every message with a number, in both languages, for the numbers 0, 1, 2 and 5."""

import re

import pytest
from django.utils import translation

from scoring.ledger.texts import say
from scoring.regulations.texts import Counted
from tests.i18n.agreement import LANGUAGES, before_noun, between, disagreements, nouns, texts_of
from tests.i18n.messages import PLACEHOLDERS, translations
from ui.counting import NOUNS, counted, counted_points

NUMBERS = (0, 1, 2, 5)
# Placeholders for limits of the program, which are always large.
LIMITS = {"limit", "length", "seconds"}
# Placeholders that do not stand for numbers.
WORDS = {
    "day": "3 mar 2026",
    "name": "Ana",
    "text": "Ana",
    "system": "AEB",
    "source": "AEB 2026",
    "label": "A",
}


def filled(text: str, number: int) -> str:
    """Return the text with the number in every placeholder for numbers."""
    names = {placeholder[2:-2] for placeholder in PLACEHOLDERS.findall(text) if "(" in placeholder}
    values = {name: WORDS.get(name, number) for name in names}
    return text % (values or ((number,) * text.count("%d")))


def plural_messages() -> list[tuple[str | None, str, str]]:
    return [(context, one, many) for (context, one, many), _texts in translations() if many]


def chosen(context: str | None, one: str, many: str, number: int) -> str:
    if context:
        return translation.npgettext(context, one, many, number)
    return translation.ngettext(one, many, number)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_plural_messages_agree_with_every_number(language, number):
    messages = plural_messages()
    with translation.override(language):
        texts = [filled(chosen(*message, number), number) for message in messages]
    assert len(texts) > 100
    assert [text for text in texts if disagreements(text, language)] == []
    assert [text for text in texts if PLACEHOLDERS.search(text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_has_two_numbers_before_nouns(language):
    """No message has two numbers that are each followed by a noun.

    gettext chooses plural forms by one number only. Code must insert any other number together with its noun
    (`ui.counting`).
    """
    wrong = [
        text
        for (_context, one, many), spanish in translations()
        if many
        for text in texts_of(one, many, spanish)[language]
        if len(before_noun(language).findall(text)) > 1
    ]
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_messages_without_a_plural_form_count_no_noun(language):
    """In a message without a plural form, no noun follows a number.

    With the number 1, such a message would say "1 boards". "Boards: 1" is right with every number, and so is
    a noun counted by `ui.counting`.
    """
    wrong = [
        text
        for (_context, one, many), spanish in translations()
        if not many
        for text in texts_of(one, many, spanish)[language]
        if {*before_noun(language).findall(text)} - LIMITS
    ]
    assert wrong == []


def test_messages_without_a_plural_form_have_no_participle_after_a_number():
    """A participle after the number would be wrong for 1, as in "1 revocados". "Revocados: 1" is right."""
    participle = re.compile(r"%\((\w+)\)[sd] [^\W\d_]+(?:ad|id|iert|uest)[oa]s\b")
    wrong = [
        text
        for key, texts in translations()
        if not key[2]
        for text in texts
        if {*participle.findall(text)} - LIMITS
    ]
    assert wrong == []


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_counted_nouns_agree_with_every_number(language, number):
    with translation.override(language):
        texts = [counted(number, noun) for noun in NOUNS]
    assert len(set(texts)) == len(NOUNS)
    assert all(text.startswith(f"{number} ") for text in texts)
    assert [text for text in texts if disagreements(text, language)] == []


@pytest.mark.parametrize(("language", "text"), [("es", "1.234 parejas"), ("en", "1,234 pairs")])
def test_numbers_before_nouns_have_thousands_separators(language, text):
    with translation.override(language):
        assert counted(1234, "pair") == text


@pytest.mark.parametrize(
    ("hundredths", "decimals", "spanish", "english"),
    [
        (0, 0, "0 puntos", "0 points"),
        (100, 0, "1 punto", "1 point"),
        (100, 2, "1,00 puntos", "1.00 points"),
        (150, 0, "1,5 puntos", "1.5 points"),
        (200, 0, "2 puntos", "2 points"),
        (-100, 0, "−1 punto", "−1 point"),
    ],
)
def test_points_agree_with_their_number(hundredths, decimals, spanish, english):
    for language, text in (("es", spanish), ("en", english)):
        with translation.override(language):
            assert counted_points(hundredths, decimals) == text


@pytest.mark.parametrize(("hundredths", "text"), [(100, "+1 punto"), (-100, "−1 punto"), (200, "+2 puntos")])
def test_differences_of_points_agree_with_their_number(hundredths, text):
    with translation.override("es"):
        assert counted_points(hundredths, 0, signed=True) == text


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (Counted(1, "pair"), "1 pareja"),
        (Counted(2, "board"), "2 manos"),
        (Counted(100, "point"), "1 punto"),
        (Counted(100, "point", 2), "1,00 puntos"),
    ],
)
def test_regulations_count_in_the_language_of_the_reader(words, text):
    with translation.override("es"):
        assert say(words) == text


@pytest.mark.parametrize(
    ("language", "text", "wrong"),
    [
        ("es", "Hay 1 licencias en 12 meses.", ["1 licencias"]),
        ("es", "Faltan las 1 líneas de 0 persona.", ["las 1", "0 persona"]),
        ("es", "1 mano, 2 manos, 21 manos, 1,5 puntos y 1 punto.", []),
        ("en", "There are 1 boards and 2 line.", ["1 boards", "2 line"]),
        ("en", "It has 1 licensed players.", ["1 licensed players"]),
        ("en", "There is 1 board, 31 boards and 1.00 points.", []),
    ],
)
def test_the_check_finds_nouns_that_disagree_with_their_number(language, text, wrong):
    assert disagreements(text, language) == wrong


def test_the_check_knows_the_nouns_that_messages_count():
    assert {"board", "player", "line", "point", "person"} <= nouns("en").keys()
    assert {"mano", "jugador", "línea", "punto", "persona"} <= nouns("es").keys()
    assert not {"is", "moves", "sigue", "está"} & (nouns("en").keys() | nouns("es").keys())
    assert "licensed" in between("en")
