"""URLs of the public pages on standings, players, clubs and tournaments."""

from django.urls import path
from django.views.generic import TemplateView

from scoring.pages.views import (
    boards,
    clubs,
    corrections,
    home,
    players,
    privacy,
    search,
    standings,
    tournaments,
)
from ui.shared import shared

urlpatterns = [
    path("", home.home, name="home"),
    path("inicio/", home.my_place, name="my_place"),
    path("clasificaciones/", standings.index, name="standings"),
    path("clasificaciones/<slug:code>/", standings.standing, name="standing"),
    path("torneos/", tournaments.index, name="tournaments"),
    path("torneos/correcciones/", corrections.corrections, name="corrections"),
    path("torneos/<int:year>/<slug:slug>/", tournaments.tournament, name="tournament"),
    path("torneos/<int:year>/<slug:slug>/manos/", boards.boards, name="boards"),
    path("torneos/<int:year>/<slug:slug>/manos/<int:number>/", boards.board, name="board"),
    path("torneos/<int:year>/<slug:slug>/tarjetas/<int:position>/", boards.card, name="card"),
    path("torneos/<int:year>/<slug:slug>/imprimir/", tournaments.ranking_sheet, name="ranking_sheet"),
    path("t/<int:pk>/", tournaments.short_link, name="short_link"),
    path("jugadores/", players.index, name="players"),
    path("jugadores/<slug:slug>/", players.player, name="player"),
    path("jugadores/<slug:slug>/resultados/", players.player_results, name="player_results"),
    path("jugadores/<slug:number>/categorias/", players.categories, name="player_categories"),
    path("jugadores/<slug:number>/puntos/<int:entry>/", players.award, name="award"),
    path("clubes/", clubs.index, name="clubs"),
    path("clubes/<slug:slug>/", clubs.club, name="club"),
    path("buscar/", search.search, name="search"),
    path("buscar/clubes/", search.clubs_like, name="clubs_like"),
    path("ayuda/", shared(TemplateView.as_view(template_name="pages/help.html")), name="help"),
    path("privacidad/", privacy.privacy, name="privacy"),
]
