"""gunicorn in production: `gunicorn -c federation/gunicorn_conf.py federation.wsgi` (docs/production.md)."""

import os

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


def post_worker_init(worker) -> None:
    from federation.warmup import warm_up

    warm_up()
