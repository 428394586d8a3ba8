"""Wiring: settings, addresses, middleware, the worker, the `up` command."""

from .celery import app as celery_app

__all__ = ["celery_app"]
