"""Create or update the virtual environment, and compile translations: `python3 tools/prepare.py [--dev]`.

This script needs nothing but the machine's own Python. If everything is up to date, it ends in a tenth of a
second. Its syntax is old, so that an old Python can run it and report that it is too old.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys

OLDEST = (3, 11)
HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(HERE, ".venv")
PYTHON = os.path.join(VENV, "bin", "python")
# What to install: every package with its version and the hashes of its files. `make lock` writes them.
LOCKS = {"run": "requirements.lock", "dev": "requirements-dev.lock"}
# The tools of `make security`, which have an environment of their own (tools/security.py).
TOOLS_LOCK = "requirements-security.lock"


def main():
    if sys.version_info < OLDEST:
        version = ".".join(str(part) for part in sys.version_info[:2])
        sys.exit(
            "Python 3.11 or newer is needed, and this is " + version + ". "
            "Name another one: make run PYTHON=python3.12"
        )
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0].split(":")[0] + ".")
    parser.add_argument("--dev", action="store_true", help="also install what tests and benchmarks need")
    dev = parser.parse_args().dev
    environment()
    install(LOCKS["dev" if dev else "run"], stamps(dev))
    compile_messages()
    name_missing_programs()


def digest():
    """Return a digest of the pinned versions and of this Python, which identifies the environment."""
    result = hashlib.sha256(sys.version.encode())
    for kind in sorted(LOCKS):
        with open(os.path.join(HERE, LOCKS[kind]), "rb") as file:
            result.update(file.read())
    return result.hexdigest()[:16]


def stamps(dev):
    """Return the paths of the marker files, any of which shows that all packages are installed.

    The packages for tests include those for running the application: for the latter, either marker is enough.

    dev: whether the packages for tests are needed
    """
    names = ["dev-" + digest()] if dev else ["run-" + digest(), "dev-" + digest()]
    return [os.path.join(VENV, "installed-" + name) for name in names]


def environment():
    """Create the virtual environment; replace it if it belongs to another version of Python."""
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
    result = subprocess.run([sys.executable, "-m", "venv", VENV], capture_output=True, text=True)
    if result.returncode:
        shutil.rmtree(VENV, ignore_errors=True)
        sys.exit(
            result.stdout + result.stderr + "\nThe virtual environment could not be made. "
            "On Debian and Ubuntu: apt install python3-venv"
        )


def install(lock, stamp_files):
    """Install the packages of a lock file and create the first marker file, unless a marker file exists.

    pip refuses a package whose hash is not in the lock file.
    """
    if any(os.path.exists(stamp) for stamp in stamp_files):
        return
    print("Installing the packages of " + lock + " ...", flush=True)
    command = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--prefer-binary"]
    result = subprocess.run([*command, "--require-hashes", "-r", lock], cwd=HERE)
    if result.returncode:
        sys.exit("The packages could not be installed; pip says why above.")
    for name in os.listdir(VENV):
        if name.startswith("installed-"):
            os.remove(os.path.join(VENV, name))  # it marks other versions
    with open(stamp_files[0], "w"):
        pass


def compile_messages():
    """Compile every .po whose .mo is missing or older, with Babel, so that GNU gettext is not needed."""
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
        command = [PYTHON, "-m", "babel.messages.frontend", "compile", "-i", source, "-o", target]
        result = subprocess.run(command, cwd=HERE, capture_output=True, text=True)
        if result.returncode:
            sys.exit(result.stderr + "\nThe translations of " + source + " could not be compiled.")


def name_missing_programs():
    """Name the command that installs the programs for Bridgemate databases, if this machine lacks them."""
    if not (shutil.which("mdb-export") and shutil.which("mdb-tables")):
        print("Bridgemate files (.bws) cannot be read before: apt-get install mdbtools", flush=True)


if __name__ == "__main__":
    main()
