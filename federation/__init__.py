"""What ties the applications together: settings, URLs, middleware, the Celery worker, the `up` command."""

from .celery import app as celery_app

__all__ = ["celery_app"]
