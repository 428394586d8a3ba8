"""The Spanish catalogue: complete, up to date, with the source's placeholders, and in a consistent style."""

import ast
import re
from pathlib import Path

import allauth
import django
import pytest
from django.contrib.auth import password_validation
from django.core.exceptions import ValidationError
from django.forms import CharField, ChoiceField, EmailField, FileField, IntegerField
from django.utils import translation

from federation import borrowed_texts
from tests.i18n.messages import (
    CATALOGUE,
    FOLDERS,
    PLACEHOLDERS,
    ROLES,
    ROOT,
    TAGS,
    catalogue,
    source_messages,
    translations,
)

# Style that our pages avoid: "usted", and punctuation that is not used in Spanish.
FOREIGN = re.compile(
    r"\b(usted|ustedes|sólo|introduzca|seleccione|asegúrese|compruebe|corrija|escriba|elija|haga|pulse)\b"
    r"|[“”\"]|\.\.\.|\d%",
    re.IGNORECASE,
)
ABBREVIATIONS = {"Sem."}  # end with a point, whatever the source ends with


def test_every_message_is_translated():
    unfinished = [
        key for key, texts in translations() if not all(texts) or len(texts) != (2 if key[2] else 1)
    ]
    assert unfinished == []


def test_the_catalogue_has_no_fuzzy_and_no_obsolete_messages():
    assert [message.id for message in catalogue() if message.id and message.fuzzy] == []
    assert list(catalogue().obsolete) == []


def test_functions_that_translate_have_names_that_the_catalogue_is_read_by():
    """A message in `_lazy(...)` would be found by no tool, and stay English."""
    imports = (
        (path.name, alias)
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation"
        for alias in node.names
    )
    assert [(file, alias.asname) for file, alias in imports if alias.asname not in {None, *ROLES}] == []


def test_the_catalogue_has_exactly_the_messages_of_the_source_code():
    """If this fails, run `make texts` (docs/translating.md)."""
    source, known = source_messages(), {key for key, _texts in translations()}
    assert {key: path for key, path in source.items() if key not in known} == {}
    assert known - source.keys() == set()


def test_message_extraction_finds_every_kind_of_message():
    """If the extraction found no messages, the other tests would pass."""
    source = source_messages()
    kinds = {
        "lazy": (None, "Standings", None),
        "pure modules": (None, "Club pool (or equivalent)", None),
        "template": (None, "Skip to the content", None),
        "plural in Python": (None, "%(count)s error", "%(count)s errors"),
        "plural in a template": (None, "%(number_text)s pair", "%(number_text)s pairs"),
        "context": ("place", "from", None),
        "letter": (None, "A new password", None),
    }
    assert {kind for kind, key in kinds.items() if key not in source} == set()


def test_translations_have_the_placeholders_and_tags_of_the_source():
    wrong = []
    for (_context, singular, plural), texts in translations():
        # The plural form applies to all other numbers; the singular may omit the number: "one club".
        sources = (singular, plural) if plural else (singular,)
        for source, text in zip(sources, texts, strict=True):
            same = set(PLACEHOLDERS.findall(text)) == set(PLACEHOLDERS.findall(source))
            if not same or TAGS.findall(text) != TAGS.findall(source):
                wrong.append((source, text))
    assert wrong == []


def test_translations_begin_and_end_with_spaces_where_the_source_does():
    wrong = [
        (key[1], text)
        for key, texts in translations()
        for text in texts
        if (text[:1].isspace(), text[-1:].isspace()) != (key[1][:1].isspace(), key[1][-1:].isspace())
    ]
    assert wrong == []


def test_spanish_texts_follow_the_style_rules():
    """The Spanish never says "usted". It uses « », the single character "…", and a space before "%"."""
    mistakes = [
        (text, match.group())
        for _key, texts in translations()
        for text in texts
        if (match := FOREIGN.search(TAGS.sub("", text)))
    ]
    assert mistakes == []


def test_translations_end_with_the_punctuation_of_the_source():
    wrong = [
        (key[1], text)
        for key, texts in translations()
        for text in texts
        if text not in ABBREVIATIONS
        and (key[1].endswith((".", ":")), key[1][-1] == "?") != (text.endswith((".", ":")), text[-1:] == "?")
    ]
    assert wrong == []


# --- Texts of libraries ------------------------------------------------------------------------------------
def test_texts_borrowed_from_libraries_still_exist_there():
    """The texts of libraries that we translate are still in the libraries' code.

    If a new version of a library changes a text, our translation no longer applies to it.
    """
    django_folder = Path(django.__file__).parent
    folders = [django_folder / name for name in ("forms", "contrib/auth", "core", "db/models/fields")]
    folders.append(Path(allauth.__file__).parent / "account")
    code = "".join(path.read_text("utf-8") for folder in folders for path in folder.rglob("*.py"))
    # Join long messages that the source splits into several literals.
    code = re.sub(r'"\s+"', "", code)
    plurals = [lazy._kw["singular"] for lazy in borrowed_texts.PLURAL_TEXTS]
    assert [text for text in (*borrowed_texts.TEXTS, *plurals) if text not in code] == []


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        (CharField(), "", "Falta este dato."),
        (IntegerField(), "x", "Escribe un número entero."),
        (IntegerField(min_value=1), "0", "El valor debe ser 1 o más."),
        (CharField(max_length=3), "abcd", "El texto puede tener como máximo 3 caracteres (tiene 4)."),
        (ChoiceField(choices=[("a", "A")]), "b", "Elige una opción de la lista: b no está en ella."),
        (EmailField(), "nobody", "Escribe una dirección de correo válida."),
        (FileField(), None, "Falta este dato."),
    ],
)
def test_errors_of_form_fields_use_our_translations(field, value, message):
    with translation.override("es"):
        with pytest.raises(ValidationError) as complaint:
            field.clean(value)
        assert complaint.value.messages == [message]


def test_errors_of_passwords_use_our_translations():
    text = "La contraseña es demasiado corta: necesita al menos 10 caracteres."
    with translation.override("es"):
        with pytest.raises(ValidationError) as complaint:
            password_validation.validate_password("12345")
        assert text in complaint.value.messages


def test_the_catalogue_is_compiled():
    """Without the compiled catalogue every page is in English.

    Run `python3 tools/prepare.py`, or `make run`.
    """
    compiled = CATALOGUE.with_suffix(".mo")
    assert compiled.exists(), f"{compiled.relative_to(ROOT)} is missing"
    with translation.override("es"):
        assert translation.gettext("Standings") == "Clasificaciones"
