"""Compare the pinned packages with a folder of advisories in the OSV format: `make security`.

    python -m tools.advisories [FOLDER]

The folder is the argument, or `BAZA_ADVISORIES`: a copy of a database such as the Python Packaging Advisory
Database, as YAML or JSON files. Nothing is looked up elsewhere. Without a folder the check says that it did
not run. It fails if a pin is affected, if a file cannot be read, or if a pin cannot be judged, because what
was skipped would otherwise pass for clean.
"""

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).resolve().parent.parent
LOCKS = [ROOT / "requirements.lock", ROOT / "requirements-dev.lock"]
PIN = re.compile(r"^([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?==([^\s;\\]+)", re.MULTILINE)
ECOSYSTEM = "PyPI"


class Unjudged(Exception):
    """An advisory about a pinned package whose range cannot be compared with the pin."""


@dataclass(frozen=True)
class Finding:
    """A pinned package that an advisory names.

    ids: the advisory's id and its aliases, as other databases name it
    """

    package: str
    version: str
    ids: frozenset[str]
    fixed: tuple[str, ...]


def pins(paths: Iterable[Path] = LOCKS) -> dict[str, set[str]]:
    """Return {package: pinned versions} of lock files; several if they differ by platform."""
    result: dict[str, set[str]] = {}
    for path in paths:
        for name, version in PIN.findall(path.read_text(encoding="utf-8")):
            result.setdefault(canonicalize_name(name), set()).add(version)
    return result


def advisories(folder: Path, problems: list[str]) -> Iterator[dict[str, Any]]:
    """Yield every advisory of a folder that was not withdrawn. Add to `problems` what cannot be read."""
    for path in sorted(path for path in folder.rglob("*") if path.suffix in (".json", ".yaml", ".yml")):
        try:
            text = path.read_text(encoding="utf-8")
            document = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
            if not (isinstance(document, dict) and document.get("id") and "affected" in document):
                raise ValueError("no advisory in the OSV format")
        except (OSError, ValueError, yaml.YAMLError) as error:
            problems.append(f"{path}: {str(error).splitlines()[0]}")
            continue
        if not document.get("withdrawn"):
            yield document


def affects(entry: dict[str, Any], version: str) -> bool:
    """Return whether an entry of `affected` covers a version. Raises Unjudged if that cannot be told."""
    if version in entry.get("versions", []):
        return True
    ranges = [span for span in entry.get("ranges", []) if span.get("type") == "ECOSYSTEM"]
    if not ranges and not entry.get("versions"):
        raise Unjudged("it names no versions of the package")
    try:
        pinned = Version(version)
        return pinned in {Version(listed) for listed in entry.get("versions", [])} or any(
            _within(span["events"], pinned) for span in ranges
        )
    except (InvalidVersion, KeyError, TypeError) as error:
        raise Unjudged(str(error)) from error


def _within(events: list[dict[str, str]], version: Version) -> bool:
    """Return whether a version is between an event that introduces the fault and the next that ends it."""
    within = False
    for kind, at in sorted(
        ((kind, Version(text)) for event in events for kind, text in event.items() if kind != "limit"),
        key=lambda item: (item[1], item[0] == "introduced"),
    ):
        if kind == "introduced" and version >= at:
            within = True
        elif (kind == "fixed" and version >= at) or (kind == "last_affected" and version > at):
            within = False
    return within


def _fixed_in(entry: dict[str, Any]) -> tuple[str, ...]:
    events = [event for span in entry.get("ranges", []) for event in span.get("events", [])]
    return tuple(sorted({event["fixed"] for event in events if "fixed" in event}))


def findings(
    documents: Iterable[dict[str, Any]], pinned: dict[str, set[str]], problems: list[str]
) -> list[Finding]:
    """Return what the advisories say about the pins, each fault once. Add to `problems` what is unclear."""
    result: list[Finding] = []
    for document in documents:
        for entry in document["affected"]:
            package = entry.get("package", {})
            name = canonicalize_name(package.get("name", ""))
            if package.get("ecosystem") != ECOSYSTEM or name not in pinned:
                continue
            ids = frozenset([document["id"], *document.get("aliases", [])])
            for version in sorted(pinned[name]):
                try:
                    affected = affects(entry, version)
                except Unjudged as error:
                    problems.append(f"{document['id']}: {name} {version} was skipped: {error}")
                    continue
                known = any(item.package == name and item.ids & ids for item in result)
                if affected and not known:
                    result.append(Finding(name, version, ids, _fixed_in(entry)))
    return result


def main(arguments: list[str]) -> int:
    """Print the result. Return 0 if nothing was found or the check did not run, else 1."""
    name = arguments[0] if arguments else os.environ.get("BAZA_ADVISORIES", "")
    if not name:
        print("advisories: not run: BAZA_ADVISORIES names no folder of advisories")
        return 0
    pinned, problems = pins(), []
    documents = list(advisories(Path(name), problems))
    if not any(
        entry.get("package", {}).get("ecosystem") == ECOSYSTEM
        for document in documents
        for entry in document["affected"]
    ):
        problems.append(f"{name}: no advisory about a package of {ECOSYSTEM}")
    known = findings(documents, pinned, problems)
    for item in known:
        fixed = f"fixed in {', '.join(item.fixed)}" if item.fixed else "not fixed"
        print(f"advisories: {item.package} {item.version}: {', '.join(sorted(item.ids))}, {fixed}")
    for problem in problems:
        print(f"advisories: {problem}")
    if not (known or problems):
        print(f"advisories: {len(documents)} advisories name none of {len(pinned)} packages as pinned")
    return 1 if known or problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
