"""The office's administration site: regions, clubs, players and licences."""

import re

from allauth.account.admin import EmailAddress  # importing the admin module registers the model
from allauth.account.decorators import secure_admin_login
from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.admin import Group  # importing the admin module registers accounts and groups
from django.db import models
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from players.access import roles_of
from players.models import (
    AccountEvent,
    Category,
    CategoryAssignment,
    Club,
    Licence,
    Player,
    Region,
    Role,
)
from players.services.changes import send_players_changed
from ui.fields import LineField
from ui.text import fold

User = get_user_model()

admin.site.site_header = admin.site.site_title = settings.FEDERATION_NAME
admin.site.index_title = _("Administration")
# Sign in through the ordinary page, which limits attempts.
admin.site.login = secure_admin_login(admin.site.login)
# Neither "staff" nor "superuser" is enough: the site is open only to the office role.
_for_staff = admin.site.has_permission
admin.site.has_permission = lambda request: _for_staff(request) and roles_of(request.user).office
# Addresses are never confirmed in this application, so allauth's list of them would mislead.
admin.site.unregister(EmailAddress)


class ReadOnly:
    """Mixin for models that can be viewed here but are changed elsewhere, or never."""

    def has_add_permission(self, request: HttpRequest, obj=None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj=None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj=None) -> bool:
        return False


class ReadOnlyAdmin(ReadOnly, admin.ModelAdmin):
    """Base class of the administration pages that only show a model."""

    show_full_result_count = False


class ReadOnlyInline(ReadOnly, admin.TabularInline):
    """Base class of inlines that only show the rows of a related model."""

    extra = 0
    show_change_link = False


class SendsPlayersChanged:
    """Mixin for administration pages that updates standings and caches when an object is saved or deleted."""

    def players_of(self, obj) -> set[int]:
        """Return the ids of the players whose standings depend on `obj`."""
        return set()

    def save_related(self, request, form, formsets, change) -> None:
        super().save_related(request, form, formsets, change)
        send_players_changed(self.players_of(form.instance))

    def delete_model(self, request, obj) -> None:
        player_ids = self.players_of(obj)
        super().delete_model(request, obj)
        send_players_changed(player_ids)

    def delete_queryset(self, request, queryset) -> None:
        player_ids = {player for obj in queryset for player in self.players_of(obj)}
        super().delete_queryset(request, queryset)
        send_players_changed(player_ids)


@admin.register(Region)
class RegionAdmin(SendsPlayersChanged, admin.ModelAdmin):
    formfield_overrides = {models.CharField: {"form_class": LineField}}  # noqa: RUF012
    list_display = ["code", "name"]
    search_fields = ["code", "name"]


@admin.register(Club)
class ClubAdmin(SendsPlayersChanged, admin.ModelAdmin):
    formfield_overrides = {models.CharField: {"form_class": LineField}}  # noqa: RUF012
    list_display = ["code", "name", "city", "region", "active"]
    list_filter = ["active", "region"]
    list_select_related = ["region"]
    search_fields = ["code__iexact", "name", "city"]
    autocomplete_fields = ["region"]


class PlayerForm(forms.ModelForm):
    """The administration form of a player.

    The federation number may be typed with spaces, dots and leading zeros; only the digits are stored.
    """

    class Meta:
        model = Player
        fields = ["number", "given_name", "surname", "club", "hidden", "deceased_on"]
        field_classes = {"given_name": LineField, "surname": LineField}  # noqa: RUF012

    def clean_number(self) -> str:
        """Return the number without spaces, dots and leading zeros."""
        return re.sub(r"[\s.]", "", self.cleaned_data["number"]).lstrip("0")


class LicenceInline(admin.TabularInline):
    model = Licence
    extra = 0


class AssignmentInline(ReadOnlyInline):
    model = CategoryAssignment
    fields = [
        "category",
        "valid_from",
        "origin",
        "reason",
        "evidence",
        "revoked_at",
        "revoked_reason",
        "revoked_evidence",
    ]

    def get_queryset(self, request: HttpRequest):
        return super().get_queryset(request).select_related("category", "player")


