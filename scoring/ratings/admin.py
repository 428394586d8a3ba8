"""Go players, tournaments and replays in the administration site, read-only."""

from django.contrib import admin

from players.admin import ReadOnlyAdmin
from scoring.ledger.systems import offers_go
from scoring.ratings.models import RatedPlayer, RatingReplay, RatingTournament


class WhereGoIsRated:
    """Mixin that hides a model's pages where the installation does not rate games of Go."""

    def has_view_permission(self, request, obj=None) -> bool:
        return offers_go() and super().has_view_permission(request, obj)


@admin.register(RatedPlayer)
class RatedPlayerAdmin(WhereGoIsRated, ReadOnlyAdmin):
    list_display = ["name", "pin", "country", "rating", "events", "hidden"]
    list_filter = ["hidden"]
    ordering = ["search_text", "pk"]
    search_fields = ["pin__exact", "search_text"]
    fields = ["name", "country", "pin", "hidden", "player", "rating", "grade", "events", "last_played"]


@admin.register(RatingTournament)
class RatingTournamentAdmin(WhereGoIsRated, ReadOnlyAdmin):
    list_display = ["name", "end_date", "tournament_class", "source", "created_by"]
    list_filter = ["tournament_class", "source"]
    list_select_related = ["created_by"]
    search_fields = ["name"]


@admin.register(RatingReplay)
class RatingReplayAdmin(WhereGoIsRated, ReadOnlyAdmin):
    list_display = ["tournament", "since", "state", "attempts", "changed", "finished_at"]
    list_filter = ["state"]
    list_select_related = ["tournament"]
