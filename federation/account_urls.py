"""URLs of the account pages. There is no sign-up and no change of address. Most URL names are allauth's."""

from collections.abc import Callable
from functools import wraps

from allauth.account import views
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path, re_path

from federation import account_views


def by_mail(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view to answer 404 unless the site sends e-mail."""

    @wraps(view)
    def guarded(request: HttpRequest, *args, **kwargs) -> HttpResponse:
        if not settings.MAIL:
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


urlpatterns = [
    path("entrar/", views.login, name="account_login"),
    path("salir/", views.logout, name="account_logout"),
    path("inactiva/", views.account_inactive, name="account_inactive"),
    path("clave/", views.password_change, name="account_change_password"),
    path("clave/codigo/", account_views.code, name="account_code"),
    path("invitacion/", account_views.invitation_code, name="invitation_code"),
    path("invitacion/<slug:code>/", account_views.invitation, name="invitation"),
    path("clave/olvidada/", by_mail(views.password_reset), name="account_reset_password"),
    path("clave/olvidada/enviada/", by_mail(views.password_reset_done), name="account_reset_password_done"),
    re_path(
        r"^clave/nueva/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        views.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path(
        "clave/nueva/hecha/",
        views.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
]
