"""Take the administration site from the office's accounts: only superusers open it."""

from django.conf import settings
from django.db import migrations


def take_site_from_office(apps, schema_editor) -> None:
    """Remove "staff" from all accounts but superusers, and the group with the office's permissions."""
    app, model = settings.AUTH_USER_MODEL.split(".")
    apps.get_model(app, model).objects.filter(is_staff=True, is_superuser=False).update(is_staff=False)
    apps.get_model("auth", "Group").objects.filter(name="Office").delete()


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("players", "0014_index_accounts"),
    ]

    operations = [migrations.RunPython(take_site_from_office, migrations.RunPython.noop)]
