"""The fields that every kind of upload stores about its file."""

import hashlib

from django.db import models


def file_fields(model: type[models.Model], file_name: str, data: bytes) -> dict[str, str]:
    """Return the name and the digest of a file as fields of a model.

    A name that is too long keeps its end.
    """
    longest = model._meta.get_field("file_name").max_length
    return {"file_name": file_name[-longest:], "sha256": hashlib.sha256(data).hexdigest()}
