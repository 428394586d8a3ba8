"""Write `federation/known_passwords/digests.bin` from lists of known passwords.

    python -m tools.passwords LIST.json LIST.txt …

A list is a JSON array of texts, or a text file with one password a line. The file holds digests, not
passwords, in ascending order, so that it can be searched without reading it into objects. Passwords that
Django knows itself are left out. docs/security.md says from which lists the file was made.
"""

import json
import sys
from pathlib import Path

from django.contrib.auth.password_validation import CommonPasswordValidator

from federation.password_rules import KNOWN, digest_of


def passwords_of(path: Path) -> list[str]:
    """Return the passwords of one list."""
    text = path.read_text(encoding="utf-8", errors="replace")
    return json.loads(text) if path.suffix == ".json" else text.splitlines()


def main(paths: list[str]) -> None:
    """Write the digests of the passwords in these files."""
    known = {password.casefold() for path in paths for password in passwords_of(Path(path))}
    digests = sorted(map(digest_of, known - CommonPasswordValidator().passwords - {""}))
    KNOWN.write_bytes(b"".join(digests))
    print(f"{len(digests)} passwords in {KNOWN}")


if __name__ == "__main__":
    main(sys.argv[1:])
