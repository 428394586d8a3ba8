"""Where messages wait for the reader's next page: a cookie that only this host can set, or the session."""

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage


class HostCookieStorage(CookieStorage):
    """Django's storage in a cookie, under a name of ours."""

    cookie_name = settings.MESSAGE_COOKIE_NAME


class Storage(FallbackStorage):
    """Django's default storage, with our cookie."""

    storage_classes = (HostCookieStorage, SessionStorage)
