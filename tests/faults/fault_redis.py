"""Redis frozen, stopped or full: signing in, password resets and their limits still work."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tests.factories import PASSWORD
from tests.faults.conftest import UPLOADS, forgotten, serve, sign_in
from tests.servers import Redis
from tests.system.conftest import Installation
from tests.system.web import Reader


@contextmanager
def frozen(redis: Redis) -> Iterator[None]:
    os.kill(redis.process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(redis.process.pid, signal.SIGCONT)


@contextmanager
def stopped(redis: Redis) -> Iterator[None]:
    redis.stop()
    try:
        yield
    finally:
        redis.start()


@contextmanager
def full(redis: Redis) -> Iterator[None]:
    redis.client().config_set("maxmemory-policy", "noeviction")
    redis.client().config_set("maxmemory", 1)
    try:
        yield
    finally:
        redis.client().config_set("maxmemory", 0)


@pytest.mark.parametrize("fault", [frozen, stopped, full])
def test_accounts_and_uploads_work_without_redis(site: Installation, fault: Callable):
    site.act("account")
    reader = serve(site)
    with fault(site.redis):
        wrong = sign_in(reader, "not-the-password")
        assert (wrong.status, "/cuenta/entrar/" in wrong.url) == (200, True)
        letter = forgotten(reader)
        assert (letter.status, letter.url.endswith("/enviada/")) == (200, True)
        right = sign_in(reader, PASSWORD)
        assert (right.status, "/cuenta/entrar/" in right.url) == (200, False)
        health = reader.get("/salud/")
        assert (health.status, '"degraded"' in health.text) == (200, True)
        for _attempt in range(6):
            refused = sign_in(Reader(reader.base), "not-the-password")
        assert "intentos" in refused.text
        site.act("confirm", UPLOADS)
        assert site.states() == {"pending"}
    site.worker()
    site.wait_scored()
    assert site.act("audit") == []
