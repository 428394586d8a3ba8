"""The settings of the benchmarks without what watches requests and statements, to measure what that costs."""

from benchmarks.settings import *  # noqa: F403
from benchmarks.settings import MIDDLEWARE as ALL
from federation.watching import statements

MIDDLEWARE = [name for name in ALL if not name.startswith(("federation.watching.", "django_prometheus."))]
statements.connect = lambda: None
