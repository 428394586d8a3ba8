"""Caching proxies for tests and benchmarks: Varnish and nginx, with the configuration of the folder deploy/.

Each is a context manager that runs the proxy on a free port of 127.0.0.1, in front of an application there.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.folders import ROOT
from tests.servers import ServerMissing, answers, free_port, stop, wait_until

DEPLOY = ROOT / "deploy"
PATIENCE = 180  # seconds until a proxy must respond: Varnish compiles its rules first


@dataclass
class Proxy:
    """A running proxy.

    purge_url: where it takes messages about changed pages; "" if it takes none
    """

    port: int
    folder: Path
    process: subprocess.Popen
    purge_url: str = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def counters(self, *names: str) -> list[int]:
        """Return counters of Varnish, such as "cache_hit"."""
        command = [_program("varnishstat", "varnish"), "-1", "-n", str(self.folder / "work")]
        command += [part for name in names for part in ("-f", f"MAIN.{name}")]
        rows = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        values = {row.split()[0].removeprefix("MAIN."): int(row.split()[1]) for row in rows if row.strip()}
        return [values[name] for name in names]


def _program(name: str, package: str) -> str:
    path = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")
    if path is None:
        raise ServerMissing(f"{name}: install the package `{package}`")
    return path


@contextmanager
def _running(command: list[str], folder: Path, proxy_port: int, purge_port: int = 0) -> Iterator[Proxy]:
    with open(folder / "log", "ab") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
    try:
        what = f"{command[0]} to answer"
        wait_until(lambda: answers(proxy_port) or process.poll() is not None, what, PATIENCE)
        if process.poll() is not None:
            raise RuntimeError((folder / "log").read_text()[-2000:])
        yield Proxy(proxy_port, folder, process, f"http://127.0.0.1:{purge_port}" if purge_port else "")
    finally:
        stop(process)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def varnish(application: int) -> Iterator[Proxy]:
    """Run Varnish in front of the application on a port. It can be told of changed pages."""
    folder = Path(tempfile.mkdtemp(prefix="baza-varnish-"))
    rules = (DEPLOY / "varnish.vcl").read_text().replace('.port = "8000"', f'.port = "{application}"')
    (folder / "rules.vcl").write_text(rules)
    port, purge_port = free_port(), free_port()
    command = [_program("varnishd", "varnish"), "-F", "-n", str(folder / "work"), "-T", "none", "-j", "none"]
    command += ["-f", str(folder / "rules.vcl"), "-s", "malloc,64m"]
    command += ["-a", f"public=127.0.0.1:{port}", "-a", f"purge=127.0.0.1:{purge_port}"]
    with _running(command, folder, port, purge_port) as proxy:
        yield proxy


@contextmanager
def nginx(application: int) -> Iterator[Proxy]:
    """Run nginx with its cache in front of the application on a port. It cannot be told of changed pages.

    The header X-Cache of a response tells where it came from: HIT, STALE, MISS, EXPIRED, REVALIDATED, …
    """
    folder = Path(tempfile.mkdtemp(prefix="baza-nginx-"))
    port = free_port()
    http = (DEPLOY / "nginx-cache-http.conf").read_text().replace("/var/cache/nginx/baza", f"{folder}/cache")
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"""{user} daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error;
        events {{ worker_connections 512; }}
        http {{
            access_log off;
            {_temporary(folder)}
            {http}
            server {{
                listen 127.0.0.1:{port};
                location / {{
                    proxy_pass http://127.0.0.1:{application};
                    proxy_set_header Host $http_host;
                    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                    proxy_set_header X-Forwarded-Proto http;
                    {(DEPLOY / "nginx-cache.conf").read_text()}
                    add_header X-Cache $upstream_cache_status always;
                }}
            }}
        }}"""
    )
    command = [
        _program("nginx", "nginx"),
        "-e",
        f"{folder}/error",
        "-c",
        f"{folder}/nginx.conf",
        "-p",
        str(folder),
    ]
    with _running(command, folder, port) as proxy:
        yield proxy


def _temporary(folder: Path) -> str:
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    return " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
