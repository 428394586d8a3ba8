from django.apps import AppConfig
from django.core import checks
from django.db.models.signals import post_migrate, pre_migrate
from django.utils.translation import gettext_lazy as _


class PlayersConfig(AppConfig):
    name = "players"
    verbose_name = _("Players and clubs")

    def ready(self) -> None:
        from players import sanity, triggers
        from players.proposals import register
        from players.services.accounts import AccountAct
        from players.services.persons import PersonAct
        from ui.sanity import register as register_checks

        register(AccountAct())
        register(PersonAct())
        register_checks(*sanity.CHECKS)
        checks.register(triggers.check_guards, checks.Tags.database)
        pre_migrate.connect(triggers.remove_before_migrate, sender=self)
        post_migrate.connect(triggers.install_after_migrate, sender=self)
