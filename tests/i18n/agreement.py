"""Check that nouns in messages agree with their numbers."""

import re
from collections import defaultdict
from functools import cache

from tests.i18n.messages import translations

LANGUAGES = ("en", "es")
# Words after a number that show that the next noun is not counted, as in "versions 1 and 2 the line".
_NOT_COUNTED_BEHIND = {"the", "of", "el", "la", "los", "las", "de"}
_COUNTED = re.compile(r"(%\(\w+\)[sd])((?: [^\W\d_]+){1,2})")
# Nouns that messages could count, although no plural message does today.
_MORE = {
    "en": {
        "byte": "bytes",
        "column": "columns",
        "element": "elements",
        "event": "events",
        "field": "fields",
        "handicap": "handicaps",
        "licence": "licences",
        "member": "members",
        "minute": "minutes",
        "month": "months",
        "number": "numbers",
        "person": "persons",
        "ranking": "rankings",
        "result": "results",
        "round": "rounds",
        "row": "rows",
        "seat": "seats",
        "second": "seconds",
        "session": "sessions",
        "stone": "stones",
        "year": "years",
    },
    "es": {
        "asiento": "asientos",
        "campeonato": "campeonatos",
        "carácter": "caracteres",
        "clasificación": "clasificaciones",
        "columna": "columnas",
        "elemento": "elementos",
        "fila": "filas",
        "invitado": "invitados",
        "licencia": "licencias",
        "mes": "meses",
        "minuto": "minutos",
        "nivel": "niveles",
        "número": "números",
        "piedra": "piedras",
        "prueba": "pruebas",
        "ronda": "rondas",
        "segundo": "segundos",
        "sesión": "sesiones",
        "voto": "votos",
        "año": "años",
    },
}


def texts_of(singular: str, plural: str | None, spanish: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return a message's singular and plural in each language, as {"en": (…), "es": (…)}.

    A message without a plural has one text for each language.
    """
    return {"en": (singular, plural) if plural else (singular,), "es": spanish}


def _is_noun(one: str, many: str) -> bool:
    """Return whether two words are a noun and its plural, and not a verb that agrees with a number."""
    return one != many and (many.endswith("s") or many == "people") and not one.endswith("s")


@cache
def nouns(language: str) -> dict[str, set[str]]:
    """Return {singular: possible plurals} of the nouns that messages count, in one language.

    They are collected from the messages that have a plural, and completed by `_MORE`.
    """
    plurals: dict[str, set[str]] = defaultdict(set)
    for one, many in _MORE[language].items():
        plurals[one].add(many)
    for one, many in _same_place(language):
        if _is_noun(one[0], many[0]):
            plurals[one[0]].add(many[0])
        elif one[0] == many[0] and _is_noun(one[-1], many[-1]):
            plurals[one[-1]].add(many[-1])
    return dict(plurals)


@cache
def between(language: str) -> set[str]:
    """Return the words that stand between a number and its noun in plural messages.

    For example "licensed" in "2 licensed players".
    """
    pairs = _same_place(language)
    return {one[0] for one, many in pairs if one[0] == many[0] and _is_noun(one[-1], many[-1])}


def _same_place(language: str) -> list[tuple[list[str], list[str]]]:
    """Return the words behind the numbers in messages, as pairs (words in the singular, words in the plural).

    There is a pair for each placeholder of a number in each message that has a plural form. The words are the
    one or two that follow the placeholder. For example "%(n)s board won" and "%(n)s boards won" give
    (["board", "won"], ["boards", "won"]).
    """
    result = []
    for (_context, singular, plural), spanish in translations():
        if plural:
            one, many = (dict(_COUNTED.findall(t)) for t in texts_of(singular, plural, spanish)[language])
            result += [(one[place].split(), many[place].split()) for place in one.keys() & many.keys()]
    return [pair for pair in result if pair[0][0] not in _NOT_COUNTED_BEHIND]


@cache
def _before(language: str) -> str:
    """Return a pattern of what may stand between a number and its noun: a space and perhaps a word."""
    return rf"[ \u00a0](?:(?:{'|'.join(sorted(between(language)))}) )?"


@cache
def before_noun(language: str) -> re.Pattern[str]:
    """Return a regular expression that finds placeholders directly before a counted noun.

    Its group is the placeholder.
    """
    words = {*nouns(language), *(many for group in nouns(language).values() for many in group)}
    return re.compile(rf"%\((\w+)\)[sd]{_before(language)}(?:{'|'.join(sorted(words))})\b")


@cache
def _wrong(language: str) -> re.Pattern[str]:
    many = "|".join(sorted({word for group in nouns(language).values() for word in group} - {"series"}))
    one = "|".join(sorted(nouns(language)))
    articles = {"en": "these|those", "es": "los|las|unos|unas|estos|estas"}[language]
    alone, other = r"(?<![\w.,:/−-])1", r"(?<![\w.,:/−-])(?:0|[2-9]|[1-9]\d+)"
    gap = _before(language)
    joined = "(?! y| points)"  # "2 torneo y club" and "2 percentage points" are right
    return re.compile(
        rf"\b(?:{articles}) 1(?![\d.,])|{alone}{gap}(?:{many})\b|{other}{gap}(?:{one})\b{joined}", re.UNICODE
    )


def disagreements(text: str, language: str) -> list[str]:
    """Return the places where a number and the noun after it do not agree: "1 boards", "0 persona"."""
    return [match.group() for match in _wrong(language).finditer(text)]
