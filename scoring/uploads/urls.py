"""URLs of the upload pages."""

from django.urls import path

from scoring.uploads.views import (
    boards,
    columns,
    editing,
    lists,
    memory,
    people,
    repeats,
    review,
    start,
    steps,
)

urlpatterns = [
    path("", lists.index, name="uploads"),
    path("varios/", lists.change_several, name="uploads_several"),
    path("subir/", start.start, name="upload_start"),
    path("escribir/", start.typed, name="upload_typed"),
    path("plantilla.<slug:extension>", start.template, name="upload_template"),
    path("memoria/<slug:slug>/", memory.remembered, name="upload_memory"),
    path("<uuid:pk>/revisar/", review.review, name="upload_review"),
    path("<uuid:pk>/personas/", people.lookup, name="upload_people"),
    path("<uuid:pk>/columnas/", columns.choose, name="upload_columns"),
    path("<uuid:pk>/manos/<int:index>/", boards.change, name="upload_board"),
    path("manos/<int:pk>/", boards.correct, name="upload_correct_board"),
    path("<uuid:pk>/editar/", editing.edit, name="upload_edit"),
    path("<uuid:pk>/comparar/<int:tournament>/", repeats.compare, name="upload_compare"),
    path("<uuid:pk>/confirmar/", steps.confirm, name="upload_confirm"),
    path("<uuid:pk>/recibo/", steps.receipt, name="upload_receipt"),
    path("<uuid:pk>/progreso/", steps.progress, name="upload_progress"),
    path("<uuid:pk>/descartar/", steps.discard, name="upload_discard"),
    path("<uuid:pk>/archivo/", steps.raw_file, name="upload_file"),
]
