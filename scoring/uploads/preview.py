"""A review in sentences and table rows: what the upload pages show."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from players.access import name_for
from players.models import Club, Player
from scoring.ledger import place_wording
from scoring.ledger.wording import by_place, reason_text
from scoring.uploads.services.review import Review
from tournaments.formats.types import Issue, Person
from tournaments.models import Contestant, Tournament
from tournaments.ranking import Ranked
from tournaments.services.issues import PERSONAL, PLAYER_NAME_PARAMS, describe, tick_of
from ui.formatting import decimals_in, format_fixed, format_percent

# What the fields of our own issues are called on the form; a reader's own are named as in the file.
FIELDS = {
    "name": _("Name"),
    "event_type": _("Tournament type"),
    "format": _("Format"),
    "venue": _("Venue"),
    "start_date": _("First day"),
    "end_date": _("Last day"),
    "boards": _("Boards"),
    "score": _("Result"),
    "licence": _("Number"),
    "place": _("Place"),
    "percentage": _("Percentage"),
    "direction": _("Line"),
    "club": _("Club"),
    "factors": _("Factor"),
}


def summary(review: Review, marked: int = 0, stored: bool = True) -> str:
    """The answer of the review page, in a sentence.

    marked: boxes of the page with a text that cannot be stored; stored: whether the rest of the page is
    """
    draft = review.draft
    unreadable = any(each.severity == "error" and each.code != "no_ranking" for each in review.issues)
    if not draft.person_count and unreadable:
        return gettext("Nothing could be read: the reason and what to do about it stand below.")
    if not draft.person_count:
        return gettext("There is no ranking yet.")
    counts = {
        "known": len(draft.players),
        "persons": draft.person_count,
        "licensed": len(draft.licensed & draft.players.keys()),
    }
    if draft.known.end_date:
        text = gettext("%(known)s of %(persons)s players recognised, %(licensed)s with licence: ") % counts
    else:
        text = gettext("%(known)s of %(persons)s players recognised: ") % counts
    return text + _verdict(review, marked, stored)


def _verdict(review: Review, marked: int, stored: bool) -> str:
    if review.blocking:
        errors = sum(each.severity == "error" for each in review.issues)
        return ngettext(
            "there is %(count)s error to mend before it can be confirmed.",
            "there are %(count)s errors to mend before it can be confirmed.",
            errors,
        ) % {"count": errors} + _shortfall(review)
    if marked:
        return ngettext(
            "there is %(count)s box to correct before confirming.",
            "there are %(count)s boxes to correct before confirming.",
            marked,
        ) % {"count": marked} + _shortfall(review)
    if not stored:
        return gettext("what was typed on this page has to be saved before confirming.") + _shortfall(review)
    if not review.evaluation.eligible:
        reasons = _reasons(review)
        return gettext("it can be confirmed but does not count. %(reasons)s") % {"reasons": reasons}
    if review.draft.unticked:
        return gettext("it counts for points; some warnings still need your tick.")
    return gettext("it counts for points and can be confirmed.")


def _shortfall(review: Review) -> str:
    if review.evaluation is None or review.evaluation.eligible:
        return ""
    return f" {_reasons(review)}"


def _reasons(review: Review) -> str:
    rule = review.evaluation.regulation.code
    return " ".join(reason_text(rule, each.code, each.params) for each in review.evaluation.reasons)


# The form of the tournament's data on the same page has these; a problem with one of them leads there.
DETAILS = {"name", "event_type", "format", "venue", "start_date", "end_date", "boards", "boards_scheduled"}


def issue_groups(review: Review, accepted: Collection[str], by_row: bool, user) -> list[dict[str, Any]]:
    """Issues by code, errors first: severity, the texts with their lines, and whether they are ticked.

    personal: each item has a tick of its own

    by_row: lines are rows of the ranking as edited here, not lines of the file
    user: who reads them, and may know a hidden player by name
    One query at most, for the tournaments that issues point at.
    """
    issues = review.issues
    named = {each.params["tournament"] for each in issues if "tournament" in each.params}
    tournaments = Tournament.objects.in_bulk(named) if named else {}
    groups: dict[str, dict[str, Any]] = {}
    order = {"error": 0, "warning": 1, "info": 2}
    for each in sorted(issues, key=lambda one: order[one.severity]):
        shown = _named_for(user, each, review.names)
        text = describe(shown)
        group = groups.setdefault(
            each.code,
            {
                "code": each.code,
                "severity": each.severity,
                "remedy": text.remedy,
                "ticked": each.code in accepted,
                "personal": each.code in PERSONAL,
                "items": [],
            },
        )
        group["items"].append(
            {
                "where": _where(each, by_row),
                "anchor": f"id_{each.field}" if each.field in DETAILS and not each.line else "",
                "message": text.message,
                "tournament": tournaments.get(each.params.get("tournament")),
                "upload": each.params.get("upload"),
                "issue": shown,
                "tick": tick_of(each),
                "ticked": tick_of(each) in accepted,
            }
        )
    return list(groups.values())


def _named_for(user, found: Issue, players: Mapping[int, Player]) -> Issue:
    """The issue as this reader may read it. Its tick is that of the issue as everybody reads it."""
    name, player = PLAYER_NAME_PARAMS.get(found.code), players.get(found.params.get("player"))
    if name is None or player is None:
        return found
    return replace(found, params={**found.params, name: name_for(user, player)})


def _where(found: Issue, by_row: bool) -> str:
    """Line and field of an issue: "Line 14, Number"."""
    parts = []
    if found.line:
        place = gettext("Row %(line)s") if by_row else gettext("Line %(line)s")
        parts.append(place % {"line": found.line})
    if found.field:
        parts.append(str(FIELDS.get(found.field, found.field)))
    return ", ".join(parts)


def table_rows(review: Review, user) -> list[dict[str, Any]]:
    """A row a person, for `PreviewTable`. One query, for the clubs' names."""
    draft = review.draft
    clubs = dict(
        Club.objects.filter(pk__in={player.club_id for player in draft.players.values()}).values_list(
            "pk", "name"
        )
    )
    points = review.points_by_player
    shared = _shared_places(draft.ranked)
    digits = decimals_in(Decimal(each.entry.score) for each in draft.ranked if each.entry.score)
    return [
        {
            "place": ranked.place,
            "shared": (ranked.field, ranked.place) in shared,
            "field": Contestant.Field(ranked.field).label if ranked.field else "",
            "contestant": ranked.entry.team or ranked.entry.number or "",
            "result": _result(ranked, digits),
            "points": points.get(seat.player_id),
            **_person(person, draft.players.get(seat.player_id), review, clubs, user),
        }
        for row, ranked in zip(draft.rows, draft.ranked, strict=True)
        for seat, person in zip(row.seats, ranked.entry.people, strict=True)
    ]


