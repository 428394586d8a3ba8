"""URLs of the published log, below /transparencia/ (C2SP tlog-tiles, and tlog-witness). No language."""

from django.urls import path, re_path

from scoring.transparency import log_views

urlpatterns = [
    path("checkpoint", log_views.checkpoint, name="log_checkpoint"),
    path("keys", log_views.keys, name="log_keys"),
    re_path(
        r"^tile/(?P<level>[0-7])/(?P<path>[x0-9/]+(?:\.p/[0-9]{1,3})?)$", log_views.tile, name="log_tile"
    ),
    re_path(r"^tile/entries/(?P<path>[x0-9/]+(?:\.p/[0-9]{1,3})?)$", log_views.bundle, name="log_bundle"),
    path("sellos/<int:pk>.tsr", log_views.stamp, name="log_stamp"),
    path("sellos/<int:pk>.txt", log_views.past_checkpoint, name="log_past_checkpoint"),
    path("verify_log.py", log_views.script, name="log_script"),
    path("add-checkpoint", log_views.add_checkpoint, name="log_add_checkpoint"),
]
