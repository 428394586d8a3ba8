"""How many ticks the warnings of a draft still want, in a column for the list."""

import hashlib

from django.db import migrations, models


def fill(apps, schema_editor):
    """Count, for each draft, the ticks that its stored warnings want and do not have."""
    Upload = apps.get_model("tournaments", "ResultUpload")
    drafts = Upload.objects.filter(state="review")
    for upload in drafts.defer("parsed", "details").prefetch_related("issues").iterator(chunk_size=100):
        ticks = {tick_of(each) for each in upload.issues.all() if each.severity == "warning"}
        Upload.objects.filter(pk=upload.pk).update(unticked=len(ticks - set(upload.accepted_codes)))


def tick_of(warning):
    """What its tick was stored as in those days: the code, or a tick for each person of another name."""
    if warning.code != "name_differs":
        return warning.code
    subject = repr((warning.value, warning.params["name"], warning.params["registered"]))
    return f"name_differs:{hashlib.sha256(subject.encode()).hexdigest()[:16]}"


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0009_upload_columns'),
    ]

    operations = [
        migrations.AddField(
            model_name='resultupload',
            name='unticked',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
