"""The signal that the data of Go players changed."""

from django.dispatch import Signal

# Sent inside the transaction that changes the data. `rated_ids`: a set of the ids of the Go players. A change
# of the registered player to whom a Go player is linked sends `players_changed` instead.
rated_changed = Signal()
