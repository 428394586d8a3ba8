"""URLs of the club desk."""

from django.urls import path

from scoring.clubs.views import codes, desk, directors, members, requests, tokens

urlpatterns = [
    path("", desk.clubs_managed, name="clubs_managed"),
    path("<slug:slug>/", desk.club_manage, name="club_manage"),
    path("<slug:slug>/socios/", members.club_members, name="club_members"),
    path("<slug:slug>/socios/<slug:layout>.csv", members.club_members_file, name="club_members_file"),
    path("<slug:slug>/codigos/", codes.club_codes, name="club_codes"),
    path("<slug:slug>/peticiones/", requests.club_requests, name="club_requests"),
    path("<slug:slug>/peticiones/<slug:kind>/", requests.club_request, name="club_request"),
    path("<slug:slug>/directores/", directors.club_directors, name="club_directors"),
    path("<slug:slug>/directores/invitar/", directors.club_invite, name="club_invite"),
    path(
        "<slug:slug>/directores/invitaciones/<int:pk>/retirar/",
        directors.club_invitation_withdraw,
        name="club_invitation_withdraw",
    ),
    path("<slug:slug>/directores/<int:pk>/quitar/", directors.director_remove, name="club_director_remove"),
    path("<slug:slug>/ordenador/", tokens.club_tokens, name="club_tokens"),
    path("<slug:slug>/ordenador/<int:pk>/anular/", tokens.club_token_revoke, name="club_token_revoke"),
]
