"""Learn who the names in a club's files are, from the decisions of its directors on a confirmed review."""

from players.models import Player
from tournaments.models import RememberedName, ResultUpload

from .drafts import Draft
from .memory import KEY_LENGTH, key_of
from .people import seats_of


def learn(upload: ResultUpload, draft: Draft, user) -> None:
    """Store the players that the director chose for names of a file, and delete names decided as guests.

    A name that stands for two players in the file is not stored. The name of the only member of the club who
    is called so is deleted, because that needs no memory, and another player's would contradict it. Four
    queries.
    """
    players: dict[str, set[Player]] = {}
    written: dict[str, str] = {}
    guests: set[str] = set()
    for seat, person, _line in seats_of(draft.entries):
        choice, key = draft.choices.get(seat), key_of(person.name)
        if choice and choice.guest:
            guests.add(key)
        elif choice and key and (player := draft.player_of(person)):
            players.setdefault(key, set()).add(player)
            written[key] = person.name[:KEY_LENGTH]
    members = _members_by_name(upload.club_id) if players else {}
    exact = {key for key, chosen in players.items() if members.get(key) == [player.pk for player in chosen]}
    forgotten = (guests - players.keys()) | exact
    RememberedName.objects.filter(club=upload.club_id, key__in=forgotten).delete()
    rows = [
        RememberedName(club_id=upload.club_id, key=key, written=written[key], player=player, updated_by=user)
        for key, (player, *others) in players.items()
        if not others and key not in exact
    ]
    RememberedName.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["club", "key"],
        update_fields=["written", "player", "updated_at", "updated_by"],
    )


def _members_by_name(club_id: int) -> dict[str, list[int]]:
    """Return {key of a name: ids of the members of the club who have exactly this name}. One query."""
    members: dict[str, list[int]] = {}
    rows = Player.objects.unmerged().filter(club=club_id).values_list("pk", "given_name", "surname")
    for pk, given_name, surname in rows:
        for name in (f"{given_name} {surname}", f"{surname} {given_name}"):
            members.setdefault(key_of(name), []).append(pk)
    return members
