"""URLs of the sanity checks, below /oficina/datos/."""

from django.urls import path

from scoring.sanity import views

urlpatterns = [
    path("", views.overview, name="sanity"),
    path("comprobar/", views.run, name="sanity_run"),
    path("hallazgo/<int:pk>/", views.finding, name="sanity_finding"),
    path("<slug:code>/", views.check, name="sanity_check"),
]
