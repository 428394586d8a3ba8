"""Results: from a file to a receipt."""

from django.urls import path

from scoring.uploads.views import lists as upload_list
from scoring.uploads.views import repeats as upload_repeats
from scoring.uploads.views import review as upload_review
from scoring.uploads.views import start as uploads
from scoring.uploads.views import steps as upload_steps

urlpatterns = [
    path("", upload_list.index, name="uploads"),
    path("varios/", upload_list.several, name="uploads_several"),
    path("subir/", uploads.start, name="upload_start"),
    path("escribir/", uploads.typed, name="upload_typed"),
    path("plantilla.<slug:extension>", uploads.template, name="upload_template"),
    path("<uuid:pk>/revisar/", upload_review.review, name="upload_review"),
    path("<uuid:pk>/editar/", upload_steps.edit, name="upload_edit"),
    path("<uuid:pk>/comparar/<int:tournament>/", upload_repeats.compare, name="upload_compare"),
    path("<uuid:pk>/confirmar/", upload_steps.confirm, name="upload_confirm"),
    path("<uuid:pk>/recibo/", upload_steps.receipt, name="upload_receipt"),
    path("<uuid:pk>/progreso/", upload_steps.progress, name="upload_progress"),
    path("<uuid:pk>/descartar/", upload_steps.discard, name="upload_discard"),
    path("<uuid:pk>/archivo/", upload_steps.raw_file, name="upload_file"),
]
