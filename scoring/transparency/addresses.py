"""The address of the log, as pages name it."""

from django.http import HttpRequest
from django.urls import reverse


def log_address(request: HttpRequest) -> str:
    """Return the absolute address of the log, below which are its checkpoint and its tiles."""
    return request.build_absolute_uri(reverse("log_checkpoint")).rpartition("/")[0]
