"""The sentences and table rows of the pages that review, compare and confirm an upload."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.db.models import Prefetch
from django.utils.translation import get_language, gettext, ngettext

from players.access import name_for
from players.models import Player
from scoring.engine.types import Reason
from scoring.ledger import place_wording
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.queries.awards import PointsChange
from scoring.ledger.receipts import factors_of
from scoring.ledger.wording import by_place, reason_text, reasons_of
from scoring.uploads.people_to_match import People
from scoring.uploads.review_parts import ITEMS, LAPSED, OPEN, Part, listed_issues
from scoring.uploads.services.review import Review
from tournaments.drafts import Row, rows_of
from tournaments.federations import federations, guest_label
from tournaments.formats.types import Entry, Issue, Person
from tournaments.models import Contestant, Tournament
from tournaments.models import Seat as StoredSeat
from tournaments.ranking import Ranked
from tournaments.services.drafts import Draft
from tournaments.services.issues import PLAYER_NAME_PARAMS, issue_groups
from tournaments.services.people import Seat, key_of, seats_of
from tournaments.services.repeats import nearest_ranking
from ui.formatting import decimals_in, format_fixed, format_percent, format_share
from ui.paging import Pages

FEW = 3  # contestants with questions that stand above the ranking's others
MAX_LINKS = 12  # links above the ranking to rows of one kind


def summary(review: Review, marked: int = 0, stored: bool = True) -> str:
    """Return the sentence at the top of the review page: how many players were recognised, and what to do.

    marked: number of text boxes with a text that cannot be stored
    stored: whether the other input of the page has been stored
    """
    draft = review.draft
    if any(issue.severity == "error" and issue.code.startswith("joined_") for issue in review.issues):
        return gettext("The files were not joined: the reason and what to do about it stand below.")
    unreadable = any(issue.severity == "error" and issue.code != "no_ranking" for issue in review.issues)
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
        text = gettext("Players recognised, %(known)s of %(persons)s; with licence, %(licensed)s: ") % counts
    else:
        text = gettext("Players recognised, %(known)s of %(persons)s: ") % counts
    return text + _verdict(review, marked, stored)


def headline(review: Review) -> str:
    """Return the heading of the review page: what is missing before the upload can be confirmed."""
    draft = review.draft
    if not draft.person_count:
        return gettext("There is no ranking to review")
    errors = sum(issue.severity == "error" for issue in review.issues)
    if errors:
        text = ngettext("There is %(count)s error to fix", "There are %(count)s errors to fix", errors)
        return text % {"count": errors}
    if review.evaluation and not review.evaluation.eligible:
        return _headline_of_reason(review.evaluation.reasons[0])
    if unticked := len(draft.unticked):
        text = ngettext("%(count)s warning needs your tick", "%(count)s warnings need your tick", unticked)
        return text % {"count": unticked}
    return gettext("Everything is ready to confirm")


def _headline_of_reason(reason: Reason) -> str:
    """Return the heading of the review page of a draft that will not count.

    If licences are missing, the heading says how many. Otherwise it only says that the draft does not count.
    """
    if reason.code != "too_few_licences":
        return gettext("It can be confirmed, but it does not count")
    missing = reason.params["missing"]
    text = ngettext(
        "%(count)s licence is missing for the pool to count",
        "%(count)s licences are missing for the pool to count",
        missing,
    )
    return text % {"count": missing}


def licence_meter(review: Review) -> dict[str, Any] | None:
    """Return how many people have a licence and how many the regulation asks for, as a bar and in words.

    Return None while the points cannot be computed. `share` and `mark` are lengths in percent of the bar;
    `mark` and `needed` are 0 if the regulation asks for no licences.
    """
    if review.evaluation is None or not review.draft.person_count:
        return None
    people, lang = review.draft.person_count, get_language() or ""
    licensed = len(review.draft.licensed & review.draft.players.keys())
    rule = getattr(review.evaluation.regulation, "minimum_licences", None)
    asked = rule is not None and review.draft.known.event_type in rule.event_types
    needed = rule.needed(people) if asked else 0
    share = format_share(Fraction(100 * licensed, people), lang)
    words = gettext("%(licensed)s of %(people)s with a licence, %(share)s")
    return {
        "people": people,
        "licensed": licensed,
        # With placeholders, for the script that counts while the page is mended.
        "template": words % {"licensed": "{licensed}", "people": "{people}", "share": "{share}"},
        "share": 100 * licensed // people,
        "mark": 100 * needed // people,
        "needed": needed,
        "words": words % {"licensed": licensed, "people": people, "share": share},
        "needed_words": gettext("at least %(needed)s (%(share)s)")
        % {"needed": needed, "share": format_share(rule.per_cent, lang)}
        if asked
        else "",
    }


def _verdict(review: Review, marked: int, stored: bool) -> str:
    if review.has_errors:
        errors = sum(issue.severity == "error" for issue in review.issues)
        return ngettext(
            "there is %(count)s error to fix before it can be confirmed.",
            "there are %(count)s errors to fix before it can be confirmed.",
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
    if review.evaluation is None:  # name, type and venue may follow from the answer
        return gettext("say first whether it is the announced tournament.")
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
    code = review.evaluation.regulation.code
    return " ".join(reason_text(code, reason.code, reason.params) for reason in review.evaluation.reasons)


# Fields in the form of the tournament's data, to which issues about them link.
DETAILS = {"name", "event_type", "format", "venue", "start_date", "end_date", "boards", "boards_scheduled"}


def groups_of(
    review: Review,
    ticks: Collection[str],
    by_row: bool,
    user,
    unfolded: str = "",
    files: Sequence[str] = (),
) -> list[dict[str, Any]]:
    """Return the issues as grouped by `issue_groups`, with links to fields of the page and to tournaments.

    A long group has only its first items, and the number of the others as "hidden". Groups of warnings about
    one person are "partial" if some of these warnings are left out. At most one query, for the tournaments.

    ticks, by_row, files: as for `issue_groups`
    user: the viewer, who may not see the names of all hidden players
    unfolded: the code of a group with all its items
    """
    issues, personal_hidden = listed_issues(review.issues, ticks)
    groups = issue_groups(
        issues, ticks, by_row, lambda issue: _with_visible_name(issue, review.players, user), files
    )
    every = Counter(issue.code for issue in review.issues)
    for group in groups:
        whole = group["personal"] or group["code"] == unfolded
        if group["personal"]:
            group["partial"], group["hidden"] = personal_hidden > 0, every[group["code"]] - group["count"]
            group["count"] = every[group["code"]]
        if not whole and len(group["items"]) > ITEMS:
            group["hidden"] = len(group["items"]) - ITEMS
            del group["items"][ITEMS:]
    ids = {issue.params["tournament"] for issue in review.issues if "tournament" in issue.params}
    tournaments = Tournament.objects.in_bulk(ids) if ids else {}
    for item in (item for group in groups for item in group["items"]):
        issue = item["issue"]
        item["anchor"] = f"id_{issue.field}" if issue.field in DETAILS and not issue.line else ""
        item["tournament"] = tournaments.get(issue.params.get("tournament"))
    return groups


def _with_visible_name(issue: Issue, players: Mapping[int, Player], user) -> Issue:
    """Return the issue with the player's name as the user may see it.

    The result is only for display: the ticks are computed from the original issue.
    """
    name, player = PLAYER_NAME_PARAMS.get(issue.code), players.get(issue.params.get("player"))
    if name is None or player is None:
        return issue
    return replace(issue, params={**issue.params, name: name_for(user, player)})


def ranking_rows(review: Review, part: Part, people: People, user) -> list[dict[str, Any]]:
    """Return the contestants of the shown part of the ranking under review, with their people.

    people: the people of the form; those whose form the page shows have a `row`
    """
    draft = review.draft
    places = dict(zip(draft.ranked_rows, draft.ranked, strict=True))
    shared = _shared_places(draft.ranked)
    decimals = decimals_in(Decimal(ranked.entry.score) for ranked in draft.ranked if ranked.entry.score)
    records = []
    for row in part.entries:
        entry = draft.entries[row]
        ranked = places.get(row)
        persons = [
            _person((row, index), person, review, part, people, user)
            for index, person in enumerate(entry.people)
        ]
        records.append(
            {
                "place": ranked and ranked.place,
                "shared": bool(ranked) and (ranked.field, ranked.place) in shared,
                "field": Contestant.Field(ranked.field).label if ranked and ranked.field else "",
                "number": _shown_number(entry, draft.known.format),
                # A table has one column for pair numbers and team names.
                "team": (entry.team or "") if draft.known.format == "teams" else "",
                "result": _result(ranked, decimals) if ranked else "",
                "points": max((person["points"] for person in persons if person["points"]), default=None),
                "persons": persons,
            }
        )
    return records


def _shown_number(entry: Entry, kind: str | None) -> str:
    """Return the number of a pair, or of a team without a name; "" for a person."""
    if kind == "individual":
        return ""
    if kind == "teams":
        return "" if entry.team else entry.number or ""
    return entry.number or entry.team or ""


def _person(seat: Seat, person: Person, review: Review, part: Part, people: People, user) -> dict[str, Any]:
    """Return the record of one person.

    light: the state of the licence, "guest", "open" (not identified), or "" if the day is not known
    holder: the number of the player who is stored or checked for this person; "" if there is none
    needs: "open", "lapsed" or "": why the director should look at this row
    number_in_file: as read, without the director's decisions
    recognised: whether a director sees that the person is recognised by name
    remembered: whether the person is a guest because a director said so of an earlier file
    """
    draft = review.draft
    player = draft.player_at(seat, person)
    choice, row = draft.choices.get(seat), people.by_key.get(key_of(seat))
    record = {"key": key_of(seat), "row": row if row and row.is_asked else None, "written": person.name}
    record |= {"number": person.number or "", "points": None, "url": "", "category": None, "country": ""}
    in_file = choice.number if choice else "" if seat in draft.recognised else person.number
    record |= {"number_in_file": in_file or ""}
    record |= {"needs": part.needs.get(seat, ""), "holder": player.number if player else ""}
    if player is None:
        light = "guest" if draft.is_guest(seat) else "open"
        if choice and choice.country:
            record["country"] = federations(get_language() or "")[choice.country]
        return {
            **record,
            "name": (choice and choice.name)
            or person.name
            or (gettext("Unknown guest") if light == "guest" else "—"),
            "light": light,
            "remembered": bool(choice and choice.remembered),
        }
    category = draft.categories.get(player.pk)
    light = draft.licences.get(player.pk, "")
    return {
        **record,
        "name": people.recognised.get(seat) or name_for(user, player),
        "recognised": seat in people.recognised,
        "url": player.get_absolute_url(),
        "number": player.number,
        "category": category.code if category else None,
        "light": light,
        "points": review.points_by_player.get(player.pk),
    }


def asked_first(ranking: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the contestants with those about whom the page asks first, if they are at most `FEW`.

    The director then sees the questions without looking for them in the ranking.
    """
    asked = [
        record
        for record in ranking
        if any(person["row"] and person["needs"] == OPEN for person in record["persons"])
    ]
    if len(asked) > FEW:
        return ranking
    return asked + [record for record in ranking if record not in asked]


