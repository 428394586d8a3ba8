"""URLs of the account pages. Some names are allauth's, which its views need; its own sign-up is closed."""

from collections.abc import Callable
from functools import wraps

from allauth.account import views
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path, re_path

from federation import account_views, address_views, kept_forms, security_views, sign_up_views


def by_mail(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view to answer 404 unless the site sends e-mail."""

    @wraps(view)
    def guarded(request: HttpRequest, *args, **kwargs) -> HttpResponse:
        if not settings.MAIL:
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


urlpatterns = [
    path("", security_views.security, name="account_security"),
    path("entrar/", views.login, name="account_login"),
    path("entrar/codigo/", security_views.SecondStepView.as_view(), name="mfa_authenticate"),
    path("entrar/llave/", security_views.PasskeySignInView.as_view(), name="mfa_login_webauthn"),
    path("seguir/", kept_forms.kept_form, name="kept_form"),
    path("salir/", views.logout, name="account_logout"),
    path("inactiva/", views.account_inactive, name="account_inactive"),
    path("alta/", sign_up_views.sign_up, name="sign_up"),
    path("alta/enviada/", sign_up_views.sign_up_sent, name="sign_up_sent"),
    path("alta/codigo/", sign_up_views.sign_up_code, name="sign_up_code"),
    path("alta/<slug:token>/", sign_up_views.sign_up_finish, name="sign_up_finish"),
    path("clave/", views.password_change, name="account_change_password"),
    path("clave/codigo/", account_views.code, name="account_code"),
    path("correo/", address_views.address, name="account_address"),
    path("correo/<str:key>/", address_views.confirm, name="account_address_confirm"),
    path("aplicacion/", security_views.app_add, name="app_add"),
    path("aplicacion/quitar/", security_views.app_remove, name="app_remove"),
    path("llaves/nueva/", security_views.passkey_add, name="passkey_add"),
    path("llaves/<int:pk>/quitar/", security_views.passkey_remove, name="passkey_remove"),
    path("recuperacion/", security_views.recovery_codes, name="recovery_codes"),
    path("sesiones/terminar/", security_views.sessions_end, name="sessions_end"),
    path("sesiones/<int:pk>/terminar/", security_views.session_end, name="session_end"),
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
