"""The account pages that are open: no sign-up, no change of address. Names are allauth's own."""

from allauth.account import views
from django.urls import path, re_path

urlpatterns = [
    path("entrar/", views.login, name="account_login"),
    path("salir/", views.logout, name="account_logout"),
    path("inactiva/", views.account_inactive, name="account_inactive"),
    path("clave/", views.password_change, name="account_change_password"),
    path("clave/olvidada/", views.password_reset, name="account_reset_password"),
    path("clave/olvidada/enviada/", views.password_reset_done, name="account_reset_password_done"),
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
