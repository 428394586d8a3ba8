"""URLs of the signed-in player's own pages."""

from django.urls import path

from scoring.mypage.views import habits, overview, what_if

urlpatterns = [
    path("mi/", overview.my_page, name="my_page"),
    path("mi/resultados/", overview.my_results, name="my_results"),
    path("mi/que-pasa-si/", what_if.what_if, name="what_if"),
    path("mi/parejas/", habits.partners, name="my_partners"),
    path("mi/parejas/<int:number>/", habits.partner, name="my_partner"),
    path("mi/resumen/<int:year>/", habits.review, name="my_review"),
    path("correcciones/vistas/", overview.seen, name="corrections_seen"),
]
