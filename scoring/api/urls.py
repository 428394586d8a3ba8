"""URLs of the interface for programs, and of the script that uses it."""

from django.urls import path

from scoring.api.interface import interface
from scoring.api.views import script

urlpatterns = [
    path("baza_upload.py", script, name="upload_script"),
    path("", interface.urls),
]
