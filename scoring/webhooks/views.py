"""Pages of webhooks, at the desk of a club and in the office.

`slug` is that of a club, and None on the office's pages.
"""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from scoring.webhooks import queries, services
from scoring.webhooks.acts import ACTS
from scoring.webhooks.forms import WebhookForm
from scoring.webhooks.models import Webhook
from scoring.webhooks.owners import Owner, owner_to_change, owner_to_read
from scoring.webhooks.tables import DeliveriesTable, WebhooksTable
from ui.form_errors import errors_on


@login_required
@require_safe
def webhooks(request: HttpRequest, slug: str | None = None) -> HttpResponse:
    """List the webhooks of a club, or of the office."""
    owner = owner_to_read(request, slug)
    rows = list(queries.listed(owner))
    frame = owner.context(request)
    records = [queries.webhook_record(owner, row, frame["may_write"]) for row in rows]
    context = {
        "table_html": WebhooksTable(records).as_html(request),
        "enabled": sum(not row.stop for row in rows),
        "stopped": sum(bool(row.stop) for row in rows),
        "full": len(rows) >= owner.most,
        "new_url": owner.url("webhook_new"),
        **frame,
    }
    return render(request, "webhooks/webhooks.html", context)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhook_new(request: HttpRequest, slug: str | None = None) -> HttpResponse:
    """Add a webhook. The response to the POST alone shows its secret."""
    owner = owner_to_change(request, slug)
    form = WebhookForm(request.POST or None, owner=owner)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        try:
            with errors_on(form):
                webhook, secret = services.add(owner.club, values["url"], values["events"], request.user)
                return _page(request, owner, webhook, secret)
        except services.AlreadyThere as there:
            # After a double click the browser drops the first answer, which had the secret.
            text = _("This webhook is there already. If you have not seen its secret, make a new one here.")
            messages.warning(request, text)
            return redirect(owner.url("webhook", there.webhook.pk))
    context = {"form": form, **owner.context(request, (_("New webhook"), None))}
    return render(request, "webhooks/new.html", context, status=422 if form.is_bound else 200)


@login_required
@require_safe
def webhook(request: HttpRequest, pk: int, slug: str | None = None) -> HttpResponse:
    """Show a webhook with its last deliveries."""
    owner = owner_to_read(request, slug)
    return _page(request, owner, owner.webhook(pk))


def _page(request: HttpRequest, owner: Owner, webhook: Webhook, secret: str = "") -> HttpResponse:
    """Show a webhook, and the secret that was just made."""
    frame = owner.context(request, (webhook.server, None))
    context = {
        "webhook": webhook,
        "address": queries.address_of(webhook, frame["may_write"]),
        "secret": secret,
        "state": queries.state_of(webhook),
        "summary": queries.summary_of(webhook),
        "event_labels": queries.event_labels(webhook),
        "table_html": DeliveriesTable(queries.last_deliveries(webhook)).as_html(request),
        "acts": _acts(owner, webhook),
        **frame,
    }
    return render(request, "webhooks/webhook.html", context)


def _acts(owner: Owner, webhook: Webhook) -> list[dict[str, Any]]:
    """Return the acts that the page of a webhook offers."""
    names = ["activar"] if webhook.stop else ["probar", "desactivar"]
    if not webhook.stop and services.undelivered(webhook).exists():
        names.insert(1, "reenviar")
    return [
        {"label": ACTS[name].label, "url": owner.url("webhook_act", webhook.pk, name)}
        for name in (*names, "secreto", "borrar")
    ]


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhook_act(request: HttpRequest, pk: int, act: str, slug: str | None = None) -> HttpResponse:
    """Ask whether to do something with a webhook, and do it on POST."""
    owner = owner_to_change(request, slug)
    webhook = owner.webhook(pk)
    if act not in ACTS:
        raise Http404
    if request.method == "POST":
        return _perform(request, owner, webhook, act)
    chosen = ACTS[act]
    back = owner.url("webhook", webhook.pk)
    context = {
        "question": chosen.question % {"server": webhook.server},
        "about": webhook.url,
        "what_happens": chosen.what_happens,
        "act": chosen.label,
        "harmless": chosen.harmless,
        "back": back,
        **owner.context(request, (webhook.server, back), (str(chosen.label), None)),
    }
    return render(request, "clubs/question.html", context)


def _perform(request: HttpRequest, owner: Owner, webhook: Webhook, act: str) -> HttpResponse:
    """Perform an act and show what it led to: the new secret, or the page that is next."""
    pk = webhook.pk
    try:
        made = ACTS[act].perform(webhook, request.user)
    except Webhook.DoesNotExist:
        messages.warning(request, _("This webhook is not there any more: it has just been deleted."))
        return redirect(owner.url("webhooks"))
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect(owner.url("webhook", pk))
    messages.success(request, str(ACTS[act].done))
    if act == "secreto":
        return _page(request, owner, webhook, str(made))
    return redirect(owner.url("webhooks") if act == "borrar" else owner.url("webhook", pk))
