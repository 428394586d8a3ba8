"""Receive, complete, correct and discard uploads of results, and tick their warnings.

Every function stores the issues of the changed draft. `scoring.uploads.services.confirm` confirms uploads.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from django.conf import settings
from django.db import transaction

from players.models import Club, ClubToken
from tournaments.boards import has_same_contestants, with_lines_of
from tournaments.drafts import HEADER_FIELDS, header_of
from tournaments.formats import registry
from tournaments.formats.declaration import TableFormat
from tournaments.formats.joining.join import has_open_columns
from tournaments.formats.start_list import StartRow
from tournaments.formats.types import (
    LINES_PER_FILE,
    BoardResult,
    Entry,
    EventInfo,
    Issue,
    ParsedResult,
    SheetLayout,
    place_of,
)
from tournaments.formats.types import Choice as FileChoice
from tournaments.models import Announcement, ResultUpload, SeparateEvent, Tournament, UploadIssue

from . import announcements, columns, edited_rows, files, pipeline, repeats, scorings, stored_files, usual
from .drafts import Draft, draft_of, parsed_of
from .edited_rows import EditedPage
from .files import Sent
from .headers import NAME_LENGTH, last_day, stored_details
from .issues import issue
from .people import (
    Choice,
    Decision,
    NoSuchSeat,
    Seat,
    apply_decisions,
    choices_of,
    keep_decisions,
    keep_guests,
    seats_of,
    states_of,
    stored_choices,
    transfer_decisions,
    with_guests,
    with_states,
)
from .recognition import remembered_guests
from .start_lists import Placed, place_people
from .stored import TYPED
from .ticks import stored_ticks

State = ResultUpload.State
# Issues of files that can be joined once the columns of some are chosen.
COLUMNS_OPEN = frozenset({"joined_columns", "joined_no_numbers"})
FIELD_LENGTH = UploadIssue._meta.get_field("field").max_length
# What `ResultUpload.parsed` holds besides the `ParsedResult`. Decisions about people ("choices") are stored
# together with the ranking. See `people` for those; `board_changes` for all but the first two; `_store_read`
# for "waiting", which is not kept.
OWN = ("edited", "numbers", "changes", "printed", "revision", "given", "reasons", "meanwhile")
Check = Callable[[ResultUpload, Draft], Iterable[Issue]]
# Checks of other packages, such as those of the regulation. See `register_check`.
CHECKS: list[Check] = []


def register_check(check: Check) -> None:
    """Register a check of another app. The errors it finds are counted in `ResultUpload.errors`.

    Call it from `AppConfig.ready`.
    """
    if check not in CHECKS:
        CHECKS.append(check)


class TooManyFiles(Exception):
    """An upload would have too many files, or too large ones."""


class Stale(Exception):
    """The draft has changed since the user opened the page, so the user's input no longer fits it."""


# --- Digests of a draft, to detect that a page was opened before the draft changed ----------------------
def version_of(upload: ResultUpload) -> str:
    """Return a digest of the draft without its board results, which only change together with the ranking."""
    parsed = {name: value for name, value in upload.parsed.items() if name != "boards"}
    return _digest(json.dumps([upload.club_id, upload.details, upload.ticks, parsed], sort_keys=True))


def people_version_of(upload: ResultUpload) -> str:
    """Return a digest of who is in each seat, to detect that a page shows another person in a seat."""
    people = seats_of(parsed_of(upload).entries)
    return _digest([(seat, person.name, line) for seat, person, line in people])


def warnings_version(draft: Draft) -> str:
    """Return a digest of the warnings, to detect a warning that has changed since a user ticked it."""
    return _digest(
        sorted((tick, [repr(issue) for issue in issues]) for tick, issues in draft.by_tick.items())
    )


def _digest(state: Any) -> str:
    text = state if isinstance(state, str) else repr(state)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


# --- Changes --------------------------------------------------------------------------------------------
def receive(
    user,
    club: Club,
    file_name: str,
    data: bytes,
    details: Mapping[str, Any],
    corrects: Tournament | None = None,
    reason: str = "",
    announcement: Announcement | None = None,
    wait: bool = True,
    further: Sequence[Sent] = (),
) -> ResultUpload:
    """Store the files of a result as a new upload, read them and join them (see `pipeline.receive`).

    details, corrects, reason, announcement: see `new`
    wait: False to return before large files are read
    further: more files of the same event; repeated ones are left out
    """
    upload = new(user, club, details, corrects, reason, announcement)
    first, *others = files.in_order([Sent(file_name, data), *further])
    with stored_files.together():
        pipeline.store(upload, *first)
        files.store_further(upload, others)
    return pipeline.read_now_or_soon(upload, first.data, wait)


