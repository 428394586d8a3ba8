"""URLs of the audits, below /oficina/comprobacion/."""

from django.urls import path

from scoring.audit import trail, views

urlpatterns = [
    path("", views.audits, name="audits"),
    path("calculo/<uuid:uid>/", trail.run_inputs, name="run_inputs"),
    path("<int:pk>/", views.audit, name="audit"),
    path("<int:pk>/progreso/", views.audit_progress, name="audit_progress"),
]
