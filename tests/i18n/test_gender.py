"""Spanish texts give no person a gender: neither players, nor the reader, nor people in tables."""

import re

import pytest

from tests.i18n.messages import translations

# Ordinals have a gender, so places are written "puesto 17".
ORDINAL = re.compile(r"\)s\.?[ªº]|\bningun[oa]s\b|%\(rank\)s posición|Eres %\(rank\)s")
PERSON = r"(?:account|author|by|name|person|player|prepared_by|who)"
# Participles and adjectives in -o or -a after verbs that link them to a person.
BE = r"(?:es|está|estaba|fue|ha sido|queda|quedó|se queda|sigue|será|era|parece)"
OF_A_NAME = re.compile(
    rf"(?<!cuenta )%\({PERSON}\)s(?: \([^ ]*\))? (?:ya |no )?{BE} [^\W\d_]+(?:[aei]d|iert|it|ct)[oa]\b"
)
# Words addressed to the reader: "has sido elegido", "estás inscrita", "bienvenido", "tú mismo".
OF_THE_READER = re.compile(
    r"\b(?:(?:eres|estás|estabas|fuiste|has sido|quedas|te quedas|sigues|serás|seas|estés) "
    r"(?:ya |no |muy )?[^\W\d_]+(?:[aei]d|iert|it|ct|ic|ur)[oa]|bienvenid[oa]|tú (?:mism|sol)[oa]|ti mism[oa]"
    r"|inscrit[oa])\b",
    re.IGNORECASE,
)
# Beginnings of messages about the person in a row of a table.
OF_A_LINE = re.compile(
    r"^(?:bloquead|candidat|cambiad|empatad|excluid|fallecid|inscrit|muert|ocult|promocionad)[oa]\b"
    r"|\bempatad[oa]\b|\b(?:consta|figura) como fallecid[oa]|\baparecer ocult[oa]s?\b|\bes candidat[oa]\b",
    re.IGNORECASE,
)
# A heading, a model's name, and a text about a category: none describes a person.
NOT_OF_PERSONS = {"Candidates for promotion", "entrant", "Changed by hand meanwhile: left as it is"}


def texts_with(pattern: re.Pattern[str]) -> list[str]:
    return [
        text
        for (context, one, _many), texts in translations()
        if not context and one not in NOT_OF_PERSONS
        for text in texts
        if pattern.search(text)
    ]


@pytest.mark.parametrize("pattern", [ORDINAL, OF_A_NAME, OF_THE_READER, OF_A_LINE])
def test_no_message_gives_a_person_a_gender(pattern):
    assert texts_with(pattern) == []


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (ORDINAL, "Quedas %(rank)s.ª"),
        (OF_A_NAME, "%(name)s (%(number)s) está inscrita."),
        (OF_THE_READER, "Has sido elegido."),
        (OF_A_LINE, "candidato, empatado en el corte"),
    ],
)
def test_the_patterns_find_gendered_texts(pattern, text):
    assert pattern.search(text)
