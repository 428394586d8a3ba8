"""URLs of the feeds."""

from django.urls import path

from scoring.feeds import views

urlpatterns = [
    path("novedades/resultados.atom", views.results, name="results_feed"),
    path("novedades/resultados/region/<slug:slug>.atom", views.region_results, name="region_results_feed"),
    path("novedades/resultados/club/<slug:slug>.atom", views.club_results, name="club_results_feed"),
    path("novedades/listas.atom", views.federation_lists, name="lists_feed"),
]
