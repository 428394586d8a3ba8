"""Secrets: from environment variables, from the files that they name, or made on this machine."""

import os
from collections.abc import Callable
from pathlib import Path
from tempfile import mkstemp

from django.core.exceptions import ImproperlyConfigured


def secret(name: str) -> str:
    """Return the secret in the variable `name`, or in the file named by the variable `name` plus `_FILE`.

    Docker and systemd give a service its secrets as files. Unlike variables, files are not passed on to child
    processes and appear in no report. White space around the content is ignored. Without both, return "".
    """
    value, path = os.environ.get(name, ""), os.environ.get(f"{name}_FILE", "")
    if not path:
        return value
    if value:
        raise ImproperlyConfigured(f"Set only one of {name} and {name}_FILE.")
    try:
        content = Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text in UTF-8"
        raise ImproperlyConfigured(f"{name}_FILE names {path}, which cannot be read: {reason}.") from None
    if not content:
        raise ImproperlyConfigured(f"{name}_FILE names {path}, which is empty.")
    return content


def _give_name(partial: str, path: Path) -> None:
    """Give a file its name, unless another process was first."""
    try:
        os.link(partial, path)
    except FileExistsError:
        pass
    except OSError:  # a file system without hard links, such as that of a memory stick
        os.replace(partial, path)


def made_once(path: Path, make: Callable[[], str]) -> str:
    """Return the text of a file that only this user may read. If there is none, make the text.

    The file appears with its whole text, so that no other process reads an empty secret. The process that is
    first decides. Raise ImproperlyConfigured if the file is empty.
    """
    if not path.exists():
        descriptor, partial = mkstemp(dir=path.parent)
        try:
            with os.fdopen(descriptor, "w") as file:
                file.write(make())
            _give_name(partial, path)
        finally:
            Path(partial).unlink(missing_ok=True)
    if text := path.read_text():
        return text
    raise ImproperlyConfigured(f"{path} is empty: delete it, so that another one is made.")
