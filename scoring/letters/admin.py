"""The administration site's read-only view of letters: which were sent, and which not, with the reason."""

from django.contrib import admin

from players.admin import ReadOnlyAdmin
from scoring.letters.models import Letter


@admin.register(Letter)
class LetterAdmin(ReadOnlyAdmin):
    list_display = ["account", "kind", "state", "error", "created_at", "finished_at"]
    list_filter = ["kind", "state"]
    list_select_related = ["account"]
    search_fields = ["account__username__exact"]