def pending_rows(ranking: Sequence[dict[str, Any]], part: Part) -> dict[str, Any]:
    """Return links to the rows that need something: people not identified, and people without a licence.

    count: the number of all these people; more: of those on other pages of the ranking
    lists: for each reason the `links` to the first rows, the number of `others` on this page, and the `next`
        row, which is the first of the others
    """
    rows: dict[str, list[dict[str, Any]]] = {OPEN: [], LAPSED: []}
    for contestant in ranking:
        for person in contestant["persons"]:
            if person["needs"]:
                anchor = person["row"].anchor if person["row"] else f"change_{person['key']}"
                link = {"anchor": anchor, "place": contestant["place"], "name": person["name"]}
                rows[person["needs"]].append({**link, "key": person["key"]})
    more = sum(not part.has(seat) for seat in part.needs)
    return {
        "count": more + sum(map(len, rows.values())),
        "more": more,
        "lists": [
            {
                "need": need,
                "links": linked[:MAX_LINKS],
                "others": len(linked[MAX_LINKS:]),
                "next": linked[MAX_LINKS] if len(linked) > MAX_LINKS else None,
            }
            for need, linked in rows.items()
        ],
    }


def numbers_elsewhere(draft: Draft, part: Part) -> list[str]:
    """Return the numbers of the players in the ranking who are not on the shown page."""
    players = [
        draft.player_of(person) for seat, person, _line in seats_of(draft.entries) if not part.has(seat)
    ]
    return [player.number for player in players if player]


