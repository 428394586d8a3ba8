"""Add persons to the register and change their entries. Some changes need the approval of a second person.

Another name and another number together could pass the points and categories of one person to another one.
So could a name that has no word of the former one. Such changes need two persons, also if they are made in
several small steps within `STEPS_TOGETHER`.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from datetime import date, timedelta
from hashlib import sha256
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import BigIntegerField, Max
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy, pgettext_lazy
from django.utils.translation import gettext as _

from players.access import name_for, require, roles_of
from players.ages import is_minor
from players.models import Club, Player, PlayerChange, Proposal
from players.proposals import Effect, ProposedAct
from players.services import proposals
from players.services.changes import send_players_changed
from players.services.privacy import with_minors_hidden
from players.services.register_journal import PLAYER_FIELDS, note_player, of_proposal, values_of
from ui.clock import today
from ui.formatting import format_date
from ui.text import PARTICLES, words_of

KIND = "person"
STEPS_TOGETHER = timedelta(days=30)  # changes of one person within these days count as one
NAME = ("given_name", "surname")
ERASED = gettext_lazy("The data of this person were erased: nothing is written about them any more.")
PRIVATE = frozenset({"email", "birth_year"})  # only the office and the player see them
LABELS = {
    "number": gettext_lazy("federation number"),
    "given_name": gettext_lazy("first name"),
    "surname": gettext_lazy("surname"),
    "club": gettext_lazy("club"),
    "email": gettext_lazy("e-mail address"),
    "birth_year": gettext_lazy("year of birth"),
    "hidden": gettext_lazy("hidden"),
    "deceased_on": gettext_lazy("died on"),
    "valid_from": pgettext_lazy("licence", "from"),
    "valid_to": pgettext_lazy("licence", "until"),
    "issuer": gettext_lazy("foreign federation"),
    "equivalent": gettext_lazy("counts as ours"),
    "code": gettext_lazy("code"),
    "name": gettext_lazy("name"),
    "city": gettext_lazy("town"),
    "region": gettext_lazy("region"),
    "active": gettext_lazy("open"),
}


def next_number() -> str:
    """Return the number for a new player: one more than the highest in the register."""
    numbers = Player.objects.annotate(value=Cast("number", BigIntegerField()))
    return str((numbers.aggregate(highest=Max("value"))["highest"] or 0) + 1)


def fingerprint(player: Player) -> str:
    """Return a digest of a player's entry. A form compares it to detect changes made meanwhile."""
    return sha256(repr(sorted(values_of(player, PLAYER_FIELDS).items())).encode()).hexdigest()


@transaction.atomic
def add(values: Mapping[str, Any], by, reason: str) -> Player:
    """Add a person to the register, and return the player.

    values: the player's fields by name; without a number, the player gets the one after the highest. A minor
        is hidden in any case

    Raises PermissionDenied if `by` does not have the office role, and ValidationError if a value is invalid,
    the number is taken or the reason is missing.
    """
    require(roles_of(by).office)
    _require_reason(reason)
    hidden = values.get("hidden", False) or is_minor(values.get("birth_year"), today())
    player = Player(**{**values, "number": values.get("number") or next_number(), "hidden": hidden})
    player.derive_from_name()
    player.full_clean(exclude=["search_text", "sort_key"])
    try:
        with transaction.atomic():
            player.save(force_insert=True)
    except IntegrityError:
        raise ValidationError({"number": _("Somebody else has this number by now.")}) from None
    note_player(player, {}, by, reason=reason.strip())
    send_players_changed(())
    return player


