"""Settings, all of them, from the environment.

Without any variable set the project runs embedded: SQLite under `var/`, the Celery worker as a thread of
the web process, cookies that work over plain HTTP on this machine. `docs/production.md` lists the
variables a real installation sets.
"""

import os
from datetime import timedelta
from pathlib import Path

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key
from django.utils.translation import gettext_lazy as _

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(os.environ.get("BAZA_VAR", BASE_DIR / "var"))
VAR_DIR.mkdir(parents=True, exist_ok=True)


def env_flag(name: str, default: bool = False) -> bool:
    """Read a yes/no variable; anything but 1, true, yes or on is no."""
    return os.environ.get(name, str(default)).strip().lower() in {"1", "true", "yes", "on"}


def env_list(name: str, default: str = "") -> list[str]:
    """Read a comma-separated variable."""
    return [part.strip() for part in os.environ.get(name, default).split(",") if part.strip()]


def secret_key() -> str:
    """The key from the environment, or one made for this machine and kept under `var/`.

    A production installation must name its own: several web hosts have to share it.
    """
    if key := os.environ.get("BAZA_SECRET_KEY"):
        return key
    if PRODUCTION:
        raise ImproperlyConfigured("Set BAZA_SECRET_KEY: a production installation keeps its own key.")
    path = VAR_DIR / "secret_key"
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(get_random_secret_key())
    except FileExistsError:
        pass  # made by an earlier start, or by the other process of this one
    return path.read_text()


PRODUCTION = env_flag("BAZA_PRODUCTION")
if PRODUCTION:
    # Without these it would start all the same: on SQLite, with a private queue, or for no host name.
    for needed in ("BAZA_HOSTS", "DATABASE_URL", "REDIS_URL"):
        if not os.environ.get(needed):
            raise ImproperlyConfigured(f"Set {needed}: a production installation needs it.")
DEBUG = env_flag("DEBUG")
SECRET_KEY = secret_key()
ALLOWED_HOSTS = env_list("BAZA_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env_list("BAZA_ORIGINS")
ROOT_URLCONF = "federation.urls"
WSGI_APPLICATION = "federation.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
FEDERATION_NAME = os.environ.get("BAZA_FEDERATION", "Asociación Española de Bridge")

INSTALLED_APPS = [
    "federation",
    "ui",
    "players",
    "tournaments",
    "scoring",
    "scoring.ledger",
    "scoring.promotions",
    "scoring.ratings",
    "scoring.annulments",
    "scoring.uploads",
    "scoring.office",
    "scoring.audit",
    "scoring.demo",
    "allauth",
    "allauth.account",
    "django_tables2",
    "django_htmx",
    "crispy_forms",
    "crispy_bootstrap5",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "csp.middleware.CSPMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "federation.middleware.CompressMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "federation.middleware.ExplicitLanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["ui.templatetags.ui", "django.templatetags.i18n", "django.templatetags.static"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "federation.context.site",
            ],
        },
    }
]

# --- Database -------------------------------------------------------------------------------------------
DATABASES = {
    "default": dj_database_url.parse(
        os.environ.get("DATABASE_URL", f"sqlite:///{VAR_DIR / 'baza.sqlite3'}"),
        # Django's default opens a connection per request, which costs two thirds of the throughput.
        conn_max_age=600,
        conn_health_checks=True,
    )
}
SQLITE = DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"
if SQLITE:
    DATABASES["default"]["OPTIONS"] = {
        # A writer that starts as a reader cannot be upgraded when another writes: begin as a writer.
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-65536;",
    }
    # The thread-safe default: one connection a thread, kept open between requests.
else:
    DATABASES["default"].setdefault("OPTIONS", {})["connect_timeout"] = 5

# --- Cache, queue ---------------------------------------------------------------------------------------
REDIS_URL = os.environ.get("REDIS_URL", "")
if REDIS_URL:
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": os.environ.get("CACHE_URL", REDIS_URL),
            "OPTIONS": {"socket_timeout": 2, "socket_connect_timeout": 2},
        }
    }
