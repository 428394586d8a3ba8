"""Every address, in Spanish as the readers speak it."""

from django.urls import path

urlpatterns: list = []
