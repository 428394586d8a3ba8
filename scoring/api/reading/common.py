"""What the addresses that anybody may read share: their refusals, parameters and small documents."""

from collections.abc import Iterable
from typing import Annotated, Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from ninja import Path

from players.models import Club
from scoring.api.problems import Problem
from scoring.api.reading.schemas import ClubRef, RegionRef
from scoring.api.schemas import ProblemOut

# The answers of every address, besides its document.
OTHERS: dict[int, Any] = {304: None, **dict.fromkeys([400, 404, 422, 429, 500, 503], ProblemOut)}
FederationNumber = Annotated[
    str, Path(pattern=r"^[0-9]{1,20}$", description=gettext_noop("federation number"), example="20049")
]


def invalid(name: str, message: str) -> Problem:
    """Return the problem of a parameter whose value cannot be used."""
    return Problem("parameter_invalid", names=name, errors=[{"field": name, "message": message}])


def one_of(values: Iterable[str]) -> str:
    """Return the message that names the values that a parameter may have."""
    return _("Use one of these values: %(values)s.") % {"values": ", ".join(values)}


def absolute(request: HttpRequest, path: str) -> str:
    """Return the whole address of a page, of which the path is given."""
    return request.build_absolute_uri(path)


def club_ref(club: Club) -> ClubRef:
    return ClubRef(code=club.code, name=club.name)


def region_ref(club: Club) -> RegionRef:
    return RegionRef(code=club.region.code, name=club.region.name)
