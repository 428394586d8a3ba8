"""Secrets from environment variables or from the files that they name."""

import os
from pathlib import Path

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