@transaction.atomic
def change(player_id: int, values: Mapping[str, Any], by, reason: str, seen: str) -> Proposal | None:
    """Change a player's entry. If it needs a second person, prepare a proposal instead and return it.

    values: the new values of fields, by name; `club` is a Club or None
    seen: the `fingerprint` of the entry that `by` was shown

    Raises PermissionDenied if `by` does not have the office role, and ValidationError if a value is invalid,
    nothing would change, the reason is missing or the entry differs from the one shown.
    """
    require(roles_of(by).office)
    _require_reason(reason)
    player = _locked(player_id)
    if fingerprint(player) != seen:
        raise ValidationError(
            _("Somebody has changed this person meanwhile. What stands here now is new: look at it again."),
            code="changed",
        )
    changed = {name: value for name, value in values.items() if getattr(player, name) != value}
    changed = with_minors_hidden(changed, player, today())
    if not changed:
        raise ValidationError(_("Nothing was changed."), code="same")
    if sentences := _errors(player):
        raise ValidationError(sentences)
    if not second_person_reasons(player, changed):
        _apply(player, changed, by, reason=reason.strip())
        return None
    _validate(player, changed)
    data = {"player": player.pk, "number": player.number, "account": player.user_id}
    data["values"] = _stored(changed)
    return proposals.propose(KIND, by, data, key=str(player.pk), reason=reason)


def _require_reason(reason: str) -> None:
    if not reason.strip():
        raise ValidationError({"reason": _("Say why: it stays in the person's history.")})


def _locked(player_id: int) -> Player:
    list(Player.objects.select_for_update().filter(pk=player_id).values_list("pk"))
    return Player.objects.select_related("club").get(pk=player_id)


def _errors(player: Player) -> list[str]:
    if player.merged_into_id:
        return [_("That number was merged into another one.")]
    return [str(ERASED)] if player.erased_on else []


def _validate(player: Player, changed: Mapping[str, Any]) -> None:
    """Raise ValidationError if the changed player would be invalid. The player keeps its values."""
    candidate = copy(player)
    for name, value in changed.items():
        setattr(candidate, name, value)
    candidate.derive_from_name()
    candidate.full_clean(exclude=["search_text", "sort_key"])


def _apply(player: Player, changed: Mapping[str, Any], by, **more: Any) -> None:
    """Store the changed fields, and write the journal.

    more: as for `player_change`
    """
    _validate(player, changed)
    before = values_of(player, PLAYER_FIELDS)
    for name, value in changed.items():
        setattr(player, name, value)
    player.save()
    note_player(player, before, by, **more)
    send_players_changed([player.pk])


# --- The second person ------------------------------------------------------------------------------------
def second_person_reasons(player: Player, changed: Mapping[str, Any]) -> list[str]:
    """Return sentences that say why a change needs a second person; empty if one person may make it.

    changed: the new values of the fields that change, by name
    """
    if not {"number", *NAME} & changed.keys():
        return []
    before = _entry_before_steps(player)
    after = {name: changed.get(name, getattr(player, name)) for name in ("number", *NAME)}
    renamed = any(before[name] != after[name] for name in NAME)
    sentences = []
    if renamed and before["number"] != after["number"]:
        sentences.append(_("Name and number both change: it could become another person."))
    if renamed and not (name_words(before) & name_words(after)):
        sentences.append(_("The new name has no word of the former one: it could be another person."))
    return sentences


def name_words(entry: Mapping[str, Any]) -> set[str]:
    """Return the words of a name, in lower case, without accents and particles.

    entry: with given_name and surname
    """
    return set(words_of(f"{entry['given_name']} {entry['surname']}")) - PARTICLES


def _entry_before_steps(player: Player) -> dict[str, Any]:
    """Return the number and name that the player had before the changes that one person made lately.

    A change that a second person approved is a new beginning.
    """
    entry = {name: getattr(player, name) for name in ("number", *NAME)}
    lines = PlayerChange.objects.filter(
        player=player, kind=PlayerChange.Kind.CHANGED, at__gte=timezone.now() - STEPS_TOGETHER
    )
    for line in lines.order_by("-at", "-pk"):
        if line.proposal_id and entry.keys() & line.before.keys():
            break
        entry |= {name: value for name, value in line.before.items() if name in entry}
    return entry


