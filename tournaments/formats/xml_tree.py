"""A small tree of XML elements, with line numbers and limits of size.

defusedxml's parser refuses entity declarations and fetches nothing external. A DOCTYPE is allowed, because
nearly all USEBIO files have one.
"""

import re
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import ParseError
from xml.parsers.expat import errors as expat_errors

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import XMLParser

from . import limits
from .issues import issue
from .text import decode_xml
from .types import Issue

_TRUNCATED = {
    expat_errors.codes[expat_errors.XML_ERROR_NO_ELEMENTS],
    expat_errors.codes[expat_errors.XML_ERROR_UNCLOSED_TOKEN],
    expat_errors.codes[expat_errors.XML_ERROR_UNCLOSED_CDATA_SECTION],
}
_START = re.compile(r"<\?xml|<!DOCTYPE|<!--|<[A-Za-z_]")
_NO_ATTRIBUTES: Mapping[str, str] = {}
# Characters passed to the parser at once. A comment that goes on in the next chunk is read again from its
# start, so small chunks make a long one take quadratic time.
_CHUNK = 1024 * 1024
_ENCODING = re.compile(r"""(<\?xml[^>]*?)\s+encoding\s*=\s*["'][^"']*["']""")


@dataclass(slots=True, eq=False)
class Node:
    """An element: upper-case tag, attributes, the line where it starts, its own text, and its children.

    A file has hundreds of thousands of elements, most of them without attributes and children. These share
    one empty object, so that the largest file fits into the memory of its reader.
    """

    tag: str
    attributes: Mapping[str, str]
    line: int
    text: str = ""
    children: "Sequence[Node]" = ()

    def all(self, tag: str) -> Iterator["Node"]:
        """Return the direct children with this tag."""
        return (child for child in self.children if child.tag == tag)

    def first(self, *tags: str) -> "Node | None":
        """Return the first child with one of these tags, or None. Earlier tags take precedence."""
        for tag in tags:
            for child in self.all(tag):
                return child
        return None

    def value(self, *tags: str) -> str:
        """Return the text of a child with one of these tags; "" if there is none. Blank children are ignored.

        If there are several such children, earlier tags take precedence, then earlier children.
        """
        for tag in tags:
            for child in self.all(tag):
                if child.text:
                    return child.text
        return ""


class XmlRefused(Exception):
    """The XML cannot be used. `issues` says why."""

    def __init__(self, *issues: Issue) -> None:
        super().__init__(issues[-1].code)
        self.issues = issues


class _Builder:
    """Target of the XML parser that builds the tree of nodes, without elements with a tag in `dropped`."""

    def __init__(self, dropped: Collection[str], skipped_lines: int) -> None:
        self._skipped_lines = skipped_lines
        self.parser: XMLParser
        self.root: Node
        self._dropped = dropped
        self._open: list[Node] = []
        self._parts: list[list[str]] = []  # the pieces of text of each open element
        self._depth = 0
        self._elements = 0
        self._skip_below = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._elements += 1
        line = self.parser.parser.CurrentLineNumber + self._skipped_lines
        if self._elements > limits.XML_ELEMENTS:
            raise XmlRefused(issue("too_many_elements", line=line, limit=limits.XML_ELEMENTS))
        if self._depth > limits.XML_DEPTH:
            raise XmlRefused(issue("too_deep", line=line, limit=limits.XML_DEPTH))
        if self._skip_below:
            return
        tag = tag.rpartition("}")[2].upper()
        if self._open and tag in self._dropped:
            self._skip_below = self._depth
            return
        for name, value in attributes.items():
            _check_length(value, line, name)
        node = Node(sys.intern(tag), attributes or _NO_ATTRIBUTES, line)
        if self._open:
            self._add_child(self._open[-1], node)
        else:
            self.root = node
        self._open.append(node)
        self._parts.append([])

    def _add_child(self, parent: Node, node: Node) -> None:
        if isinstance(parent.children, list):
            parent.children.append(node)
        else:
            parent.children = [node]

    def data(self, data: str) -> None:
        if self._open and not self._skip_below:
            self._parts[-1].append(data)

    def end(self, tag: str) -> None:
        if not self._skip_below:
            node = self._open.pop()
            node.text = " ".join("".join(self._parts.pop()).split())
            _check_length(node.text, node.line, node.tag)
        elif self._skip_below == self._depth:
            self._skip_below = 0
        self._depth -= 1

    def close(self) -> Node:
        return self.root


def _check_length(text: str, line: int, name: str) -> None:
    if len(text) > limits.CELL_LENGTH:
        raise XmlRefused(issue("text_too_long", line=line, field=name, value=text, limit=limits.CELL_LENGTH))


def parse_xml(data: bytes, dropped: Collection[str] = ()) -> tuple[Node, str, tuple[Issue, ...]]:
    """Return the root element, the encoding used, and the issues that decoding found.

    Raises XmlRefused for XML that is not well formed, exceeds the limits or declares entities.

    dropped: upper-case tags of elements that are not kept, because they contain personal data or deals
    """
    decoded = decode_xml(data)
    if decoded.text is None:
        raise XmlRefused(*decoded.issues)
    text, skipped = _from_start(decoded.text)
    builder = _Builder(dropped, skipped)
    parser = XMLParser(target=builder)
    builder.parser = parser
    try:
        # The text is already decoded, so its declared encoding no longer holds.
        parser.feed(_ENCODING.sub(r"\1", text[:_CHUNK], count=1))
        for start in range(_CHUNK, len(text), _CHUNK):
            parser.feed(text[start : start + _CHUNK])
        root = parser.close()  # a text without any element is a ParseError
    except ParseError as error:
        raise XmlRefused(*decoded.issues, _syntax_issue(error, skipped, text)) from error
    except DefusedXmlException as error:
        raise XmlRefused(*decoded.issues, issue("xml_entities", value=getattr(error, "name", ""))) from error
    return root, decoded.encoding or "utf-8", decoded.issues


def _from_start(text: str) -> tuple[str, int]:
    """Remove blank lines before the XML.

    Return the remaining text and the number of lines removed. Raises XmlRefused if other text precedes the
    XML.
    """
    body = text.lstrip("\ufeff \t\n")
    skipped = text.count("\n", 0, len(text) - len(body))
    if not _START.match(body):
        raise XmlRefused(issue("xml_junk_before", line=skipped + 1, value=body[:40]))
    return body, skipped


def _syntax_issue(error: ParseError, skipped: int, text: str) -> Issue:
    line, column = error.position
    if error.code in _TRUNCATED and line >= text.rstrip().count("\n"):
        return issue("truncated", line=line + skipped)
    return issue("xml_not_well_formed", line=line + skipped, column=column + 1)
