"""URLs of changeovers."""

from django.urls import path

from scoring.changeover import views

urlpatterns = [
    path("", views.changeovers, name="changeovers"),
    path("<int:pk>/", views.changeover, name="changeover"),
    path("<int:pk>/avance/", views.changeover_progress, name="changeover_progress"),
    path("<int:pk>/aplicar/", views.changeover_apply, name="changeover_apply"),
    path("<int:pk>/deshacer/", views.changeover_undo, name="changeover_undo"),
    path("<int:pk>/descartar/", views.changeover_discard, name="changeover_discard"),
]
