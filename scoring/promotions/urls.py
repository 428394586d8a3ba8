"""The year-end category change: the office's and the committee's pages, and a player's own."""

from django.urls import path

from scoring.promotions.views import campaigns as views
from scoring.promotions.views import candidates, rule_sets
from scoring.promotions.views import claims as campaign_claims
from scoring.promotions.views import letters as campaign_letters
from scoring.promotions.views import lists as campaign_lists
from scoring.promotions.views import outcome as campaign_outcome
from scoring.promotions.views import public as campaign_public
from scoring.promotions.views import simulation as campaign_simulation
from scoring.promotions.views import steps as campaign_steps
from scoring.promotions.views import versions as campaign_versions

OFFICE = "oficina/cambio-de-categoria/"

urlpatterns = [
    path(OFFICE, views.index, name="campaigns"),
    path(f"{OFFICE}simulacion/", campaign_simulation.simulation, name="campaign_simulation"),
    path(f"{OFFICE}<int:pk>/", views.campaign, name="campaign"),
    path(f"{OFFICE}<int:pk>/paso/<slug:verb>/", campaign_steps.campaign_step, name="campaign_step"),
    path(f"{OFFICE}<int:pk>/progreso/", views.progress, name="campaign_progress"),
    path(f"{OFFICE}<int:pk>/lista/<slug:code>/", campaign_lists.review, name="campaign_review"),
    path(f"{OFFICE}<int:pk>/jugador/<slug:number>/", campaign_lists.dossier, name="campaign_player"),
    path(f"{OFFICE}<int:pk>/tardios/", campaign_versions.late, name="campaign_late"),
    path(f"{OFFICE}<int:pk>/versiones/", campaign_versions.versions, name="campaign_versions"),
    path(f"{OFFICE}<int:pk>/reclamaciones/", campaign_claims.claims, name="campaign_claims"),
    path(f"{OFFICE}<int:pk>/reclamaciones/<int:claim>/", campaign_claims.claim_answer, name="claim_answer"),
    path(f"{OFFICE}<int:pk>/informe/", campaign_outcome.report, name="campaign_report"),
    path(f"{OFFICE}<int:pk>/cartas/", campaign_letters.letters, name="campaign_letters"),
    # Before the lists of a year, whose addresses look the same.
    path("ascensos/<int:year>/carta/", campaign_public.letter, name="promotion_letter"),
    path("ascensos/<int:year>/reclamar/", campaign_public.claim, name="claim"),
    path("ascensos/", candidates.index, name="promotions"),
    path("ascensos/<int:year>/<slug:code>/", candidates.promotion, name="promotion"),
    path("oficina/reglas-de-ascenso/", rule_sets.rule_sets, name="rule_sets"),
    path("oficina/reglas-de-ascenso/nuevas/", rule_sets.rule_set_new, name="rule_set_new"),
    path("oficina/reglas-de-ascenso/<int:pk>/", rule_sets.rule_set, name="rule_set"),
    path("oficina/reglas-de-ascenso/<int:pk>/editar/", rule_sets.rule_set_edit, name="rule_set_edit"),
]
