"""Add, correct and remove single licences. Each change is written in the journal of the register."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from players.access import require, roles_of
from players.models import Licence, Player
from players.services.changes import send_players_changed
from players.services.persons import ERASED
from players.services.register_journal import licence_change, licence_values
from ui.formatting import format_date


@transaction.atomic
def add(player: Player, values: Mapping[str, Any], by, reason: str) -> Licence:
    """Give a player a licence, and return it.

    values: the licence's fields by name

    Raises PermissionDenied if `by` does not have the office role, and ValidationError if the licence is
    invalid or overlaps another one of the same federation, or the reason is missing.
    """
    _require(player, by, reason)
    licence = Licence(player=player, **values)
    _validate(licence)
    licence.save(force_insert=True)
    licence_change(player, {}, licence_values(licence), by, reason=reason.strip()).save()
    send_players_changed({player.pk}, licence.valid_from)
    return licence


@transaction.atomic
def correct(licence_id: int, values: Mapping[str, Any], by, reason: str) -> Licence:
    """Correct a licence, and return it. Raises the same errors as `add`, and if nothing would change."""
    licence = _locked(licence_id)
    _require(licence.player, by, reason)
    before, first = licence_values(licence), licence.valid_from
    for name, value in values.items():
        setattr(licence, name, value)
    after = licence_values(licence)
    if before == after:
        raise ValidationError(_("Nothing was changed."), code="same")
    _validate(licence)
    licence.save()
    licence_change(licence.player, before, after, by, reason=reason.strip()).save()
    send_players_changed({licence.player_id}, min(first, licence.valid_from))
    return licence


@transaction.atomic
def remove(licence_id: int, by, reason: str) -> None:
    """Remove a licence that should not have been given. Raises like `add`."""
    licence = _locked(licence_id)
    _require(licence.player, by, reason)
    licence_change(licence.player, licence_values(licence), {}, by, reason=reason.strip()).save()
    licence.delete()
    send_players_changed({licence.player_id}, licence.valid_from)


def _locked(licence_id: int) -> Licence:
    list(Licence.objects.select_for_update().filter(pk=licence_id).values_list("pk"))
    return Licence.objects.select_related("player").get(pk=licence_id)


def _require(player: Player, by, reason: str) -> None:
    require(roles_of(by).office)
    if player.merged_into_id:
        raise ValidationError(_("That number was merged into another one."))
    if player.erased_on:
        raise ValidationError(ERASED)
    if not reason.strip():
        raise ValidationError({"reason": _("Say why: it stays in the person's history.")})


def _validate(licence: Licence) -> None:
    """Raise ValidationError if the dates or the federation are wrong, or if another licence overlaps."""
    if licence.valid_from > licence.valid_to:
        raise ValidationError({"valid_to": _("The last day is before the first.")})
    if licence.equivalent and not licence.issuer:
        raise ValidationError({"equivalent": _("This is for a licence of another federation: name it.")})
    others = Licence.objects.filter(player=licence.player_id, issuer=licence.issuer).exclude(pk=licence.pk)
    other = others.filter(valid_from__lte=licence.valid_to, valid_to__gte=licence.valid_from).first()
    if other:
        raise ValidationError(
            {"valid_from": _("There is a licence from %(first)s to %(last)s already.") % _days(other)}
        )
    licence.full_clean(validate_constraints=False)


def _days(licence: Licence) -> dict[str, str]:
    lang = get_language() or ""
    return {"first": format_date(licence.valid_from, lang), "last": format_date(licence.valid_to, lang)}