@admin.register(Player)
class PlayerAdmin(SendsPlayersChanged, admin.ModelAdmin):
    form = PlayerForm
    list_display = ["number", "surname", "given_name", "club", "hidden"]
    list_display_links = ["number", "surname"]
    list_filter = ["hidden", "club__region"]
    list_select_related = ["club"]
    readonly_fields = ["user", "merged_into"]  # both are changed on the office's pages
    search_fields = ["number", "search_text"]  # shows the search box; get_search_results does the search
    autocomplete_fields = ["club"]
    inlines = [LicenceInline, AssignmentInline]
    show_full_result_count = False

    def get_search_results(self, request, queryset, search_term: str):
        """Search players, hidden ones too, by the start of the number or by all words of the name.

        Case and accents are ignored.
        """
        number = re.sub(r"[\s.]", "", search_term)
        if number.isdigit():
            return queryset.filter(number__startswith=number.lstrip("0")), False
        for word in fold(search_term).split():
            queryset = queryset.filter(search_text__contains=word)
        return queryset, False

    def has_delete_permission(self, request: HttpRequest, obj=None) -> bool:
        return False  # players are never deleted; two numbers of one person are merged

    def players_of(self, obj: Player) -> set[int]:
        return {obj.pk}


@admin.register(Licence)
class LicenceAdmin(SendsPlayersChanged, admin.ModelAdmin):
    list_display = ["player", "valid_from", "valid_to", "issuer", "equivalent"]
    list_filter = ["equivalent", "valid_to"]
    list_select_related = ["player"]
    search_fields = ["player__number__exact", "player__search_text"]
    autocomplete_fields = ["player"]
    show_full_result_count = False

    def get_readonly_fields(self, request: HttpRequest, obj: Licence | None = None) -> list[str]:
        # Moving a licence to another player would leave the first player's standing out of date.
        return ["player"] if obj else []

    def players_of(self, obj: Licence) -> set[int]:
        return {obj.player_id}


@admin.register(Category)
class CategoryAdmin(ReadOnlyAdmin):
    list_display = ["code", "order", "is_title", "valid_from", "valid_to", "successor"]
    list_select_related = ["successor"]
    search_fields = ["code"]


@admin.register(CategoryAssignment)
class CategoryAssignmentAdmin(ReadOnlyAdmin):
    list_display = ["player", "category", "valid_from", "origin", "reason", "evidence", "revoked_at"]
    list_filter = ["origin", "category"]
    list_select_related = ["player", "category"]
    search_fields = ["player__number__exact", "player__search_text"]


class RoleInline(ReadOnlyInline):
    model = Role


@admin.register(Role)
class RoleAdmin(ReadOnlyAdmin):
    """The administration pages of roles, which only show them.

    Roles are granted and revoked on the office's account page, which keeps a journal.
    """

    list_display = ["user", "kind", "club", "region"]
    list_filter = ["kind", "region"]
    list_select_related = ["user", "club", "region"]
    search_fields = ["user__username", "user__email", "club__name", "club__code__iexact"]


@admin.register(AccountEvent)
class AccountEventAdmin(ReadOnlyAdmin):
    list_display = ["at", "account", "kind", "by"]
    list_filter = ["kind"]
    list_select_related = ["account", "by"]
    search_fields = ["account__username"]


admin.site.unregister(User)
admin.site.unregister(Group)  # the only group is managed together with the office role


@admin.register(User)
class AccountAdmin(admin.ModelAdmin):
    """The administration pages of accounts, where only the owner's name can be edited.

    Everything that affects access (roles, player, e-mail address, password, closing) is changed on the
    office's account page.
    """

    list_display = ["username", "email", "first_name", "last_name", "is_active", "is_staff"]
    list_filter = ["is_active", "is_staff", "roles__kind"]
    search_fields = ["username", "first_name", "last_name", "email"]
    ordering = ["username"]
    fields = [
        "username",
        "first_name",
        "last_name",
        "email",
        "is_active",
        "is_staff",
        "is_superuser",
        "last_login",
        "date_joined",
    ]
    readonly_fields = [name for name in fields if name not in ("first_name", "last_name")]
    inlines = [RoleInline]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj=None) -> bool:
        allowed = super().has_change_permission(request, obj)
        return allowed and (obj is None or request.user.is_superuser or not obj.is_superuser)

    def has_delete_permission(self, request: HttpRequest, obj=None) -> bool:
        return False  # accounts are closed instead, so that their past actions keep a name
