"""Read JSON strictly, so that no mistake goes unnoticed.

Numbers must be integers or strings. A float, a duplicate key, an unknown field or a value of the
wrong type raises an ``EngineError`` that names the field. Other events of the same input can still
be scored. Text that is not JSON at all raises ``NotJSON``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, NoReturn

from .errors import EngineError
from .labels import gettext_noop

_INTEGER = re.compile(r"-?[0-9]{1,12}")
_DECIMAL = re.compile(r"-?[0-9]{1,12}(\.[0-9]{1,40})?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LONGEST_INTEGER = 40
# The input formats need four levels of nesting. This limit is well below the interpreter's recursion limit.
_DEEPEST = 16


class NotJSON(ValueError):
    """Raised for text that cannot be parsed as one JSON value or as JSON Lines, and for empty text.

    reason: why, in English, with placeholders for the `params`; pages translate it
    """

    def __init__(self, reason: str, **params: Any) -> None:
        super().__init__(reason % params if params else reason)
        self.reason, self.params = reason, params


@dataclass(frozen=True, slots=True)
class _Refused:
    """Placeholder in a parsed document for a value that no field may have, such as a float."""

    code: str
    text: str


class _Object(dict[str, Any]):
    """A parsed JSON object that remembers its first duplicate key."""

    repeated: str | None = None


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    result = _Object()
    for key, value in pairs:
        if key in result and result.repeated is None:
            result.repeated = key
        result[key] = value
    return result


def _integer(text: str) -> int | _Refused:
    # Python itself refuses integers of several thousand digits. With this lower limit, the error names the
    # field.
    return int(text) if len(text) <= _LONGEST_INTEGER else _Refused("number_too_long", text[:20] + "…")


def _constant(text: str) -> NoReturn:
    raise NotJSON(gettext_noop("%(text)s is no value of JSON"), text=text)


def _parse(text: str) -> Any:
    try:
        return json.loads(
            text,
            parse_float=lambda number: _Refused("float", number[:40]),
            parse_int=_integer,
            parse_constant=_constant,
            object_pairs_hook=_object,
        )
    except RecursionError as error:
        raise NotJSON(gettext_noop("it is nested too deeply")) from error


def read_values(text: str) -> list[Any]:
    """Return the values in a text that is one JSON document or JSON Lines. Blank lines are skipped.

    The values are not checked yet; ``Fields.of`` checks them. Raise NotJSON, with the reason, if the text is
    not JSON.
    """
    if not text.strip():
        raise NotJSON(gettext_noop("it is empty"))
    try:
        return [_parse(text)]
    except json.JSONDecodeError as error:
        if "\n" not in text.strip():
            raise _unreadable(error, error.lineno) from error
    values = []
    # Do not use str.splitlines, which also splits at separators that JSON allows inside strings.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            values.append(_parse(line))
        except json.JSONDecodeError as error:
            raise _unreadable(error, number) from error
    return values


def read_bytes(data: bytes) -> list[Any]:
    """Return the values in a file that is one JSON document or JSON Lines, in UTF-8. Raise NotJSON.

    They are not checked yet; ``Fields.of`` checks them.
    """
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise NotJSON(gettext_noop("byte %(number)s is not UTF-8"), number=error.start + 1) from error
    return read_values(text)


def _unreadable(error: json.JSONDecodeError, line: int) -> NotJSON:
    reason = gettext_noop("line %(line)s cannot be read from column %(column)s on")
    return NotJSON(reason, line=line, column=error.colno)


def _check(value: Any, path: str, depth: int = 0) -> None:
    """Raise EngineError for the document's first refused number, duplicate key or excessive nesting."""
    if depth > _DEEPEST:
        raise EngineError("wrong_type", path, f"nothing here is nested more than {_DEEPEST} deep")
    if isinstance(value, _Refused):
        hint = "write it as a string" if value.code == "float" else "it is too long"
        raise EngineError(value.code, path, f"{value.text} is not accepted: {hint}")
    if isinstance(value, _Object):
        if value.repeated is not None:
            raise EngineError("duplicate_key", _join(path, value.repeated), "the key is given twice")
        for key, member in value.items():
            _check(member, _join(path, key), depth + 1)
    elif isinstance(value, list):
        for index, member in enumerate(value):
            _check(member, f"{path}[{index}]", depth + 1)


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def as_integer(value: Any, path: str) -> int:
    """Convert a JSON integer or a string of digits to an integer."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if not isinstance(value, str):
        raise EngineError("wrong_type", path, "an integer is expected")
    if not _INTEGER.fullmatch(value):
        raise EngineError("bad_number", path, f"{value[:40]!r} is not a whole number")
    return int(value)


def as_decimal(value: Any, path: str) -> Decimal:
    """Convert a JSON integer or a decimal string to a Decimal."""
    if isinstance(value, int) and not isinstance(value, bool):
        return Decimal(value)
    if not isinstance(value, str):
        raise EngineError("wrong_type", path, "a decimal string is expected")
    if not _DECIMAL.fullmatch(value):
        raise EngineError("bad_number", path, f"{value[:40]!r} is not a plain decimal number")
    return Decimal(value)


def as_text(value: Any, path: str) -> str:
    """Return a JSON string unchanged."""
    if not isinstance(value, str):
        raise EngineError("wrong_type", path, "a string is expected")
    return value


def as_id(value: Any, path: str) -> str:
    """Convert an id, which is an integer or a non-blank string, to a string."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value.strip():
        raise EngineError("wrong_type", path, "an id is expected: an integer or a string that is not blank")
    return value


