"""URLs of Go ratings, tournaments and uploads."""

from django.urls import path

from scoring.ratings.views import pages, uploads

urlpatterns = [
    path("", pages.ratings, name="go_ratings"),
    path("jugadores/<int:pk>/", pages.player, name="go_player"),
    path("torneos/", pages.tournaments, name="go_tournaments"),
    path("torneos/<int:pk>/", pages.tournament, name="go_tournament"),
    path("torneos/<int:pk>/<int:position>/", pages.receipt, name="go_receipt"),
    path("subir/", uploads.start, name="go_upload_start"),
    path("subir/<uuid:pk>/", uploads.review, name="go_upload_review"),
    path("subir/<uuid:pk>/progreso/", uploads.progress, name="go_upload_progress"),
    path("subir/<uuid:pk>/descartar/", uploads.discard, name="go_upload_discard"),
]
