"""The office's addresses, and those of who looks after a club."""

from django.urls import path, re_path

from scoring.office.lists.imports import KINDS
from scoring.office.views import accounts as office_accounts
from scoring.office.views import adjustments as office_adjustments
from scoring.office.views import categories as office_categories
from scoring.office.views import clubs as office_clubs
from scoring.office.views import factors as office_factors
from scoring.office.views import home as office
from scoring.office.views import imports as office_imports
from scoring.office.views import merges as office_merges
from scoring.office.views import proposals, rescore

urlpatterns = [
    path("torneos/<int:year>/<slug:slug>/reglamento/", rescore.rescore, name="tournament_regulation"),
    path("oficina/", office.home, name="office"),
    path("oficina/calculos/repetir/", office.runs_retry, name="office_runs_retry"),
    path("oficina/calculos/<uuid:uid>/repetir/", office.run_retry, name="office_run_retry"),
    path("oficina/importar/", office_imports.imports_home, name="office_imports"),
    re_path(
        rf"^oficina/importar/plantilla-(?P<kind>{'|'.join(KINDS)})\.(?P<suffix>csv|xlsx)$",
        office_imports.import_template,
        name="office_import_template",
    ),
    path("oficina/importar/<uuid:pk>/", office_imports.import_review, name="office_import_review"),
    path("oficina/importar/<uuid:pk>/aplicar/", office_imports.import_apply, name="office_import_apply"),
    path(
        "oficina/importar/<uuid:pk>/descartar/", office_imports.import_discard, name="office_import_discard"
    ),
    path("oficina/importar/<uuid:pk>/deshacer/", office_imports.import_undo, name="office_import_undo"),
    path("oficina/categorias/", office_categories.category_assign, name="category_assign"),
    path("oficina/categorias/<int:pk>/revocar/", office_categories.category_revoke, name="category_revoke"),
    path("oficina/ajustes/", office_adjustments.adjustments_home, name="adjustments"),
    path("oficina/ajustes/<int:pk>/anular/", office_adjustments.adjustment_back, name="adjustment_back"),
    path("oficina/fusionar/", office_merges.merges, name="merges"),
    path("oficina/fusionar/<int:pk>/", office_merges.merge, name="merge"),
    path("oficina/por-aprobar/", proposals.proposals, name="proposals"),
    path("oficina/por-aprobar/<int:pk>/", proposals.proposal, name="proposal"),
    path("oficina/cuentas/", office_accounts.accounts, name="accounts"),
    path("oficina/cuentas/nueva/", office_accounts.account_new, name="account_new"),
    path("oficina/cuentas/registro/", office_accounts.account_journal, name="account_journal"),
    path("oficina/cuentas/<int:pk>/", office_accounts.account, name="account"),
    path("oficina/cuentas/<int:pk>/cambiar/", office_accounts.account_change, name="account_change"),
    path("oficina/cuentas/<int:pk>/clave/", office_accounts.account_password, name="account_password"),
    path("oficina/factores/", office_factors.factors, name="office_factors"),
    path("gestion/clubes/", office_clubs.clubs_managed, name="clubs_managed"),
    path("clubes/<slug:slug>/gestion/", office_clubs.club_manage, name="club_manage"),
    path("clubes/<slug:slug>/gestion/directores/", office_clubs.director_add, name="club_director_add"),
    path(
        "clubes/<slug:slug>/gestion/directores/<int:pk>/quitar/",
        office_clubs.director_remove,
        name="club_director_remove",
    ),
]
