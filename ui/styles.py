"""The one style sheet of the site, put together from Bootstrap and the files of `static/css`.

A page that loads one file is painted sooner than one that loads ten. The staticfiles finder below offers the
file as `css/site.css`, to pages and to `collectstatic`; it is written anew when a process starts.
"""

import gzip
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

NAME, COMPRESSED = FILES = ("css/site.css", "css/site.css.gz")
BOOTSTRAP = "vendor/bootstrap/bootstrap.cut.css"
# The order matters: later rules win. Files that are not named here come after these, by name.
FIRST = ["tokens", "baza", "navigation", "layout", "forms", "tables", "folding", "plots"]
PRINTED = "print"  # comes last, for paper alone
# Not part of the style sheet: they set the paper of the one page that loads them.
ALONE = {"sheet"}


def text_of(folder: Path) -> str:
    """Return the style sheet, made of the files in a folder of static files, without comments and indents."""
    paths = {path.stem: path for path in sorted((folder / "css").glob("*.css")) if path.stem not in ALONE}
    printed = paths.pop(PRINTED)
    ordered = [paths.pop(name) for name in FIRST] + list(paths.values())
    parts = [path.read_text(encoding="utf-8") for path in (folder / BOOTSTRAP, *ordered)]
    parts.append(f"@media print {{\n{printed.read_text(encoding='utf-8')}\n}}")
    return squeezed("\n".join(parts))


def squeezed(css: str) -> str:
    """Remove comments and needless white space from a style sheet that has no such characters in strings."""
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    css = re.sub(r"\s+", " ", css)
    return re.sub(r" ?([{};]) ?", r"\1", css).replace(";}", "}").strip() + "\n"


class StyleFinder(BaseFinder):
    """The finder of `css/site.css`. It writes the file into the installation's folder of variable data."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.storage = FileSystemStorage(location=settings.VAR_DIR / "styles")
        self.storage.prefix = ""  # type: ignore[attr-defined]
        content = text_of(settings.BASE_DIR / "static").encode()
        self._write(NAME, content)
        # WhiteNoise sends the compressed copy; in production `collectstatic` makes its own.
        self._write(COMPRESSED, gzip.compress(content, 9, mtime=0))

    def check(self, **_kwargs: Any) -> list:
        return []

    def find(self, path: str, find_all: bool = False, **_kwargs: Any) -> str | list[str]:
        """Return the path of the style sheet or of its compressed copy; nothing for other files."""
        paths = [self.storage.path(path)] if path in FILES else []
        return paths if find_all else (paths[0] if paths else [])

    def list(self, _ignore_patterns: Any) -> Iterator[tuple[str, FileSystemStorage]]:
        """Yield the style sheet and its compressed copy, with their storage."""
        for name in FILES:
            yield name, self.storage

    def _write(self, name: str, content: bytes) -> None:
        """Write a file unless it has this content. Several processes may do this at once."""
        path = Path(self.storage.path(name))
        if path.exists() and path.read_bytes() == content:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
