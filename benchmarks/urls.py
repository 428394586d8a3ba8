"""The project's URLs, and four bare pages to compare its pages with."""

from django.http import HttpRequest, HttpResponse
from django.template import Context, engines
from django.urls import path

from federation.urls import urlpatterns as project
from players.models import Category
from scoring.ledger.models import Standing
from tournaments.models import Contestant

BARE = """<!doctype html><html lang="es"><head><title>Clasificación</title></head><body><table>
<tr><th>Puesto</th><th>Nombre</th><th>Club</th><th>Puntos</th><th>Presencial</th><th>En línea</th>
<th>Torneos</th></tr>
{% for s in standings %}<tr><td>{{ forloop.counter }}</td>
<td><a href="/jugadores/{{ s.player.number }}/">{{ s.player.given_name }} {{ s.player.surname }}</a></td>
<td><a href="/clubes/{{ s.player.club.slug }}/">{{ s.player.club.name }}</a></td>
<td>{{ s.points }}</td><td>{{ s.points_in_person }}</td><td>{{ s.points_online }}</td>
<td>{{ s.tournaments }}</td></tr>
{% endfor %}</table></body></html>"""
_template = engines["django"].from_string(BARE).template
RANKING = """<!doctype html><html lang="es"><head><title>Clasificación</title></head><body><table>
<tr><th>Puesto</th><th>Jugadores</th><th>Porcentaje</th></tr>
{% for c in contestants %}<tr><td>{{ c.place }}</td>
<td>{% for s in c.seats.all %}<a href="/jugadores/{{ s.player.number }}/">{{ s.player.given_name }}
{{ s.player.surname }}</a> {% endfor %}</td><td>{{ c.percentage }}</td></tr>
{% endfor %}</table></body></html>"""
_ranking = engines["django"].from_string(RANKING).template

PARAGRAPH = """<!doctype html><html lang="es"><head><title>Clasificación</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><p>Los puntos de los últimos doce meses, y los de cada categoría.</p></body></html>"""


def bare(request: HttpRequest, code: str) -> HttpResponse:
    """Show fifty standings from the ORM in a plain template: two queries on indexes, no formatting."""
    category = Category.objects.get(code=code.upper())
    rows = Standing.objects.filter(family="aeb", category=category, licensed=True)
    rows = rows.select_related("player__club").order_by("-points", "player")[:50]
    return HttpResponse(_template.render(Context({"standings": rows})))


def ranking(request: HttpRequest, revision: int) -> HttpResponse:
    """Show the first fifty rows of a ranking from the ORM in a plain template: two queries on indexes."""
    contestants = Contestant.objects.filter(revision=revision).prefetch_related("seats__player")
    return HttpResponse(_ranking.render(Context({"contestants": contestants.order_by("position")[:50]})))


def paragraph(request: HttpRequest) -> HttpResponse:
    """Show one paragraph without style, font or script, as the least that a browser can draw."""
    return HttpResponse(PARAGRAPH)


def empty(request: HttpRequest) -> HttpResponse:
    """Return an empty response, through the same server and middleware."""
    return HttpResponse("")


urlpatterns = [
    path("bench/bare/<slug:code>/", bare),
    path("bench/empty/", empty),
    path("bench/paragraph/", paragraph),
    path("bench/ranking/<int:revision>/", ranking),
    *project,  # not included: the languages of addresses must be at the root
]
