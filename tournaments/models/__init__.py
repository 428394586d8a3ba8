"""Models of tournaments, their results and the uploads they come from."""

from .results import BoardResult, Contestant, Deal, Revision, Seat
from .tournament import Session, Tournament
from .uploads import ResultUpload, SeparateEvent, StoredFile, Upload, UploadIssue, UploadQuerySet

__all__ = [
    "BoardResult",
    "Contestant",
    "Deal",
    "ResultUpload",
    "Revision",
    "Seat",
    "SeparateEvent",
    "Session",
    "Tournament",
    "StoredFile",
    "Upload",
    "UploadIssue",
    "UploadQuerySet",
]
