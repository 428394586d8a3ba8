"""Whether the static files of this version were collected: without them, production's pages fail."""

import logging

from django.apps import apps
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import ManifestFilesMixin, staticfiles_storage

logger = logging.getLogger(__name__)


def missing() -> list[str]:
    """Return the static files that `collectstatic` has not collected; none outside production."""
    if not isinstance(staticfiles_storage, ManifestFilesMixin):
        return []
    ignored = apps.get_app_config("staticfiles").ignore_patterns
    files = {path for finder in get_finders() for path, _storage in finder.list(ignored)}
    return sorted(files - staticfiles_storage.hashed_files.keys())


def warn() -> None:
    """Log that files are missing: the pages themselves fail with a ValueError that does not say so."""
    if names := missing():
        text = "%s static files of this version are missing, so pages fail (%s): run manage.py collectstatic"
        logger.error(text, len(names), names[0])
