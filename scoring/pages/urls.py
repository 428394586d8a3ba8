"""The pages that everybody may read."""

from django.urls import path
from django.views.generic import TemplateView

from scoring.annulments import views as annul
from scoring.calculator.views import calculator
from scoring.office.views import rescore
from scoring.pages.views import clubs, home, players, search, standings, tournaments
from scoring.promotions.views import candidates as promotions
from scoring.rulebook import views as regulations
from scoring.strength import views as strength

urlpatterns = [
    path("", home.home, name="home"),
    path("clasificaciones/", standings.index, name="standings"),
    path("clasificaciones/<slug:code>/", standings.standing, name="standing"),
    path("torneos/", tournaments.index, name="tournaments"),
    path("torneos/<int:year>/<slug:slug>/", tournaments.tournament, name="tournament"),
    path("torneos/<int:year>/<slug:slug>/fuerza/", strength.strength, name="strength"),
    path("torneos/<int:year>/<slug:slug>/reglamento/", rescore.rescore, name="tournament_regulation"),
    path("torneos/<int:year>/<slug:slug>/anular/", annul.annulment, name="annulment"),
    path("jugadores/", players.index, name="players"),
    path("jugadores/<slug:slug>/", players.player, name="player"),
    path("jugadores/<slug:number>/puntos/<int:entry>/", players.award, name="award"),
    path("clubes/", clubs.index, name="clubs"),
    path("clubes/<slug:slug>/", clubs.club, name="club"),
    path("ascensos/", promotions.index, name="promotions"),
    path("ascensos/<int:year>/<slug:code>/", promotions.promotion, name="promotion"),
    path("reglamento/", regulations.index, name="regulations"),
    path("reglamento/<slug:code>/", regulations.regulation, name="regulation"),
    path("calculadora/", calculator.calculator, name="calculator"),
    path("buscar/", search.search, name="search"),
    path("ayuda/", TemplateView.as_view(template_name="home/help.html"), name="help"),
    path("privacidad/", TemplateView.as_view(template_name="home/privacy.html"), name="privacy"),
]
