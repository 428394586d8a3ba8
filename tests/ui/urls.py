"""The URL names that the base template links to, so that it can be tested without the other pages."""

from django.http import HttpResponse
from django.urls import path

NAMES = [
    "home",
    "standings",
    "tournaments",
    "promotions",
    "calculator",
    "players",
    "clubs",
    "regulations",
    "search",
    "datasets",
    "programs",
    "transparency",
    "help",
    "privacy",
    "set_language",
    "go_ratings",
    "my_page",
    "my_place",
    "my_results",
    "where_points",
    "cases",
    "my_go",
    "notices",
    "privacy_choices",
    "account_security",
    "demo_letters",
    "account_login",
    "account_logout",
    "account_reset_password",
    "calendar",
    "upload_start",
    "uploads",
]
urlpatterns = [path(f"{name}/", lambda request: HttpResponse(), name=name) for name in NAMES]
