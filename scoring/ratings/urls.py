"""Ratings of Go players and the tournaments behind them."""

from django.urls import path

from scoring.ratings.views import pages as go
from scoring.ratings.views import uploads as go_uploads

urlpatterns = [
    path("", go.ratings, name="go_ratings"),
    path("jugadores/<int:pk>/", go.player, name="go_player"),
    path("torneos/", go.tournaments, name="go_tournaments"),
    path("torneos/<int:pk>/", go.tournament, name="go_tournament"),
    path("torneos/<int:pk>/<int:position>/", go.receipt, name="go_receipt"),
    path("subir/", go_uploads.start, name="go_upload_start"),
    path("subir/<uuid:pk>/", go_uploads.review, name="go_upload_review"),
    path("subir/<uuid:pk>/progreso/", go_uploads.progress, name="go_upload_progress"),
    path("subir/<uuid:pk>/descartar/", go_uploads.discard, name="go_upload_discard"),
]
