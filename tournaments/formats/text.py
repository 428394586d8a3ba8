"""Decode bytes to text, by the same rule for every text format.

The first of these encodings that applies is used: that of a byte order mark; that of an XML declaration, if
the bytes are valid in it; UTF-8, if the bytes are valid UTF-8; the federation's code page. The encoding is
never guessed from statistics, because that takes Spanish Windows-1252 for Windows-1250.
"""

import codecs
import re
from dataclasses import dataclass
from itertools import islice

from .issues import issue
from .types import Issue

CODE_PAGE = "cp1252"
_LABELS = {"cp1252": "Windows-1252", "cp1250": "Windows-1250", "utf-8": "UTF-8", "utf-16": "UTF-16"}
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_DECLARED = re.compile(rb"""\s*<\?xml[^>]{0,200}?\bencoding\s*=\s*["']([^"'>]{1,40})["']""")
# Python has codecs that are not character sets (hex, zip...), so only these are accepted.
_KNOWN = re.compile(r"utf-8|ascii|iso8859-\d{1,2}|cp125\d|cp437|cp850|mac-roman|koi8-r")
_CONTROLS = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]")
_WITHOUT_CONTROLS = {code: None for code in range(128) if _CONTROLS.match(chr(code))}
# A file with a larger share of control characters is not a text.
_BINARY_SHARE = 0.02


@dataclass(frozen=True, slots=True)
class Decoded:
    r"""A decoded text whose newlines are \n. `text` is None if one of the issues is an error."""

    text: str | None
    encoding: str | None
    issues: tuple[Issue, ...]


def label(encoding: str) -> str:
    """Return the common name of an encoding, for messages."""
    return _LABELS.get(encoding, encoding)


def decode(data: bytes) -> Decoded:
    """Decode a text in a format that does not declare its encoding."""
    issues: list[Issue] = []
    try:
        raw, encoding = _by_bom(data) or _utf8_or_code_page(data, issues)
    except UnicodeDecodeError as error:
        return Decoded(None, None, (issue("undecodable", line=_line(data, error.start)),))
    return _cleaned(raw, encoding, issues)


def decode_xml(data: bytes) -> Decoded:
    """Decode XML by its byte order mark, or else by the encoding that it declares.

    If the declaration is missing or wrong, decode as UTF-8. If the bytes are not UTF-8, decode as
    Windows-1252.

    Declared Latin-1 is read as Windows-1252, which differs from it only in the control characters 80 to 9F.
    Control characters are not removed, because the XML parser refuses them and states their line.
    """
    issues: list[Issue] = []
    try:
        raw, encoding = _by_bom(data) or _by_declaration(data, issues)
    except UnicodeDecodeError as error:
        return Decoded(None, None, (*issues, issue("undecodable", line=_line(data, error.start))))
    if "\0" in raw:
        return Decoded(None, encoding, (issue("nul_bytes", line=_text_line(raw, raw.index("\0"))),))
    return Decoded(_newlines(raw), encoding, tuple(issues))


def _by_bom(data: bytes) -> tuple[str, str] | None:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            body = data if encoding == "utf-16" else data[len(mark) :]
            return body.decode(encoding), encoding
    return None


def _utf8_or_code_page(data: bytes, issues: list[Issue]) -> tuple[str, str]:
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        text = data.decode(CODE_PAGE)
        issues.append(issue("code_page_used", used=label(CODE_PAGE)))
        return text, CODE_PAGE


def _by_declaration(data: bytes, issues: list[Issue]) -> tuple[str, str]:
    match = _DECLARED.match(data)
    if match is None:
        return _utf8_or_code_page(data, issues)
    declared = match.group(1).decode("latin-1")
    encoding = _canonical(declared)
    if encoding is None:
        code = "encoding_mismatch" if declared.lower().startswith("utf-16") else "unknown_encoding"
        return _despite_declaration(data, code, declared, issues)
    if encoding not in ("utf-8", "ascii") and not data.isascii() and _is_utf8(data):
        issues.append(issue("encoding_mismatch", line=1, value=declared, used="UTF-8"))
        return data.decode("utf-8"), "utf-8"
    try:
        return data.decode(encoding), encoding
    except UnicodeDecodeError:
        return _despite_declaration(data, "encoding_mismatch", declared, issues)


def _canonical(declared: str) -> str | None:
    try:
        name = codecs.lookup(declared).name
    except (LookupError, ValueError):
        return None
    if not _KNOWN.fullmatch(name):
        return None
    return CODE_PAGE if name == "iso8859-1" else name


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _despite_declaration(data: bytes, code: str, declared: str, issues: list[Issue]) -> tuple[str, str]:
    encoding = "utf-8" if _is_utf8(data) else CODE_PAGE
    text = data.decode(encoding)
    issues.append(issue(code, line=1, value=declared, used=label(encoding)))
    return text, encoding


def _cleaned(raw: str, encoding: str, issues: list[Issue]) -> Decoded:
    if "\0" in raw:
        return Decoded(None, encoding, (issue("nul_bytes", line=_text_line(raw, raw.index("\0"))),))
    # Old DOS programs end a file with an end-of-file mark.
    text = _newlines(raw).rstrip("\x1a")
    # Replacing matches of the expression would take seconds if all characters were control characters.
    cleaned = text.translate(_WITHOUT_CONTROLS) if _CONTROLS.search(text) else text
    if len(text) - len(cleaned) > _BINARY_SHARE * len(text) + 1:
        return Decoded(None, encoding, (issue("binary_file"),))
    for match in islice(_CONTROLS.finditer(text), 20):
        issues.append(issue("control_characters", line=_text_line(text, match.start())))
    text = cleaned
    if "\ufffd" in text:
        issues.append(issue("damaged_letters", line=_text_line(text, text.index("\ufffd"))))
    return Decoded(text, encoding, tuple(issues))


def _newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _line(data: bytes, position: int) -> int:
    return data.count(b"\n", 0, position) + 1


def _text_line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
