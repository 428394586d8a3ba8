"""The class with which a regulation's folder declares its rules, page, calculator form and JSON schema."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

from scoring.engine.strictjson import Fields

from .calculation import Calculation
from .context import Context
from .json_schema import Schema
from .page import Erratum, Page
from .texts import Text


class Regulation(Protocol):
    """The attributes that every regulation has.

    If ``valid_from`` is None, the regulation is chosen by code only, never by date.
    """

    @property
    def code(self) -> str: ...

    @property
    def family(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def valid_from(self) -> date | None: ...

    def answer(self, fields: Fields) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Declaration:
    """A regulation with its page, calculator form, JSON schema, rulings and misprints.

    schema: the JSON schema of its input and output
    page: returns the page that explains the regulation
    calculation: the calculator's form; None if a calculation would need the results of every board
    rulings: decisions of this project where the document is silent
    errata: misprints of the document
    """

    regulation: Regulation
    schema: Schema
    page: Callable[[Context], Page]
    calculation: Calculation | None
    rulings: Sequence[Text]
    errata: Sequence[Erratum] = ()
