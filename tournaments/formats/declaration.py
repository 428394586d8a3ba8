"""The declaration of a file format. `registry` collects the declarations of the modules in `readers`."""

import io
import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import Literal

from .definitions import Definition
from .go_types import GoResult
from .table import Grid
from .text import decode
from .types import ParsedResult

_HEAD = 8000
_MANIFEST = "META-INF/manifest.xml"
_MEDIA_TYPE = "mimetype"
_XML = re.compile(r"<\?xml|<usebio", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_ELEMENT = re.compile(r"<([A-Za-z_][^\s<>/]*)[\s>/]")


class Evidence(IntEnum):
    """How strongly a file indicates a format.

    The format with the strongest evidence is chosen. Evidence from the content is stronger than evidence from
    the file name.
    """

    NONE = 0
    ANY_TEXT = 1  # nothing contradicts the format, which has no typical content
    EXTENSION = 2  # only the extension of the file name matches
    MARKS = 3  # words that are typical of the format occur in the first characters
    CONTAINER = 4  # the right container (XML, zip, database), but nothing specific to the format
    SIGNATURE = 5  # the first bytes, the root element or the members of the package are the format's own


class RawFile:
    """An uploaded file, with the properties by which `sniff` functions recognise formats."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.data = data

    @cached_property
    def extension(self) -> str:
        """The extension of the file name, in lower case and with its dot; "" if there is none."""
        stem, dot, end = self.name.rpartition("/")[2].rpartition(".")
        return (dot + end).lower() if stem and end else ""

    @cached_property
    def head(self) -> str:
        """The beginning of the content as text, for recognising the format.

        The encoding is only detected roughly, because the texts that identify a format are ASCII.
        """
        head = self.data[:_HEAD]
        if head.startswith((b"\xff\xfe", b"\xfe\xff")):
            return head.decode("utf-16", errors="replace").lstrip("\ufeff")
        return head.decode("latin-1").removeprefix("ï»¿")

    @cached_property
    def is_text(self) -> bool:
        """Whether the content can be decoded as text."""
        return decode(self.data).text is not None

    @cached_property
    def is_xml(self) -> bool:
        """Whether the content looks like XML, even if other text precedes the XML."""
        return bool(_XML.search(self.head[:2000])) or self.head.lstrip().startswith("<")

    @cached_property
    def root(self) -> str:
        """The name of the outermost XML element, searched in the first characters; "" if none is found."""
        match = _ELEMENT.search(_COMMENT.sub("", self.head)) if self.is_xml else None
        return match[1] if match else ""

    @cached_property
    def is_package(self) -> bool:
        """Whether the content begins with the signature of zip files. XLSX and ODS files are zip packages."""
        return self.data.startswith(b"PK")

    @cached_property
    def members(self) -> frozenset[str] | None:
        """The names of the files in a zip package; None if its directory cannot be read."""
        import zipfile  # slow to import, and other files do without it

        try:
            with zipfile.ZipFile(io.BytesIO(self.data)) as package:
                return frozenset(package.namelist())
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
            return None

    @cached_property
    def manifest(self) -> bytes:
        """The beginning of the manifest of an OpenDocument package; b"" if there is none."""
        return self._beginning_of(_MANIFEST)

    @cached_property
    def media_type(self) -> bytes:
        """The media type that an OpenDocument package states; b"" if there is none."""
        return self._beginning_of(_MEDIA_TYPE)

    def _beginning_of(self, name: str) -> bytes:
        """Return the beginning of a file in a zip package; b"" if there is none."""
        import zipfile

        try:
            with zipfile.ZipFile(io.BytesIO(self.data)) as package, package.open(name) as member:
                return member.read(_HEAD)
        except (
            zipfile.BadZipFile,
            zlib.error,
            KeyError,
            ValueError,
            NotImplementedError,
            OSError,
            RuntimeError,
        ):
            return b""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FileFormat:
    """The declaration of a file format. Texts are message ids, marked by `gettext_noop`.

    code: stored with uploads
    name: the name shown to users
    sniff: returns how strongly a file indicates this format
    extensions: file name extensions with their dots; the browser's file dialog offers those of formats that
        can be read
    content: the name used in messages about the content of a file; blank to use `name`
    reads: what the application reads from such files, for the list of formats on the upload page
    missing: returns the command that installs a program that the reader needs and this machine lacks, else ""
    issues: the issues that only files of this format can have
    """

    code: str
    name: str
    sniff: Callable[[RawFile], Evidence]
    extensions: tuple[str, ...] = ()
    content: str = ""
    reads: str = ""
    missing: Callable[[], str] = lambda: ""
    issues: Mapping[str, Definition] = field(default_factory=dict)

    @property
    def content_name(self) -> str:
        return self.content or self.name


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ResultsFormat(FileFormat):
    """A format in which a scoring program writes the result of a bridge tournament.

    is_scored_here: whether files have results of boards but no ranking, which is computed from them
    """

    read: Callable[[str, bytes], ParsedResult]
    is_scored_here: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TableFormat(FileFormat):
    """A format that consists of rows of cells (CSV, XLSX). Other functions interpret the headings.

    rows: reads the content of a file; the second argument is the maximum number of rows
    """

    rows: Callable[[bytes, int], Grid]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GoFormat(FileFormat):
    """A format for the players and games of a Go tournament."""

    read: Callable[[str, bytes], GoResult]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class UnsupportedFormat(FileFormat):
    """A format that is recognised but not read.

    why: code of the issue that refuses such a file; the issue's parameter `found` is the format's name
    instead: advice on what to upload instead of such a file, or how to produce that
    of_go: whether such files are of Go tournaments
    """

    instead: str
    of_go: bool = False
    why: Literal[
        "wrong_type", "not_yet_supported", "damaged_workbook", "no_ranking_inside", "unknown_text"
    ] = "wrong_type"
