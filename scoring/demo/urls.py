from django.urls import path

from scoring.demo import views

urlpatterns = [
    path("cartas/", views.letters, name="demo_letters"),
    path("cartas/<slug:name>/", views.letter, name="demo_letter"),
    path("cartas/<slug:name>/html/", views.letter_html, name="demo_letter_html"),
]
