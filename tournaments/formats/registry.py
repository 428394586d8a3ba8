"""The list of all file formats, and the recognition of a file's format.

A module in `readers` declares one or more formats in a tuple `FORMATS`. This module imports every module of
that folder, so no list of formats has to be kept.
"""

import pkgutil
from importlib import import_module

from . import limits, readers
from .catalogue import add_issues
from .declaration import (
    Evidence,
    FileFormat,
    GoFormat,
    RawFile,
    ResultsFormat,
    TableFormat,
    UnsupportedFormat,
)
from .issues import issue
from .readers import csv_rows
from .types import Issue

# The kinds of format that uploads of results, of the office's lists and of Go tournaments accept.
RESULTS: tuple[type[FileFormat], ...] = (ResultsFormat, TableFormat)
TABLES: tuple[type[FileFormat], ...] = (TableFormat,)
GO: tuple[type[FileFormat], ...] = (GoFormat,)
ANY_RESULTS = RESULTS + GO
_ORDER: tuple[type[FileFormat], ...] = (ResultsFormat, TableFormat, GoFormat, UnsupportedFormat)


def _declared() -> tuple[FileFormat, ...]:
    """Return the declared formats, and add their issues to the catalogue."""
    formats: list[FileFormat] = []
    for module in pkgutil.iter_modules(readers.__path__, f"{readers.__name__}."):
        formats += import_module(module.name).FORMATS
    for file_format in formats:
        add_issues(file_format.issues)
    return tuple(sorted(formats, key=lambda file_format: (_ORDER.index(type(file_format)), file_format.name)))


FORMATS = _declared()
_BY_CODE = {file_format.code: file_format for file_format in FORMATS}
_BY_CONTENT = {file_format.content_name: file_format for file_format in FORMATS}


def get(code: str) -> FileFormat | None:
    """Return the format with this code, if any."""
    return _BY_CODE.get(code)


def instead_of(content: str, code: str) -> str:
    """Return advice on what to upload instead of a file of the format with this name of its content.

    Return "" if files of the format are not refused with the issue of this code.
    """
    file_format = _BY_CONTENT.get(content)
    if isinstance(file_format, UnsupportedFormat) and file_format.why == code:
        return file_format.instead
    return ""


def readable(wanted: tuple[type[FileFormat], ...]) -> tuple[FileFormat, ...]:
    """Return the formats of the given classes, for example of `RESULTS`."""
    return tuple(file_format for file_format in FORMATS if isinstance(file_format, wanted))


def extensions(wanted: tuple[type[FileFormat], ...]) -> tuple[str, ...]:
    """Return the file name extensions of the formats of the given classes, for example of `RESULTS`."""
    offered = (extension for file_format in readable(wanted) for extension in file_format.extensions)
    return tuple(dict.fromkeys(offered))


def recognise(
    file_name: str, data: bytes, wanted: tuple[type[FileFormat], ...]
) -> tuple[FileFormat | None, tuple[Issue, ...]]:
    """Return the format of a file, with an issue if the file name has another format's extension.

    If the file is empty, too large or of none of the wanted classes, return None and an issue with the
    reason.
    """
    if not data.strip(b" \t\r\n\xef\xbb\xbf"):
        return None, (issue("empty_file"),)
    if len(data) > limits.UPLOAD_BYTES:
        return None, (issue("too_large", size=len(data), limit=limits.UPLOAD_BYTES),)
    file = RawFile(file_name, data)
    file_format = _most_likely(file, wanted)
    if wanted == TABLES and file_format.code == "unknown_text" and csv_rows.has_cells(file.head):
        # Rows of different lengths do not look like a table, but the reader can say which lines are wrong.
        file_format = _BY_CODE[csv_rows.CODE]
    if not isinstance(file_format, wanted):
        return None, (_refusal(file_format, wanted),)
    return file_format, _name_issues(file, file_format)


def is_of_go(file_name: str, data: bytes) -> bool:
    """Return whether the file is one of a Go tournament, whether or not it can be read.

    Packages are not opened, so that this is safe in a server: no format of Go is one.
    """
    file = RawFile(file_name, data)
    return not file.is_package and _is_of_go(_most_likely(file, ANY_RESULTS))


def _is_of_go(file_format: FileFormat) -> bool:
    is_unread = isinstance(file_format, UnsupportedFormat) and file_format.of_go
    return is_unread or isinstance(file_format, GoFormat)


def _most_likely(file: RawFile, wanted: tuple[type[FileFormat], ...]) -> FileFormat:
    """Return the format for which the file gives the strongest evidence.

    If several formats have equal evidence, prefer one of a wanted class, and after that an
    `UnsupportedFormat`. One `UnsupportedFormat` fits every text. So a text of an unknown kind is not called a
    Go table on a page for bridge results.
    """

    def strength(file_format: FileFormat) -> tuple[Evidence, bool, bool]:
        is_unread = isinstance(file_format, UnsupportedFormat)
        return file_format.sniff(file), isinstance(file_format, wanted), is_unread

    return max(FORMATS, key=strength)


def _refusal(file_format: FileFormat, wanted: tuple[type[FileFormat], ...]) -> Issue:
    if _is_of_go(file_format) and wanted != GO:
        return issue("go_file", found=file_format.name)
    if isinstance(file_format, UnsupportedFormat):
        if wanted == TABLES and file_format.why in ("unknown_text", "no_ranking_inside"):
            return issue("not_a_list", found=file_format.content_name)
        return issue(file_format.why, found=file_format.content_name)
    if wanted == GO:
        return issue("not_go", found=file_format.content_name)
    accepted = " ".join(wanted_format.code for wanted_format in readable(wanted))
    return issue("wrong_type", found=file_format.content_name, accepted=accepted)


def _name_issues(file: RawFile, file_format: FileFormat) -> tuple[Issue, ...]:
    if not file.extension or file.extension in file_format.extensions:
        return ()
    return (issue("name_mismatch", extension=file.extension, found=file_format.content_name),)
