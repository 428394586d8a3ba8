import gc

from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate, pre_migrate


class FederationConfig(AppConfig):
    name = "federation"

    def ready(self) -> None:
        from allauth.account.signals import password_changed, password_reset
        from django.contrib.auth.signals import user_logged_in

        from federation import older, waits
        from federation.accounts import forget_attempts, keep_office_group, note_change, note_reset
        from federation.languages import remember_at_sign_in

        pre_migrate.connect(older.refuse_old_database, sender=apps.get_app_config("players"))
        # post_migrate is sent once for each app, in the order of INSTALLED_APPS: with `sessions` all the
        # permissions that the group needs exist.
        post_migrate.connect(keep_office_group, sender=apps.get_app_config("sessions"))
        user_logged_in.connect(remember_at_sign_in)
        password_changed.connect(note_change)
        password_reset.connect(note_reset)
        password_reset.connect(forget_attempts)
        waits.connect()
        # Disabled in `federation/__init__.py`. What is loaded by now stays: exempt it from collections.
        gc.freeze()
        gc.enable()
