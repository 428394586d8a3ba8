"""Describe the form that sends a file, for OpenAPI: every field of every points system offered here."""

from typing import Any

from django import forms

from players.models import Club
from scoring.ledger import systems
from scoring.uploads.forms.details import UploadForm

FIELDS_OF_FORM = frozenset({"club", "file"})  # which the address and the file give
# What each field says, in the words of docs/api.md.
DESCRIPTIONS = {
    "name": "Name of the tournament.",
    "event_type": (
        "Type of the tournament. If left out, that of the announced tournament that fits, or of the club's "
        "last pool on that weekday, or a pool if its name says so."
    ),
    "format": "Whether pairs, teams or individuals played. If left out, as the file says.",
    "venue": "Where it was played. If left out, as for `event_type`.",
    "start_date": "First day of a tournament of several days.",
    "end_date": "Last day, the only one of most tournaments.",
    "boards": "Boards that the winner played.",
    "boards_scheduled": "Boards scheduled, if the winner sat out a round.",
    "ranking": "Whether there is one ranking, or one for each line of play.",
    "family": "Points system. If left out, the federation's own.",
    "decimals": "Decimals of the points (`sbf-bronze`, `sbf-silver`). If left out, as the regulation has it.",
    "places_table": "Table of places (`sbf-bronze`).",
    "tables": "Number of tables, with halves (`acbl`). If left out, from the number of players.",
    "rating": "Rating of the tournament (`acbl`); needed for the event type `overall`.",
    "sessions": "Number of sessions (`acbl`).",
    "restriction": "Who may play (`acbl`).",
    "limit": "Masterpoint limit (`acbl`).",
    "contest": "Type of contest (`acbl`).",
}


def properties() -> dict[str, dict[str, Any]]:
    """Return the JSON schemas of the form's fields, without the file, by name.

    A choice has the values of all points systems that this installation offers.
    """
    schemas: dict[str, dict[str, Any]] = {}
    for system in systems.offered():
        form = UploadForm(clubs=Club.objects.none(), initial={"family": system.family})
        for name, field in form.fields.items():
            if name in FIELDS_OF_FORM:
                continue
            schema = _schema_of(name, field)
            values = schemas.setdefault(name, schema).get("enum", [])
            values += [value for value in schema.get("enum", []) if value not in values]
    return schemas


def _schema_of(name: str, field: forms.Field) -> dict[str, Any]:
    """Return the JSON schema of a field of a form."""
    schema: dict[str, Any] = {"type": "string", "description": DESCRIPTIONS[name]}
    if isinstance(field, forms.ChoiceField):
        if values := _values(field.choices):  # the office may have entered no factors to choose from
            schema["enum"] = values
    elif isinstance(field, forms.DateField):
        schema["format"] = "date"
    elif isinstance(field, forms.IntegerField):
        schema |= {"type": "integer", "minimum": field.min_value, "maximum": field.max_value}
    elif isinstance(field, forms.CharField):
        schema["maxLength"] = field.max_length
    return schema


def _values(choices: Any) -> list[str]:
    """Return the values of the choices of a field, in and outside groups, without the blank one."""
    values: list[str] = []
    for value, label in choices:
        values += _values(label) if isinstance(label, list | tuple) else [str(value)] if value else []
    return values
