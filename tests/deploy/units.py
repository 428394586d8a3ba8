"""A small supervisor, which runs the services of `deploy/systemd/` as systemd would.

It knows what these units use: EnvironmentFile, Environment, LoadCredential, sockets, Restart, KillMode=mixed
and TimeoutStopSec. It takes no rights away: `systemd-analyze` checks the settings that do.
"""

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests import servers
from tests.folders import ROOT

UNITS = ROOT / "deploy" / "systemd"
EXAMPLE = ROOT / "deploy" / "baza.env.example"
# Become a program with the socket as its file 3. LISTEN_PID tells it that the socket is for it.
WITH_SOCKET = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ["LISTEN_PID"] = str(os.getpid())
os.execv(sys.argv[2], sys.argv[2:])
"""
PROGRAMS = re.compile(r"\S*\.venv/bin/")
OF_ALL = UNITS / "baza-.service.d" / "common.conf"


def settings_of(path: Path) -> list[tuple[str, str]]:
    """Return the settings of a unit in the order of the file."""
    lines = [line for line in path.read_text().splitlines() if "=" in line and not line.startswith("#")]
    return [(name, value) for name, _equals, value in (line.partition("=") for line in lines)]


def assignments(text: str) -> dict[str, str]:
    """Return the variables of an environment file."""
    words = shlex.split(text, comments=True)
    return dict(word.split("=", 1) for word in words)


@dataclass
class Host:
    """A host with the folders of docs/production.md, all below one folder of the test.

    code: the folder that stands for /srv/baza/current and /srv/baza/next
    sockets: unit -> socket that stays open
    services: unit -> service that runs
    """

    folder: Path
    code: Path = ROOT
    sockets: dict[str, socket.socket] = field(default_factory=dict)
    services: dict[str, "Service"] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("etc", "var", "static", "backups"):
            (self.folder / name).mkdir()

    def here(self, text: str) -> str:
        """Replace the folders of a real host by those of this one."""
        for folder in ("/srv/baza/current", "/srv/baza/next"):
            text = text.replace(folder, str(self.code))
        text = PROGRAMS.sub(f"{Path(sys.executable).parent}/", text)
        return text.replace("/srv/baza/", f"{self.folder}/").replace("/etc/baza/", f"{self.folder}/etc/")

    def configure(self, secrets: dict[str, str], **changed: str) -> None:
        """Write the files of /etc/baza/: the secrets, and the example of baza.env with changed values."""
        for name, value in secrets.items():
            (self.folder / "etc" / name).write_text(f"{value}\n")
        values = assignments(self.here(EXAMPLE.read_text())) | changed
        lines = [f"{name}={shlex.quote(value)}\n" for name, value in values.items()]
        (self.folder / "etc" / "baza.env").write_text("".join(lines))

    def variables(self) -> dict[str, str]:
        """Return the variables of /etc/baza/baza.env."""
        return assignments((self.folder / "etc" / "baza.env").read_text())

    def listen(self, unit: str) -> int:
        """Open the socket of a unit on a free port, which is returned."""
        backlog = int(dict(settings_of(UNITS / unit))["Backlog"])
        opened = socket.create_server(("127.0.0.1", 0), backlog=backlog)
        self.sockets[unit.replace(".socket", ".service")] = opened
        return opened.getsockname()[1]

    def start(self, unit: str) -> "Service":
        """Start a service, such as baza-worker@1.service."""
        self.services[unit] = Service(self, unit)
        self.services[unit].start()
        return self.services[unit]

    def restart(self, unit: str) -> None:
        """Do what `systemctl restart` does."""
        self.services[unit].stop()
        self.services[unit].start()

    def stop(self) -> None:
        for service in self.services.values():
            service.stop(signal.SIGKILL)
        for opened in self.sockets.values():
            opened.close()


class Service:
    """A service of `deploy/systemd/`. A oneshot has ended when `start` returns."""

    def __init__(self, host: Host, unit: str) -> None:
        name, _at, instance = unit.removesuffix(".service").partition("@")
        self.host, self.unit, self.instance = host, unit, instance
        path = UNITS / (f"{name}@.service" if instance else f"{name}.service")
        self.settings = settings_of(OF_ALL) + settings_of(path)
        self.log = host.folder / f"{name}{instance}.log"
        self.process: subprocess.Popen | None = None
        self.stopping = False

    def value(self, name: str, default: str = "") -> str:
        return ([default] + [value for key, value in self.settings if key == name])[-1]

    def commands(self) -> list[list[str]]:
        """Return the words of each ExecStart."""
        lines = [value for key, value in self.settings if key == "ExecStart"]
        return [[self._expand(word) for word in shlex.split(line)] for line in lines]

    def _expand(self, word: str) -> str:
        word = word.replace("%%", "\0").replace("%i", self.instance).replace("\0", "%")
        return self.host.here(word.replace("${CREDENTIALS_DIRECTORY}", str(self.host.folder / "etc")))

    def environment(self) -> dict[str, str]:
        values = servers.clean_environment()
        for key, value in self.settings:
            if key == "EnvironmentFile":
                values |= assignments(Path(self.host.here(value)).read_text())
            elif key == "Environment":
                values |= assignments(value)
            elif key == "LoadCredential":
                assert Path(self.host.here(value.partition(":")[2])).is_file()
        return values

    def start(self) -> None:
        self.stopping = False
        if self.value("Type") == "oneshot":
            self._run_to_the_end()
            return
        self._spawn()
        threading.Thread(target=self._keep_up, args=[self.process], daemon=True).start()

    def _run_to_the_end(self) -> None:
        """Run all commands; after a failure from the beginning again, as Restart=on-failure says."""
        deadline = time.monotonic() + servers.PATIENCE
        while True:
            again = self.value("Restart") == "on-failure" and time.monotonic() < deadline
            codes = []
            for command in self.commands():
                process = self._popen(command)
                codes.append(process.wait())
                if codes[-1]:
                    break
            if not any(codes):
                return
            if not again:
                raise AssertionError(f"{self.unit}: {self.log.read_text()[-3000:]}")
            time.sleep(float(self.value("RestartSec", "0.1")))

    def _spawn(self) -> None:
        (command,) = self.commands()
        self.process = self._popen(command)

    def _popen(self, command: list[str]) -> subprocess.Popen:
        environment, opened = self.environment(), self.host.sockets.get(self.unit)
        arguments: dict = {}
        if opened:
            command = [sys.executable, "-ISc", WITH_SOCKET, str(opened.fileno()), *command]
            environment["LISTEN_FDS"] = "1"
            arguments["pass_fds"] = [opened.fileno()]
        with open(self.log, "ab") as log:
            return subprocess.Popen(
                command,
                cwd=self.host.here(self.value("WorkingDirectory")),
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                **arguments,
            )

    def _keep_up(self, process: subprocess.Popen) -> None:
        """Start the service again whenever it ends by itself, as Restart=always says."""
        while True:
            process.wait()
            if self.stopping or self.process is not process:
                return
            time.sleep(float(self.value("RestartSec", "0.1")))
            self._spawn()
            process = self.process

    def stop(self, number: int = signal.SIGTERM) -> None:
        """Stop the main process first, and after it or TimeoutStopSec all others (KillMode=mixed)."""
        assert self.value("Type") == "oneshot" or self.value("KillMode") == "mixed"
        self.stopping = True
        if self.process is None:
            return
        servers.stop(self.process, number, float(self.value("TimeoutStopSec", "90")))
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
