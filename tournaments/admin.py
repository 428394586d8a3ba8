"""Read-only admin pages of tournaments and uploads. Results only change through a corrected upload."""

from django.contrib import admin

from players.admin import ReadOnlyAdmin, ReadOnlyInline
from tournaments.models import Contestant, ResultUpload, Revision, Tournament, UploadIssue


class RevisionInline(ReadOnlyInline):
    model = Revision
    fields = ["number", "reason", "created_at", "created_by"]
    readonly_fields = fields
    show_change_link = True

    def get_queryset(self, request):
        return super().get_queryset(request).select_related("created_by", "tournament")


@admin.register(Tournament)
class TournamentAdmin(ReadOnlyAdmin):
    list_display = ["name", "club", "end_date", "event_type", "format", "venue"]
    list_filter = ["format", "venue", "club__region"]
    list_select_related = ["club"]
    search_fields = ["name", "club__name", "club__code__iexact"]
    inlines = [RevisionInline]


class ContestantInline(ReadOnlyInline):
    model = Contestant
    fields = ["position", "field", "place", "label", "team_name", "score", "percentage"]
    readonly_fields = fields


@admin.register(Revision)
class RevisionAdmin(ReadOnlyAdmin):
    list_display = ["tournament", "number", "reason", "created_at", "created_by"]
    list_select_related = ["tournament", "created_by"]
    search_fields = ["tournament__name"]
    inlines = [ContestantInline]


class UploadIssueInline(ReadOnlyInline):
    model = UploadIssue
    fields = ["severity", "code", "line", "field", "value"]
    readonly_fields = fields


@admin.register(ResultUpload)
class ResultUploadAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "club", "state", "created_by", "created_at"]
    list_filter = ["state", "file_format", "club__region"]
    list_select_related = ["club", "created_by"]
    search_fields = ["file_name", "club__name", "club__code__iexact", "created_by__username", "sha256__exact"]
    fields = [
        "file_name",
        "file_format",
        "size",
        "sha256",
        "club",
        "state",
        "created_by",
        "created_at",
        "ticks",
        "corrects",
        "correction_reason",
        "revision",
        "confirmed_at",
    ]
    inlines = [UploadIssueInline]

    def get_queryset(self, request):
        return super().get_queryset(request).defer("parsed", "details")
