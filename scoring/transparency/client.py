"""Send one POST request to a server that the settings name: a witness or the time-stamping authority."""

from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

FAULTS = (OSError, HTTPException)  # of the network, and of an answer that is not HTTP


def post(url: str, body: bytes, content_type: str, *, timeout: float, most: int) -> tuple[int, bytes]:
    """Send a body. Return the status and the first `most` bytes of the answer. Raise one of FAULTS.

    timeout: seconds
    """
    address = urlsplit(url)
    kind = HTTPSConnection if address.scheme == "https" else HTTPConnection
    with closing(kind(address.netloc, timeout=timeout)) as connection:
        connection.request("POST", address.path or "/", body, {"Content-Type": content_type})
        response = connection.getresponse()
        return response.status, response.read(most)