def _shared_places(ranked: tuple[Ranked, ...]) -> set[tuple[str, int]]:
    counts = Counter((row.field, row.place) for row in ranked)
    return {key for key, count in counts.items() if count > 1}


def _result(ranked: Ranked, decimals: int) -> str:
    if ranked.entry.percentage:
        return format_percent(Decimal(ranked.entry.percentage), get_language())
    if ranked.entry.score:
        return format_fixed(Decimal(ranked.entry.score), get_language(), decimals)
    return ""


def changes_rows(
    changes: Sequence[PointsChange], players: Mapping[int, Player], user
) -> list[dict[str, Any]]:
    """Return the records of `ChangesTable`, largest change first.

    players: {player id: player}
    """
    rows = [
        {
            "player": name_for(user, players[change.player_id]),
            "url": players[change.player_id].get_absolute_url(),
            "number": players[change.player_id].number,
            "old": change.old,
            "new": change.new,
        }
        for change in changes
    ]
    return sorted(rows, key=lambda row: (-abs((row["new"] or 0) - (row["old"] or 0)), row["number"]))


def coefficients(review: Review) -> list[dict[str, Any]]:
    """Return the coefficients by which the points were computed, one dictionary per field of the ranking."""
    if review.evaluation is None:
        return []
    is_by_place = by_place(review.evaluation.regulation.code)
    return [
        {
            "field": Contestant.Field(field.field).label if field.field else "",
            "by_place": is_by_place,
            "figures": place_wording.figures(field.result.coefficients) if is_by_place else (),
            "n": field.result.n,
            "coefficients": field.result.coefficients,
            "factors": () if is_by_place else factors_of(review.evaluation.regulation, field),
            "p_max": field.result.p_max,
            "p_min": field.result.p_min,
        }
        for field in review.evaluation.fields
    ]


