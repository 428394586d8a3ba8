from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ChangeoverConfig(AppConfig):
    name = "scoring.changeover"
    verbose_name = _("Changeover")

    def ready(self) -> None:
        from players import proposals
        from scoring.changeover import acts, issues, queries, working
        from scoring.changeover.models import Changeover
        from scoring.changeover.services import discard_forgotten
        from scoring.ledger import brought_in, work
        from tournaments.formats.catalogue import add_issues

        add_issues(issues.CHANGEOVER_ISSUES)
        proposals.register(acts.ApplyAct())
        proposals.register(acts.UndoAct())
        work.register(work.Kind(Changeover, working.perform, long=True, patient=True))
        work.register_daily(discard_forgotten)
        brought_in.register(queries.brought_in)
