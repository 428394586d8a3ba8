"""Run the security tools of others: `make security`. docs/security.md has what they found.

* bandit on the source, without the rules that ruff already applies line by line
* detect-secrets on all files of the repository
* pinned packages against a folder of advisories (`tools/advisories.py`), if `BAZA_ADVISORIES` names one
* schemathesis on the interface for programs, more examples than in `make test`
* wapiti on a demo of its own at 127.0.0.1, for a few minutes

They are installed into an environment of their own, `.venv-security`, because wapiti pins packages that the
site has in other versions.
"""

import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from tests.servers import clean_environment, free_port, stop, wait_until
from tests.system.web import Reader
from tools.prepare import TOOLS_LOCK

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / ".venv-security"
PINS = ROOT / TOOLS_LOCK
SOURCE = ["federation", "players", "scoring", "tournaments", "ui", "manage.py"]
# Rules of bandit that ruff has too, with a reason at each line that is allowed: S104, S301, S308, S608, S611.
# The two about marked texts fail on a call of `mark_safe` without arguments.
IN_RUFF = "B104,B301,B308,B608,B611,B703"
# Kinds of weakness that wapiti looks for. It opens no other host: those for which a server elsewhere has to
# be called back (ssrf, xxe) are left out.
MODULES = (
    "sql,xss,permanentxss,file,redirect,csrf,upload,crlf,exec,http_headers,cookieflags,csp,backup,methods"
)
WITHOUT_TLS = {"Secure Flag cookie"}  # production's cookies have it: tests/federation/test_settings.py
CRAWL_SECONDS, MODULE_SECONDS, SCAN_SECONDS = 180, 45, 900
FILES_A_FOLDER = 12  # pages of players, tournaments and clubs are each of one kind
# Words that say "secret" to detect-secrets in files that have none: hashes of packages, texts, data of tests.
NO_SECRETS = r"\.lock$|\.po$|VERSIONS\.md$|^tests/|^docs/|digests\.bin$|known_passwords/"


def program(name: str) -> str:
    """Return the path of a tool, after installing all of them if the pins changed."""
    stamp = HOME / "pins"
    if not stamp.exists() or stamp.read_text() != PINS.read_text():
        venv.create(HOME, with_pip=True, clear=True)
        install = [HOME / "bin/pip", "install", "--quiet", "--require-hashes", "-r", PINS]
        subprocess.run(install, check=True)
        stamp.write_text(PINS.read_text())
    return str(HOME / "bin" / name)


def bandit() -> bool:
    """Return whether bandit finds nothing of medium or high severity."""
    command = [program("bandit"), "--quiet", "--recursive", "-ll", "--skip", IN_RUFF, *SOURCE]
    return subprocess.run(command, cwd=ROOT).returncode == 0


def secrets() -> bool:
    """Return whether detect-secrets finds nothing in the files of the repository."""
    # The detector of words such as "password" finds labels of forms, and nothing else in this source.
    command = [
        program("detect-secrets"), "scan", "--disable-plugin", "KeywordDetector",
        "--exclude-files", NO_SECRETS, "--exclude-lines", "ALPHABET = ",
    ]  # fmt: skip
    report = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)
    for path, secrets in sorted(report["results"].items()):
        for item in secrets:
            print(f"{path}:{item['line_number']}: {item['type']}")
    return not report["results"]


def known_advisories() -> bool:
    """Return whether no advisory names a pin, or the check did not run, which it says."""
    return subprocess.run([sys.executable, "-m", "tools.advisories"], cwd=ROOT).returncode == 0


def interface() -> bool:
    """Return whether schemathesis finds no fault of the interface for programs."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "tests/scoring/api/test_fuzz.py",
    ]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, "BAZA_EXPLORE": "5"}).returncode == 0


def pages() -> bool:
    """Return whether wapiti finds nothing on the pages of a demo, signed out."""
    port = free_port()
    site = f"http://127.0.0.1:{port}/"
    with tempfile.TemporaryDirectory() as folder:
        environment = clean_environment(BAZA_VAR=folder, WEB_CONCURRENCY="1")
        server = subprocess.Popen(
            [sys.executable, "manage.py", "up", "--port", str(port)],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.DEVNULL,
        )
        try:
            wait_until(lambda: _answers(port), "the demo to answer", 600)
            report = Path(folder, "report.json")
            command = [
                program("wapiti"), "-u", site, "--scope", "folder", "-m", MODULES, "--endpoint", site,
                "--max-scan-time", str(CRAWL_SECONDS), "--max-attack-time", str(MODULE_SECONDS),
                "--max-files-per-dir", str(FILES_A_FOLDER), "--max-links-per-page", "100", "--flush-session",
                # The server closes connections that are kept open for long, which wapiti takes for failures.
                "--header", "Connection: close", "--dns-endpoint", "localhost",
                "--no-bugreport", "--verbose", "0", "-f", "json", "-o", str(report),
            ]  # fmt: skip
            subprocess.run(command, check=True, timeout=SCAN_SECONDS, env={**os.environ, "HOME": folder})
            return _reported(json.loads(report.read_text()))
        finally:
            stop(server)


def _answers(port: int) -> bool:
    try:
        return Reader(f"http://127.0.0.1:{port}/").get("/salud/").status == 200
    except OSError:
        return False


def _reported(report: dict) -> bool:
    """Print what wapiti found. Return whether that is nothing but what every demo without TLS has."""
    findings = [
        (kind, item)
        for part in ("vulnerabilities", "anomalies")
        for kind, items in report[part].items()
        for item in items
    ]
    for kind, item in findings:
        print(f"wapiti: {kind}: {item['method']} {item['path']}: {item['info']}")
    print(f"wapiti: {report['infos'].get('crawled_pages_nbr', '?')} pages")
    return {kind for kind, _item in findings} <= WITHOUT_TLS


STEPS = {step.__name__: step for step in (bandit, secrets, known_advisories, interface, pages)}


def main(names: list[str]) -> int:
    """Run all of them, or those named, and return 1 if one found something."""
    failed = []
    for step in (STEPS[name] for name in names or STEPS):
        print(f"== {step.__name__}", flush=True)
        if not step():
            failed.append(step.__name__)
    print(f"found something: {', '.join(failed)}" if failed else "nothing was found by what ran")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
