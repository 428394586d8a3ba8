"""The Celery application. The queue only carries hints: the database says what is to be done."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")

app = Celery("baza")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["scoring"])
