"""The documents that the interface returns. Numbers with decimals are texts with a point, dates ISO."""

from datetime import date
from uuid import UUID

from django.utils.translation import gettext_noop as _
from ninja import Field, Schema


class IssueOut(Schema):
    """A problem of a file, or a note about it: an error blocks, a warning needs a tick, an info informs."""

    code: str
    severity: str = Field(description=_("error, warning or info"))
    line: int | None = Field(description=_("line of a text or row of a sheet"))
    field: str | None = Field(description=_("column heading or element in the file"))
    value: str = Field(description=_("the text in the file"))
    message: str
    remedy: str = Field(description=_("what to do about it"))


class PersonOut(Schema):
    """A person of a contestant. Of hidden players, the name is their number."""

    number: str | None
    name: str
    points: str | None = Field(description=_("null for guests, and while they cannot be computed"))


class ContestantOut(Schema):
    """A contestant as it would be stored and get points."""

    place: int
    direction: str | None = Field(description=_("NS or EW, if there are two rankings"))
    label: str = Field(description=_("number of the pair, or name of the team"))
    percentage: str | None
    score: str | None
    people: list[PersonOut]


class SummaryOut(Schema):
    """The tournament's data as far as they are known, and what is missing to confirm."""

    name: str | None
    event_type: str | None
    format: str | None
    venue: str | None
    start_date: date | None
    end_date: date | None
    boards: int | None
    people: int
    recognised: int = Field(description=_("players of the register among them"))
    licensed: int | None = Field(description=_("players with a licence on the last day; null if confirmed"))
    errors: int
    ticks_missing: int = Field(description=_("warnings that a director has to tick in the browser"))
    ready: bool = Field(description=_("whether it can be confirmed"))
    counts: bool | None = Field(description=_("whether it counts for points; null while that is unknown"))
    needs_approval: bool = Field(description=_("whether a second person has to approve the points"))


class UploadOut(Schema):
    """An upload. Once it is confirmed it has no preview and none of the file's issues: see its page."""

    id: UUID
    state: str = Field(description=_("unread, refused, review, confirmed or discarded"))
    file_name: str
    sha256: str
    issues: list[IssueOut]
    summary: SummaryOut
    preview: list[ContestantOut]
    review_url: str = Field(description=_("where a director of the club finishes it in the browser"))


class FieldErrorOut(Schema):
    """What is wrong with a field of the form."""

    field: str
    message: str


class ProblemOut(Schema):
    """A refused request (RFC 9457)."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    remedy: str
    errors: list[FieldErrorOut]
