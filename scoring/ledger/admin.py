"""Read-only admin of runs, entries, standings and factors."""

from django.contrib import admin

from players.admin import ReadOnlyAdmin
from scoring.ledger.models import LedgerEntry, ScoringFactor, ScoringRun, Standing

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
    """All values of factors that the office entered. Rows never change; later rows replace earlier ones."""

    list_display = ["regulation", "name", "case", "value", "valid_from", "source", "set_by", "set_at"]
    list_filter = ["regulation", "name"]
    list_select_related = ["set_by"]
    search_fields = ["source"]
