"""URL of the calculator."""

from django.urls import path

from scoring.calculator import views

urlpatterns = [
    path("calculadora/", views.calculator, name="calculator"),
]