def as_flag(value: Any, path: str) -> bool:
    """Return a JSON boolean unchanged."""
    if not isinstance(value, bool):
        raise EngineError("wrong_type", path, "true or false is expected")
    return value


def as_date(value: Any, path: str) -> date:
    """Convert a string YYYY-MM-DD to a date."""
    text = as_text(value, path)
    try:
        if _DATE.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass  # no such day in the calendar: the error is raised below, as for other bad dates
    raise EngineError("bad_date", path, f"{text[:40]!r} is not a date written YYYY-MM-DD")


class Fields:
    """A JSON object of the input, with methods that check and convert its fields.

    ``path`` is the object's path in the document, which error messages name.
    """

    def __init__(self, members: dict[str, Any], path: str = ""):
        self._members = members
        self.path = path

    @classmethod
    def of(cls, value: Any) -> Fields:
        """Return a value from ``read_values`` as `Fields`. Raise EngineError if it is not a valid object."""
        _check(value, "")
        return cls._object(value, "")

    @classmethod
    def _object(cls, value: Any, path: str) -> Fields:
        if not isinstance(value, dict):
            raise EngineError("wrong_type", path, "an object is expected")
        return cls(value, path)

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def only(self, allowed: tuple[str, ...]) -> None:
        """Raise EngineError ``unknown_field`` for the first field whose name is not in ``allowed``."""
        for name in self._members:
            if name not in allowed:
                raise EngineError(
                    "unknown_field", _join(self.path, name), f"there is no field {name[:40]!r} here"
                )

    def read(self, name: str, convert: Callable[[Any, str], Any], **default: Any) -> Any:
        """Return the field's value, converted by ``convert(value, path)``.

        If the field is absent, return the keyword argument ``default`` or, without one, raise EngineError.
        """
        path = _join(self.path, name)
        if name in self._members:
            return convert(self._members[name], path)
        if "default" in default:
            return default["default"]
        raise EngineError("missing_field", path, f"the field {name!r} is required")

    def object(self, name: str) -> Fields:
        """Return the object in the field ``name`` as `Fields`. Raise EngineError if the field is absent."""
        return self.read(name, self._object)

    def objects(self, name: str, **default: Any) -> list[Fields]:
        """Return the list of objects in the field ``name``, each as `Fields`.

        default: the value to return if the field is absent; without it, the field is required
        """
        return self.read(name, self._list, **default)

    @classmethod
    def _list(cls, value: Any, path: str) -> list[Fields]:
        if not isinstance(value, list):
            raise EngineError("wrong_type", path, "a list is expected")
        return [cls._object(member, f"{path}[{index}]") for index, member in enumerate(value)]

    def pair(self, name: str, convert: Callable[[Any, str], Any]) -> tuple[Any, Any]:
        """Return both members of the two-member list ``name``, converted by ``convert(value, path)``."""
        path = _join(self.path, name)
        value = self.read(name, lambda member, _path: member)
        if not isinstance(value, list) or len(value) != 2:
            raise EngineError("wrong_type", path, "a list of two is expected")
        first, second = (convert(member, f"{path}[{index}]") for index, member in enumerate(value))
        return first, second

    def raw(self, name: str) -> Any:
        """Return a field's value without conversion, so that the output can repeat an id unchanged."""
        return self._members[name]
