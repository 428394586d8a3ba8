"""Index the names of the tournaments that exist already."""

from django.db import migrations

from players.models.names import pairs_of, search_text_of
from tournaments.models import TournamentPair
from ui.chunks import batches_of


def fill(apps, schema_editor):
    Tournament, pairs = apps.get_model("tournaments", "Tournament"), apps.get_model("tournaments", "TournamentPair")
    for batch in batches_of(Tournament.objects.only("name", "search_text")):
        changed = []
        for tournament in batch:
            text = search_text_of(tournament.name, TournamentPair.MOST)
            if text != tournament.search_text:
                tournament.search_text = text
                changed.append(tournament)
        Tournament.objects.bulk_update(changed, ["search_text"])
        pairs.objects.bulk_create(
            (
                pairs(tournament_id=tournament.pk, stem=stem, second=second)
                for tournament in batch
                for stem, second in sorted(pairs_of(tournament.search_text, TournamentPair.MOST))
            ),
            ignore_conflicts=True,
        )


class Migration(migrations.Migration):
    atomic = False
    old_code_works_because = "it searches names with and without punctuation, and does not know the index"

    dependencies = [("tournaments", "0018_tournament_names"), ("players", "0022_fill_names")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
