import gc

from django.apps import AppConfig, apps
from django.conf import settings
from django.db.backends.signals import connection_created
from django.db.models.signals import post_save, pre_migrate


class FederationConfig(AppConfig):
    name = "federation"

    def ready(self) -> None:
        from allauth.account.signals import password_changed, password_reset
        from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
        from django.core import checks

        from federation import (
            backups,
            older,
            password_rules,
            purging,
            security_log,
            security_notices,
            waits,
        )
        from federation.accounts import forget_attempts, limit_session, note_change, note_reset
        from federation.languages import remember_at_sign_in
        from federation.watching import reports, request_ids, statements
        from players.models import AccountEvent
        from players.services import sessions
        from scoring.ledger import freshness, work
        from scoring.letters import registry

        pre_migrate.connect(older.refuse_old_database, sender=apps.get_app_config("players"))
        user_logged_in.connect(remember_at_sign_in)
        user_logged_in.connect(limit_session)
        user_logged_in.connect(security_log.note_signed_in)
        user_logged_out.connect(security_log.note_signed_out)
        user_login_failed.connect(security_log.note_failed)
        password_changed.connect(note_change)
        password_reset.connect(note_reset)
        password_reset.connect(forget_attempts)
        connection_created.connect(purging.watch_connection)
        work.register_daily(sessions.forget_expired)
        work.register_daily(purging.forget)
        registry.register(security_notices.SECURITY)
        post_save.connect(security_notices.tell_of_event, sender=AccountEvent)
        checks.register(password_rules.check_breached_file, checks.Tags.security)
        waits.connect()
        request_ids.connect()
        statements.connect()
        freshness.register(backups.BACKUPS)
        if settings.SENTRY_DSN:
            reports.start(settings.SENTRY_DSN)
        # Disabled in `federation/__init__.py`. What is loaded by now stays: exempt it from collections.
        gc.freeze()
        gc.enable()
