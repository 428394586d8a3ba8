"""The page of what is remembered about a club's files: who the names are, and what the columns mean."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext, ngettext
from django.views.decorators.http import require_http_methods

from players.access import clubs_with_memory, name_for
from players.models import Club
from scoring.uploads.forms.columns import label_of
from scoring.uploads.tables import MemoryTable
from tournaments.federations import federations
from tournaments.models import ColumnLayout, RememberedName
from tournaments.services import memory
from ui.paging import Pages, paged

NUMBER = "number_"  # with the id of a remembered name: the field of its player's number


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def remembered(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what is remembered about a club's files, one page of names at a time. POST changes or forgets it.

    Raises Http404 unless the account is a director or administrator of the club, or of the office.
    """
    club = get_object_or_404(clubs_with_memory(request.user), slug=slug)
    wrong: dict[int, str] = {}
    if request.method == "POST":
        wrong = _change(request, club)
        if not wrong:
            return redirect(request.get_full_path())
    text = request.GET.get("q", "").strip().replace("\x00", "")[:100]
    names = memory.names_of(club, text)
    source = Pages(names.select_related("player__merged_into", "updated_by"), _recorder(request, club, wrong))
    empty = gettext("No name fits.") if text else None
    table = paged(MemoryTable, request, source, empty_text=empty)
    context = {
        "club": club,
        "table": table,
        "text": text,
        "names": len(table.data),
        "layouts": [
            {"layout": layout, "meanings": [label_of(meaning) for meaning in layout.meanings]}
            for layout in club.column_layouts.order_by("-updated_at", "-pk")
        ],
        "breadcrumbs": [
            {"label": gettext("Uploads"), "url": reverse("uploads")},
            {"label": gettext("What is remembered"), "url": ""},
        ],
    }
    return render(request, "uploads/memory.html", context)


def _change(request: HttpRequest, club: Club) -> dict[int, str]:
    """Perform the act of the pressed button. Return {id of a remembered name: text that is no number}."""
    sent = request.POST
    own = RememberedName.objects.filter(club=club)
    if "forget" in sent:
        forgotten, _models = own.filter(pk__in=_ids([sent["forget"]])).delete()
        _say_forgotten(request, forgotten)
    elif "forget_layout" in sent:
        layouts = ColumnLayout.objects.filter(club=club, pk__in=_ids([sent["forget_layout"]]))
        if layouts.delete()[0]:
            messages.success(request, gettext("The meaning of these columns is forgotten."))
    elif "forget_all" in sent:
        if "sure" not in sent:
            text = gettext("Tick that all names are to be forgotten. Nothing is changed yet.")
            messages.error(request, text)
        else:
            _say_forgotten(request, own.delete()[0])
    else:
        return _change_numbers(request, club)
    return {}


def _change_numbers(request: HttpRequest, club: Club) -> dict[int, str]:
    typed = {
        pk: value.strip()[:60]
        for name, value in request.POST.items()
        if name.startswith(NUMBER)
        for pk in _ids([name.removeprefix(NUMBER)])
    }
    changed, wrong = memory.change(club, typed, request.user)
    if changed:
        text = ngettext("%(count)s name was changed.", "%(count)s names were changed.", changed)
        messages.success(request, text % {"count": changed})
    if wrong:
        messages.error(request, gettext("What is marked is not a number of the register and is not saved."))
    return wrong


def _ids(texts: list[str]) -> list[int]:
    return [int(text) for text in texts if text.isascii() and text.isdecimal() and len(text) < 16]


def _say_forgotten(request: HttpRequest, count: int) -> None:
    text = ngettext("%(count)s name is forgotten.", "%(count)s names are forgotten.", count)
    messages.success(request, text % {"count": count})


def _who(request: HttpRequest, club: Club, name: RememberedName) -> str:
    """Return the name of the player as the account may see it, or "guest" with the country."""
    if name.player is None:
        country = federations(get_language() or "").get(name.country, "")
        return ", ".join(filter(None, [gettext("guest"), country]))
    player = name.player.current
    return player.desk_name if player.club_id == club.pk else name_for(request.user, player)


def _recorder(request: HttpRequest, club: Club, wrong: dict[int, str]):
    """Return the function that converts remembered names to records of `MemoryTable`.

    wrong: {id of a remembered name: typed text that could not be stored}
    """

    def record(name: RememberedName) -> dict[str, Any]:
        number = memory.number_of(name)
        return {
            "pk": name.pk,
            "written": name.written,
            "player": _who(request, club, name),
            "number": number,
            "typed": wrong.get(name.pk, number),
            "wrong": name.pk in wrong,
            "at": name.updated_at,
            "by": name.updated_by.get_username(),
        }

    return lambda names: [record(name) for name in names]
