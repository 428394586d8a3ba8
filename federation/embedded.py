"""The web server and the Celery worker in one process tree: what `manage.py up` runs.

gunicorn's parent process watches one child; the child answers requests in threads and runs a real Celery
worker in one more thread, because the queue of the default installation (`memory://`) lives in one process.
"""

import logging
import signal
import socket
import threading
import time
import warnings

from celery.worker import WorkController
from celery.worker import state as worker_state
from django.core.wsgi import get_wsgi_application
from gunicorn.app.base import BaseApplication

from federation.celery import app as celery_app
from federation.warmup import warm_up

logger = logging.getLogger(__name__)

THREADS = 8
GRACE = 5  # seconds that running requests and the running task get when the server is stopped


class EmbeddedWorker:
    """A Celery worker in a thread of this process, without signal handlers and without a pool."""

    def __init__(self) -> None:
        # A plain flag: `stop` may be interrupted by a second signal, and an Event's lock would then block it.
        self.stopping = False
        self.thread = threading.Thread(target=self._run, name="celery", daemon=True)

    def start(self) -> None:
        self.thread.start()

    def stop(self) -> None:
        """Let the task that runs finish, within the time of grace; an idle worker just ends with the process.

        Its loop looks at `should_stop` only every few seconds, longer than somebody who pressed Ctrl-C waits.
        """
        self.stopping = True
        worker_state.should_stop = 0
        give_up = time.monotonic() + GRACE
        while worker_state.active_requests and time.monotonic() < give_up:
            time.sleep(0.05)

    def _run(self) -> None:
        celery_app.finalize()
        while True:
            worker = WorkController(
                app=celery_app,
                pool="solo",
                concurrency=1,
                hostname=f"embedded@{socket.gethostname()}",
                without_heartbeat=True,
                without_mingle=True,
                without_gossip=True,
            )
            worker.start()
            if self.stopping:
                return
            logger.error("the embedded worker ended by itself; another one starts")
            time.sleep(1)


class EmbeddedServer(BaseApplication):
    """gunicorn with one worker process, which also holds the Celery worker."""

    def __init__(self, host: str, port: int, on_ready) -> None:
        self.host, self.port, self.on_ready = host, port, on_ready
        self.worker: EmbeddedWorker | None = None
        super().__init__()

    def load_config(self) -> None:
        host = f"[{self.host}]" if ":" in self.host else self.host
        options = {
            "bind": f"{host}:{self.port}",
            "worker_class": "gthread",
            "workers": 1,
            "threads": THREADS,
            "timeout": 120,
            "graceful_timeout": 3 * GRACE,  # the worker's grace, and time to end on a busy machine
            "loglevel": "warning",
            "control_socket_disable": True,  # it would write into the home directory
            "post_worker_init": self._begin,
            "worker_exit": self._end,
        }
        for name, value in options.items():
            self.cfg.set(name, value)

    def load(self):
        # Nobody collects static files for a run on one machine: they are served from where they are.
        warnings.filterwarnings("ignore", "No directory at", UserWarning)
        return get_wsgi_application()

    def _begin(self, _web_worker) -> None:
        # Ctrl-C reaches the whole group, and the parent then tells the child to quit: two signals, one inside
        # the other, which gunicorn's locks do not survive. The parent's is enough.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self.worker = EmbeddedWorker()
        self.worker.start()
        warm_up()
        self.on_ready()

    def _end(self, _server, _web_worker) -> None:
        if self.worker:
            self.worker.stop()
