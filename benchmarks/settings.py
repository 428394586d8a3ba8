"""The project's settings with the URLs of the bare pages added."""

from federation.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.urls"
