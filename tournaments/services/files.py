"""The files of an upload of results: their names and content, what each is for, and how to read them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from time import monotonic
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from tournaments.formats import layouts, limits, registry
from tournaments.formats.declaration import ResultsFormat, TableFormat
from tournaments.formats.joining.join import join
from tournaments.formats.sandbox import read_results_safely, read_start_list_safely
from tournaments.formats.start_list import StartList
from tournaments.formats.types import Choice, Kind, ParsedResult
from tournaments.models import FurtherFile, ResultUpload, StoredFile

from . import stored_files
from .pipeline import content_of

NAME_LENGTH = FurtherFile._meta.get_field("file_name").max_length
MOST = 12  # files of one upload
SECONDS = 2 * limits.READ_SECONDS  # for reading all files of an upload
ROLES = {
    "ranking": _("the ranking"),
    "session": _("a session"),
    "section": _("a section"),
    "boards": _("results of the boards"),
    "hands": _("the hands"),
    "names": _("a list of names"),
    "unused": _("not used"),
}
# Equal files of these roles do not say that two uploads are of one event.
ACCESSORIES = frozenset({"hands", "names", "unused"})


class Sent(NamedTuple):
    """A file as it was sent."""

    name: str
    data: bytes

    @property
    def digest(self) -> str:
        return sha256(self.data).hexdigest()


@dataclass(frozen=True)
class UploadedFile:
    """A file of an upload, for display. `role` is a text, "" if the upload has one file only."""

    position: int
    name: str
    size: int
    sha256: str
    role: object = ""


def in_order(sent: Iterable[Sent]) -> list[Sent]:
    """Return the files without those that repeat another: results of scoring programs first, then tables."""
    distinct = {item.digest: item for item in reversed(list(sent))}
    return sorted(reversed(distinct.values()), key=lambda item: not _is_result(item))


def _is_result(item: Sent) -> bool:
    file_format, _issues = registry.recognise(item.name, item.data, registry.RESULTS)
    return isinstance(file_format, ResultsFormat)


def repeated(sent: Sequence[Sent]) -> list[str]:
    """Return the names of the files whose content is that of an earlier one."""
    digests = [item.digest for item in sent]
    return [item.name for place, item in enumerate(sent) if item.digest in digests[:place]]


def store_further(upload: ResultUpload, sent: Sequence[Sent]) -> None:
    """Store the files of an upload after the first. Call it inside `stored_files.together`."""
    contents = stored_files.keep_all(item.data for item in sent)
    FurtherFile.objects.bulk_create(
        FurtherFile(
            upload=upload,
            position=position,
            file_name=item.name[-NAME_LENGTH:],
            size=len(item.data),
            sha256=item.digest,
            file=content,
        )
        for position, (item, content) in enumerate(zip(sent, contents, strict=True), start=2)
    )


@stored_files.together()
def replace_files(upload: ResultUpload, sent: Sequence[Sent]) -> None:
    """Store other files in place of those of an upload. The caller then saves it, in the same transaction.

    Raises FilesUnavailable or FilesFull.
    """
    old = [upload.file_id, *upload.further_files.values_list("file", flat=True)]
    upload.further_files.all().delete()
    first, *further = sent
    upload.file_name, upload.size = first.name[-NAME_LENGTH:], len(first.data)
    upload.sha256 = first.digest
    upload.file = stored_files.keep(first.data)
    upload.save(update_fields=["file"])
    store_further(upload, further)
    stored_files.delete(StoredFile.objects.filter(pk__in=[pk for pk in old if pk]))


def contents_of(upload: ResultUpload) -> list[Sent]:
    """Return all files of an upload. Raises FileGone if they are deleted."""
    return [Sent(upload.file_name, content_of(upload)), *further_of(upload)]


def further_of(upload: ResultUpload) -> list[Sent]:
    """Return the files after the first that are still kept. One query, none if they are prefetched."""
    rows = upload.further_files.all()
    if "further_files" not in getattr(upload, "_prefetched_objects_cache", {}):
        rows = rows.select_related("file")
    contents = [(item.file_name, stored_files.read(item.file)) for item in rows]
    return [Sent(name, data) for name, data in contents if data is not None]


def files_of(upload: ResultUpload) -> list[UploadedFile]:
    """Return all files of an upload, without their content. One query."""
    if not upload.file_name:
        return []
    roles = [ROLES[part["role"]] for part in upload.parsed.get("files", ())]
    first = (1, upload.file_name, upload.size, upload.sha256)
    further = upload.further_files.values_list("position", "file_name", "size", "sha256")
    return [
        UploadedFile(*columns, role=roles[place] if place < len(roles) else "")
        for place, columns in enumerate([first, *further])
    ]


def digests_of(upload: ResultUpload) -> list[str]:
    """Return the digests of the files with results, by which the same event is recognised. One query."""
    further = upload.further_files.values_list("sha256", flat=True)
    return digests_with_results([upload.sha256, *further], upload.parsed.get("files"))


def digests_with_results(digests: Sequence[str], parts: Sequence[Mapping[str, Any]] | None) -> list[str]:
    """Return the digests of an upload's files without those of its lists of names and other accessories.

    digests: of all files of an upload, in their order
    parts: `upload.parsed["files"]`; None or empty for a file sent alone
    """
    if parts and len(parts) == len(digests):
        digests = [
            digest for digest, part in zip(digests, parts, strict=True) if part["role"] not in ACCESSORIES
        ]
    return [digest for digest in digests if digest]


def read(sent: Sequence[Sent], kind: Kind | None, choices: Sequence[Choice]) -> ParsedResult:
    """Read the files of an upload, each in a child process, and join them.

    kind, choices: as for `tournaments.formats.read_results`
    """
    if len(sent) == 1:
        return read_results_safely(sent[0].name, sent[0].data, kind, choices=choices)
    end = monotonic() + SECONDS
    return join([_read_one(item, kind, choices, end) for item in sent])


def _read_one(
    item: Sent, kind: Kind | None, choices: Sequence[Choice], end: float
) -> ParsedResult | StartList:
    """Read one of several files: a result or, if it is a table without results, a list of names."""
    seconds = max(1, min(limits.READ_SECONDS, int(end - monotonic())))
    parsed = read_results_safely(item.name, item.data, kind, seconds, choices=choices)
    is_table = isinstance(registry.get(parsed.format_name), TableFormat)
    is_text = any(issue.code == "unknown_text" for issue in parsed.issues)
    has_results = any(map(layouts.has_results, parsed.layouts))
    if parsed.entries or has_results or not (is_table or is_text):
        return parsed
    names = read_start_list_safely(item.name, item.data, seconds)
    return names if names.rows and not names.has_errors else parsed
