"""The pages of notices: the list, which of them come by e-mail, and the link in letters that stops them."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.letters.composing import texts_of
from scoring.letters.forms import ChoicesForm
from scoring.letters.models import Reader
from scoring.letters.queries import notices_of, unseen_count
from scoring.letters.services import see
from scoring.letters.unsubscribing import is_stopped, read_token, resume, stop
from ui.parameters import PAGE

ROWS = 25
SHOWN, UNSEEN = "ver", "nuevos"


@login_required
@require_safe
def notices(request: HttpRequest) -> HttpResponse:
    """Show the account's notices, latest first: all, or those not seen yet."""
    unseen = request.GET.get(SHOWN) == UNSEEN
    page = Paginator(notices_of(request.user, unseen=unseen), ROWS).get_page(request.GET.get(PAGE))
    texts = texts_of(request.user, page.object_list)
    latest = notices_of(request.user).values_list("pk", flat=True).first()
    context = {
        "page": page,
        "page_field": PAGE,
        "rows": [(notice, texts.get(notice.pk)) for notice in page.object_list],
        "unseen": unseen_count(request.user),
        "only_unseen": unseen,
        "latest": latest,
    }
    return render(request, "letters/notices.html", context)


@login_required
@require_POST
def seen(request: HttpRequest) -> HttpResponse:
    """Mark the account's notices as seen, up to the latest that the page showed."""
    until = request.POST.get("until", "")
    if until.isascii() and until.isdecimal() and len(until) < 19:
        see(request.user, int(until))
    return redirect("notices")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def choices(request: HttpRequest) -> HttpResponse:
    """Show and change which notices come by e-mail, and the language of the letters."""
    form = ChoicesForm(request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("notice_settings")
    reader = Reader.objects.filter(account=request.user).first()
    refused = bool(reader and reader.refused and reader.refused == request.user.email)
    context = {"form": form, "refused": refused, "mail": settings.MAIL}
    return render(request, "letters/settings.html", context)


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Stop the e-mails that a letter's link names, or send them again. Needs no session.

    GET changes nothing, because mail servers open links to scan them. Mail programs send POST with the body
    `List-Unsubscribe=One-Click` (RFC 8058), as does the page's button; any other POST, such as that of a
    scanner that tries forms, changes nothing. There is no token for CSRF: whoever
    has the link may use it.
    """
    subscription = read_token(token)
    if subscription is None:
        raise Http404
    if request.method == "POST":
        if "resume" in request.POST:
            resume(subscription)
        elif request.POST.get("List-Unsubscribe") == "One-Click":
            stop(subscription)
    context = {
        "stopped": is_stopped(subscription),
        "resumed": "resume" in request.POST,
        "labels": subscription.labels,
    }
    return render(request, "letters/unsubscribe.html", context)
