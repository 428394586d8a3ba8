"""Points in the administration site: the ledger, runs and standings to look at; rules of promotion to set."""

from django.contrib import admin

from players.admin import KeepsStandings, ReadOnlyAdmin
from scoring.models import LedgerEntry, OfficeImport, PromotionRule, PromotionRuleSet, ScoringRun, Standing

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


@admin.register(OfficeImport)
class OfficeImportAdmin(ReadOnlyAdmin):
    list_display = ["file_name", "kind", "state", "created_by", "created_at", "applied_at"]
    list_filter = ["kind", "state"]
    list_select_related = ["created_by"]
    search_fields = ["file_name", "sha256__exact"]
    exclude = ["rows", "issues"]

    def get_queryset(self, request):
        return super().get_queryset(request).defer("rows", "issues")


class PromotionRuleInline(admin.TabularInline):
    model = PromotionRule
    extra = 0


@admin.register(PromotionRuleSet)
class PromotionRuleSetAdmin(KeepsStandings, admin.ModelAdmin):
    list_display = ["name", "valid_from", "valid_to", "veto", "confirmed"]
    search_fields = ["name"]
    inlines = [PromotionRuleInline]
