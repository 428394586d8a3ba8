"""URLs of the interface for programs, and of the script that uses it."""

from django.urls import path

from scoring.api.answering import completed
from scoring.api.interface import interface
from scoring.api.reading.routers import share
from scoring.api.views import script

_patterns, *_names = interface.urls

urlpatterns = [
    *completed([path("baza_upload.py", script, name="upload_script")]),
    path("", (completed(share(_patterns)), *_names)),
]