# --- Comparison with a confirmed tournament -------------------------------------------------------------
def comparison_rows(draft: Draft, tournament: Tournament, user) -> list[dict[str, Any]]:
    """Return the records of `ComparisonTable`: contestants of the upload, then those only in the tournament.

    If a correction of the tournament is not in force yet, the tournament has two rankings. The one more like
    the upload's is used.
    """
    nearest, _likeness = nearest_ranking(tournament, draft.rows, draft.players)
    tournament_rows = rows_of(nearest) if nearest else []
    seats = [(seat.player_id, row) for row in tournament_rows for seat in row.seats if seat.player_id]
    ids = {player for player, _row in seats}
    players = {**Player.objects.select_related("merged_into").in_bulk(ids), **draft.players}
    by_player = {players[player].merged_into_id or player: row for player, row in seats}
    pairs, matched = [], set()
    for row in draft.rows:
        match = next((by_player[seat.player_id] for seat in row.seats if seat.player_id in by_player), None)
        if match:
            matched.add(match.position)
        pairs.append((row, match))
    pairs += [(None, row) for row in tournament_rows if row.position not in matched]
    return [_comparison_record(here, there, players, user) for here, there in pairs]


def _comparison_record(
    here: Row | None, there: Row | None, players: dict[int, Player], user
) -> dict[str, Any]:
    people_here, people_there = _row_people(here, players, user), _row_people(there, players, user)
    result = _row_result(there)
    if here and there and people_here != people_there:
        result = f"{result} ({people_there})"
    return {"people": people_here or people_there, "here": _row_result(here), "there": result}


def _row_people(row: Row | None, players: dict[int, Player], user) -> str:
    if row is None:
        return ""
    return ", ".join(
        name_for(user, players[seat.player_id].current)
        if seat.player_id
        else guest_label(seat.guest_name, seat.guest_country) or gettext("Unknown guest")
        for seat in row.seats
    )


def _row_result(row: Row | None) -> str:
    """Return the place and result of a row, such as "2 · 66,50 %"; "" if there is no row."""
    if row is None:
        return ""
    parts = [str(row.place)]
    if row.field:
        parts.insert(0, str(Contestant.Field(row.field).label))
    if row.percentage is not None:
        parts.append(format_percent(row.percentage, get_language()))
    elif row.score is not None:
        parts.append(format_fixed(row.score, get_language(), decimals_in([row.score])))
    return " · ".join(parts)


# --- Receipt --------------------------------------------------------------------------------------------
def receipt_context(run: ScoringRun, user) -> dict[str, Any]:
    """Return the template context of an upload's receipt. The points of the run must be posted.

    Five queries, as many for any number of contestants.

    paid: the number of players with points
    total: the sum of their points in hundredths
    reasons: why the tournament did not count, if it did not
    source: the source of `ReceiptTable`
    colour: the colour of the points, if their family has one
    """
    entries = LedgerEntry.objects.filter(run=run, kind=LedgerEntry.Kind.AWARD)
    awards = list(entries.values_list("contestant_id", "points"))
    points = dict(awards)
    return {
        "paid": len(awards),
        "total": sum(hundredths for _contestant, hundredths in awards),
        "rule": run.regulation,
        "colour": place_wording.colour(run.tournament),
        "reasons": reasons_of(run),
        "source": receipt_source(run, lambda contestant: points.get(contestant.pk), user),
    }


def receipt_source(run: ScoringRun, points_of: Callable[[Contestant], int | None], user) -> Pages:
    """Return the source of `ReceiptTable`, with one record per contestant of the run's ranking.

    points_of: returns a contestant's points in hundredths
    """
    contestants = run.revision.contestants.all()
    places = Counter(contestants.values_list("field", "place"))
    # Not "seats__player": Django prefetches at most a thousand players at once from SQLite.
    seats = Prefetch("seats", StoredSeat.objects.select_related("player__merged_into"))

    def records(page: list[Contestant]) -> list[dict[str, Any]]:
        return [
            {
                "place": contestant.place,
                "shared": places[contestant.field, contestant.place] > 1,
                "players": _contestant_name(contestant, user),
                "points": points_of(contestant),
            }
            for contestant in page
        ]

    return Pages(contestants.prefetch_related(seats), records)


def _contestant_name(contestant: Contestant, user) -> str:
    names = [
        name_for(user, seat.player.current)
        if seat.player
        else guest_label(seat.guest_name, seat.guest_country)
        for seat in contestant.seats.all()
    ]
    joined = " – ".join(names)
    return f"{contestant.team_name}: {joined}" if contestant.team_name else joined