else:
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
SESSION_ENGINE = "django.contrib.sessions.backends.db"

# Seconds one scoring may take; a run whose worker died is taken over a little later.
TASK_SECONDS = int(os.environ.get("BAZA_TASK_SECONDS", "90"))
# Seconds. The broker gives a message back to another worker after this: it must exceed every time limit.
VISIBILITY_TIMEOUT = TASK_SECONDS + 30
CELERY_BROKER_URL = REDIS_URL or "memory://localhost/"
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {
        "visibility_timeout": VISIBILITY_TIMEOUT,
        "socket_timeout": 3,
        "socket_connect_timeout": 1,
        "retry_on_timeout": False,
    }
    if REDIS_URL
    else {"polling_interval": 0.01}
)
CELERY_VISIBILITY_TIMEOUT = VISIBILITY_TIMEOUT
# With the broker away an upload must still answer at once: the sweeper enqueues it later.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_CONNECTION_TIMEOUT = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_TASK_TIME_LIMIT = TASK_SECONDS
CELERY_TASK_SOFT_TIME_LIMIT = max(1, TASK_SECONDS * 2 // 3)
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = "Europe/Madrid"
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

# --- Accounts -------------------------------------------------------------------------------------------
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "federation.accounts.ClosedAccountAdapter"
ACCOUNT_FORMS = {
    "login": "federation.account_forms.LoginForm",
    "change_password": "federation.account_forms.ChangePasswordForm",
    "reset_password": "federation.account_forms.ResetPasswordForm",
    "reset_password_from_key": "federation.account_forms.ResetPasswordKeyForm",
}
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Baza: "
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_CHANGE_EMAIL = False
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = (
    False  # an address without an account gets no letter, and the page looks the same
)
# allauth counts in the cache, and fails with it: `federation.sign_in_limits` counts in the database.
ACCOUNT_RATE_LIMITS = False
# Whose address the limits on attempts count: behind a reverse proxy, what the last proxies say it is.
ALLAUTH_TRUSTED_PROXY_COUNT = int(os.environ.get("BAZA_PROXIES", "0"))
SESSION_COOKIE_AGE = 12 * 3600

# --- Mail -----------------------------------------------------------------------------------------------
EMAIL_HOST = os.environ.get("EMAIL_HOST", "")
EMAIL_USE_SSL = env_flag("EMAIL_USE_SSL")
EMAIL_USE_TLS = env_flag("EMAIL_USE_TLS", not EMAIL_USE_SSL)
EMAIL_PORT = int(os.environ.get("EMAIL_PORT", "465" if EMAIL_USE_SSL else "587"))
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
EMAIL_TIMEOUT = 10  # seconds
DEFAULT_FROM_EMAIL = SERVER_EMAIL = os.environ.get("BAZA_EMAIL_FROM", "baza@localhost")
# Whether letters are sent. Without a server they go to the log, which must hold no link to a new password.
MAIL = os.environ.get("BAZA_MAIL", "").strip().lower() != "none"
if PRODUCTION and MAIL and not EMAIL_HOST:
    raise ImproperlyConfigured(
        "Set EMAIL_HOST, the mail server (and EMAIL_PORT, EMAIL_HOST_USER, EMAIL_HOST_PASSWORD, "
        "EMAIL_USE_TLS, EMAIL_USE_SSL as it needs them), or BAZA_MAIL=none for a site that sends no letters."
    )
_SENDER = "dummy" if not MAIL else "smtp" if EMAIL_HOST else "console"
EMAIL_BACKEND = f"django.core.mail.backends.{_SENDER}.EmailBackend"
ALARM_TO = env_list("BAZA_ALARM_TO")  # addresses of the operators

# --- Language, time, numbers ----------------------------------------------------------------------------
LANGUAGE_CODE = "es"
LANGUAGES = [("es", _("Spanish")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "Europe/Madrid"
USE_TZ = True
USE_THOUSAND_SEPARATOR = False  # years and numbers of players would read 2.026; |count and |points group

# --- Static files, uploads ------------------------------------------------------------------------------
STATIC_URL = "/static/"
STATIC_ROOT = Path(os.environ.get("BAZA_STATIC", BASE_DIR / "staticfiles"))
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},  # uploads live in the database
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = not PRODUCTION
UPLOAD_LIMIT = 5 * 1024 * 1024  # bytes, of one file
DATA_UPLOAD_MAX_MEMORY_SIZE = 6 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = UPLOAD_LIMIT
FILE_UPLOAD_HANDLERS = ["tournaments.uploadhandler.BoundedUploadHandler"]
DATA_UPLOAD_MAX_NUMBER_FIELDS = 12_000  # a hand-typed ranking of 1,000 pairs

# --- Look -----------------------------------------------------------------------------------------------
CRISPY_ALLOWED_TEMPLATE_PACKS = "bootstrap5"
CRISPY_TEMPLATE_PACK = "bootstrap5"
DJANGO_TABLES2_TEMPLATE = "django_tables2/baza.html"

# --- Safety ---------------------------------------------------------------------------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],  # Bootstrap draws its form marks with data: images
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "federation.errors.csrf_failure"
if PRODUCTION:
    SECURE_SSL_REDIRECT = env_flag("BAZA_SSL_REDIRECT", True)
    # No SECURE_PROXY_SSL_HEADER, which believes everybody: gunicorn believes the proxies that it knows.
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    # Browsers' preload lists bind the whole domain for years: that is for its owner to decide.
    SILENCED_SYSTEM_CHECKS = ["security.W021"]
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = True
    SESSION_COOKIE_NAME = "__Host-session"
    CSRF_COOKIE_NAME = "__Host-csrf"
KNOWN_BROWSER_COOKIE = "__Host-browser" if PRODUCTION else "browser"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SAMESITE = "Lax"

# --- Rules of this federation (rulings of docs/rulings.md, each a setting) -------------------------------
# Days in which an account approves nothing after a role of the office or the committee was given to it on the
# site, or its password was reset by the office, or its link with a player changed.
APPROVAL_WAITING_DAYS = 3
# Until the first tournament is confirmed, one person alone gives players their first categories and points.
FEDERATION_SETUP = True
FIRST_CATEGORY = "3D"  # what the office is offered for a new player
# The points systems beside each other, the federation's own first: aeb, sbf-bronze, sbf-silver, acbl.
FAMILIES = env_list("BAZA_FAMILIES", "aeb")
if unknown := set(FAMILIES) - {"aeb", "sbf-bronze", "sbf-silver", "acbl"}:
    raise ImproperlyConfigured(f"BAZA_FAMILIES names unknown points systems: {', '.join(sorted(unknown))}")
if FAMILIES[:1] != ["aeb"]:
    raise ImproperlyConfigured("BAZA_FAMILIES has to begin with aeb.")
BRONZE_DECIMALS = 2  # of Swedish bronze awards from 1 September 2020 on, when decimals came into force
# Percent of the scheduled boards: who is known to have played fewer keeps the place without points.
MINIMUM_SHARE = 0
UNLICENSED_EARN = True  # players without a valid licence earn points like everybody
STANDINGS_LICENSED_ONLY = True
# How long uploaded files are kept (docs/uploading.md): they hold telephone numbers and addresses of people.
KEEP_DISCARDED_FILES = timedelta(days=7)  # from the day of discarding, which can be undone as long
KEEP_CONFIRMED_FILES = timedelta(days=365)  # from the last day of the tournament
TIES = "mean"  # of the awards of the places shared; or mean_place, best
PLACE_RULE = "text"  # where a team or player sits among n pairs; or even, as tables 5 to 7 of 2022 print it

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": os.environ.get("LOG_LEVEL", "WARNING")},
}