def _person(
    person: Person, player: Player | None, review: Review, clubs: dict[int, str], user
) -> dict[str, Any]:
    if player is None:
        known = review.draft.player_of(person) is not None
        licence = gettext("repeated number") if known else gettext("unknown number")
        licence = licence if person.number else gettext("guest")
        name = person.name or gettext("Unknown guest")
        return {"player": name, "url": "", "number": person.number or "", "licence": licence}
    category = review.draft.categories.get(player.pk)
    return {
        "player": name_for(user, player),
        "url": player.get_absolute_url(),
        "number": player.number,
        "club": clubs.get(player.club_id, ""),
        "category": category.code if category else None,
        "licence": _licence(player, review),
    }


def _licence(player: Player, review: Review) -> str | None:
    """Whether the player had a licence; unsaid while nobody knows the day."""
    if review.draft.known.end_date is None:
        return None
    return gettext("yes") if player.pk in review.draft.licensed else gettext("no")


def _shared_places(ranked: tuple[Ranked, ...]) -> set[tuple[str, int]]:
    seen, shared = set(), set()
    for each in ranked:
        key = (each.field, each.place)
        (shared if key in seen else seen).add(key)
    return shared


def _result(ranked: Ranked, digits: int) -> str:
    if ranked.entry.percentage:
        return format_percent(Decimal(ranked.entry.percentage), get_language())
    if ranked.entry.score:
        return format_fixed(Decimal(ranked.entry.score), get_language(), digits)
    return ""


def changes_rows(review: Review, user) -> list[dict[str, Any]]:
    """A row a player, for `ChangesTable`; the largest change first."""
    rows = [
        {
            "player": name_for(user, review.names[each.player_id]),
            "url": review.names[each.player_id].get_absolute_url(),
            "number": review.names[each.player_id].number,
            "old": each.old,
            "new": each.new,
        }
        for each in review.changes
    ]
    return sorted(rows, key=lambda row: (-abs((row["new"] or 0) - (row["old"] or 0)), row["number"]))


def coefficients(review: Review) -> list[dict[str, Any]]:
    """The coefficients of each ranking, for the review page."""
    if review.evaluation is None:
        return []
    placed = by_place(review.evaluation.regulation.code)
    return [
        {
            "field": Contestant.Field(line.field).label if line.field else "",
            "by_place": placed,
            "figures": place_wording.figures(line.result.coefficients) if placed else (),
            "n": line.result.n,
            "coefficients": line.result.coefficients,
            "p_max": line.result.p_max,
            "p_min": line.result.p_min,
        }
        for line in review.evaluation.fields
    ]
