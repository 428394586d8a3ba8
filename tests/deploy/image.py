"""What `deploy/Dockerfile` says."""

import re

from tests.folders import ROOT

DOCKERFILE = ROOT / "deploy" / "Dockerfile"
PROGRAMS = re.compile(r"(?<!\S)\.venv/bin/")


def stages() -> list[list[tuple[str, str]]]:
    """Return the instructions of each stage, as (name, arguments)."""
    result: list[list[tuple[str, str]]] = []
    lines = [line for line in DOCKERFILE.read_text().splitlines() if line and not line.startswith("#")]
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        name, _blank, arguments = line.partition(" ")
        if name == "FROM":
            result.append([])
        if result:
            result[-1].append((name, arguments.strip()))
    return result


def instructions(name: str) -> list[str]:
    """Return the arguments of all instructions of a name."""
    return [arguments for stage in stages() for kind, arguments in stage if kind == name]
