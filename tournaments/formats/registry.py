"""All file formats, and which one an uploaded file has.

A module in `readers` declares one or more formats in a tuple `FORMATS`. Nothing else lists them: this module
imports whatever stands in that folder.
"""

from __future__ import annotations

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
from .types import Issue

# The formats that each kind of upload reads.
RESULTS: tuple[type[FileFormat], ...] = (ResultsFormat, TableFormat)
TABLES: tuple[type[FileFormat], ...] = (TableFormat,)
GO: tuple[type[FileFormat], ...] = (GoFormat,)
_ORDER: tuple[type[FileFormat], ...] = (ResultsFormat, TableFormat, GoFormat, UnsupportedFormat)


def _declared() -> tuple[FileFormat, ...]:
    """Return the declared formats, and add their issues to the catalogue."""
    formats: list[FileFormat] = []
    for module in pkgutil.iter_modules(readers.__path__, f"{readers.__name__}."):
        formats += import_module(module.name).FORMATS
    for each in formats:
        add_issues(each.issues)
    return tuple(sorted(formats, key=lambda each: (_ORDER.index(type(each)), each.name)))


FORMATS = _declared()
_BY_CODE = {each.code: each for each in FORMATS}
_BY_NAME = {each.name: each for each in FORMATS}


def get(code: str) -> FileFormat | None:
    """Return the format with this code, if any."""
    return _BY_CODE.get(code)


def instead_of(name: str) -> str:
    """Return what to upload instead of a format, by its name; "" if that format can be read."""
    found = _BY_NAME.get(name)
    return found.instead if isinstance(found, UnsupportedFormat) else ""


def readable(wanted: tuple[type[FileFormat], ...]) -> tuple[FileFormat, ...]:
    """Return the formats that a kind of upload reads."""
    return tuple(each for each in FORMATS if isinstance(each, wanted))


def extensions(wanted: tuple[type[FileFormat], ...]) -> tuple[str, ...]:
    """Return the extensions of the formats that a kind of upload reads."""
    return tuple(dict.fromkeys(extension for each in readable(wanted) for extension in each.extensions))


def recognise(
    file_name: str, data: bytes, wanted: tuple[type[FileFormat], ...]
) -> tuple[FileFormat | None, tuple[Issue, ...]]:
    """Return the format of a file and what is unusual about its name.

    Return no format, and the reason, if the file is empty or too large or its format is not among the wanted.
    """
    if not data.strip(b" \t\r\n\xef\xbb\xbf"):
        return None, (issue("empty_file"),)
    if len(data) > limits.UPLOAD_BYTES:
        return None, (issue("too_large", size=len(data), limit=limits.UPLOAD_BYTES),)
    file = RawFile(file_name, data)
    found = _most_likely(file, wanted)
    if not isinstance(found, wanted):
        return None, (_refusal(found, wanted),)
    return found, _name_issues(file, found)


def _most_likely(file: RawFile, wanted: tuple[type[FileFormat], ...]) -> FileFormat:
    """Return the format with the strongest evidence; of several, one that is wanted.

    Any text is a table, so there always is one.
    """
    return max(FORMATS, key=lambda each: (each.sniff(file), isinstance(each, wanted)))


def _refusal(found: FileFormat, wanted: tuple[type[FileFormat], ...]) -> Issue:
    if isinstance(found, UnsupportedFormat):
        return issue(found.why, found=found.name)
    if isinstance(found, GoFormat):
        return issue("go_file", found=found.name)
    return issue("not_go" if wanted == GO else "wrong_type", found=found.content_name)


def _name_issues(file: RawFile, found: FileFormat) -> tuple[Issue, ...]:
    if not file.extension or file.extension in found.extensions:
        return ()
    return (issue("name_mismatch", extension=file.extension, found=found.content_name),)


def evidence_of(file: RawFile) -> dict[str, Evidence]:
    """Return the evidence for every format that a file may have, by code."""
    return {each.code: evidence for each in FORMATS if (evidence := each.sniff(file))}
