"""URLs of the interface for programs, and of the script that uses it."""

from django.urls import path

from scoring.api.interface import interface
from scoring.api.reading.routers import share
from scoring.api.views import script

_patterns, *_names = interface.urls

urlpatterns = [
    path("baza_upload.py", script, name="upload_script"),
    path("", (share(_patterns), *_names)),
]
