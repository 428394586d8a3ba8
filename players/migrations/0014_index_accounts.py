"""Index the accounts by e-mail address and username in lower case, for the office's search."""

from django.conf import settings
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("players", "0013_changes_of_the_register"),
    ]

    # Django's own model cannot be given an index, hence the SQL.
    operations = [
        migrations.RunSQL(
            "CREATE INDEX account_by_email ON auth_user (LOWER(email))", "DROP INDEX account_by_email"
        ),
        migrations.RunSQL(
            "CREATE INDEX account_by_username ON auth_user (LOWER(username))",
            "DROP INDEX account_by_username",
        ),
    ]
