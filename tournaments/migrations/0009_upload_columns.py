"""What the list of uploads shows, and when a file was discarded or deleted, in columns of their own."""

from datetime import date

from django.db import migrations, models
from django.utils import timezone


def fill(apps, schema_editor):
    """Write for each upload what its form, its file and its issues say."""
    Upload = apps.get_model("tournaments", "ResultUpload")
    Issue = apps.get_model("tournaments", "UploadIssue")
    errors = dict(
        Issue.objects.filter(severity="error").order_by().values_list("upload").annotate(models.Count("pk"))
    )
    for upload in Upload.objects.select_related("revision__tournament").iterator(chunk_size=100):
        event = upload.parsed.get("event") or {}
        played = upload.revision.tournament if upload.revision else None
        upload.title = (upload.details.get("name") or event.get("title") or (played and played.name) or "")[:150]
        day = upload.details.get("end_date") or event.get("date")
        upload.played_on = date.fromisoformat(day) if day else played and played.end_date
        upload.errors = errors.get(upload.pk, 0)
        # Nobody noted when: the days for which discarding can be undone begin now.
        upload.discarded_at = timezone.now() if upload.state == "discarded" else None
        upload.save(update_fields=["title", "played_on", "errors", "discarded_at"])


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0008_boards_of_contestants'),
    ]

    operations = [
        migrations.AddField(
            model_name='resultupload',
            name='discarded_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='resultupload',
            name='errors',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='resultupload',
            name='file_deleted_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='resultupload',
            name='played_on',
            field=models.DateField(null=True, verbose_name='last day'),
        ),
        migrations.AddField(
            model_name='resultupload',
            name='title',
            field=models.CharField(blank=True, db_default='', default='', max_length=150, verbose_name='tournament'),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
