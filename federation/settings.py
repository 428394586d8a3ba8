"""Django's settings. Environment variables override the defaults for an installation.

Without any variable the project runs on one machine: SQLite under `var/`, the Celery worker as a thread of
the web process, cookies that work over plain HTTP. `docs/production.md` lists the variables of a production
installation.
"""

import ipaddress
import os
from datetime import timedelta
from pathlib import Path

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key
from django.utils.translation import gettext_lazy as _

from federation.environment import made_once, secret
from federation.watching import logs
from scoring.transparency.notes import Signer
from tournaments.formats.limits import UPLOAD_BYTES
from tournaments.storages.address import storage_of

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(os.environ.get("BAZA_VAR", BASE_DIR / "var"))
VAR_DIR.mkdir(parents=True, exist_ok=True)


def env_flag(name: str, default: bool = False) -> bool:
    """Read a boolean variable: 1, true, yes and on are true, anything else is false."""
    return os.environ.get(name, str(default)).strip().lower() in {"1", "true", "yes", "on"}


def env_list(name: str, default: str = "") -> list[str]:
    """Read a comma-separated variable as a list."""
    return comma_separated(os.environ.get(name, default))


def comma_separated(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def trusted_proxies() -> int:
    """Return the number of reverse proxies in front of the site, whose X-Forwarded-For is trusted.

    A production installation must state it. If it is too small, all clients share a proxy's address, and the
    failed sign-ins of one person delay everybody. If it is too large, clients can forge their address.
    """
    stated = os.environ.get("BAZA_PROXIES", "").strip() or ("" if PRODUCTION else "0")
    if not (stated.isascii() and stated.isdigit()):
        raise ImproperlyConfigured("Set BAZA_PROXIES to the number of reverse proxies in front, 0 for none.")
    return int(stated)


def secret_key() -> str:
    """Return Django's secret key: the environment's, or one generated for this machine and stored in `var/`.

    A production installation must set its own, because all its web hosts have to share it.
    """
    if key := secret("BAZA_SECRET_KEY"):
        return key
    if PRODUCTION:
        raise ImproperlyConfigured("Set BAZA_SECRET_KEY: a production installation needs its own key.")
    return made_once(VAR_DIR / "secret_key", get_random_secret_key)


def log_key() -> str:
    """Return the private key of the transparency log; "" if a production installation has set none."""
    if (key := secret("BAZA_LOG_KEY")) or PRODUCTION:
        return key
    return made_once(VAR_DIR / "log_key", lambda: str(Signer.generate("localhost/transparencia")))


PRODUCTION = env_flag("BAZA_PRODUCTION")
if PRODUCTION:
    # Without these variables the installation would start, but with SQLite, an in-memory queue or only
    # localhost.
    for variable in ("BAZA_HOSTS", "DATABASE_URL", "REDIS_URL"):
        if not secret(variable):
            raise ImproperlyConfigured(f"Set {variable}: a production installation needs it.")
DEBUG = env_flag("DEBUG")
SECRET_KEY = secret_key()
# Former keys, with which the stored secrets of second factors can still be read.
SECRET_KEY_FALLBACKS = comma_separated(secret("BAZA_OLD_SECRET_KEYS"))
# The transparency log: its key, the verifying keys of former ones, its witnesses, and the verifying keys of
# other logs that this installation is a witness of (`scoring.transparency.keys`).
LOG_KEY = log_key()
LOG_OLD_KEYS = env_list("BAZA_LOG_OLD_KEYS")
LOG_WITNESSES = env_list("BAZA_LOG_WITNESSES")
WITNESSED_LOGS = env_list("BAZA_WITNESSED_LOGS")
TIMESTAMP_URL = os.environ.get("BAZA_TIMESTAMP_URL", "").strip()  # of a time-stamping authority (RFC 3161)
ALLOWED_HOSTS = env_list("BAZA_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env_list("BAZA_ORIGINS")
ROOT_URLCONF = "federation.urls"
WSGI_APPLICATION = "federation.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
FEDERATION_NAME = os.environ.get("BAZA_FEDERATION", "Asociación Española de Bridge")

# models.W040: SQLite ignores `include` in an index (`ledger_of_player`), which only costs it time.
SILENCED_SYSTEM_CHECKS = ["models.W040"]

INSTALLED_APPS = [
    "federation",
    "ui",
    "players",
    "tournaments",
    "scoring",
    "scoring.ledger",
    "scoring.promotions",
    "scoring.ratings",
    "scoring.transparency",
    "scoring.annulments",
    "scoring.letters",
    "scoring.signups",
    "scoring.uploads",
    "scoring.clubs",
    "scoring.cases",
    "scoring.office",
    "scoring.privacy",
    "scoring.changeover",
    "scoring.dataset",
    "scoring.webhooks",
    "scoring.audit",
    "scoring.sanity",
    "scoring.demo",
    "scoring.api",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
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
    "federation.watching.request_ids.RequestIdMiddleware",
    "federation.headers.HeadersMiddleware",
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "federation.middleware.CompressMiddleware",
    "federation.reconnecting.ReconnectMiddleware",
    "federation.middleware.AddressLanguageMiddleware",
    "federation.middleware.PlainProgramsMiddleware",
    "federation.costly.CostlyMiddleware",
    "federation.middleware.SharedPagesMiddleware",
    "federation.replica.ReplicaMiddleware",
    "federation.middleware.FormerParametersMiddleware",
    "federation.middleware.PartsMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "federation.asking.SecondFactorMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "federation.middleware.DirectionMiddleware",
    "federation.kept_forms.KeptFormMiddleware",
    "federation.asking.AskAgainMiddleware",
    "federation.middleware.GoMiddleware",
    "federation.robots.RobotsMiddleware",
    "federation.watching.metrics.AfterMiddleware",
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
        secret("DATABASE_URL") or f"sqlite:///{VAR_DIR / 'baza.sqlite3'}",
        # Django's default, one connection for each request, costs two thirds of the throughput.
        conn_max_age=600,
        conn_health_checks=True,
    )
}
SQLITE = DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"
if SQLITE:
    DATABASES["default"]["OPTIONS"] = {
        # SQLite refuses a write after a read if another transaction wrote in between: lock at the start.
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-65536;",
    }
    # Each thread keeps one connection open between requests (`conn_max_age` above).
else:
    DATABASES["default"].setdefault("OPTIONS", {})["connect_timeout"] = 5
    pooler = os.environ.get("DATABASE_POOLER", "").strip()
    if pooler not in ("", "transaction"):
        raise ImproperlyConfigured("Set DATABASE_POOLER to transaction, or leave it out.")
    if pooler:
        DATABASES["default"]["ENGINE"] = "federation.pooled"
if replica_url := secret("DATABASE_REPLICA_URL"):
    if SQLITE:
        raise ImproperlyConfigured("DATABASE_REPLICA_URL needs a DATABASE_URL of PostgreSQL.")
    # No health checks: `federation.replica` asks the replica for its position before each page.
    DATABASES["replica"] = dj_database_url.parse(
        replica_url, engine=DATABASES["default"]["ENGINE"], conn_max_age=600
    )
    # A host that is away must not keep a page waiting.
    DATABASES["replica"].setdefault("OPTIONS", {}).update(connect_timeout=2, tcp_user_timeout=3000)
    DATABASE_ROUTERS = ["federation.replica.ReplicaRouter"]

# --- Cache, queue ---------------------------------------------------------------------------------------
REDIS_URL = secret("REDIS_URL")
if REDIS_URL:
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": secret("CACHE_URL") or REDIS_URL,
            "OPTIONS": {"socket_timeout": 2, "socket_connect_timeout": 2},
        }
    }
