"""URL of the calculator."""

from django.urls import path

from scoring.calculator.views import calculator

urlpatterns = [
    path("calculadora/", calculator.calculator, name="calculator"),
]
