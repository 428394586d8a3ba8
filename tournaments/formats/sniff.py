"""Detect the type of a file by its content. Its name is only a hint."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal

from . import limits
from .catalogue import gettext_noop
from .issues import issue
from .types import Issue

Type = Literal["xml", "xlsx", "text", "pbn"]

_SIGNATURES = (
    (b"%PDF", gettext_noop("a PDF document")),
    (b"\x89PNG", gettext_noop("a picture")),
    (b"\xff\xd8\xff", gettext_noop("a picture")),
    (b"GIF8", gettext_noop("a picture")),
    (b"\x1f\x8b", gettext_noop("a compressed file")),
    (b"Rar!", gettext_noop("a compressed file")),
    (b"7z\xbc\xaf", gettext_noop("a compressed file")),
    (b"\xd0\xcf\x11\xe0", gettext_noop("an old Excel workbook (.xls) or one with a password")),
    (b"MZ", gettext_noop("a program")),
    (b"\x7fELF", gettext_noop("a program")),
)
_ACCESS = (b"\x00\x01\x00\x00Standard Jet DB", b"\x00\x01\x00\x00Standard ACE DB")
_HTML = re.compile(r"\s*(?:<!doctype\s+html|<html|<head|<body|<table)", re.IGNORECASE)
_XML = re.compile(r"<\?xml|<usebio", re.IGNORECASE)
_PBN = re.compile(r"% PBN|%\s*EXPORT|\[(?:Event|Site|Board|Dealer|Deal)\s+\"", re.IGNORECASE)
_H9 = re.compile(r"^;\s*(?:TC|CL|EV|PC|DT|HA|KM)\[|^;name=", re.MULTILINE)
_GO_ROOT = re.compile(r"<Tournament[\s>]")
_MACMAHON = re.compile(r"<TournamentData[\s>]")
# The names of the two Go formats in issues. `go.read_go` reads them.
GO_H9, GO_XML = "EGD (H9)", gettext_noop("OpenGotha XML")


@dataclass(frozen=True, slots=True)
class Sniffed:
    """The detected type, or None if the file cannot be read. `issues` says why, or what is unusual."""

    type: Type | None
    issues: tuple[Issue, ...] = ()


def _refused(reason: Issue) -> Sniffed:
    return Sniffed(None, (reason,))


def sniff(file_name: str, data: bytes) -> Sniffed:
    """Detect XML, XLSX, PBN and text, and refuse everything else."""
    if not data.strip(b" \t\r\n\xef\xbb\xbf"):
        return _refused(issue("empty_file"))
    if len(data) > limits.UPLOAD_BYTES:
        return _refused(issue("too_large", size=len(data), limit=limits.UPLOAD_BYTES))
    if data.startswith(b"PK"):
        return _sniff_zip(file_name, data)
    if data.startswith(_ACCESS):
        return _refused(issue("not_yet_supported", found="Bridgemate (BWS)"))
    for signature, description in _SIGNATURES:
        if data.startswith(signature):
            return _refused(issue("wrong_type", found=description))
    return _sniff_text(file_name, data)


def _sniff_zip(file_name: str, data: bytes) -> Sniffed:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            names = package.namelist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        return _refused(issue("damaged_workbook"))
    if "xl/workbook.xml" not in names:
        return _refused(issue("wrong_type", found=gettext_noop("a compressed file that is no XLSX workbook")))
    return Sniffed("xlsx", _name_issues(file_name, (".xlsx", ".xlsm"), "XLSX"))


def _sniff_text(file_name: str, data: bytes) -> Sniffed:
    head = _head(data)
    suffix = PurePath(file_name).suffix.lower()
    if _HTML.match(head):
        return _refused(issue("wrong_type", found=gettext_noop("a web page")))
    if _XML.search(head[:2000]) or suffix == ".xml" or head.lstrip().startswith("<"):
        if _MACMAHON.search(head):
            return _refused(issue("not_yet_supported", found="MacMahon"))
        if _GO_ROOT.search(head):
            return _refused(issue("go_file", found=GO_XML))
        return Sniffed("xml", _name_issues(file_name, (".xml", ".usebio"), "XML"))
    if _PBN.match(head.lstrip()) or suffix == ".pbn":
        return Sniffed("pbn", _name_issues(file_name, (".pbn", ".txt"), "PBN"))
    if _H9.search(head) or suffix in (".h9", ".tou"):
        return _refused(issue("go_file", found=GO_H9))
    if suffix in (".xlsx", ".xlsm"):
        return _refused(issue("wrong_type", found=gettext_noop("no XLSX workbook")))
    return Sniffed("text", _name_issues(file_name, (".csv", ".txt", ".tsv"), "CSV"))


def _head(data: bytes) -> str:
    """Decode the first characters roughly, which is enough because the markers of all formats are ASCII."""
    head = data[:8000]
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return head.decode("utf-16", errors="replace").lstrip("\ufeff")
    return head.decode("latin-1").removeprefix("ï»¿")


def _name_issues(file_name: str, expected: tuple[str, ...], type_name: str) -> tuple[Issue, ...]:
    suffix = PurePath(file_name).suffix.lower()
    if not suffix or suffix in expected:
        return ()
    return (issue("name_mismatch", extension=suffix, found=type_name),)
