"""The signed-in account's player, for the pages below /mi/."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control

from players.models import Player
from scoring.ledger.conditional import StandingsVersion, standings_state
from scoring.pages.queries import profile
from ui.addresses import crumbs


class OwnRequest(HttpRequest):
    """The request that the decorator `own_page` passes to a view.

    standings: the current version of the standings
    player: the account's player, from the query `profile.players`
    """

    standings: StandingsVersion
    player: Player


def own_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view of the account's own player.

    An account without a player gets a page that tells how to link one. The player of a merged number is the
    surviving player. No cache may keep the page.
    """

    @wraps(view)
    @login_required
    @cache_control(private=True, no_store=True)
    def wrapper(request: OwnRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        request.standings = standings_state()
        player = _player_of(request)
        if player is None:
            context = {"breadcrumbs": crumbs((_("My page"), None))}
            return render(request, "mypage/no_player.html", context)
        request.player = player
        return view(request, *args, **kwargs)

    return wrapper


def _player_of(request: OwnRequest) -> Player | None:
    """Return the account's player, None if it has none; of a merged number, the surviving player."""
    players = profile.players(request.standings).select_related("club__region", "rated")
    linked = players.filter(user=request.user.pk).first()
    if linked and linked.merged_into_id:
        return players.get(pk=linked.merged_into_id)
    if linked:
        request.user.player = linked  # other parts of the page need not read it again
    return linked
