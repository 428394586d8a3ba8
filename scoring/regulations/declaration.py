"""The declaration of a regulation in its folder, which other packages read its page and schema from."""

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
    """The attributes of every regulation. One without ``valid_from`` is never chosen by date."""

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
    """A regulation, with everything about it besides its rules.

    schema: the JSON schema of its input and output
    page: returns the page that explains the regulation
    calculation: what the calculator asks; None if it would need every board of a session
    rulings: what this project decided where the document is silent
    errata: misprints of the document
    """

    regulation: Regulation
    schema: Schema
    page: Callable[[Context], Page]
    calculation: Calculation | None
    rulings: Sequence[Text]
    errata: Sequence[Erratum] = ()
