"""URLs of the uploads of Go tournaments."""

from django.urls import path

from scoring.uploads.views import go

urlpatterns = [
    path("<uuid:pk>/", go.review, name="go_upload_review"),
    path("<uuid:pk>/confirmar/", go.confirm, name="go_upload_confirm"),
    path("<uuid:pk>/recibo/", go.receipt, name="go_upload_receipt"),
    path("<uuid:pk>/descartar/", go.discard, name="go_upload_discard"),
    path("corregir/<int:pk>/", go.correct, name="go_upload_correct"),
]
