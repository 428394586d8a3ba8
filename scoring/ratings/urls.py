"""URLs of Go ratings and tournaments."""

from django.urls import path

from scoring.ratings.views import mine, office, pages

urlpatterns = [
    path("", pages.ratings, name="go_ratings"),
    path("jugadores/<int:pk>/", pages.player, name="go_player"),
    path("mi/", mine.mine, name="my_go"),
    path("oficina/", office.people, name="office_go_players"),
    path("oficina/<int:pk>/", office.person, name="office_go_player"),
    path("torneos/", pages.tournaments, name="go_tournaments"),
    path("torneos/<int:pk>/", pages.tournament, name="go_tournament"),
    path("torneos/<int:pk>/<int:position>/", pages.receipt, name="go_receipt"),
]
