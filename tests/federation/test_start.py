"""What a program does at its start, before its first task or request."""

import gc

from django.apps import apps


def test_garbage_is_collected_once_everything_is_loaded():
    was_enabled = gc.isenabled()
    gc.disable()  # as `federation/__init__.py` does
    try:
        apps.get_app_config("federation").ready()
        assert gc.isenabled()
    finally:
        (gc.enable if was_enabled else gc.disable)()
