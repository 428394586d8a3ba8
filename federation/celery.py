"""The Celery application. Its messages are only hints: the work to do is stored in the database."""

import os

from celery import Celery, signals

from .sweeping import Sweeping

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")

app = Celery("baza")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["scoring.ledger"])
app.steps["worker"].add(Sweeping)


WORKER_SOCKET_TIMEOUT = 3  # seconds


@signals.celeryd_init.connect
def wait_longer_for_redis(conf, **_kwargs) -> None:
    """Let workers wait longer for Redis than web processes, where somebody waits for the page."""
    if not str(conf.broker_url).startswith("memory:"):
        options = {**conf.broker_transport_options, "socket_timeout": WORKER_SOCKET_TIMEOUT}
        conf.broker_transport_options = options


@signals.celeryd_init.connect
def refuse_private_queue(conf, **_kwargs) -> None:
    """Stop the command `celery worker` if its queue is in memory, where no other process can put a message.

    A receiver of the signal `celeryd_init`, which the embedded worker of `manage.py up` does not send. That
    worker may use a queue in memory, because it runs in the web process.
    """
    if str(conf.broker_url).startswith("memory:"):
        raise SystemExit(
            "This worker would wait for ever: without REDIS_URL the queue lives inside the web process. "
            "Set REDIS_URL for the pages and the worker alike, or run `python manage.py up`, "
            "which has a worker of its own."
        )
