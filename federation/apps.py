from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate, pre_migrate


class FederationConfig(AppConfig):
    name = "federation"

    def ready(self) -> None:
        from allauth.account.signals import password_changed, password_reset

        from federation import older, waits
        from federation.accounts import forget_attempts, keep_office_group, note_change, note_reset

        pre_migrate.connect(older.refuse, sender=apps.get_app_config("players"))
        # The signal comes once an app, in the order of INSTALLED_APPS; by this one all permissions are there.
        post_migrate.connect(keep_office_group, sender=apps.get_app_config("sessions"))
        password_changed.connect(note_change)
        password_reset.connect(note_reset)
        password_reset.connect(forget_attempts)
        waits.connect()
