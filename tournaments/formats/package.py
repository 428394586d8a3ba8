"""Check a zip package, such as a workbook, before it is opened."""

import io
import re
import zipfile
import zlib

from . import limits

_CHUNK = 64 * 1024
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s>/]")
_ENTITY = re.compile(rb"<!\s*(?:ENTITY|DOCTYPE)", re.IGNORECASE)
_ENCRYPTED_FLAG = 0x1


class Refused(Exception):
    """The package must not be opened. The message is the issue code."""


def inspect_package(data: bytes) -> bool:
    """Return whether a sheet in the package has formulas. Raises Refused if the package exceeds the limits.

    Every member is unpacked without keeping it, and its bytes are counted, because the sizes in a zip
    directory cannot be trusted.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            members = package.infolist()
            _check_directory(members, len(data))
            budget = min(limits.UNZIPPED_BYTES, limits.ZIP_RATIO * len(data))
            has_formulas = False
            for member in members:
                content = _unpack(package, member, budget)
                budget -= len(content)
                if member.filename.endswith((".xml", ".rels")) and _ENTITY.search(content):
                    raise Refused("xml_entities")
                if member.filename.startswith("xl/worksheets/") and _FORMULA.search(content):
                    has_formulas = True
            return has_formulas
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, OSError, ValueError) as error:
        raise Refused("damaged_workbook") from error


def _check_directory(members: list[zipfile.ZipInfo], size: int) -> None:
    total = sum(member.file_size for member in members)
    if (
        len(members) > limits.ZIP_MEMBERS
        or total > limits.UNZIPPED_BYTES
        or total > limits.ZIP_RATIO * max(size, 1)
    ):
        raise Refused("zip_bomb")
    if any(member.flag_bits & _ENCRYPTED_FLAG for member in members):
        raise Refused("encrypted_workbook")


def _unpack(package: zipfile.ZipFile, member: zipfile.ZipInfo, budget: int) -> bytes:
    content = bytearray()
    with package.open(member) as stream:
        while chunk := stream.read(_CHUNK):
            content += chunk
            if len(content) > budget:
                raise Refused("zip_bomb")
    return bytes(content)
