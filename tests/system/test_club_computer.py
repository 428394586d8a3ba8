"""The script of a club's computer against a real server, which is killed and started again."""

import json
import os
import signal
import socket
import sys
from pathlib import Path

from tests import servers
from tests.system.conftest import PATIENCE, Installation, kill_group
from tests.system.faults import wait_with_log

SCRIPT = "scoring/api/baza_upload.py"
UPLOADS = "SELECT state, file_format, file_name FROM tournaments_resultupload ORDER BY created_at"


class Server:
    """The web server of an installation on a fixed port, without worker."""

    def __init__(self, site: Installation, **environment: str) -> None:
        self.site, self.port = site, servers.free_port()
        self.environment = {"PORT": str(self.port), "WEB_CONCURRENCY": "1", **environment}

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        command = ["gunicorn", "-c", "federation/gunicorn_conf.py", "federation.wsgi"]
        self.process = self.site.start(*command, log="server", **self.environment)
        servers.wait_until(self._answers, "gunicorn to answer", PATIENCE)

    def _answers(self) -> bool:
        assert self.process.poll() is None, self.site.log_text("server")
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        kill_group(self.process)


def watch(site: Installation, server: Server, club: dict, folder: Path):
    """Start the script for a folder, with the token in its environment. Return its process."""
    address = f"http://127.0.0.1:{server.port}"
    options = ["--club", club["club"], "--watch", str(folder), "--quiet", "0.2", "--every", "0.1"]
    command = [sys.executable, SCRIPT, "--server", address, "--delay", "0.2", "--all", "--language", "en"]
    return site.start(*command, *options, BAZA_TOKEN=club["token"])


def expect_output(site: Installation, text: str, times: int = 1) -> None:
    """Wait until the script has printed a text a number of times."""
    wait_with_log(site, lambda: site.log_text().count(text) >= times, f"the script to say {text!r}")


def test_every_file_arrives_once_although_the_server_is_killed_in_between(site: Installation, tmp_path):
    club = site.act("club_token", 3)
    server, folder = Server(site), tmp_path / "results"
    folder.mkdir()
    script = watch(site, server, club, folder)
    (folder / "one.csv").write_text(club["files"][0])
    expect_output(site, "No connection")
    server.start()
    expect_output(site, "one.csv: sent")
    (folder / "two.csv").write_text(club["files"][1])
    # Kill the server once the file is stored, while it is read or before the script has its answer.
    wait_with_log(site, lambda: len(site.query(UPLOADS)) == 2, "the second file to be stored")
    server.kill()
    (folder / "three.csv").write_text(club["files"][2])
    (folder / "copy of one.csv").write_text(club["files"][0])
    expect_output(site, "No connection", 2)
    server.start()
    expect_output(site, "three.csv: sent")
    expect_output(site, "two.csv: sent")
    assert club["token"] not in Path(f"/proc/{script.pid}/cmdline").read_text()
    os.killpg(script.pid, signal.SIGKILL)
    script.wait()
    (folder / ".baza_sent.json").unlink()
    watch(site, server, club, folder)
    expect_output(site, "one.csv: sent", 2)
    expect_output(site, "two.csv: sent", 2)
    assert site.query(UPLOADS) == [("review", "csv", f"{name}.csv") for name in ("one", "two", "three")]
    assert site.query("SELECT count(*) FROM tournaments_storedfile") == [(3,)]


def test_a_body_that_comes_too_slowly_or_not_whole_is_refused(site: Installation):
    club = site.act("club_token", 1)
    server = Server(site, BAZA_API_BODY_SECONDS="1")
    server.start()
    head = (
        f"POST /api/v1/clubs/{club['club']}/uploads HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Language: en\r\n"
        f"Authorization: Bearer {club['token']}\r\nContent-Type: multipart/form-data; boundary=x\r\n"
        "Content-Length: 1000\r\n\r\n"
    )
    part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nhalf'
    codes = []
    for ended in (False, True):
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
            connection.sendall((head + part).encode())
            if ended:
                connection.shutdown(socket.SHUT_WR)
            answer = b""
            while b'"errors": []}' not in answer:
                received = connection.recv(65536)
                assert received, answer
                answer += received
            codes.append(json.loads(answer.partition(b"\r\n\r\n")[2])["code"])
    assert codes == ["body_too_slow", "body_incomplete"]
    assert site.query(UPLOADS) == []
