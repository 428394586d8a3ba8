"""Index the names of the clubs that exist already, and store names of players without their punctuation."""

from django.db import migrations

from players.models.names import ClubPair, pairs_of, search_text_of
from ui.chunks import batches_of


def fill(apps, schema_editor):
    Player, Club = apps.get_model("players", "Player"), apps.get_model("players", "Club")
    pairs = apps.get_model("players", "ClubPair")
    for batch in batches_of(Player.objects.only("given_name", "surname", "search_text")):
        changed = []
        for player in batch:
            text = search_text_of(f"{player.given_name} {player.surname}")
            if text != player.search_text:
                player.search_text = text
                changed.append(player)
        Player.objects.bulk_update(changed, ["search_text"])
    for batch in batches_of(Club.objects.only("name", "city", "code")):
        for club in batch:
            club.search_text = search_text_of(f"{club.name} {club.city} {club.code}", ClubPair.MOST)
        Club.objects.bulk_update(batch, ["search_text"])
        pairs.objects.bulk_create(
            (
                pairs(club_id=club.pk, stem=stem, second=second)
                for club in batch
                for stem, second in sorted(pairs_of(club.search_text, ClubPair.MOST))
            ),
            ignore_conflicts=True,
        )


class Migration(migrations.Migration):
    atomic = False
    old_code_works_because = "it searches names with and without punctuation, and does not know the index of clubs"

    dependencies = [("players", "0021_club_names")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
