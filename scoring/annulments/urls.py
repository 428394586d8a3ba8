"""URLs that annul and restore tournaments."""

from django.urls import path

from scoring.annulments import views

urlpatterns = [
    path("torneos/<int:year>/<slug:slug>/anular/", views.annulment, name="annulment"),
    path("oficina/anulaciones/", views.annulments, name="annulments"),
    path("go/torneos/<int:pk>/anular/", views.go_annulment, name="go_annulment"),
]