def _stored(changed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values as a proposal stores them: a club as its id."""
    return {name: value.pk if isinstance(value, Club) else value for name, value in changed.items()}


def _loaded(stored: Mapping[str, Any]) -> dict[str, Any]:
    values = dict(stored)
    if values.get("club"):
        values["club"] = Club.objects.get(pk=values["club"])
    if values.get("deceased_on"):
        values["deceased_on"] = date.fromisoformat(values["deceased_on"])
    return values


def in_words(name: str, value: Any) -> str:
    """Return a value of the journal in the reader's language.

    name: the field; days are stored as text
    """
    if value is None or value == "":
        return "—"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if name in ("deceased_on", "valid_from", "valid_to"):
        return format_date(date.fromisoformat(str(value)), get_language())
    return str(value)


def change_in_words(before: Mapping[str, Any], after: Mapping[str, Any], *, sees_private: bool) -> list[str]:
    """Return a sentence for each changed field, such as "surname: Gil → Ruiz".

    before, after: as in the journal of the register
    sees_private: whether to tell the values of `PRIVATE` fields; otherwise only that they changed
    """

    def words(name: str, value: Any) -> str:
        return in_words(name, value) if sees_private or name not in PRIVATE else "•••"

    if not before or not after:
        values = after or before
        return [", ".join(f"{LABELS[name]}: {words(name, value)}" for name, value in values.items() if value)]
    text = _("%(field)s: %(before)s → %(after)s")
    return [
        text
        % {"field": LABELS[name], "before": words(name, before.get(name)), "after": words(name, after[name])}
        for name in after
    ]


class PersonAct(ProposedAct):
    """The act for another name or number of a person that needs a second person.

    `data` has player (id), number, account (the id of the player's account, or None) and values (the new
    values by field).
    """

    kind = KIND
    label = gettext_lazy("Another name or number of a person")

    def title(self, proposal: Proposal) -> str:
        return _("Another name or number: %(number)s") % {"number": proposal.data["number"]}

    def concerned(self, proposals: Sequence[Proposal], viewer) -> dict[int, str]:
        players = Player.objects.in_bulk({proposal.data["player"] for proposal in proposals})
        return {
            proposal.pk: name_for(viewer, players[proposal.data["player"]])
            for proposal in proposals
            if proposal.data["player"] in players
        }

    def effect(self, proposal: Proposal, viewer) -> Effect:
        player, changed = self._player(proposal), _loaded(proposal.data["values"])
        before = values_of(player, PLAYER_FIELDS)
        for name, value in changed.items():
            setattr(player, name, value)
        after = {name: values_of(player, PLAYER_FIELDS)[name] for name in changed}
        content = repr((proposal.data["player"], sorted(before.items()), sorted(after.items())))
        return Effect(
            change_in_words(
                {name: before[name] for name in after}, after, sees_private=roles_of(viewer).office
            ),
            sha256(content.encode()).hexdigest(),
            cautions=second_person_reasons(self._player(proposal), changed),
        )

    def obstacles(self, proposal: Proposal) -> list[str]:
        player = self._player(proposal)
        sentences = _errors(player)
        if player.user_id != proposal.data["account"]:  # `may_decide` relies on it
            sentences.append(_("The person has another account than when it was prepared: return it."))
        try:
            _validate(player, _loaded(proposal.data["values"]))
        except ValidationError as error:
            sentences += error.messages
        return sentences

    def perform(self, proposal: Proposal, by) -> dict:
        player = _locked(proposal.data["player"])
        _apply(player, _loaded(proposal.data["values"]), by, **of_proposal(proposal))
        return {"number": player.number}

    def outcome(self, proposal: Proposal) -> list[str]:
        if "number" not in proposal.result:
            return []
        return [_("The person has the number %(number)s.") % {"number": proposal.result["number"]}]

    def may_decide(self, user, proposal: Proposal) -> bool:
        """Whether the account may decide. Accounts never decide about their own player."""
        return super().may_decide(user, proposal) and user.pk != proposal.data["account"]

    def _player(self, proposal: Proposal) -> Player:
        return Player.objects.select_related("club").get(pk=proposal.data["player"])
