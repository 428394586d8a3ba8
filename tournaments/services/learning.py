"""Learn who the names in a club's files are, from the decisions of its directors on a confirmed review."""

from players.models import Player
from tournaments.models import RememberedName, ResultUpload

from .drafts import Draft
from .memory import KEY_LENGTH, key_of
from .people import seats_of


def learn(upload: ResultUpload, draft: Draft, user) -> None:
    """Store the players that the director chose for names of a file, and the names of guests.

    A name that stands for two persons in the file is not stored. The name of the only member of the club who
    is called so is deleted, because that needs no memory, and another player's would contradict it. So is the
    name of a player who is now a guest: the next file asks. Four queries.
    """
    meant: dict[str, set[Player | None]] = {}
    names: dict[str, RememberedName] = {}
    for seat, person, _line in seats_of(draft.entries):
        choice, key = draft.choices.get(seat), key_of(person.name)
        if not (choice and key):
            continue
        player = None if choice.guest else draft.player_of(person)
        if choice.guest or player:
            meant.setdefault(key, set()).add(player)
            names[key] = RememberedName(
                club_id=upload.club_id,
                key=key,
                written=person.name[:KEY_LENGTH],
                player=player,
                country=choice.country,
                updated_by=user,
            )
    members = _members_by_name(upload.club_id) if names else {}
    exact = {
        key
        for key, (player, *others) in meant.items()
        if player and not others and members.get(key) == [player.pk]
    }
    stored = RememberedName.objects.filter(club=upload.club_id)
    players = set(stored.filter(key__in=names, player__isnull=False).values_list("key", flat=True))
    ended = exact | {key for key in players if meant[key] == {None}}
    stored.filter(key__in=ended).delete()
    RememberedName.objects.bulk_create(
        [name for key, name in names.items() if len(meant[key]) == 1 and key not in ended],
        update_conflicts=True,
        unique_fields=["club", "key"],
        update_fields=["written", "player", "country", "updated_at", "updated_by"],
    )


def _members_by_name(club_id: int) -> dict[str, list[int]]:
    """Return {key of a name: ids of the members of the club who have exactly this name}. One query."""
    members: dict[str, list[int]] = {}
    rows = Player.objects.unmerged().filter(club=club_id).values_list("pk", "given_name", "surname")
    for pk, given_name, surname in rows:
        for name in (f"{given_name} {surname}", f"{surname} {given_name}"):
            members.setdefault(key_of(name), []).append(pk)
    return members
