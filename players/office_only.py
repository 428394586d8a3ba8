"""Access control of the office's pages."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse

from players.access import require, roles_of

SAFE = {"GET", "HEAD", "OPTIONS"}


def for_office(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view of the office: admit the office, and auditors to read only.

    Anonymous readers are sent to sign in; all others get PermissionDenied.
    """

    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, *args, **kwargs) -> HttpResponse:
        roles = roles_of(request.user)
        require(roles.office or (roles.auditor and request.method in SAFE))
        return view(request, *args, **kwargs)

    return guarded
