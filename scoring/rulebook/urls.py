"""URLs of the rulebook: the list of regulations and a page for each."""

from django.urls import path

from scoring.rulebook import views

urlpatterns = [
    path("reglamento/", views.index, name="regulations"),
    path("reglamento/<slug:code>/", views.regulation, name="regulation"),
]
