"""Models of tournaments, their results and the uploads they come from."""

from .announcements import Announcement, AnnouncementPair, AnnouncementQuerySet
from .results import BoardResult, Contestant, Deal, Revision, Seat
from .tournament import Tournament, TournamentPair, has_name
from .uploads import (
    ColumnLayout,
    FurtherFile,
    RememberedName,
    ResultUpload,
    SentKey,
    SeparateEvent,
    StoredFile,
    Upload,
    UploadIssue,
    UploadQuerySet,
)

__all__ = [
    "Announcement",
    "AnnouncementPair",
    "AnnouncementQuerySet",
    "BoardResult",
    "ColumnLayout",
    "Contestant",
    "Deal",
    "FurtherFile",
    "RememberedName",
    "ResultUpload",
    "Revision",
    "Seat",
    "SentKey",
    "SeparateEvent",
    "Tournament",
    "TournamentPair",
    "StoredFile",
    "Upload",
    "UploadIssue",
    "UploadQuerySet",
    "has_name",
]
