"""The address of the storage of uploaded files, the variable BAZA_FILES."""

from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

S3_PARAMETERS = {"endpoint": "endpoint_url", "region": "region_name", "addressing": "addressing_style"}


def storage_of(address: str) -> dict[str, Any] | None:
    """Return the entry of Django's STORAGES for an address; None for "", which means the database.

    Raises ValueError if the address is none of `file:///folder` and `s3://bucket/prefix?endpoint=…`.
    """
    if not address:
        return None
    parts = urlsplit(address)
    path = unquote(parts.path)
    if parts.scheme == "file" and not parts.netloc and path.startswith("/") and not parts.query:
        return {"BACKEND": "tournaments.storages.folder.DurableFolder", "OPTIONS": {"location": path}}
    query = parse_qs(parts.query)
    if parts.scheme != "s3" or not parts.netloc or query.keys() - S3_PARAMETERS.keys():
        raise ValueError(address)
    options = {S3_PARAMETERS[name]: values[-1] for name, values in query.items()}
    return {
        "BACKEND": "tournaments.storages.bucket.Bucket",
        "OPTIONS": {"bucket_name": parts.netloc, "location": path.strip("/"), **options},
    }
