"""The address of the adjustment for the strength of opponents."""

from django.urls import path

from scoring.strength import views

urlpatterns = [
    path("torneos/<int:year>/<slug:slug>/fuerza/", views.strength, name="strength"),
]
