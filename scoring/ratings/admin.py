"""Go players, tournaments and replays in the administration site. Only the data of players can be edited."""

from django.contrib import admin

from players.admin import ReadOnlyAdmin
from scoring.ratings.models import RatedPlayer, RatingReplay, RatingTournament


@admin.register(RatedPlayer)
class RatedPlayerAdmin(admin.ModelAdmin):
    """The administration pages of Go players, to edit name, country, hiding and link to the register.

    Ratings are read-only, because they are computed from games.
    """

    list_display = ["name", "pin", "country", "rating", "events", "hidden"]
    list_filter = ["hidden"]
    ordering = ["search_text", "pk"]
    search_fields = ["pin__exact", "search_text"]
    fields = ["name", "country", "pin", "hidden", "player", "rating", "grade", "events", "last_played"]
    readonly_fields = ["pin", "rating", "grade", "events", "last_played"]
    autocomplete_fields = ["player"]

    def has_add_permission(self, request) -> bool:
        return False

    def has_delete_permission(self, request, obj=None) -> bool:
        return False


@admin.register(RatingTournament)
class RatingTournamentAdmin(ReadOnlyAdmin):
    list_display = ["name", "end_date", "tournament_class", "source", "created_by"]
    list_filter = ["tournament_class", "source"]
    list_select_related = ["created_by"]
    search_fields = ["name"]


@admin.register(RatingReplay)
class RatingReplayAdmin(ReadOnlyAdmin):
    list_display = ["tournament", "since", "state", "attempts", "changed", "finished_at"]
    list_filter = ["state"]
    list_select_related = ["tournament"]
