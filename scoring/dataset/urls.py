"""URLs of the open data, below /datos/."""

from django.urls import path

from scoring.dataset import views

urlpatterns = [
    path("", views.datasets, name="datasets"),
    path("<int:pk>.zip", views.dataset_file, name="dataset_file"),
]
