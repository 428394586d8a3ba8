"""The administration site, in which superusers look at the rows. The office's own pages change them."""

import re

from allauth.account.admin import EmailAddress  # importing an admin module registers its models
from allauth.account.decorators import secure_admin_login
from allauth.mfa.admin import Authenticator
from allauth.usersessions.admin import UserSession
from django.conf import settings
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.admin import Group  # importing the admin module registers accounts and groups
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from players.access import roles_of
from players.models import (
    AccountEvent,
    Category,
    CategoryAssignment,
    Club,
    Licence,
    NamePair,
    Player,
    Region,
    Role,
)
from players.models.names import matching

User = get_user_model()

admin.site.site_header = admin.site.site_title = settings.FEDERATION_NAME
admin.site.index_title = _("Administration")
# Sign in through the ordinary page, which limits attempts.
admin.site.login = secure_admin_login(admin.site.login)
# The site is open to superusers who have the office's role too. The office works on its own pages.
_for_staff = admin.site.has_permission
admin.site.has_permission = lambda request: (
    _for_staff(request) and request.user.is_superuser and roles_of(request.user).office
)
# Addresses are never confirmed in this application, so allauth's list of them would mislead.
admin.site.unregister(EmailAddress)
# Secrets of second factors must not be shown, and only their owner manages sessions.
admin.site.unregister(Authenticator)
admin.site.unregister(UserSession)


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


@admin.register(Region)
class RegionAdmin(ReadOnlyAdmin):
    list_display = ["code", "name"]
    search_fields = ["code", "name"]


@admin.register(Club)
class ClubAdmin(ReadOnlyAdmin):
    list_display = ["code", "name", "city", "region", "active"]
    list_filter = ["active", "region"]
    list_select_related = ["region"]
    search_fields = ["code__iexact", "name", "city"]


class LicenceInline(ReadOnlyInline):
    model = Licence


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
class PlayerAdmin(ReadOnlyAdmin):
    list_display = ["number", "surname", "given_name", "club", "hidden"]
    list_display_links = ["number", "surname"]
    list_filter = ["hidden", "club__region"]
    list_select_related = ["club"]
    search_fields = ["number", "search_text"]  # shows the search box; get_search_results does the search
    inlines = [LicenceInline, AssignmentInline]

    def get_search_results(self, request, queryset, search_term: str):
        """Search players, hidden ones too, by the start of the number or by all words of the name.

        Case and accents are ignored.
        """
        number = re.sub(r"[\s.]", "", search_term)
        if number.isdigit():
            return queryset.filter(number__startswith=number.lstrip("0")), False
        return queryset.filter(matching(search_term, NamePair)), False


@admin.register(Licence)
class LicenceAdmin(ReadOnlyAdmin):
    list_display = ["player", "valid_from", "valid_to", "issuer", "equivalent"]
    list_filter = ["equivalent", "valid_to"]
    list_select_related = ["player"]
    search_fields = ["player__number__exact", "player__search_text"]


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
admin.site.unregister(Group)  # no group gives anything: roles do


@admin.register(User)
class AccountAdmin(ReadOnlyAdmin):
    """The administration pages of accounts, which only show them.

    Everything is changed on the office's account page, which keeps a journal.
    """

    list_display = ["username", "email", "first_name", "last_name", "is_active", "is_superuser"]
    list_filter = ["is_active", "is_superuser", "roles__kind"]
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
    inlines = [RoleInline]
