"""Imported lists in the admin site, read-only."""

from django.contrib import admin

from players.admin import ReadOnlyAdmin
from scoring.office.models import OfficeImport


@admin.register(OfficeImport)
class OfficeImportAdmin(ReadOnlyAdmin):
    list_display = ["file_name", "kind", "state", "created_by", "created_at", "applied_at"]
    list_filter = ["kind", "state"]
    list_select_related = ["created_by"]
    search_fields = ["file_name", "sha256__exact"]
    exclude = ["parsed", "compared", "file"]

    def get_queryset(self, request):
        return super().get_queryset(request).defer("parsed", "compared")
