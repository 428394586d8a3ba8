"""The web server and the Celery worker in one process tree, for `manage.py up`.

gunicorn's parent process supervises one child. The child answers requests in threads, and runs a real Celery
worker in another thread. Both have to be in one process, because the queue of the default installation
(`memory://`) is in the memory of that process.
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
from federation.celery import wait_longer_for_redis
from federation.warmup import warm_up

logger = logging.getLogger(__name__)

THREADS = 8
GRACE = 5  # seconds for requests and the current task to finish when the server is stopped


class EmbeddedWorker:
    """A Celery worker in a thread of this process, without signal handlers or pool."""

    def __init__(self) -> None:
        # Not an Event: a second signal may interrupt `stop`, and would then block on the Event's lock.
        self.stopping = False
        self.thread = threading.Thread(target=self._run, name="celery", daemon=True)

    def start(self) -> None:
        self.thread.start()

    def stop(self) -> None:
        """Stop taking tasks, and wait up to GRACE seconds for the current task to finish.

        The thread itself is not waited for: its loop reads `should_stop` only every few seconds, too slow for
        Ctrl-C. An idle worker ends with the process.
        """
        self.stopping = True
        worker_state.should_stop = 0
        deadline = time.monotonic() + GRACE
        while worker_state.active_requests and time.monotonic() < deadline:
            time.sleep(0.05)

    def _run(self) -> None:
        celery_app.finalize()
        wait_longer_for_redis(celery_app.conf)
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
            logger.error("the embedded worker ended by itself; restarting it")
            time.sleep(1)


class EmbeddedServer(BaseApplication):
    """gunicorn with one worker process, which also runs the Celery worker.

    on_ready: called in that process once it is ready to answer requests
    """

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
            "graceful_timeout": 3 * GRACE,  # GRACE for the Celery worker, the rest for a busy machine
            "loglevel": "warning",
            "control_socket_disable": True,  # the socket would be created in the home directory
            "post_worker_init": self._begin,
            "worker_exit": self._end,
        }
        for name, value in options.items():
            self.cfg.set(name, value)

    def load(self):
        # On one machine static files are served without `collectstatic`.
        warnings.filterwarnings("ignore", "No directory at", UserWarning)
        return get_wsgi_application()

    def _begin(self, _web_worker) -> None:
        # Ctrl-C signals the whole process group, and the parent then signals the child to quit. gunicorn's
        # locks do not survive nested signals, so ignore the first.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self.worker = EmbeddedWorker()
        self.worker.start()
        warm_up()
        self.on_ready()

    def _end(self, _server, _web_worker) -> None:
        if self.worker:
            self.worker.stop()
