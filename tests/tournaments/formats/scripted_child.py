"""A module for `forks.ForkServer` whose children run the Python program that is their request.

The request of a reader is a line of JSON: then the program is the name of the file.
"""

import json

from tournaments.formats import child


def prepare() -> None:
    child.prepare()


def main() -> int:
    with open(0, closefd=False) as stdin:
        program = stdin.read()
    if program.startswith("{"):
        program = json.loads(program.partition("\n")[0])["file_name"]
    exec(program, {})  # noqa: S102 - the tests write the programs
    return 0
