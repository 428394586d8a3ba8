"""Write Atom feeds (RFC 4287) with Django's `Atom1Feed`."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time

from django.conf import settings
from django.http import HttpRequest
from django.utils.feedgenerator import Atom1Feed
from django.utils.timezone import make_aware
from django.utils.translation import get_language
from django.utils.xmlutils import SimplerXMLGenerator

from ui.addresses import site_host
from ui.clock import today
from ui.text import plain_line

CONTENT_TYPE = Atom1Feed.content_type
MOST = 50  # entries of a feed


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a feed.

    key: identifies the entry for ever, in letters, digits and hyphens
    path: the page that it leads to
    summary: a sentence, as plain text
    content: a longer plain text; "" for none
    """

    key: str
    title: str
    path: str
    at: datetime
    summary: str
    content: str = ""


class _Feed(Atom1Feed):
    """Django's feed with plain text instead of HTML, contents, and a time also when it is empty."""

    def latest_post_date(self) -> datetime:
        return self.feed["updated"]

    def add_item_elements(self, handler: SimplerXMLGenerator, item: dict) -> None:
        super().add_item_elements(handler, item)
        handler.addQuickElement("summary", item["summary"], {"type": "text"})
        if item["content"]:
            handler.addQuickElement("content", item["content"], {"type": "text"})


def write(title: str, path: str, entries: Iterable[Entry], request: HttpRequest) -> bytes:
    """Return the feed as XML.

    path: the page of which it is the feed
    entries: the latest first
    """
    listed = list(entries)[:MOST]
    # Readers know an entry by its id, so it must be the same whatever host name the feed was read from.
    authority = f"tag:{site_host()},2026"
    feed = _Feed(
        title=plain_line(title),
        link=request.build_absolute_uri(path),
        description=None,
        language=get_language(),
        author_name=settings.FEDERATION_NAME or "Baza",
        feed_url=request.build_absolute_uri(request.path),
        feed_guid=f"{authority}:{request.path}",
        updated=max((entry.at for entry in listed), default=midnight(today())),
    )
    for entry in listed:
        feed.add_item(
            title=plain_line(entry.title),
            link=request.build_absolute_uri(entry.path),
            description=None,
            unique_id=f"{authority}:{entry.key}",
            pubdate=entry.at,
            updateddate=entry.at,
            summary=plain_line(entry.summary),
            content=entry.content,
        )
    return feed.writeString("utf-8").encode()


def midnight(day: date) -> datetime:
    """Return when a day begins in the federation's time zone."""
    return make_aware(datetime.combine(day, time()))