def new(
    user,
    club: Club,
    details: Mapping[str, Any],
    corrects: Tournament | None = None,
    reason: str = "",
    announcement: Announcement | None = None,
    token: ClubToken | None = None,
) -> ResultUpload:
    """Return a new upload, not saved yet.

    details: the tournament's data, by the names of `Header` fields; blank ones are taken from the file
    corrects: the tournament that the upload corrects, if any
    reason: why the tournament is corrected
    announcement: the announced tournament that this is the result of, if the director chose it
    token: the token of the club's computer that sent the file, if any
    """
    return ResultUpload(
        club=club,
        created_by=user,
        details=stored_details(dict(details)),
        title=(details.get("name") or "")[:NAME_LENGTH],
        corrects=corrects,
        correction_reason=reason,
        announcement=announcement,
        token=token,
    )


def _is_refused(parsed: ParsedResult) -> bool:
    """Return whether there is nothing to review in a file.

    An empty ranking typed by hand is not refused, nor a table whose columns the director has to choose.
    """
    is_open = parsed.format_name == TYPED or columns_missing(parsed)
    return parsed.has_errors and not parsed.entries and not is_open


def read_content(upload: ResultUpload, data: bytes) -> ParsedResult:
    """Read the bytes of an upload's file, and its further files as they are stored.

    If files of its format have no ranking, compute the ranking from the results of the boards, as the
    director has changed them.
    """
    parsed = _read_files(upload, data, upload.details.get("format") or None)
    return scorings.scored(_with_changed_boards(parsed, upload), upload.details)


def _with_changed_boards(parsed: ParsedResult, upload: ResultUpload) -> ParsedResult:
    """Replace the board results that the director has changed on the review (see `board_changes`)."""
    changed = {int(index) for index in upload.parsed.get("changes", {})}
    boards = tuple(
        BoardResult.from_json(upload.parsed["boards"][index]) if index in changed else result
        for index, result in enumerate(parsed.boards)
    )
    return replace(parsed, boards=boards) if changed else parsed


def _read_files(
    upload: ResultUpload, data: bytes, kind: Any, choices: Sequence[FileChoice] | None = None
) -> ParsedResult:
    """Read the files of an upload. `data` is the content of the first.

    choices: the meaning of columns; None for what was chosen for this upload, or earlier files of its club
    """
    sent = [Sent(upload.file_name, data), *files.further_of(upload)]
    return files.read(sent, kind, columns.choices_of(upload) if choices is None else choices)


def _complete(upload: ResultUpload) -> None:
    """Add to an upload, after its file was read, what the file does not state."""
    columns.keep_remembered(upload)
    usual.complete(upload)
    _mark_remembered_guests(upload)


def _mark_remembered_guests(upload: ResultUpload) -> None:
    """Mark the people as guests whom the club remembers as guests. Does not save."""
    entries = [Entry.from_json(entry) for entry in upload.parsed["entries"]]
    choices = choices_of(upload)
    if guests := remembered_guests(entries, choices, upload.club_id):
        upload.parsed = {**upload.parsed, "choices": stored_choices({**choices, **guests})}


def columns_missing(parsed: ParsedResult) -> bool:
    """Return whether the director has to say what the columns of the only file mean before it can be read."""
    return has_open_columns(parsed)


