"""Make the virtual environment what the requirements say, and compile translations.

Runs with the machine's own Python and nothing installed: `python3 tools/prepare.py [--dev]`.
When all is as it should be it does nothing, in a tenth of a second.
Written so that an old Python can say that it is old.
"""

import hashlib
import os
import shutil
import subprocess
import sys

OLDEST = (3, 11)
HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(HERE, ".venv")
PYTHON = os.path.join(VENV, "bin", "python")


def main():
    if sys.version_info < OLDEST:
        found = ".".join(str(part) for part in sys.version_info[:2])
        sys.exit(
            "Python 3.11 or newer is needed, and this is " + found + ". "
            "Name another one: make run PYTHON=python3.12"
        )
    dev = "--dev" in sys.argv[1:]
    environment()
    install("requirements-dev.txt" if dev else "requirements.txt", stamps(dev))
    compile_messages()


def digest():
    """Of every pinned version and of this Python: another digest, another environment."""
    total = hashlib.sha256(sys.version.encode())
    for name in ("requirements.txt", "requirements-dev.txt", "constraints.txt"):
        with open(os.path.join(HERE, name), "rb") as file:
            total.update(file.read())
    return total.hexdigest()[:16]


def stamps(dev):
    """Files that say what was installed; what serves the tests serves a run as well."""
    names = ["dev-" + digest()] if dev else ["run-" + digest(), "dev-" + digest()]
    return [os.path.join(VENV, "installed-" + name) for name in names]


def environment():
    """Make the virtual environment, or make it again when it is another Python's."""
    config = os.path.join(VENV, "pyvenv.cfg")
    if os.path.exists(config):
        with open(config) as file:
            same = any(
                line.startswith("version") and line.split("=")[1].strip().startswith(sys.version.split()[0])
                for line in file
            )
        if same and os.path.exists(PYTHON):
            return
        shutil.rmtree(VENV)
    print("Making the virtual environment .venv ...", flush=True)
    made = subprocess.run([sys.executable, "-m", "venv", VENV], capture_output=True, text=True)
    if made.returncode:
        shutil.rmtree(VENV, ignore_errors=True)
        sys.exit(
            made.stdout + made.stderr + "\nThe virtual environment could not be made. "
            "On Debian and Ubuntu: apt install python3-venv"
        )


def install(requirements, done):
    """Install the pinned packages, unless a stamp says that they are there."""
    if any(os.path.exists(stamp) for stamp in done):
        return
    print("Installing the packages of " + requirements + " ...", flush=True)
    command = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--prefer-binary"]
    result = subprocess.run([*command, "-r", requirements, "-c", "constraints.txt"], cwd=HERE)
    if result.returncode:
        sys.exit("The packages could not be installed; pip says why above.")
    for name in os.listdir(VENV):
        if name.startswith("installed-"):
            os.remove(os.path.join(VENV, name))  # a stamp of other versions is no longer true
    with open(done[0], "w"):
        pass


def compile_messages():
    """Compile each .po whose .mo is missing or older, with Babel: no gettext is needed."""
    locale = os.path.join(HERE, "locale")
    stale = []
    for folder, _folders, files in os.walk(locale):
        for name in files:
            source = os.path.join(folder, name)
            target = source[:-3] + ".mo"
            if name.endswith(".po") and (
                not os.path.exists(target) or os.path.getmtime(target) < os.path.getmtime(source)
            ):
                stale.append((source, target))
    for source, target in stale:
        made = subprocess.run(
            [PYTHON, "-m", "babel.messages.frontend", "compile", "-i", source, "-o", target],
            cwd=HERE, capture_output=True, text=True,
        )  # fmt: skip
        if made.returncode:
            sys.exit(made.stderr + "\nThe translations of " + source + " could not be compiled.")


if __name__ == "__main__":
    main()
