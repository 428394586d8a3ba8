"""URLs of the pages about the log, below /transparencia/."""

from django.urls import path

from scoring.transparency import views

urlpatterns = [
    path("", views.transparency, name="transparency"),
    path("a-mano/", views.underived, name="underived"),
    path("recibos/<int:entry>.json", views.receipt, name="log_receipt"),
]
