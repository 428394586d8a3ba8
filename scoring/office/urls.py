"""URLs of the office."""

from django.urls import path, re_path

from scoring.office.lists.imports import KINDS
from scoring.office.views import (
    accounts,
    adjustments,
    categories,
    factors,
    home,
    imports,
    merges,
    proposals,
    rescore,
)

urlpatterns = [
    path("torneos/<int:year>/<slug:slug>/reglamento/", rescore.rescore, name="tournament_regulation"),
    path("oficina/", home.home, name="office"),
    path("oficina/calculos/repetir/", home.runs_retry, name="office_runs_retry"),
    path("oficina/calculos/<uuid:uid>/repetir/", home.run_retry, name="office_run_retry"),
    path("oficina/importar/", imports.imports_home, name="office_imports"),
    re_path(
        rf"^oficina/importar/plantilla-(?P<kind>{'|'.join(KINDS)})\.(?P<suffix>csv|xlsx)$",
        imports.import_template,
        name="office_import_template",
    ),
    path("oficina/importar/<uuid:pk>/", imports.import_review, name="office_import_review"),
    path("oficina/importar/<uuid:pk>/aplicar/", imports.import_apply, name="office_import_apply"),
    path("oficina/importar/<uuid:pk>/descartar/", imports.import_discard, name="office_import_discard"),
    path("oficina/importar/<uuid:pk>/deshacer/", imports.import_undo, name="office_import_undo"),
    path("oficina/categorias/", categories.category_assign, name="category_assign"),
    path("oficina/categorias/<int:pk>/revocar/", categories.category_revoke, name="category_revoke"),
    path("oficina/ajustes/", adjustments.adjustments_home, name="adjustments"),
    path("oficina/ajustes/<int:pk>/anular/", adjustments.adjustment_back, name="adjustment_back"),
    path("oficina/fusionar/", merges.merges, name="merges"),
    path("oficina/fusionar/<int:pk>/", merges.merge, name="merge"),
    path("oficina/por-aprobar/", proposals.proposals, name="proposals"),
    path("oficina/por-aprobar/<int:pk>/", proposals.proposal, name="proposal"),
    path("oficina/cuentas/", accounts.accounts, name="accounts"),
    path("oficina/cuentas/nueva/", accounts.account_new, name="account_new"),
    path("oficina/cuentas/registro/", accounts.account_journal, name="account_journal"),
    path("oficina/cuentas/<int:pk>/", accounts.account, name="account"),
    path("oficina/cuentas/<int:pk>/cambiar/", accounts.account_change, name="account_change"),
    path("oficina/cuentas/<int:pk>/clave/", accounts.account_password, name="account_password"),
    path("oficina/factores/", factors.factors, name="office_factors"),
]
