"""What ties the applications together: settings, URLs, middleware, the Celery worker, the `up` command."""

import gc

# What is loaded at the start stays, and searching it for garbage takes a fifth of the time until a program is
# ready. `FederationConfig.ready` enables collections again.
gc.disable()

from .celery import app as celery_app  # noqa: E402  (imports most of the libraries)

__all__ = ["celery_app"]
