"""URLs of cases, and of the page "Where are my points?"."""

from django.urls import path

from scoring.cases.views import case, lists, points

urlpatterns = [
    path("mi/puntos/", points.where_points, name="where_points"),
    path("mi/consultas/", lists.cases, name="cases"),
    path("mi/consultas/nueva/", case.case_open, name="case_open"),
    path("consultas/<int:pk>/", case.case, name="case"),
    path("gestion/clubes/<slug:slug>/consultas/", lists.club_cases, name="club_cases"),
    path("oficina/consultas/", lists.office_cases, name="office_cases"),
]
