"""A program of a club's computer, which sends and confirms results through `/api/v1/` all the time."""

import json
import ssl
import time
import uuid
from dataclasses import dataclass, field
from http.client import HTTPException
from threading import Event, Thread
from urllib.error import HTTPError
from urllib.request import HTTPSHandler, ProxyHandler, Request, build_opener

from tests.system.conftest import PATIENCE, Installation
from tests.system.web import multipart


@dataclass
class Sender:
    """The program, with its token and its files.

    base: the address of the site
    patient: whether it tries again after an error, as the real program does
    confirmed: the ids of the uploads whose confirmation was answered with 200
    errors: the answers other than success, and the connections that failed
    """

    base: str
    club: str
    token: str
    files: list[dict]
    patient: bool = False
    confirmed: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    ended: Event = field(default_factory=Event)

    @classmethod
    def of(cls, site: Installation, base: str, count: int, patient: bool = False) -> "Sender":
        """Return a program with files of `count` tournaments, for which the installation has the players."""
        made = site.act("confirming_token", count)
        return cls(base, made["club"], made["token"], made["files"], patient)

    def start(self) -> Thread:
        """Send and confirm the files in a thread, one after the other, until `ended` is set."""
        thread = Thread(target=self._send_all)
        thread.start()
        return thread

    def _send_all(self) -> None:
        for file in self.files:
            if self.ended.is_set():
                return
            key = uuid.uuid4().hex  # the same for each attempt
            sent = self._insist(f"/api/v1/clubs/{self.club}/uploads", file, key)
            if sent and self._insist(f"/api/v1/clubs/{self.club}/uploads/{sent['id']}/confirm", None, key):
                self.confirmed.append(sent["id"])

    def _insist(self, path: str, file: dict | None, key: str) -> dict | None:
        """Make a request, and if the program is patient again until it succeeds. Return the answer."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and not self.ended.is_set():
            if answer := self._ask(path, file, key):
                return answer
            if not self.patient:
                return None
            time.sleep(0.3)
        return None

    def _ask(self, path: str, file: dict | None, key: str) -> dict | None:
        boundary = uuid.uuid4().hex
        fields = [] if file is None else list(file["fields"].items())
        files = {} if file is None else {"file": (f"{key}.csv", file["text"].encode())}
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Content-Type": f"multipart/form-data; boundary={boundary}",
            "Idempotency-Key": key,
            "Accept-Language": "en",
        }
        body = multipart(boundary, fields, files) if file else b""
        opener = build_opener(ProxyHandler({}), HTTPSHandler(context=ssl._create_unverified_context()))  # noqa: S323
        try:
            with opener.open(Request(self.base + path, body, headers), timeout=PATIENCE) as response:
                return json.load(response)
        except HTTPError as error:
            self.errors.append(f"{path}: {error.code} {error.read().decode(errors='replace')[:500]}")
        except (OSError, HTTPException) as error:
            self.errors.append(f"{path}: {error!r}")
        return None
