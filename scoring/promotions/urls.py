"""URLs of the year-end category change: pages of the office and the committee, and a player's own."""

from django.urls import path

from scoring.promotions.views import campaigns as views
from scoring.promotions.views import (
    candidates,
    claims,
    letters,
    lists,
    outcome,
    public,
    rule_sets,
    simulation,
    steps,
    versions,
)

OFFICE = "oficina/cambio-de-categoria/"

urlpatterns = [
    path(OFFICE, views.index, name="campaigns"),
    path(f"{OFFICE}simulacion/", simulation.simulation, name="campaign_simulation"),
    path(
        f"{OFFICE}simulacion/<int:pk>/progreso/",
        simulation.simulation_progress,
        name="campaign_simulation_progress",
    ),
    path(f"{OFFICE}<int:pk>/", views.campaign, name="campaign"),
    path(f"{OFFICE}<int:pk>/paso/<slug:verb>/", steps.campaign_step, name="campaign_step"),
    path(f"{OFFICE}<int:pk>/progreso/", views.progress, name="campaign_progress"),
    path(f"{OFFICE}<int:pk>/lista/<slug:code>/", lists.review, name="campaign_review"),
    path(f"{OFFICE}<int:pk>/jugador/<slug:number>/", lists.dossier, name="campaign_player"),
    path(f"{OFFICE}<int:pk>/tardios/", versions.late, name="campaign_late"),
    path(f"{OFFICE}<int:pk>/versiones/", versions.versions, name="campaign_versions"),
    path(f"{OFFICE}<int:pk>/reclamaciones/", claims.claims, name="campaign_claims"),
    path(f"{OFFICE}<int:pk>/reclamaciones/<int:claim>/", claims.claim_answer, name="claim_answer"),
    path(f"{OFFICE}<int:pk>/informe/", outcome.report, name="campaign_report"),
    path(f"{OFFICE}<int:pk>/cartas/", letters.letters, name="campaign_letters"),
    # Before "promotion", whose pattern matches these addresses too.
    path("ascensos/<int:year>/carta/", public.letter, name="promotion_letter"),
    path("ascensos/<int:year>/reclamar/", public.claim, name="claim"),
    path("ascensos/", candidates.index, name="promotions"),
    path("ascensos/<int:year>/<slug:code>/", candidates.promotion, name="promotion"),
    path("oficina/reglas-de-ascenso/", rule_sets.rule_sets, name="rule_sets"),
    path("oficina/reglas-de-ascenso/nuevas/", rule_sets.rule_set_new, name="rule_set_new"),
    path("oficina/reglas-de-ascenso/<int:pk>/", rule_sets.rule_set, name="rule_set"),
    path("oficina/reglas-de-ascenso/<int:pk>/editar/", rule_sets.rule_set_edit, name="rule_set_edit"),
]
