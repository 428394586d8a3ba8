"""gunicorn in production: `gunicorn -c federation/gunicorn_conf.py federation.wsgi` (docs/production.md)."""

import json
import logging
import os
import shutil
import tempfile
from pathlib import Path

from gunicorn.http import wsgi

wsgi.SERVER = "baza"  # the header Server of every response, which would name the program

bind = f"{os.environ.get('HOST', '127.0.0.1')}:{os.environ.get('PORT', '8000')}"
worker_class = "gthread"
workers = int(os.environ.get("WEB_CONCURRENCY", os.cpu_count() or 1))
threads = int(os.environ.get("WEB_THREADS", "4"))
timeout = 30
graceful_timeout = 20
keepalive = 5
control_socket_disable = True  # the socket would be created in the home directory
# Proxies whose X-Forwarded-Proto gunicorn trusts; Django takes the scheme from gunicorn.
forwarded_allow_ips = os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1")
# By default, gunicorn takes the site's path from the header SCRIPT_NAME of a trusted proxy. Many proxies pass
# on any header, so a reader could set it. The site is at the root and needs no such header.
forwarder_headers = ""

# Where the processes of this host add up their metrics (docs/monitoring.md); a folder for each start.
_own_metrics = "PROMETHEUS_MULTIPROC_DIR" not in os.environ
if _own_metrics:
    for left in Path(tempfile.gettempdir()).glob("baza-metrics-*-*"):
        gunicorn = Path("/proc", left.name.split("-")[2])
        if gunicorn.parent.exists() and not gunicorn.exists():  # it was killed
            shutil.rmtree(left, ignore_errors=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix=f"baza-metrics-{os.getpid()}-")


class JsonLines(logging.Formatter):
    """Formatter of the parent process, which never loads the application (`federation.watching.logs`)."""

    def format(self, record: logging.LogRecord) -> str:
        time = self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z")
        event = {"time": time, "level": record.levelname.lower(), "logger": record.name}
        return json.dumps(event | {"event": record.getMessage()})


if os.environ.get("BAZA_LOGS", "json") == "json":
    logconfig_dict = {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": JsonLines}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "root": {"handlers": ["console"], "level": "WARNING"},
        "loggers": {"gunicorn.error": {"handlers": ["console"], "level": "INFO", "propagate": False}},
    }


def post_worker_init(worker) -> None:
    from federation.warmup import warm_up

    warm_up()


def on_exit(server) -> None:
    if _own_metrics:
        shutil.rmtree(os.environ["PROMETHEUS_MULTIPROC_DIR"], ignore_errors=True)
