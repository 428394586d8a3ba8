"""The administration site of the office: regions, clubs, players and licences."""

import re

from allauth.account.admin import EmailAddress  # from there: importing it is what registers the model
from allauth.account.decorators import secure_admin_login
from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.admin import Group  # from there: importing it is what registers accounts
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
from players.services.changes import tell
from ui.text import fold

User = get_user_model()

admin.site.site_header = admin.site.site_title = settings.FEDERATION_NAME
admin.site.index_title = _("Administration")
# One way in: the sign-in page, with its limits on attempts.
admin.site.login = secure_admin_login(admin.site.login)
# The tick "staff" alone opens nothing, and being a superuser neither: it is the office's site.
_for_staff = admin.site.has_permission
admin.site.has_permission = lambda request: _for_staff(request) and roles_of(request.user).office
# No page confirms addresses, so the list of them would only raise questions.
admin.site.unregister(EmailAddress)


class ReadOnly:
    """Mixin for what may be looked at here, but changes elsewhere or never."""

    def has_add_permission(self, request: HttpRequest, obj=None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj=None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj=None) -> bool:
        return False


class ReadOnlyAdmin(ReadOnly, admin.ModelAdmin):
    """Lists and details without a way to change them."""

    show_full_result_count = False


class ReadOnlyInline(ReadOnly, admin.TabularInline):
    """Rows of another model, to look at."""

    extra = 0
    show_change_link = False


class KeepsStandings:
    """Mixin: standings and cached pages follow what is saved or deleted here.

    `players_of` says whose standings an object touches.
    """

    def players_of(self, obj) -> set[int]:
        return set()

    def save_related(self, request, form, formsets, change) -> None:
        super().save_related(request, form, formsets, change)
        tell(self.players_of(form.instance))

    def delete_model(self, request, obj) -> None:
        touched = self.players_of(obj)
        super().delete_model(request, obj)
        tell(touched)

    def delete_queryset(self, request, queryset) -> None:
        touched = {player for obj in queryset for player in self.players_of(obj)}
        super().delete_queryset(request, queryset)
        tell(touched)


@admin.register(Region)
class RegionAdmin(KeepsStandings, admin.ModelAdmin):
    list_display = ["code", "name"]
    search_fields = ["code", "name"]


@admin.register(Club)
class ClubAdmin(KeepsStandings, admin.ModelAdmin):
    list_display = ["code", "name", "city", "region", "active"]
    list_filter = ["active", "region"]
    list_select_related = ["region"]
    search_fields = ["code__iexact", "name", "city"]
    autocomplete_fields = ["region"]


class PlayerForm(forms.ModelForm):
    """Numbers are typed with zeros and points, and stored without."""

    class Meta:
        model = Player
        fields = ["number", "given_name", "surname", "club", "hidden", "deceased_on"]

    def clean_number(self) -> str:
        """The number as it is compared everywhere."""
        return re.sub(r"[\s.]", "", self.cleaned_data["number"]).lstrip("0")


class LicenceInline(admin.TabularInline):
    model = Licence
    extra = 0


class AssignmentInline(ReadOnlyInline):
    model = CategoryAssignment
    fields = [
        "category", "valid_from", "origin", "reason", "evidence",
        "revoked_at", "revoked_reason", "revoked_evidence",
    ]  # fmt: skip

    def get_queryset(self, request: HttpRequest):
        return super().get_queryset(request).select_related("category", "player")


@admin.register(Player)
class PlayerAdmin(KeepsStandings, admin.ModelAdmin):
    form = PlayerForm
    list_display = ["number", "surname", "given_name", "club", "hidden"]
    list_display_links = ["number", "surname"]
    list_filter = ["hidden", "club__region"]
    list_select_related = ["club"]
    readonly_fields = ["user", "merged_into"]  # both change on pages of the office
    search_fields = ["number", "search_text"]  # names what is searched; get_search_results does it
    autocomplete_fields = ["club"]
    inlines = [LicenceInline, AssignmentInline]
    show_full_result_count = False

    def get_search_results(self, request, queryset, search_term: str):
        """By number, or by every word of the name without regard to accents; hidden players too."""
        number = re.sub(r"[\s.]", "", search_term)
        if number.isdigit():
            return queryset.filter(number__startswith=number.lstrip("0")), False
        for word in fold(search_term).split():
            queryset = queryset.filter(search_text__contains=word)
        return queryset, False

    def has_delete_permission(self, request: HttpRequest, obj=None) -> bool:
        return False  # a person with a number stays; two numbers of one person are merged, not deleted

    def players_of(self, obj: Player) -> set[int]:
        return {obj.pk}


@admin.register(Licence)
class LicenceAdmin(KeepsStandings, admin.ModelAdmin):
    list_display = ["player", "valid_from", "valid_to", "issuer", "equivalent"]
    list_filter = ["equivalent", "valid_to"]
    list_select_related = ["player"]
    search_fields = ["player__number__exact", "player__search_text"]
    autocomplete_fields = ["player"]
    show_full_result_count = False

    def get_readonly_fields(self, request: HttpRequest, obj: Licence | None = None) -> list[str]:
        # A licence of somebody else is another licence; moving one would leave the first holder's standing.
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
    """Roles are given and taken on the office's page of an account, which keeps a journal."""

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
admin.site.unregister(Group)  # a group gives permissions; the one there is comes with the office's role


@admin.register(User)
class AccountAdmin(admin.ModelAdmin):
    """Accounts, to look at, and their owners' names.

    What decides who may do what, or who gets in, changes on the office's page of the account: roles, player,
    address, password, closing it.
    """

    list_display = ["username", "email", "first_name", "last_name", "is_active", "is_staff"]
    list_filter = ["is_active", "is_staff", "roles__kind"]
    search_fields = ["username", "first_name", "last_name", "email"]
    ordering = ["username"]
    fields = [
        "username", "first_name", "last_name", "email", "is_active", "is_staff", "is_superuser", "last_login",
        "date_joined",
    ]  # fmt: skip
    readonly_fields = [name for name in fields if name not in ("first_name", "last_name")]
    inlines = [RoleInline]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj=None) -> bool:
        allowed = super().has_change_permission(request, obj)
        return allowed and (obj is None or request.user.is_superuser or not obj.is_superuser)

    def has_delete_permission(self, request: HttpRequest, obj=None) -> bool:
        return False  # an account is closed: what it did keeps its name
