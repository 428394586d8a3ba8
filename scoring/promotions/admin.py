"""Rule sets in the administration site, to look at."""

from django.contrib import admin

from players.admin import ReadOnlyAdmin
from scoring.promotions.models import PromotionRuleSet


@admin.register(PromotionRuleSet)
class PromotionRuleSetAdmin(ReadOnlyAdmin):
    """Sets change on the office's own page alone, which keeps their history; their rows stand there too."""

    list_display = ["name", "valid_from", "valid_to", "average", "confirmed"]
    search_fields = ["name"]
