"""End with 0 if the pages answer, for Docker: `python deploy/healthcheck.py`.

An answer that the database is away counts too: starting the pages again would not bring it back.
"""

import os
import sys
import urllib.error
import urllib.request

request = urllib.request.Request(  # noqa: S310 (the address is our own)
    f"http://127.0.0.1:{os.environ.get('PORT', '8000')}/salud/",
    headers={
        "Host": os.environ["BAZA_HOSTS"].split(",")[0].strip().lstrip("."),
        "X-Forwarded-Proto": "https",
    },
)
try:
    status = urllib.request.urlopen(request, timeout=4).status  # noqa: S310
except urllib.error.HTTPError as error:
    status = error.code
except OSError as error:
    sys.exit(f"the pages do not answer: {error}")
if status not in (200, 503):
    sys.exit(f"/salud/ answers {status}")
