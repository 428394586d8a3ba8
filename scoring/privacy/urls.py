"""URLs of one's personal data."""

from django.urls import path

from scoring.privacy import views

urlpatterns = [
    path("mi/privacidad/", views.choices, name="privacy_choices"),
    path("mi/privacidad/nombre/", views.hide, name="privacy_hide"),
    path("mi/privacidad/copia/", views.ask_copy, name="data_copy"),
    path("mi/privacidad/copia/estado/", views.copy_progress, name="data_copy_progress"),
    path("mi/privacidad/copia/<int:pk>/", views.download_copy, name="data_copy_file"),
    path("mi/privacidad/correccion/", views.correct, name="privacy_correct"),
    path("mi/privacidad/borrado/", views.erase, name="privacy_erase"),
    path("oficina/personas/<str:number>/borrado/", views.office_erase, name="office_erase"),
]
