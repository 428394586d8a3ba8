"""URLs of all pages below `scoring`. The paths are in Spanish, the language of most users."""

from django.urls import include, path

urlpatterns = [
    path("", include("scoring.pages.urls")),
    path("", include("scoring.calendar.urls")),
    path("", include("scoring.promotions.urls")),
    path("", include("scoring.strength.urls")),
    path("", include("scoring.calculator.urls")),
    path("", include("scoring.rulebook.urls")),
    path("", include("scoring.annulments.urls")),
    path("", include("scoring.office.urls")),
    path("gestion/clubes/", include("scoring.clubs.urls")),
    path("resultados/", include("scoring.uploads.urls")),
    # Where Go is not rated, these have no page (federation.middleware.GoMiddleware).
    path("go/", include("scoring.ratings.urls")),
    path("resultados/go/", include("scoring.uploads.go_urls")),
]
