"""Index the names of the tournaments that were announced already."""

from django.db import migrations

from players.models.names import pairs_of, search_text_of
from tournaments.models import AnnouncementPair
from ui.chunks import batches_of


def fill(apps, schema_editor):
    Announcement = apps.get_model("tournaments", "Announcement")
    pairs = apps.get_model("tournaments", "AnnouncementPair")
    for batch in batches_of(Announcement.objects.only("name", "search_text")):
        for announcement in batch:
            announcement.search_text = search_text_of(announcement.name, AnnouncementPair.MOST)
        Announcement.objects.bulk_update(batch, ["search_text"])
        pairs.objects.bulk_create(
            (
                pairs(announcement_id=announcement.pk, stem=stem, second=second)
                for announcement in batch
                for stem, second in sorted(pairs_of(announcement.search_text, AnnouncementPair.MOST))
            ),
            ignore_conflicts=True,
        )


class Migration(migrations.Migration):
    atomic = False
    old_code_works_because = "it reads the names themselves, and does not know the index"

    dependencies = [("tournaments", "0020_announced_names")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
