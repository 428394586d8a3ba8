"""Files of which nothing could be read are no drafts to review."""

from django.db import migrations, models


def refuse(apps, _editor) -> None:
    uploads = apps.get_model("tournaments", "ResultUpload").objects
    unread = uploads.filter(state="review", issues__severity="error", parsed__entries=[])
    unread = unread.exclude(file_name="").exclude(file_format="")
    uploads.filter(pk__in=list(unread.values_list("pk", flat=True))).update(state="refused")


def review_again(apps, _editor) -> None:
    apps.get_model("tournaments", "ResultUpload").objects.filter(state="refused").update(state="review")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0006_annulments")]

    operations = [
        migrations.AlterField(
            model_name="resultupload",
            name="state",
            field=models.CharField(
                choices=[
                    ("review", "To be reviewed"),
                    ("confirmed", "Confirmed"),
                    ("discarded", "Discarded"),
                    ("refused", "Could not be read"),
                ],
                default="review",
                max_length=10,
            ),
        ),
        migrations.RunPython(refuse, review_again),
    ]
