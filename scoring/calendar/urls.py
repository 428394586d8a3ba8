"""URLs of the calendar of announced tournaments."""

from django.urls import path

from scoring.calendar import views

urlpatterns = [
    path("calendario/", views.index, name="calendar"),
    path("calendario/anunciar/", views.announce, name="announce"),
    path("calendario/federacion.ics", views.federation_feed, name="calendar_feed"),
    path("calendario/region/<slug:slug>.ics", views.region_feed, name="calendar_region_feed"),
    path("calendario/club/<slug:slug>.ics", views.club_feed, name="calendar_club_feed"),
    path("calendario/<int:pk>/", views.announcement, name="announcement"),
    path("calendario/<int:pk>/torneo.ics", views.announcement_feed, name="announcement_feed"),
    path("calendario/<int:pk>/cambiar/", views.change, name="announcement_change"),
    path("calendario/<int:pk>/suspender/", views.cancel, name="announcement_cancel"),
]
