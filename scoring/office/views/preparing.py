"""Redirect after an act of the office that was either performed or proposed to a second person."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from players.models import Proposal
from ui.addresses import WAITING_MESSAGE


def redirect_after(request: HttpRequest, result: Any, page: Any = None, done: Any = "") -> HttpResponse:
    """Redirect after an act, with a message.

    If `result` is a proposal, redirect to it; the message says that it waits for a second person. Otherwise
    the act was performed: redirect to `page` with the message `done`.
    """
    proposed = isinstance(result, Proposal)
    messages.success(request, WAITING_MESSAGE if proposed else done)
    return redirect(result if proposed else page)
