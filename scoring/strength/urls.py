"""URL of the results adjusted for the strength of the opponents."""

from django.urls import path

from scoring.strength import views

urlpatterns = [
    path("torneos/<int:year>/<slug:slug>/fuerza/", views.strength, name="strength"),
]
