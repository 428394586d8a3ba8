"""URLs of webhooks: the same pages at the desk of a club and in the office."""

from django.urls import URLPattern, path

from scoring.webhooks import views


def pages(prefix: str, start: str) -> list[URLPattern]:
    """Return the URLs of the pages.

    prefix: begins the names of the URLs
    start: the part of the addresses that all share
    """
    return [
        path(start, views.webhooks, name=f"{prefix}_webhooks"),
        path(f"{start}nuevo/", views.webhook_new, name=f"{prefix}_webhook_new"),
        path(f"{start}<int:pk>/", views.webhook, name=f"{prefix}_webhook"),
        path(f"{start}<int:pk>/<slug:act>/", views.webhook_act, name=f"{prefix}_webhook_act"),
    ]


urlpatterns = [
    *pages("office", "oficina/webhooks/"),
    *pages("club", "gestion/clubes/<slug:slug>/webhooks/"),
]
