"""Send letters (`scoring.letters.delivery`), and delete old letters and notices."""

from datetime import date, timedelta

from scoring.ledger.services import queue
from scoring.letters import delivery
from scoring.letters.composing import message_of
from scoring.letters.models import Broadcast, Letter, Notice

KEPT = timedelta(days=70)  # how long letters are kept, longer than missing results are asked for
NOTICES_KEPT = timedelta(days=365)


def send(letter_id: int) -> None:
    """Send a letter and, while there is time, the oldest others that wait."""
    delivery.deliver(Letter, letter_id, message_of)


def prune(day: date) -> None:
    """Delete the letters that were finished long ago, and notices after a year."""
    Letter.objects.filter(finished_at__lt=queue.now() - KEPT).delete()
    Broadcast.objects.filter(finished_at__lt=queue.now() - KEPT).delete()
    Notice.objects.filter(made_at__lt=queue.now() - NOTICES_KEPT).delete()
