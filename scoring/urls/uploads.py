"""Placeholder until its pages land."""

urlpatterns: list = []
