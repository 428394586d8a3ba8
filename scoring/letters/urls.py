from django.urls import path

from scoring.letters import views

urlpatterns = [
    path("mi/avisos/", views.notices, name="notices"),
    path("mi/avisos/vistos/", views.seen, name="notices_seen"),
    path("mi/avisos/ajustes/", views.choices, name="notice_settings"),
    path("avisos/baja/<str:token>/", views.unsubscribe, name="unsubscribe"),
]
