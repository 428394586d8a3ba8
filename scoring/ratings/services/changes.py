"""The signal that the data of Go players changed."""

from django.dispatch import Signal

# Sent inside the transaction that changes the data. `rated_ids`: a set of the ids of the Go players. If the
# player of the register changes to whom one is linked, `players_changed` is sent alone.
rated_changed = Signal()
