"""URLs of all pages below `scoring`. The paths are in Spanish, the language of most users."""

from django.urls import include, path

from scoring.api.views import programs
from scoring.clubs.views.regions import region_manage

urlpatterns = [
    path("", include("scoring.pages.urls")),
    path("", include("scoring.mypage.urls")),
    path("", include("scoring.letters.urls")),
    path("", include("scoring.calendar.urls")),
    path("", include("scoring.promotions.urls")),
    path("", include("scoring.strength.urls")),
    path("", include("scoring.calculator.urls")),
    path("", include("scoring.rulebook.urls")),
    path("", include("scoring.annulments.urls")),
    path("", include("scoring.office.urls")),
    path("transparencia/", include("scoring.transparency.urls")),
    path("", include("scoring.privacy.urls")),
    path("", include("scoring.cases.urls")),
    path("", include("scoring.webhooks.urls")),
    path("", include("scoring.feeds.urls")),
    path("oficina/traspaso/", include("scoring.changeover.urls")),
    path("oficina/comprobacion/", include("scoring.audit.urls")),
    path("datos/", include("scoring.dataset.urls")),
    path("oficina/datos/", include("scoring.sanity.urls")),
    path("programas/", programs, name="programs"),
    path("demo/", include("scoring.demo.urls")),
    path("gestion/regiones/<slug:slug>/", region_manage, name="region_manage"),
    path("gestion/clubes/", include("scoring.clubs.urls")),
    path("resultados/", include("scoring.uploads.urls")),
    # Where Go is not rated, these have no page (federation.middleware.GoMiddleware).
    path("go/", include("scoring.ratings.urls")),
    path("resultados/go/", include("scoring.uploads.go_urls")),
]
