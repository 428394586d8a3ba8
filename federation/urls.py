"""All URLs. The paths are in Spanish, the language of most readers; English pages have them below `/en/`."""

from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt

from federation.health import health
from federation.languages import choose_language
from federation.robots import robots
from federation.watching.metrics import metrics
from federation.watching.operations import operations
from federation.watching.readiness import ready

handler400 = "federation.errors.bad_request"
handler403 = "federation.errors.permission_denied"
handler404 = "federation.errors.not_found"
handler500 = "federation.errors.server_error"

urlpatterns = [
    path("api/v1/", include("scoring.api.urls")),
    path("transparencia/", include("scoring.transparency.log_urls")),
    # Exempt from CSRF, because the pages that send it are the same for everybody and have no token. A forged
    # change of language does no harm.
    path("idioma/", csrf_exempt(choose_language), name="set_language"),
    path("robots.txt", robots, name="robots"),
    path("salud/", health, name="health"),
    path("listo/", ready, name="ready"),
    path("metricas/", metrics, name="metrics"),
    # English pages are below /en/, so that an address has one content.
    *i18n_patterns(
        path("oficina/servicio/", operations, name="operations"),
        path("", include("scoring.urls")),
        path("cuenta/", include("federation.account_urls")),
        path("admin/", admin.site.urls),
        prefix_default_language=False,
    ),
]
