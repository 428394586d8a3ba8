"""Points in the administration site: all of it to look at, but for names of the Go register."""

from django.contrib import admin

from players.admin import ReadOnlyAdmin
from scoring.ledger.models import LedgerEntry, ScoringFactor, ScoringRun, Standing
from scoring.office.models import OfficeImport
from scoring.promotions.models import PromotionRuleSet
from scoring.ratings.models import RatedPlayer, RatingReplay, RatingTournament

BY_PLAYER = ["player__number__exact"]


@admin.register(LedgerEntry)
class LedgerEntryAdmin(ReadOnlyAdmin):
    list_display = ["player", "kind", "points", "played_on", "tournament", "title", "posted_at"]
    list_filter = ["kind", "online"]
    list_select_related = ["player", "tournament"]
    ordering = ["-pk"]
    search_fields = BY_PLAYER


@admin.register(ScoringRun)
class ScoringRunAdmin(ReadOnlyAdmin):
    list_display = ["tournament", "number", "regulation", "state", "eligible", "attempts", "finished_at"]
    list_filter = ["state", "eligible", "regulation"]
    list_select_related = ["tournament"]
    search_fields = ["tournament__name", "input_digest__exact"]


@admin.register(Standing)
class StandingAdmin(ReadOnlyAdmin):
    list_display = [
        "player",
        "category",
        "points",
        "points_in_person",
        "points_online",
        "tournaments",
        "licensed",
    ]
    list_filter = ["category", "licensed"]
    list_select_related = ["player", "category"]
    search_fields = BY_PLAYER


@admin.register(ScoringFactor)
class ScoringFactorAdmin(ReadOnlyAdmin):
    """Every value ever entered, which is its history: a later row replaces an earlier one, none changes."""

    list_display = ["regulation", "name", "case", "value", "valid_from", "source", "set_by", "set_at"]
    list_filter = ["regulation", "name"]
    list_select_related = ["set_by"]
    search_fields = ["source"]


@admin.register(OfficeImport)
class OfficeImportAdmin(ReadOnlyAdmin):
    list_display = ["file_name", "kind", "state", "created_by", "created_at", "applied_at"]
    list_filter = ["kind", "state"]
    list_select_related = ["created_by"]
    search_fields = ["file_name", "sha256__exact"]
    exclude = ["rows", "issues"]

    def get_queryset(self, request):
        return super().get_queryset(request).defer("rows", "issues")


@admin.register(PromotionRuleSet)
class PromotionRuleSetAdmin(ReadOnlyAdmin):
    """Sets change on the office's own page alone, which keeps their history; their rows stand there too."""

    list_display = ["name", "valid_from", "valid_to", "average", "confirmed"]
    search_fields = ["name"]


@admin.register(RatedPlayer)
class RatedPlayerAdmin(admin.ModelAdmin):
    """Names, who asked to be hidden, and who it is in the register; ratings come from games alone."""

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
