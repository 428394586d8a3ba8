"""The pages of the letters that the demo sent. They exist only where letters are kept as files."""

from collections.abc import Callable
from datetime import UTC, datetime
from email.message import EmailMessage
from functools import wraps

from csp.constants import NONE, SELF, UNSAFE_INLINE
from csp.decorators import csp_replace, csp_update
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from scoring.demo import mailbox

SHOWN = 100  # the latest letters, which the list names
HEADERS = ("List-Unsubscribe", "List-Unsubscribe-Post", "Message-ID")  # shown below a letter
LEAVES_FRAME = "allow-top-navigation-by-user-activation"


def where_kept(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view to answer 404 unless letters are kept as files."""

    @wraps(view)
    def guarded(request: HttpRequest, **kwargs: str) -> HttpResponse:
        if not mailbox.is_in_use():
            raise Http404
        return view(request, **kwargs)

    return never_cache(require_safe(guarded))


@where_kept
def letters(request: HttpRequest) -> HttpResponse:
    """List the latest letters."""
    paths = mailbox.paths()
    rows = [_described(path.stem, mailbox.read_file(path)) for path in paths[:SHOWN]]
    return render(request, "demo/letters.html", {"rows": rows, "count": len(paths)})


@where_kept
@csp_update({"frame-src": [SELF]})
def letter(request: HttpRequest, name: str) -> HttpResponse:
    """Show a letter: its text, and its HTML in a frame."""
    message = _letter(name)
    text, html = message.get_body(["plain"]), message.get_body(["html"])
    context = {
        **_described(name, message),
        "text": text.get_content() if text else "",
        "has_html": html is not None,
        "headers": [(field, message[field]) for field in HEADERS if message[field]],
    }
    return render(request, "demo/letter.html", context)


@where_kept
@xframe_options_sameorigin
@csp_replace(
    {
        "default-src": [NONE],
        "style-src": [UNSAFE_INLINE],
        "sandbox": [LEAVES_FRAME],
        "frame-ancestors": [SELF],
    }
)
def letter_html(request: HttpRequest, name: str) -> HttpResponse:
    """Return the HTML of a letter for the frame, where it loads no scripts. Its links leave the frame."""
    html = _letter(name).get_body(["html"])
    if html is None:
        raise Http404
    return HttpResponse(html.get_content().replace("<head>", '<head><base target="_top">', 1))


def _letter(name: str) -> EmailMessage:
    message = mailbox.read(name)
    if message is None:
        raise Http404
    return message


def _described(name: str, message: EmailMessage) -> dict:
    moment = datetime.strptime(name[:15], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)
    return {
        "name": name,
        "to": message["To"],
        "subject": message["Subject"],
        "at": timezone.localtime(moment),
    }
