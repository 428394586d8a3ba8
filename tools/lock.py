"""`make lock`: write requirements.lock, requirements-dev.lock and requirements-security.lock.

requirements.txt and requirements-dev.txt declare the packages that we use, requirements-security.txt the
tools of `make security`. The locks add the packages that those need in turn, for every supported Python and
platform, and the hashes of all their files. A version that is in a lock already is kept;
`make lock LOCK=--upgrade` takes the newest versions.
"""

import subprocess
import sys
from pathlib import Path

from tools.prepare import HERE, LOCKS, OLDEST, TOOLS_LOCK

COMPILE = [
    str(Path(sys.executable).with_name("uv")),  # a program, not a module that Python could run
    "pip", "compile", "--quiet", "--universal", "--python-version", ".".join(str(part) for part in OLDEST),
    "--generate-hashes", "--custom-compile-command", "make lock",
]  # fmt: skip


def main() -> None:
    run, dev = LOCKS["run"], LOCKS["dev"]
    for lock, versions in ((run, []), (dev, ["--constraints", run]), (TOOLS_LOCK, [])):
        declared = str(Path(lock).with_suffix(".txt"))
        subprocess.run(
            [*COMPILE, *sys.argv[1:], *versions, declared, "--output-file", lock], cwd=HERE, check=True
        )


if __name__ == "__main__":
    main()