else:
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

# Addresses at which shared caches in front of the site take the message that pages have changed.
PURGE_URLS = env_list("BAZA_PURGE_URLS")

# Whether webhooks may lead to this machine, and then without TLS, for tests and development.
WEBHOOKS_TO_LOOPBACK = env_flag("BAZA_WEBHOOKS_TO_LOOPBACK")

# Seconds that a task may take; work whose worker died is taken over a little later.
TASK_SECONDS = int(os.environ.get("BAZA_TASK_SECONDS", "90"))
# Seconds for a task that reads a long list, or writes one in one transaction.
LONG_TASK_SECONDS = int(os.environ.get("BAZA_LONG_TASK_SECONDS", "900"))
# Seconds after which the broker gives an unacknowledged message to another worker; more than any time limit.
# The sweeper sends lost messages again much sooner.
VISIBILITY_TIMEOUT = max(TASK_SECONDS, LONG_TASK_SECONDS) + 30
CELERY_BROKER_URL = REDIS_URL or "memory://localhost/"
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {
        "visibility_timeout": VISIBILITY_TIMEOUT,
        "socket_timeout": 1,  # while Redis is frozen, a director waits for this twice; workers wait longer
        "socket_connect_timeout": 1,
        "retry_on_timeout": False,
    }
    if REDIS_URL
    else {"polling_interval": 0.01}
)
CELERY_VISIBILITY_TIMEOUT = VISIBILITY_TIMEOUT
# If the broker is unavailable, the request that enqueues work must not wait: the sweeper enqueues it later.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_CONNECTION_TIMEOUT = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A worker that cannot acknowledge a message because Redis is full connects again. Otherwise it would end.
CELERY_BROKER_CHANNEL_ERROR_RETRY = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_TASK_TIME_LIMIT = TASK_SECONDS
CELERY_TASK_SOFT_TIME_LIMIT = max(1, TASK_SECONDS * 2 // 3)
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
    {"NAME": "federation.password_rules.KnownPasswordValidator"},
    {"NAME": "federation.password_rules.FederationWordsValidator"},
    {"NAME": "federation.password_rules.BreachedPasswordValidator"},
    # A federation number is public, and so is twice the number.
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
# A sorted file of digests of stolen passwords (`federation.password_rules.BreachedPasswordValidator`).
BREACHED_PASSWORDS = os.environ.get("BAZA_BREACHED_PASSWORDS", "")
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "my_place"
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"  # a public page could not confirm it
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
# To an address that belongs to no account nothing is sent; the page looks the same.
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
# allauth counts in the cache and fails without it: `federation.sign_in_limits` counts in the database.
ACCOUNT_RATE_LIMITS = False
MFA_RATE_LIMITS = False
# The limits on attempts count by the address that these proxies report.
ALLAUTH_TRUSTED_PROXY_COUNT = trusted_proxies()
SESSION_COOKIE_AGE = 12 * 3600
MFA_ADAPTER = "federation.second_factors.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_TOLERANCE = 1  # the code before and the one after count too: clocks of telephones differ
MFA_FORMS = {
    "authenticate": "federation.second_factor_forms.SecondFactorForm",
    "authenticate_webauthn": "federation.second_factor_forms.PasskeyAnswerForm",
    "login_webauthn": "federation.second_factor_forms.PasskeySignInForm",
}
# Whether accounts with these roles, and superusers, need a second factor.
SECOND_FACTOR_REQUIRED = PRODUCTION
SECOND_FACTOR_ROLES = {"office", "committee", "auditor"}
if env_flag("BAZA_DIRECTORS_SECOND_FACTOR"):
    SECOND_FACTOR_ROLES.add("director")
# Whether the acts of `federation.asking.ASKED` ask accounts without a second factor for their password. Those
# with a second factor are always asked for it.
ASK_PASSWORD_AGAIN = PRODUCTION
# After this time without being asked, an account is asked again.
ASK_AGAIN_AFTER = timedelta(minutes=max(1, int(os.environ.get("BAZA_ASK_AGAIN_MINUTES", "15"))))

# --- Mail -----------------------------------------------------------------------------------------------
EMAIL_HOST = os.environ.get("EMAIL_HOST", "").strip()
EMAIL_USE_SSL = env_flag("EMAIL_USE_SSL")
EMAIL_USE_TLS = env_flag("EMAIL_USE_TLS", not EMAIL_USE_SSL)
if EMAIL_USE_SSL and EMAIL_USE_TLS:
    # Django would refuse the two together only when it sends the first e-mail.
    raise ImproperlyConfigured(
        "Set only one of EMAIL_USE_TLS and EMAIL_USE_SSL: TLS begins with STARTTLS, usually on port 587, "
        "SSL with the connection, usually on port 465."
    )
EMAIL_PORT = int(os.environ.get("EMAIL_PORT", "465" if EMAIL_USE_SSL else "587"))
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = secret("EMAIL_HOST_PASSWORD")
EMAIL_TIMEOUT = 10  # seconds
DEFAULT_FROM_EMAIL = SERVER_EMAIL = os.environ.get("BAZA_EMAIL_FROM", "baza@localhost")
# Whether mail is sent. In production a server is required: the log must not contain password links.
MAIL = os.environ.get("BAZA_MAIL", "").strip().lower() != "none"
if PRODUCTION and MAIL and not EMAIL_HOST:
    raise ImproperlyConfigured(
        "Set EMAIL_HOST, the mail server (and EMAIL_PORT, EMAIL_HOST_USER, EMAIL_HOST_PASSWORD, "
        "EMAIL_USE_TLS, EMAIL_USE_SSL as it needs them), or BAZA_MAIL=none for a site that sends no letters."
    )
_SENDER = "django.core.mail.backends.smtp" if EMAIL_HOST else "scoring.demo.mailbox"
EMAIL_BACKEND = f"{_SENDER if MAIL else 'django.core.mail.backends.dummy'}.EmailBackend"
ALARM_TO = env_list("BAZA_ALARM_TO")  # addresses of the operators
# The site's address, for links in letters: workers see no request that would tell it.
SITE_ADDRESS = os.environ.get("BAZA_ADDRESS", "").strip().rstrip("/") or (
    f"https://{ALLOWED_HOSTS[0].lstrip('.')}"
    if PRODUCTION
    else f"http://localhost:{os.environ.get('PORT') or 8000}"
)
if not SITE_ADDRESS.startswith(("http://", "https://")) or "*" in SITE_ADDRESS:
    raise ImproperlyConfigured(
        "Set BAZA_ADDRESS to the address of the site, such as https://baza.example.org"
    )

# --- Language, time, numbers ----------------------------------------------------------------------------
LANGUAGE_CODE = "es"
LANGUAGES = [("es", _("Spanish")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "Europe/Madrid"
USE_THOUSAND_SEPARATOR = (
    False  # it would write the year as 2.026; the filters |count and |points group digits
)

# --- Static files, uploads ------------------------------------------------------------------------------
STATIC_URL = "/static/"
STATIC_ROOT = Path(os.environ.get("BAZA_STATIC", BASE_DIR / "staticfiles"))
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "ui.styles.StyleFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},  # not used
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
# Where the bytes of uploaded files are kept: in the database, or at the address in BAZA_FILES.
try:
    if uploads := storage_of(os.environ.get("BAZA_FILES", "").strip()):
        STORAGES["uploads"] = uploads
except ValueError as error:
    raise ImproperlyConfigured(
        "Set BAZA_FILES to file:///a/shared/folder or s3://bucket/prefix?endpoint=https://…&region=…"
    ) from error
WHITENOISE_USE_FINDERS = not PRODUCTION
UPLOAD_LIMIT = UPLOAD_BYTES  # bytes in one file
UPLOAD_SUM_LIMIT = 2 * UPLOAD_LIMIT  # bytes in all files of one upload
DATA_UPLOAD_MAX_MEMORY_SIZE = 6 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = UPLOAD_LIMIT
FILE_UPLOAD_HANDLERS = ["tournaments.uploadhandler.BoundedUploadHandler"]
# Seconds that a program may take to send a request with a file; see `scoring.api.body`.
API_BODY_SECONDS = int(os.environ.get("BAZA_API_BODY_SECONDS", "60"))
DATA_UPLOAD_MAX_NUMBER_FIELDS = 12_000  # no page sends as many: long rankings have pages

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
        "object-src": [NONE],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "federation.errors.csrf_failure"
if PRODUCTION:
    SECURE_SSL_REDIRECT = env_flag("BAZA_SSL_REDIRECT", True)
    # No SECURE_PROXY_SSL_HEADER, which trusts every client: gunicorn trusts only `forwarded_allow_ips`.
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    # No HSTS preload, which commits the whole domain for years: its owner has to decide that.
    SILENCED_SYSTEM_CHECKS += ["security.W021"]
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SESSION_COOKIE_NAME = "__Host-session"
    CSRF_COOKIE_NAME = "__Host-csrf"
KNOWN_BROWSER_COOKIE = "__Host-browser" if PRODUCTION else "browser"
MESSAGE_STORAGE = "federation.messages.Storage"
MESSAGE_COOKIE_NAME = "__Host-messages" if PRODUCTION else "messages"
SIGNED_IN_COOKIE = (
    "__Host-inside" if PRODUCTION else "inside"
)  # tells scripts whether to load personal parts; holds no secret

# Limits on costly public requests (`federation.costly`): the tokens of a network, those that it gets back
# each second, and how many such requests a web process answers at a time.
COSTLY_BURST = int(os.environ.get("BAZA_COSTLY_BURST", "120"))
COSTLY_A_SECOND = float(os.environ.get("BAZA_COSTLY_A_SECOND", "2"))
COSTLY_AT_ONCE = max(1, int(os.environ.get("WEB_THREADS", "4")) // 2)
if COSTLY_BURST < 1 or COSTLY_A_SECOND <= 0:
    raise ImproperlyConfigured("BAZA_COSTLY_BURST and BAZA_COSTLY_A_SECOND have to be positive.")

# --- Rules of this federation (see docs/rulings.md) ------------------------------------------------------
# Days in which an account may approve nothing after another account granted it a role that approves, reopened
# it, changed its e-mail address or player, or sent it a new password.
APPROVAL_WAITING_DAYS = 3
# How long a member can use the link in a letter, or a printed code, to make an account.
SIGN_UP_LINK_DAYS = int(os.environ.get("BAZA_SIGN_UP_LINK_DAYS", "7"))
SIGN_UP_CODE_DAYS = int(os.environ.get("BAZA_SIGN_UP_CODE_DAYS", "60"))
SIGN_UP_LETTERS_A_MINUTE = 60  # of those with which the office invites members
# Until the first tournament is confirmed, one person alone may assign first categories and opening points.
FEDERATION_SETUP = True
# Whether search engines may index pages with names of people. Hidden players' pages are never indexed.
INDEX_NAMES = env_flag("BAZA_INDEX_NAMES")
# The contact for questions about personal data, shown on the privacy page: a name and an address.
PRIVACY_CONTACT = os.environ.get("BAZA_PRIVACY_CONTACT", "").strip()
KEEP_DATA_COPIES = timedelta(days=7)  # the zip files with everything about a person
FIRST_CATEGORY = "3D"  # the category proposed for a new player
# The systems in use, the federation's own first: the families of points aeb, sbf-bronze, sbf-silver and acbl,
# and go, the ratings of Go. The others are neither listed nor offered.
FAMILIES = env_list("BAZA_FAMILIES", "aeb")
if unknown := set(FAMILIES) - {"aeb", "sbf-bronze", "sbf-silver", "acbl", "go"}:
    raise ImproperlyConfigured(f"BAZA_FAMILIES names unknown systems: {', '.join(sorted(unknown))}")
if FAMILIES[:1] != ["aeb"]:
    raise ImproperlyConfigured("BAZA_FAMILIES has to begin with aeb.")
BRONZE_DECIMALS = 2  # of Swedish bronze points won from 1 September 2020 on, when decimals were introduced
# Percent of the scheduled boards that players have to play to earn points. Those known to have played fewer
# keep their place.
MINIMUM_SHARE = 0
UNLICENSED_EARN = True  # whether players without a valid licence earn points
STANDINGS_LICENSED_ONLY = True
# Days after the first confirmation in which a club corrects or annuls a tournament without a second person.
# For the types that clubs file alone; those left out have none, and 0 is the day of the confirmation alone.
CORRECTION_DAYS = {"pool": 14, "bronze": 14, "club": 14}
# Days that a club has to answer a member's case before the office takes over, and days after the answer in
# which the member may reopen it.
CASE_CLUB_DAYS = 7
CASE_REOPEN_DAYS = 30
# How long uploaded files, which contain personal data, are kept (docs/uploading.md).
KEEP_DISCARDED_FILES = timedelta(days=7)  # from the day of discarding; discarding can be undone until then
KEEP_CONFIRMED_FILES = timedelta(days=365)  # from the last day of the tournament; drafts: from the upload
# What tied contestants get: "mean", the mean of the awards of the places that they share; "mean_place", the
# award of the mean of these places; "best", the award of the best of these places.
TIES = "mean"
# How a place becomes a position in the AEB's formula, "text" or "even"; see `Scheme.position`.
PLACE_RULE = "text"

# --- Watching (docs/monitoring.md) ----------------------------------------------------------------------
LOGS = os.environ.get("BAZA_LOGS", "json" if PRODUCTION else "plain").strip().lower()
if LOGS not in ("plain", "json"):
    raise ImproperlyConfigured("BAZA_LOGS has to be plain or json.")
LOGGING = logs.config(LOGS, os.environ.get("LOG_LEVEL", "WARNING"), private=PRODUCTION)
LOGGING["loggers"]["baza.security"] = {"level": "INFO"}  # sign-ins, see `federation.security_log`
# Statements that take longer are written to the log, in milliseconds; 0 for none.
SLOW_QUERY_MS = int(os.environ.get("BAZA_SLOW_QUERY_MS", "500"))
# After how many hours without a note of a backup an alarm is raised; 0 if none is expected.
BACKUP_HOURS = int(os.environ.get("BAZA_BACKUP_HOURS", "26" if PRODUCTION else "0"))
# Who may read the metrics: programs with this token, and addresses or networks. Without both, nobody.
METRICS_TOKEN = secret("BAZA_METRICS_TOKEN")
try:
    METRICS_FROM = [ipaddress.ip_network(part) for part in env_list("BAZA_METRICS_FROM")]
except ValueError as error:
    raise ImproperlyConfigured(f"BAZA_METRICS_FROM has to be addresses or networks: {error}") from error
PROMETHEUS_LATENCY_BUCKETS = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 3.0, 10.0, float("inf"))
# A program on the host may read them without TLS; the token should not travel further.
SECURE_REDIRECT_EXEMPT = [r"^metricas/$", r"^api/"]  # what programs send over HTTP is refused instead
SENTRY_DSN = secret("SENTRY_DSN")
