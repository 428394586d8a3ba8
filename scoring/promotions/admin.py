"""Show rule sets, read-only, in the administration site."""

from django.contrib import admin

from players.admin import ReadOnlyAdmin
from scoring.promotions.models import PromotionRuleSet


@admin.register(PromotionRuleSet)
class PromotionRuleSetAdmin(ReadOnlyAdmin):
    """Rule sets are edited only on the office's page, which keeps their history and shows their rows."""

    list_display = ["name", "valid_from", "valid_to", "average", "confirmed"]
    search_fields = ["name"]
