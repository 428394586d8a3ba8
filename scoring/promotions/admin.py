"""The administration site's read-only view of rule sets."""

from django.contrib import admin

from players.admin import ReadOnlyAdmin
from scoring.promotions.models import PromotionRuleSet


@admin.register(PromotionRuleSet)
class PromotionRuleSetAdmin(ReadOnlyAdmin):
    """Rule sets, read-only. They are edited on the office's page, which also stores their history."""

    list_display = ["name", "valid_from", "valid_to", "average", "confirmed"]
    search_fields = ["name"]
