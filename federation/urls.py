"""All URLs. The paths are in Spanish, the language of most readers."""

from django.contrib import admin
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt

from federation.health import health
from federation.languages import choose_language

handler400 = "federation.errors.bad_request"
handler403 = "federation.errors.permission_denied"
handler404 = "federation.errors.not_found"
handler500 = "federation.errors.server_error"

urlpatterns = [
    path("", include("scoring.urls")),
    path("api/v1/", include("scoring.api.urls")),
    path("cuenta/", include("federation.account_urls")),
    # Exempt from CSRF, so that pages need no token and are the same for all anonymous readers (and can be
    # cached). A forged change of language does no harm.
    path("idioma/", csrf_exempt(choose_language), name="set_language"),
    path("admin/", admin.site.urls),
    path("salud/", health, name="health"),
]
