"""README, CONTRIBUTING and docs/ name only files that exist, and functions that exist in these files."""

import re
from pathlib import Path

import pytest

from tests.folders import ROOT

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FOLDERS = "docs|federation|locale|players|scoring|static|templates|tests|tools|tournaments|ui"
FILE = re.compile(rf"`((?:{FOLDERS})/[\w./-]*)`")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
# Names followed by their file: "`first` and `second` in `folder/file.py`".
NAMES_IN_FILE = re.compile(rf"((?:`\w+`(?:, | and ))*`\w+`) (?:in|of) `((?:{FOLDERS})/[\w/]+\.py)`")
# Files that readers create when they follow the documents.
TO_BE_WRITTEN = re.compile(r"aeb_2028/|test_(?:golden_)?NAME\.py|regions\.(?:py|html)")


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_and_links_named_in_a_document_exist(path: Path):
    text = path.read_text(encoding="utf-8")
    places = (ROOT, ROOT / "templates")
    missing = {name for name in FILE.findall(text) if not any((place / name).exists() for place in places)}
    files = {name for name in missing if not TO_BE_WRITTEN.search(name)}
    links = {link for link in LINK.findall(text) if not (path.parent / link).exists()}
    assert (files, links) == (set(), set())


def test_names_that_documents_attribute_to_a_file_occur_in_that_file():
    text = "\n".join(path.read_text(encoding="utf-8") for path in DOCUMENTS).replace("\n", " ")
    named = [
        (name, file) for names, file in NAMES_IN_FILE.findall(text) for name in re.findall(r"\w+", names)
    ]
    assert len(named) > 10
    assert [
        (name, file)
        for name, file in named
        if not re.search(rf"\b{name}\b", (ROOT / file).read_text(encoding="utf-8"))
    ] == []