def open_layouts(parsed: ParsedResult) -> list[int]:
    """Return the indexes of the layouts of the files that cannot be read before their columns are chosen."""
    if not parsed.files:
        return list(range(len(parsed.layouts))) if columns_missing(parsed) else []
    if not any(issue.code in COLUMNS_OPEN for issue in parsed.issues):
        return []
    files = {(issue.line or 0) // LINES_PER_FILE for issue in parsed.issues}
    return [index for index, layout in enumerate(parsed.layouts) if layout.file in files]


def has_open_layouts(upload: ResultUpload) -> bool:
    """Return whether the files of an upload cannot be joined before the columns of some are chosen."""
    return may_choose_columns(upload) and bool(open_layouts(parsed_of(upload)))


def may_choose_columns(upload: ResultUpload) -> bool:
    """Return whether the file is a table, and the director may still choose the meaning of its columns."""
    is_open = upload.state in (State.REVIEW, State.REFUSED) and not upload.file_deleted_at
    return is_open and bool(upload.parsed.get("layouts")) and upload.parsed.get("edited") != "rows"


def choose_columns(upload: ResultUpload, choice: FileChoice, user, file: int = 0) -> ResultUpload:
    """Read the files again with the columns as chosen, and remember them for the club. Return the upload.

    If nothing can be read that way, the issues say why, and the columns can be chosen again. Decisions about
    people are dropped, because the columns decide who they are, except where files were added to a draft.

    Raises NotUnderReview if the upload is neither a draft nor refused or its files have changed, and FileGone
    if a file is deleted.

    file: the number of the file, as in `SheetLayout`
    """
    content = pipeline.content_of(upload)
    kind = upload.details.get("format") or None
    layouts = upload.parsed.get("layouts", [])
    choices = [choice, *columns.choices_of(upload)]
    parsed = scorings.scored(_read_files(upload, content, kind, choices), upload.details)
    with pipeline.locked(upload, State.REVIEW, State.REFUSED) as current:
        if _files_differ(current, upload):
            raise pipeline.NotUnderReview
        layouts = [SheetLayout.from_json(layout) for layout in layouts]
        parsed = replace(parsed, layouts=_with_other_sheets(parsed.layouts, layouts))
        of_file = {layout.digest for layout in layouts if layout.file == file}
        kept = {digest: old for digest, old in current.columns.items() if digest not in of_file}
        current.columns = {**kept, choice.digest: asdict(choice)}
        if "waiting" in current.parsed:
            _store_read(current, parsed)
        else:
            current.parsed = parsed.to_json()
        current.file_format = parsed.format_name
        current.state = State.REFUSED if _is_refused(parsed) else State.REVIEW
        usual.complete(current)
        _mark_remembered_guests(current)
        current.save(update_fields=["announcement", "columns", "parsed", "file_format", "state", "details"])
        if parsed.entries or (parsed.files and file not in _open_files(parsed)):
            columns.remember(current.club, choice, user)
        _refresh(current)
        return current


def _open_files(parsed: ParsedResult) -> set[int]:
    return {parsed.layouts[index].file for index in open_layouts(parsed)}


def _with_other_sheets(
    layouts: Sequence[SheetLayout], before: Sequence[SheetLayout]
) -> tuple[SheetLayout, ...]:
    """Return the layouts with the sheets that are no longer among them, so that another one can be chosen."""
    known = {(layout.file, layout.sheet): layout for layout in layouts}
    places = {(layout.file, layout.sheet): layout for layout in before}
    return tuple((places | known).values())


def may_change_files(upload: ResultUpload) -> bool:
    """Return whether files may be added to an upload and removed from it.

    A ranking that was typed or edited by hand is no longer that of the files.
    """
    is_open = upload.state in (State.REVIEW, State.REFUSED) and not upload.file_deleted_at
    return bool(is_open and upload.file_name and upload.parsed.get("edited") != "rows")


def add_files(upload: ResultUpload, sent: Sequence[Sent]) -> list[Issue]:
    """Add files to an upload and read all of them. Return the errors why the files do not fit, if any.

    The files of a draft stay as they are if the new ones do not fit. Raises NotUnderReview, FileGone and
    TooManyFiles.
    """
    before = files.contents_of(upload)
    return _change_files(upload, files.in_order([*before, *sent]))


def remove_file(upload: ResultUpload, position: int) -> list[Issue]:
    """Remove a file of an upload by its position, from 1 on. Returns and raises as `add_files`."""
    contents = files.contents_of(upload)
    if len(contents) < 2 or not 1 <= position <= len(contents):
        raise pipeline.NotUnderReview
    return _change_files(upload, contents[: position - 1] + contents[position:])


def _change_files(upload: ResultUpload, sent: Sequence[Sent]) -> list[Issue]:
    if len(sent) > files.MOST or sum(len(item.data) for item in sent) > settings.UPLOAD_SUM_LIMIT:
        raise TooManyFiles
    kind = upload.details.get("format") or None
    read = files.read(sent, kind, columns.choices_of(upload))
    # A ranking that is added counts, however the boards were scored without it.
    is_added = bool(read.stated) and not upload.parsed.get("stated")
    read = scorings.scored(read, {} if is_added else upload.details)
    with pipeline.locked(upload, State.REVIEW, State.REFUSED) as current:
        if not may_change_files(current) or _files_differ(current, upload):
            raise pipeline.NotUnderReview
        before = ParsedResult.from_json(current.parsed)
        if current.state == State.REVIEW and not (read.entries or open_layouts(read)):
            return [item for item in read.issues if item.severity == "error"]
        if current.parsed.get("changes") and _board_keys(before) != _board_keys(read):
            return [issue("boards_were_changed")]
        version = version_of(current)
        if current.parsed.get("changes"):
            read = replace(read, boards=before.boards)
            read = scorings.scored(read, {} if is_added else current.details)
        files.replace_files(current, sent)
        if is_added:
            current.details = {name: value for name, value in current.details.items() if name != "scoring"}
        _store_read(current, read)
        current.file_format = read.format_name
        current.state = State.REFUSED if _is_refused(read) else State.REVIEW
        _complete(current)
        current.save()
        _refresh(current)
        upload.step = version, version_of(current)
    return []


def _store_read(upload: ResultUpload, read: ParsedResult) -> None:
    """Set `upload.parsed` to what was read from other files, with the decisions about people. Does not save.

    If the files cannot be joined before the columns of some are chosen, `parsed["waiting"]` keeps the draft
    with its decisions until then.
    """
    waiting = upload.parsed.get("waiting") or upload.parsed
    before = ResultUpload(parsed=waiting)
    read, choices = keep_decisions(ParsedResult.from_json(waiting), choices_of(before), read)
    _store_people(upload, read, choices)
    if not read.entries and waiting["entries"]:
        upload.parsed["waiting"] = waiting


def _files_differ(first: ResultUpload, second: ResultUpload) -> bool:
    """Return whether the files of an upload were changed since it was loaded as `second`."""
    return (first.sha256, first.parsed.get("files")) != (second.sha256, second.parsed.get("files"))


def _board_keys(parsed: ParsedResult) -> list[tuple[Any, ...]]:
    return [(item.board, item.section, item.ns, item.ew) for item in parsed.boards]


def part(upload: ResultUpload, user) -> list[ResultUpload]:
    """Make an upload of each result file of an upload, with the lists that fit it, and discard the upload.

    Return the new uploads. Raises NotUnderReview and FileGone.
    """
    contents = files.contents_of(upload)
    if not may_change_files(upload) or upload.corrects_id or len(contents) < 2:
        raise pipeline.NotUnderReview
    roles = [item["role"] for item in upload.parsed.get("files", ())]
    lists = [item for item, role in zip(contents, roles, strict=False) if role == "names"]
    details = {name: upload.details[name] for name in ("venue", "family") if name in upload.details}
    made = []
    for item in contents:
        if item in lists and len(lists) < len(contents):
            continue
        added = receive(user, upload.club, *item, details, further=lists)
        if added.state == State.REFUSED and lists:
            for position in range(len(lists) + 1, 1, -1):
                remove_file(ResultUpload.objects.get(pk=added.pk), position)
        made.append(added)
    pipeline.discard(upload)
    return made


@transaction.atomic
def receive_typed(
    user,
    club: Club,
    details: Mapping[str, Any],
    parsed: ParsedResult | None = None,
    corrects: Tournament | None = None,
    reason: str = "",
    announcement: Announcement | None = None,
    choices: Mapping[Seat, Choice] | None = None,
) -> ResultUpload:
    """Create an upload of a ranking typed by hand. It starts with the rows of `parsed`, or empty.

    details: the tournament's data from the form, by the names of `Header` fields
    corrects: the tournament that the upload corrects, if any
    reason: why the tournament is corrected
    announcement: the announced tournament that this is the result of, if the director chose it
    choices: decisions about the seats of `parsed`
    """
    parsed = parsed or ParsedResult(TYPED, "")
    upload = ResultUpload.objects.create(
        club=club,
        created_by=user,
        file_format=TYPED,
        parsed={**parsed.to_json(), "choices": stored_choices(choices or {})},
        details=stored_details(dict(details)),
        corrects=corrects,
        correction_reason=reason,
        announcement=announcement,
    )
    _refresh(upload)
    return upload


def details_of(tournament: Tournament) -> dict[str, Any]:
    """Return a tournament's data as the initial `details` of an upload that corrects it."""
    header = header_of(tournament)
    values = {name: getattr(header, name) for name in HEADER_FIELDS if name != "club_id"}
    if header.boards_scheduled == header.boards:
        # Leave it blank, so that it follows a correction of the boards of the winner.
        values["boards_scheduled"] = None
    return stored_details(values)


@dataclass(frozen=True)
class Answers:
    """A user's input on the review page. A value of None leaves the stored value unchanged.

    details: the tournament's data, by the names of `Header` fields; blank ones are taken from the file
    seats: {seat: player number or decision}
    countries: {seat of a guest: ISO 3166 code of the country of the guest's federation, or ""}
    guest_names: {seat of a guest: the guest's name, or "" for the name in the file}
    ticks: the keys of all ticks given, as returned by `tick_of`
    """

    club: Club | None = None
    details: Mapping[str, Any] | None = None
    seats: Mapping[Seat, str | Decision] = field(default_factory=dict)
    countries: Mapping[Seat, str] = field(default_factory=dict)
    guest_names: Mapping[Seat, str] = field(default_factory=dict)
    ticks: Collection[str] | None = None


def save(upload: ResultUpload, answers: Answers, version: str = "", draft: Draft | None = None) -> Draft:
    """Store all input of a review page, or none of it. Return the new draft.

    If the day changes, or the director ticks that it is none of the announced tournaments, what is still
    empty is filled in as usual in the club (see `usual.complete`). If the format changes, a CSV or XLSX file
    is read again, because its rows are then grouped differently.

    Raises NotUnderReview if the upload is no draft. Raises Stale if the draft has changed or a seat does not
    exist. Raises FileGone if the file must be read again but is deleted.

    version: `version_of` the upload when the page was shown; "" to skip the comparison
    draft: the draft of that version, if the caller has built it, so that it is not built once more
    """
    details = dict(answers.details or {})
    must_read_again = (
        upload.state == State.REVIEW
        and details.get("format", upload.details.get("format")) != upload.details.get("format")
        and isinstance(registry.get(upload.file_format), TableFormat)
        and upload.parsed.get("edited") != "rows"
    )
    # Read outside the transaction, so that nobody waits for a lock meanwhile.
    content = pipeline.content_of(upload) if must_read_again else b""
    parsed = None
    if must_read_again:
        read = _read_files(upload, content, details["format"] or None)
        parsed = scorings.scored(read, upload.details | details)
    with _under_review(upload) as locked:
        if version and version != version_of(locked):
            raise Stale(upload.pk)
        was_answered = "announced_perhaps" in locked.ticks
        if answers.ticks is not None:
            before = draft if draft and version else draft_of(locked)
            locked.ticks = stored_ticks(before.issues, answers.ticks)
        locked.club = answers.club or locked.club
        event = EventInfo(**locked.parsed["event"])
        day = last_day(locked.details, event)
        kept = {name: value for name, value in locked.details.items() if name not in details}
        locked.details = kept | stored_details(details)
        is_answered = not was_answered and "announced_perhaps" in locked.ticks
        if is_answered or last_day(locked.details, event) != day:
            usual.complete(locked)
        _store_decisions(locked, answers.seats, parsed, answers.countries, answers.guest_names)
        _score_again(locked)
        locked.save(update_fields=["club", "announcement", "details", "parsed", "ticks"])
        return _refresh(locked)


def add_names(upload: ResultUpload, rows: Sequence[StartRow]) -> Placed:
    """Put the people of a start list into the ranking. Raises NotUnderReview if the upload is no draft."""
    with _under_review(upload) as locked:
        placed = place_people(ParsedResult.from_json(locked.parsed), choices_of(locked), rows)
        own = {name: locked.parsed[name] for name in OWN if name in locked.parsed}
        locked.parsed = {**placed.parsed.to_json(), **own, "choices": stored_choices(placed.choices)}
        _mark_remembered_guests(locked)
        locked.save(update_fields=["parsed"])
        _refresh(locked)
    return placed


def _score_again(upload: ResultUpload) -> None:
    """Compute the ranking of `upload.parsed` again if another way of scoring was chosen. Does not save.

    A ranking edited by hand stays as it is.
    """
    chosen, stated = upload.details.get("scoring", ""), upload.parsed.get("stated")
    is_same = chosen == stated["method"] if stated else chosen in ("", upload.parsed["event"].get("scoring"))
    if is_same or upload.parsed.get("edited") == "rows":
        return
    before = ParsedResult.from_json(upload.parsed)
    scored = scorings.scored(before, upload.details)
    parsed, choices = transfer_decisions(before, choices_of(upload), scored)
    if parsed.event.kind != before.event.kind:
        # The same page also sends the format as it was before the pairs became teams.
        upload.details = {**upload.details, "format": parsed.event.kind}
    own = {name: upload.parsed[name] for name in OWN if name in upload.parsed}
    upload.parsed = {**parsed.to_json(), **own, "choices": stored_choices(choices)}


def _with_boards(entries: tuple[Entry, ...], before: Iterable[Entry]) -> tuple[Entry, ...]:
    """Copy the numbers of boards, which the form does not ask for, from the entries before editing.

    Entries are recognised by contestant number and direction.
    """
    boards = {(entry.number, entry.direction): entry.boards for entry in before if entry.number}
    return tuple(replace(entry, boards=boards.get((entry.number, entry.direction))) for entry in entries)


def decide_many(upload: ResultUpload, act: str, decisions: Mapping[Seat, str | Decision]) -> Draft:
    """Apply the decisions of one button to many seats, so that `undo_many` can undo them together.

    Return the new draft. Raises NotUnderReview if the upload is no draft.

    act: the button: "proposals", "guests", "ignore-numbers" or "use-numbers"
    """
    with _under_review(upload) as locked:
        _store_many(locked, act, decisions)
        locked.save(update_fields=["parsed"])
        return _refresh(locked)


def _store_many(upload: ResultUpload, act: str, decisions: Mapping[Seat, str | Decision]) -> None:
    """Apply decisions to `upload.parsed`, with what undoing them needs. Does not save.

    `parsed["undo"]` has the act, the seats it changed with their states before and after (see `states_of`),
    and `parsed["numbers"]` as it was.
    """
    numbers = upload.parsed.get("numbers", "")
    before = states_of(parsed_of(upload), choices_of(upload))
    _store_decisions(upload, decisions)
    after = states_of(parsed_of(upload), choices_of(upload))
    seats = {key: [before[key], state] for key, state in after.items() if state != before[key]}
    if seats:
        upload.parsed = {**upload.parsed, "undo": {"act": act, "seats": seats, "numbers": numbers}}


def undo_many(upload: ResultUpload) -> Draft:
    """Undo the last decision about many seats, except for seats that were decided otherwise since.

    Return the new draft. Does nothing if there is no such decision. Raises NotUnderReview if the upload is no
    draft.
    """
    with _under_review(upload) as locked:
        undo = locked.parsed.get("undo")
        if undo:
            parsed, choices = ParsedResult.from_json(locked.parsed), choices_of(locked)
            now = states_of(parsed, choices)
            states = {key: before for key, (before, after) in undo["seats"].items() if now.get(key) == after}
            _store_people(locked, *with_states(parsed, choices, states))
            locked.parsed["numbers"] = undo["numbers"]
            locked.save(update_fields=["parsed"])
        return _refresh(locked)


def ignore_numbers(upload: ResultUpload) -> Draft:
    """Remove all player numbers of the file, because they are not numbers of our register.

    People are then matched by name.
    """
    return _decide_all_numbers(upload, "ignore-numbers", "", "ignored")


def use_numbers(upload: ResultUpload) -> Draft:
    """Restore the player numbers of the file, which `ignore_numbers` removed."""
    return _decide_all_numbers(upload, "use-numbers", Decision.AS_READ, "")


def _decide_all_numbers(upload: ResultUpload, act: str, decision: str | Decision, numbers: str) -> Draft:
    """Apply one decision to every seat that has a player number in the file. Return the new draft.

    act: as for `decide_many`
    numbers: value to store as `parsed["numbers"]`: "ignored", or "" if the file's numbers are used
    """
    with _under_review(upload) as locked:
        as_read = {seat: choice.number for seat, choice in choices_of(locked).items()}
        decisions = {
            seat: decision
            for seat, person, _line in seats_of(parsed_of(locked).entries)
            if as_read.get(seat, person.number)
        }
        _store_many(locked, act, decisions)
        locked.parsed = {**locked.parsed, "numbers": numbers}
        locked.save(update_fields=["parsed"])
        return _refresh(locked)


def _store_decisions(
    upload: ResultUpload,
    decisions: Mapping[Seat, str | Decision],
    read_again: ParsedResult | None = None,
    countries: Mapping[Seat, str] | None = None,
    guest_names: Mapping[Seat, str] | None = None,
) -> None:
    """Apply decisions about seats to `upload.parsed`, without saving the upload.

    read_again: the file as read again in another format; None if it was not read again
    countries, guest_names: as in `Answers`
    """
    if not (decisions or countries or guest_names) and read_again is None:
        return
    try:
        parsed, choices = apply_decisions(
            ParsedResult.from_json(upload.parsed), choices_of(upload), decisions
        )
    except NoSuchSeat as error:
        raise Stale(upload.pk) from error
    choices = with_guests(choices, countries or {}, guest_names or {})
    if read_again is not None:
        parsed, choices = transfer_decisions(parsed, choices, read_again)
    _store_people(upload, parsed, choices, *(("undo",) if read_again is None else ()))


def _store_people(
    upload: ResultUpload, parsed: ParsedResult, choices: Mapping[Seat, Choice], *kept: str
) -> None:
    """Set `upload.parsed` to a ranking whose people were decided. Does not save.

    kept: keys of `upload.parsed` to keep, besides those that say how the ranking was edited
    """
    own = {name: upload.parsed[name] for name in (*OWN, *kept) if name in upload.parsed}
    edited = "rows" if own.get("edited") == "rows" else "numbers" if choices else ""
    upload.parsed = {**parsed.to_json(), **own, "edited": edited, "choices": stored_choices(choices)}


def replace_entries(upload: ResultUpload, entries: Sequence[Entry]) -> Draft:
    """Replace the ranking of an upload with one edited by hand. Return the new draft.

    Board results are kept only if the edited ranking has the same contestant numbers. Guests stay guests if
    their names are unchanged. Raises NotUnderReview if the upload is no draft.
    """
    with _under_review(upload) as locked:
        return _store_rows(locked, draft_of(locked), entries)


def replace_page(upload: ResultUpload, page: EditedPage) -> Draft:
    """Replace the rows of the ranking that a page of the form stands for. Return the new draft.

    Raises NotUnderReview if the upload is no draft, Stale if rows of the page have changed since it was
    opened, and TooManyRows if the ranking would have more rows than a file may have.
    """
    with _under_review(upload) as locked:
        before = draft_of(locked)
        try:
            entries = page.put_into(before, edited_rows.rows_of(locked, before))
        except edited_rows.Moved as error:
            raise Stale(upload.pk) from error
        return _store_rows(locked, before, entries)


def _store_rows(upload: ResultUpload, before: Draft, entries: Sequence[Entry]) -> Draft:
    parsed = ParsedResult.from_json(upload.parsed)
    event = replace(parsed.event, winner_type=None)
    issues = (issue("edited_by_hand"),) if upload.file_name else ()
    guests = keep_guests(parsed.entries, before.choices, entries)
    entries = _with_boards(tuple(entries), parsed.entries)
    is_same = has_same_contestants(parsed.entries, entries)
    boards = with_lines_of(parsed.boards, parsed.entries, entries) if is_same else ()
    deals = parsed.deals if boards else ()
    edited = replace(parsed, entries=entries, boards=boards, deals=deals, issues=issues, event=event)
    edited = replace(edited, stated=None)
    upload.parsed = {**edited.to_json(), "edited": "rows", "choices": stored_choices(guests)}
    upload.save(update_fields=["parsed"])
    return _refresh(upload)


def make_correction(upload: ResultUpload, tournament: Tournament, reason: str) -> Draft:
    """Turn an upload into a correction of a tournament that it repeats.

    The director's input is kept, except for the club, which becomes the tournament's club. Raises
    NotUnderReview if the upload is no draft.
    """
    with _under_review(upload) as locked:
        locked.corrects = tournament
        locked.correction_reason = reason
        locked.club = tournament.club
        locked.save(update_fields=["corrects", "correction_reason", "club"])
        return _refresh(locked)


def change_reason(upload: ResultUpload, reason: str) -> None:
    """Store the reason of a correction. Raises NotUnderReview if the upload is no draft."""
    with _under_review(upload) as locked:
        locked.correction_reason = reason
        locked.save(update_fields=["correction_reason"])


def choose_announcement(upload: ResultUpload, announcement: Announcement | None) -> Draft:
    """Store which announced tournament a draft is the result of, and complete its data from it.

    Raises NotUnderReview if the upload is no draft.

    announcement: None if it is the result of another tournament; the warnings that ask are then ticked
    """
    with _under_review(upload) as locked:
        locked.announcement = announcement
        if announcement:
            usual.withdraw(locked)
            locked.details = announcements.filled(announcement, locked.details, parsed_of(locked).event)
        else:
            issues = draft_of(locked).issues
            locked.ticks = {**locked.ticks, **stored_ticks(issues, ["announced_perhaps"])}
            usual.complete(locked)
        locked.save(update_fields=["announcement", "details", "ticks"])
        return _refresh(locked)


def refresh_issues(upload: ResultUpload) -> Draft:
    """Compute the issues of a draft again and store them. Raises NotUnderReview if the upload is no draft."""
    with _under_review(upload) as locked:
        return _refresh(locked)


def mark_separate(upload: ResultUpload, tournament: Tournament, reason: str, by) -> Draft:
    """Store the office's statement that the upload and a tournament are two events.

    Raises NotUnderReview if the upload is no draft.
    """
    with _under_review(upload) as locked:
        before = draft_of(locked)
        _nearest, likeness = repeats.nearest_ranking(tournament, before.rows, before.players)
        values = {"reason": reason, "alike": likeness.same, "by": by}
        SeparateEvent.objects.update_or_create(upload=locked, tournament=tournament, defaults=values)
        return _refresh(locked)


def rewrite(upload: ResultUpload, change: Callable[[ResultUpload], None]) -> Draft:
    """Let a function change `parsed`, the details and the reason of a draft. Return the new draft.

    Raises NotUnderReview if the upload is no draft.
    """
    with _under_review(upload) as locked:
        change(locked)
        locked.save(update_fields=["parsed", "details", "correction_reason"])
        return _refresh(locked)


@contextmanager
def _under_review(upload: ResultUpload) -> Iterator[ResultUpload]:
    """Lock an upload and yield a fresh copy of it. Raises NotUnderReview if it is no draft.

    Afterwards `upload.step` holds the digests of the draft before and after the change.
    """
    with pipeline.locked(upload, State.REVIEW) as current:
        before = version_of(current)
        yield current
        upload.step = before, version_of(current)


def _refresh_stored(upload: ResultUpload) -> None:
    """Refresh an upload. If its file is not read yet, its only issue says so, and no draft is computed."""
    if not upload.is_unread:
        _refresh(upload)
        return
    upload.played_on, upload.errors = last_day(upload.details, EventInfo(**upload.parsed["event"])), 1
    upload.save(update_fields=["played_on", "errors"])
    _store_issues(upload, pipeline.unread_issues(upload))


def _refresh(upload: ResultUpload) -> Draft:
    """Compute the draft of an upload again. Store its issues and the ticks that still count.

    Return the draft. Errors found by `CHECKS` are counted but not stored, because the review page runs these
    checks itself.
    """
    draft = draft_of(upload)
    upload.ticks = stored_ticks(draft.issues, draft.accepted)
    upload.title, upload.played_on = draft.known.name, draft.known.end_date
    unstored = (item for check in CHECKS for item in check(upload, draft))
    upload.errors = sum(item.severity == "error" for item in (*draft.issues, *unstored))
    upload.unticked = len(draft.unticked)
    upload.save(update_fields=["ticks", "title", "played_on", "errors", "unticked"])
    _store_issues(upload, draft.issues)
    return draft


def _store_issues(upload: ResultUpload, issues: Sequence[Issue]) -> None:
    upload.issues.all().delete()
    names = [part["name"] for part in upload.parsed.get("files", ())]
    UploadIssue.objects.bulk_create(
        UploadIssue(
            upload=upload,
            position=position,
            code=item.code,
            severity=item.severity,
            line=place_of(item.line, ())[1] or None,
            field=(item.field or "")[:FIELD_LENGTH],
            value=item.value,
            params=_stored_params(item, names),
        )
        for position, item in enumerate(issues, start=1)
    )


def _stored_params(item: Issue, names: Sequence[str]) -> dict[str, Any]:
    """Return the parameters of an issue and, if the upload has several files, the name of its file."""
    name, _line = place_of(item.line, names)
    return {**item.params, **({"file": name} if name else {})}


KIND = pipeline.Kind(ResultUpload, ParsedResult, read_content, _is_refused, _complete, _refresh_stored)
