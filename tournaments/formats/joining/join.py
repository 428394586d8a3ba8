"""Join the files of one event into one result.

* The ranking is taken from the file that has it for the whole event: the ranking of all sessions, the last
  cumulative ranking, or the only ranking beside files with results of boards.
* Otherwise files with the same contestants are sessions and files with other people are sections. The
  percentages of sessions are weighted by boards; evenings without a ranking are scored as one.
* A file with the same results as another one adds only its deals, and one with a part of them, or with the
  same ranking, is left out.
* What the file that counts lacks of people, title and club is taken from the others. Lists add the people.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import combinations
from typing import Any, Literal

from tournaments.formats import cards
from tournaments.formats.contestants import Match, is_named, keys_of, match_contestants, within_limit
from tournaments.formats.issues import issue, shorten
from tournaments.formats.start_list import Named, StartList, StartRow, begin_at, named
from tournaments.formats.types import (
    LINES_PER_FILE,
    BoardResult,
    Deal,
    Doubt,
    Entry,
    EventInfo,
    FilePart,
    Issue,
    ParsedResult,
    Person,
    Role,
    SheetLayout,
    Stated,
    TableSeats,
)
from tournaments.formats.values import bare_number, thousandths

from .figures import contradiction, decimals, equal_results, is_same_ranking
from .overall import combined_rankings, named_overall
from .parts import (
    Line,
    Part,
    Plays,
    Refused,
    Session,
    boards_of,
    compared,
    first_difference,
    is_part_of,
    is_same_play,
    located,
    numbered,
    numbered_issues,
    offsets_of,
    plays_by_number,
    plays_of,
)

MAX_NAMED = 12  # numbers of pairs or boards named in a message
# The errors of a file that has no ranking, which do not matter beside a file that has one.
LISTS = frozenset({"start_list", "register_list"})  # the issues of lists without a result
NO_RANKING = frozenset({"pbn_no_ranking", "pbn_intermediate"})


def join(files: Sequence[ParsedResult | StartList]) -> ParsedResult:
    """Return the result of several files; without contestants and with an error if they do not fit together.

    A single file is returned as it is. The files keep their order in `ParsedResult.files`.
    """
    if len(files) == 1 and isinstance(files[0], ParsedResult):
        return files[0]
    joining = _Joining(files)
    try:
        return within_limit(joining.result())
    except Refused as refusal:
        issues = (refusal.issue, *joining.unusable_issues())
        parts, layouts = joining.files("unused"), joining.layouts()
        return ParsedResult("unknown", files[0].file_name, issues=issues, files=parts, layouts=layouts)


class _Joining:
    """The files of one event, and what is known of them so far.

    base: the file that has the ranking of the whole; None if it is computed from the sessions
    within: {file left out: file that has all its results and more}
    fields: the sessions of each section
    entries: the contestants of the joined ranking
    """

    def __init__(self, files: Sequence[ParsedResult | StartList]) -> None:
        self.sent = files
        self.roles: dict[int, Role] = {}
        self.issues: list[Issue] = []
        self.parts = [
            Part(index, numbered(item, index))
            for index, item in enumerate(files, start=1)
            if isinstance(item, ParsedResult)
        ]
        self.base: Part | None = None
        self.within: dict[Part, Part] = {}
        self.fields: list[list[Session]] = []
        self.entries: list[Entry] = []
        self.is_renumbered = False

    @property
    def sessions(self) -> list[Session]:
        return [session for sessions in self.fields for session in sessions]

    def note(self, code: str, **params: Any) -> None:
        """Add an issue about the joined result."""
        self.issues.append(issue(code, **params))

    def files(self, role: Role) -> tuple[FilePart, ...]:
        """Return the files with their roles; `role` for those without one."""
        return tuple(
            FilePart(item.file_name, self.roles.get(index, role))
            for index, item in enumerate(self.sent, start=1)
        )

    def layouts(self) -> tuple[SheetLayout, ...]:
        """Return the sheets in which a user chose or may choose what a column means, with their files."""
        return tuple(
            replace(layout, file=index)
            for index, item in enumerate(self.sent, start=1)
            if isinstance(item, ParsedResult)
            for layout in item.layouts
        )

    def unusable_issues(self) -> list[Issue]:
        """Return the errors of the files that cannot be used."""
        return [
            problem
            for index, item in enumerate(self.sent, start=1)
            if not _is_usable(item)
            for problem in numbered_issues(item.issues, index)
            if problem.severity == "error"
        ]

    def result(self) -> ParsedResult:
        """Return the joined result. Raises Refused."""
        unusable = [item for item in self.sent if not _is_usable(item)]
        for item in unusable:
            if not has_open_columns(item):
                raise Refused("joined_unreadable", name=item.file_name)
        if unusable:
            raise Refused("joined_columns", name=unusable[0].file_name)
        ranked = [part for part in self.parts if part.entries]
        if not self.parts:
            raise Refused("joined_only_names")
        if not ranked:
            raise Refused("joined_unreadable", name=self.parts[0].name)
        _check_kinds(ranked)
        ranked = self._leave_out(ranked)
        self.base = _overall(ranked) or self._combined(ranked)
        ranked = [part for part in ranked if part not in self.within]
        for part in _in_order(ranked):
            if part is not self.base or part.parsed.event.session:
                self._add(part)
        for part in self.parts:
            if not part.entries:
                self._add_loose(part)
        self._add_left_out()
        self._collect()
        self._check_days()
        self._compare_base()
        self._fill()
        self._set_roles()
        return replace(self._with_names(self._joined()), files=self.files("unused"))

    # --- Which file belongs where -----------------------------------------------------------------------
    def _leave_out(self, ranked: Sequence[Part]) -> list[Part]:
        """Return the files without those that repeat another one, as a whole or in part."""
        ranked = self._without_copies(ranked)
        for part in ranked:
            wholes = [other for other in ranked if other is not part and is_part_of(part, other)]
            if wholes:
                whole = max(wholes, key=lambda other: len(other.parsed.boards))
                self.within[part] = whole
                self.note("joined_part_of", name=part.name, other=whole.name)
        return [part for part in ranked if part not in self.within]

    def _without_copies(self, ranked: Sequence[Part]) -> list[Part]:
        """Return the files without those of a ranking that another file has too, neither with boards.

        The file with percentages, then with scores, more decimals and more licence numbers, counts. Raises
        Refused if the files state different days.
        """
        alone = [part for part in ranked if not part.parsed.boards and not part.parsed.event.session]
        kept: list[Part] = []
        for part in sorted(alone, key=_worth):
            matches = ((other, match_contestants(other.entries, part.entries)) for other in kept)
            same = next(((other, match) for other, match in matches if _is_copy(other, part, match)), None)
            if same is None:
                kept.append(part)
                continue
            other, match = same
            days = {"day": other.parsed.event.date, "last": part.parsed.event.date}
            if not _may_be_same_day(other, part):
                raise Refused("joined_other_day", name=other.name, other=part.name, **days)
            self.within[part] = other
            self.note_contradiction(other, part, match.indexes)
            self.note("joined_same_ranking", name=part.name, other=other.name)
        return [part for part in ranked if part not in self.within]

    def _combined(self, ranked: Sequence[Part]) -> Part | None:
        """Return the ranking of the whole, if no file has results of boards.

        Other rankings of several sessions, such as one after the second of three, are left out.
        """
        if any(part.parsed.boards for part in ranked):
            return None
        combined = {item.part: item for item in combined_rankings(ranked)}
        sessions = [part for part in ranked if part not in combined]
        whole = next((item for item in combined.values() if item.sessions >= set(sessions)), None)
        for part in combined:
            if whole is None or part is not whole.part:
                other = whole.part if whole else sessions[-1]
                self.within[part] = other
                self.note("joined_part_of", name=part.name, other=other.name)
        if whole is None:
            return None if combined else self._perhaps_overall(ranked)
        if whole.differing:
            index, first, second = whole.differing[0]
            self.note(
                "joined_other_combined",
                name=whole.part.name,
                value=whole.part.entries[index].number or "?",
                first=first,
                second=second,
                count=len(whole.differing),
            )
        return whole.part

    def _perhaps_overall(self, ranked: Sequence[Part]) -> Part | None:
        """Return the ranking with the name or the boards of the whole, if there is one, and warn about it."""
        fields = {match_contestants(ranked[0].entries, part.entries).is_whole for part in ranked[1:]}
        part = named_overall(ranked) if fields == {True} else None
        if part:
            self.note("joined_overall_perhaps", name=part.name)
        return part

    def _add(self, part: Part) -> None:
        """Add a file with contestants to the section of the same contestants, or as a new section."""
        for sessions in self.fields:
            first = sessions[0].part
            match = match_contestants(first.entries, part.entries)
            if match.is_whole and not _are_sections(first, part, match):
                self._add_session(sessions, part, match)
                return
            is_apart = match.is_named and not match.common or _are_sections(first, part, match)
            same_play = _may_be_same_day(first, part) and is_same_play(
                plays_by_number(first.parsed.boards), plays_by_number(part.parsed.boards)
            )
            if not is_apart or match.is_named and same_play:
                raise _other_contestants(first, part, match)
        self.fields.append([Session(part, indexes={index: index for index in range(len(part.entries))})])

    def _add_session(self, sessions: list[Session], part: Part, match: Match) -> None:
        """Add a file as a further session, or to the session of which it has the same results."""
        added = Session(part, indexes=match.indexes)
        lines = plays_of(added.lines)
        for session in sessions:
            before = plays_of(session.lines)
            if _may_be_same_day(session.part, part) and is_same_play(before, lines):
                if key := first_difference(before, lines):
                    raise _other_scores(session.source, part, before, lines, key, sessions[0].part)
                self._add_same(session, added, len(lines.keys() - before.keys()))
                return
        for session in sessions:
            self._note_equal_results(session.part, part)
        self.note_substitutes(sessions[0].part, part, match)
        sessions.append(added)

    def _add_same(self, session: Session, added: Session, further: int) -> None:
        """Add a file to the session whose results it has, with warnings about what it says otherwise.

        further: the number of results of boards that only this file has
        """
        if further:
            self.note(
                "joined_more_results", name=added.part.name, other=session.source.name, value=str(further)
            )
        places = {there: here for here, there in session.indexes.items()}
        indexes = {here: places[there] for here, there in added.indexes.items()}
        self.note_contradiction(session.part, added.part, indexes)
        session.more.append(added.part)

    def _note_equal_results(self, first: Part, second: Part) -> None:
        """Add a warning if two sessions without boards have most results in common, like copies."""
        if first.parsed.boards or second.parsed.boards:
            return
        match = match_contestants(first.entries, second.entries)
        pairs, comparable = compared(first, second, match.indexes)
        if equal := equal_results(pairs, comparable):
            self.note(
                "joined_equal_results", name=first.name, other=second.name, count=equal, total=len(pairs)
            )

    def note_contradiction(self, first: Part, second: Part, indexes: dict[int, int]) -> None:
        """Add a warning with the first contestant whose result differs in two rankings of a session.

        indexes: {index of a contestant in `second`: its index in `first`}
        """
        pairs, comparable = compared(first, second, indexes)
        if differing := contradiction(pairs, comparable):
            one, two = pairs[differing.index]
            self.note(
                "joined_other_percentages",
                value=one.number or two.number or "?",
                name=first.name,
                other=second.name,
                first=differing.first,
                second=differing.second,
            )

    def note_substitutes(self, first: Part, second: Part, match: Match) -> None:
        """Add a warning for each contestant that has other people in the second file."""
        for index in match.substituted:
            number = second.entries[index].number or ""
            self.note("joined_substitute", value=number, name=second.name, other=first.name)

    def _add_loose(self, part: Part) -> None:
        """Add a file without a ranking to the session whose boards it has."""
        fitting = [session for session in self.sessions if _fits_session(part, session)]
        fitting = [session for session in fitting if _is_of_day(part, session.part)] or fitting
        if len(fitting) != 1:
            if len(self.sessions) == 1:
                raise _other_boards(part, self.sessions[0])
            raise Refused("joined_which_session", name=part.name)
        session = fitting[0]
        self._check_loose_day(part, session.part)
        if session.part.parsed.boards and part.parsed.boards:
            before, after = (
                plays_of(session.lines),
                plays_of(located(part.parsed.boards, session.part.entries)),
            )
            if key := first_difference(before, after):
                raise _other_scores(session.part, part, before, after, key, session.part)
        session.more.append(part)

    def _check_loose_day(self, part: Part, first: Part) -> None:
        """Refuse results of boards of another day; ask about hands of another day, perhaps dealt earlier."""
        if _is_of_day(part, first):
            return
        days = {"day": first.parsed.event.date, "last": part.parsed.event.date}
        if part.parsed.boards:
            raise Refused("joined_other_day", name=first.name, other=part.name, **days)
        self.note("joined_other_day_dealt", name=part.name, other=first.name, **days)

    def _add_left_out(self) -> None:
        """Add the files left out to the session of the same contestants, for their deals and people."""
        for part, whole in self.within.items():
            for session in self.sessions:
                if whole in (session.part, *session.more) and len(part.entries) == len(whole.entries):
                    session.more.append(part)

    def _collect(self) -> None:
        """Set the contestants of the joined ranking, and where those of each session are in it."""
        if self.base is None:
            for sessions in self.fields:
                start = len(self.entries)
                self.entries += sessions[0].part.entries
                for session in sessions:
                    session.indexes = {here: start + there for here, there in session.indexes.items()}
            return
        self.entries = list(self.base.entries)
        present: set[int] = set()
        for session in self.sessions:
            match = match_contestants(self.base.entries, session.part.entries)
            if len(match.indexes) < len(session.part.entries):
                raise _other_contestants(self.base, session.part, match)
            self.note_substitutes(self.base, session.part, match)
            session.indexes = match.indexes
            present |= set(match.indexes.values())
        if len(present) < len(self.entries):
            first = self.sessions[0].part
            raise _other_contestants(self.base, first, match_contestants(self.base.entries, first.entries))

    def _check_days(self) -> None:
        """Refuse a ranking of another day than its sessions, and sections of different days."""
        days = [(session.part, day) for session in self.sessions if (day := session.part.parsed.event.date)]
        own = self.base.parsed.event.date if self.base else None
        if self.base and own and days:
            known = sorted(day for _part, day in days)
            if not known[0] <= own <= known[-1]:
                raise Refused(
                    "joined_other_day", name=self.base.name, other=days[0][0].name, day=own, last=days[0][1]
                )
        if self.base:
            return
        for first, second in combinations(self.fields, 2):
            one, two = _days(first), _days(second)
            if one and two and not one & two:
                names = {"name": first[0].part.name, "other": second[0].part.name}
                raise Refused("joined_other_day", **names, day=min(one), last=min(two))
        if len(self.fields) > 1:
            self.note("joined_sections", value=_names(sessions[0] for sessions in self.fields))
        if any(len(sessions) > 1 and not _are_surely_sessions(sessions) for sessions in self.fields):
            self.note("joined_sessions", value=_names(self.sessions))

    def _compare_base(self) -> None:
        """Compare the results of the ranking of the whole with those of its only session."""
        if self.base is None or len(self.sessions) != 1:
            return
        session = self.sessions[0]
        stated = self.base.parsed.event.boards
        if not stated or stated <= _most_boards(session.source.parsed.boards):
            self.note_contradiction(self.base, session.part, session.indexes)

    def _fill(self) -> None:
        """Add the licence numbers and names that only other files than the one that counts have."""
        for session in self.sessions:
            left_out = [part for part, whole in self.within.items() if whole in (session.part, *session.more)]
            for part in (session.part, *session.more, *left_out):
                match = match_contestants(session.part.entries, part.entries)
                for here, there in match.indexes.items():
                    index = session.indexes[there]
                    self.entries[index] = _filled(self.entries[index], part.entries[here])
        for part in (part for part, whole in self.within.items() if whole is self.base):
            match = match_contestants(self.entries, part.entries)
            for here, there in match.indexes.items():
                self.entries[there] = _filled(self.entries[there], part.entries[here])

    def _set_roles(self) -> None:
        several: Role = "section" if len(self.fields) > 1 else "session"
        for session in self.sessions:
            alone = len(self.sessions) == 1 and self.base is None
            self.roles[session.part.index] = "ranking" if alone else several
            if session.dealt_by:
                self.roles.setdefault(session.dealt_by.index, "hands")
            if session.source is not session.part:
                self.roles[session.source.index] = "boards"
        if self.base:
            self.roles[self.base.index] = "ranking"

    # --- The result -------------------------------------------------------------------------------------
    def _joined(self) -> ParsedResult:
        offsets = offsets_of([(session.lines, session.deals) for session in self.sessions])
        for session, offset in zip(self.sessions, offsets, strict=True):
            if offset:
                first = offset + min(line.board for line in session.lines)
                self.note("joined_boards_numbered", name=session.source.name, first=first)
        self._number()
        boards = tuple(
            self._result(line, offset)
            for session, offset in zip(self.sessions, offsets, strict=True)
            for line in session.lines
        )
        deals = cards.unambiguous(
            replace(deal, board=deal.board + offset, section=self._deal_section(deal))
            for session, offset in zip(self.sessions, offsets, strict=True)
            for deal in session.deals
        )
        source = self.base or self.sessions[0].part
        unranked = [session.part for session in self.sessions if not session.part.has_figures]
        if self.base is None and len(self.sessions) > 1:
            self._sum(bool(unranked))
        computed = unranked[0] if unranked and self.base is None else source
        issues = [item for part in self.parts for item in part.parsed.issues if self._counts(part, item)]
        event = self._event(source, boards)
        return replace(
            source.parsed,
            format_name=computed.parsed.format_name,
            event=event,
            entries=tuple(self.entries),
            boards=boards,
            deals=deals,
            doubts=tuple(self._doubts(offsets)),
            issues=(*issues, *self.issues),
            layouts=self.layouts(),
            stated=self._stated(source, event, boards),
            seats=tuple(self._seats()),
        )

    def _seats(self) -> Iterator[TableSeats]:
        """Yield where the pairs begin the first session of each section, with the numbers of the ranking."""
        for first, *others in self.fields:
            elsewhere = [dict(self._located_seats(session)) for session in others]
            for key, seats in self._located_seats(first):
                is_same = all(session.get(key, seats) == seats for session in elsewhere)
                yield seats if is_same else replace(seats, is_sure=False)

    def _located_seats(self, session: Session) -> Iterator[tuple[tuple[str | None, int], TableSeats]]:
        """Yield section and table as in the file, and the seats with the numbers of the ranking."""
        own = session.source.parsed.seats
        results = [BoardResult(0, seats.section, (seats.ns,), (seats.ew,), None) for seats in own]
        for seats, line in zip(own, session.locate(results), strict=True):
            result = self._result(line, 0)
            ns, ew = (number.removeprefix("?") for number in (*result.ns, *result.ew))
            yield (
                (seats.section, seats.table),
                replace(seats, section=result.section, ns=ns, ew=ew),
            )

    def _stated(self, source: Part, event: EventInfo, boards: Sequence[BoardResult]) -> Stated | None:
        """Return the results of a ranking of pairs whose boards all come from files without a ranking.

        event: of the joined result
        """
        is_whole = self.base is not None or len(self.sessions) == 1
        is_apart = all(session.lines and not session.source.has_figures for session in self.sessions)
        is_apart = is_apart and not any(result.ns_points or result.ew_points for result in boards)
        is_ranking = source.has_figures and (event.kind or "pairs") == "pairs"
        if not (is_whole and is_apart and is_ranking) or (event.boards or 0) > _most_boards(boards):
            return None
        figures = tuple((entry.place, entry.percentage, entry.score, entry.boards) for entry in self.entries)
        other = self.sessions[0].source.name
        return Stated(source.name, other, event.scoring, event.unit, event.boards, figures)

    def _doubts(self, offsets: Sequence[int]) -> Iterator[Doubt]:
        """Yield the doubtful results of all sessions, with the numbers of the joined ranking."""
        start = 0
        for session, offset in zip(self.sessions, offsets, strict=True):
            for doubt in session.source.parsed.doubts:
                lines = session.locate([entry.result for entry in doubt.entries])
                entries = tuple(
                    replace(entry, result=self._result(line, offset))
                    for entry, line in zip(doubt.entries, lines, strict=True)
                )
                index, file = start + doubt.index, session.source.index
                yield replace(doubt, index=index, entries=entries, file=file)
            start += len(session.source.parsed.boards)

    def _counts(self, part: Part, item: Issue) -> bool:
        """Return whether an issue of a file counts: a file beside the ranking needs no ranking."""
        if part in self.within and not part.parsed.deals:
            return False
        return item.code not in NO_RANKING or part is (self.base or self.sessions[0].part)

    def _number(self) -> None:
        """Give all contestants numbers by which results of boards find them."""
        if self.base is None and len(self.fields) > 1:
            self._letter_sections()
        several = len(self.sessions) > len(self.fields) or self.base is not None
        ids = {
            (entry.section or "", bare_number(entry.number or ""), "" if several else entry.direction or "")
            for entry in self.entries
        }
        self.is_renumbered = len(ids) < len(self.entries) or not all(entry.number for entry in self.entries)
        if self.is_renumbered:
            self.note("joined_pairs_numbered")
        for index, entry in enumerate(self.entries):
            if self.is_renumbered:
                self.entries[index] = replace(entry, number=str(index + 1), direction=None, section=None)
            elif len(self._directions(index)) > 1:
                self.entries[index] = replace(entry, direction=None)

    def _directions(self, index: int) -> set[str | None]:
        """Return the directions of a contestant in all sessions."""
        return {
            session.part.entries[here].direction
            for session in self.sessions
            for here, there in session.indexes.items()
            if there == index
        }

    def _letter_sections(self) -> None:
        """Give the contestants of each section its letter: as in the files, or else A, B, C, …"""
        start, named = 0, []
        for sessions in self.fields:
            part = sessions[0].part
            named.append({entry.section or part.parsed.event.section for entry in part.entries})
        used = [letter for letters in named for letter in letters]
        has_own = None not in used and len(set(used)) == len(used)
        for letter, sessions in zip("ABCDEFGHIJKL", self.fields, strict=False):
            part = sessions[0].part
            for index, entry in enumerate(part.entries, start=start):
                own = entry.section or part.parsed.event.section or ""
                section = own if has_own else letter + (entry.section or "")
                self.entries[index] = replace(self.entries[index], section=section)
            start += len(part.entries)

    def _result(self, line: Line, offset: int) -> BoardResult:
        section = next((self.entries[index].section for index in line.seated), line.result.section)

        def number(index: int | None, as_read: str) -> str:
            if index is not None:
                return self.entries[index].number or ""
            return f"?{as_read}" if self.is_renumbered else as_read

        return replace(
            line.result,
            board=line.board + offset,
            section=section,
            ns=tuple(map(number, line.ns, line.result.ns)),
            ew=tuple(map(number, line.ew, line.result.ew)),
        )

    def _deal_section(self, deal: Deal) -> str | None:
        return deal.section if len(self.sessions) == 1 and not self.is_renumbered else None

    def _sum(self, is_computed: bool) -> None:
        """Set the results of the whole from those of the sessions; none if they are computed from boards."""
        if is_computed and not all(session.lines for session in self.sessions):
            raise Refused("joined_not_summed")
        played = [boards_of(session.lines) for session in self.sessions]
        kinds = set()
        for index, entry in enumerate(self.entries):
            results = [
                (session.part.entries[here], counts[index])
                for session, counts in zip(self.sessions, played, strict=True)
                for here, there in session.indexes.items()
                if there == index
            ]
            boards = sum(own.boards or count for own, count in results)
            entry = replace(entry, place=None, percentage=None, score=None, boards=boards or None)
            if not is_computed:
                kind, figure = _total(results)
                kinds.add(kind)
                is_share = kind == "percentage"
                entry = replace(
                    entry, percentage=figure if is_share else None, score=None if is_share else figure
                )
            self.entries[index] = entry
        if len(kinds) > 1:
            raise Refused("joined_not_summed")
        if kinds == {"score"} and len(self.sessions) > len(self.fields):
            self.note("joined_sums")

    def _event(self, source: Part, boards: Sequence[BoardResult]) -> EventInfo:
        event = self._with_title(self._with_copies(source))
        days = {day for part in self.parts if (day := part.parsed.event.date)}
        start = min(days) if len(days) > 1 else event.start_date
        event = replace(event, date=max(days, default=None), start_date=start, section=None)
        counted = _most_boards(boards)
        if self.base is not None:
            self._check_boards(event, counted)
            summed = _sum_of(session.part.parsed.event.boards for session in self.fields[0])
            return replace(event, boards=event.boards or counted or summed)
        sessions = self.fields[0]
        if len(self.sessions) > 1:
            winners = event.winner_type if all(entry.direction for entry in self.entries) else 1
            event = replace(event, winner_type=winners, session_count=len(sessions))
        if len(sessions) > 1:
            infos = [session.part.parsed.event for session in sessions]
            event = replace(
                event,
                boards=_sum_of(info.boards for info in infos),
                boards_scheduled=_sum_of(info.boards_scheduled for info in infos),
            )
        return replace(event, boards=event.boards or counted or None)

    def _with_copies(self, source: Part) -> EventInfo:
        """Return the event of a file with the numbers of boards that only files of the same ranking have."""
        event = source.parsed.event
        copies = [part.parsed.event for part, whole in self.within.items() if whole is source]
        copies = copies if not source.parsed.boards else []
        boards, scheduled = (
            next((getattr(item, name) for item in (event, *copies) if getattr(item, name)), None)
            for name in ("boards", "boards_scheduled")
        )
        return replace(event, boards=boards, boards_scheduled=scheduled)

    def _with_title(self, event: EventInfo) -> EventInfo:
        """Return the event with the title, the venue and the club that only other files have."""
        others = [part.parsed.event for part in self.parts]
        title = event.title or next((other.title for other in others if other.title), None)
        club = next((other for other in (event, *others) if other.club_name or other.club_number), event)
        venue = event.venue or next((other.venue for other in others if other.venue), None)
        return replace(
            event, title=title, venue=venue, club_name=club.club_name, club_number=club.club_number
        )

    def _check_boards(self, event: EventInfo, counted: int) -> None:
        """Compare the number of boards of the ranking of the whole with the results of the sessions."""
        base = self.base
        if base is None or not event.boards or not counted:
            return
        if counted > event.boards:
            value = f"{event.boards}, {counted}"
            raise Refused(
                "joined_other_boards", name=base.name, other=self.sessions[0].part.name, value=value
            )
        if counted < event.boards:
            self.note("joined_boards_missing", stated=event.boards, counted=counted)

    def _with_names(self, joined: ParsedResult) -> ParsedResult:
        """Return the result with the people of the lists of names."""
        for index, item in enumerate(self.sent, start=1):
            if not isinstance(item, StartList):
                continue
            self.roles[index] = "names"
            begin = begin_at(joined.entries, joined.seats)
            numbers = item.rows if begin else _with_pair_numbers(item.rows, joined.boards)
            rows = [_numbered_row(row, index) for row in numbers]
            placed = named(joined.entries, rows, begin)
            is_of_tables = any(row.tables for row in item.rows)
            if not placed.filled:
                raise _unused_list(item.file_name, placed, is_of_tables and not begin)
            notes = []
            if is_of_tables and begin:
                notes.append(_seats_note(joined, rows, placed.entries))
            elif is_of_tables:
                east_west = _east_west(item.rows, placed.entries, index)
                notes.append(issue("joined_list_numbers", value=east_west))
            if placed.several:
                notes.append(
                    issue("joined_list_some_several", value=_listed(placed.several), name=item.file_name)
                )
            if placed.unknown:
                notes.append(issue("joined_list_unknown", value=_listed(placed.unknown), name=item.file_name))
            lined = (replace(note, line=index * LINES_PER_FILE) for note in notes)
            issues = (*joined.issues, *lined)
            joined = replace(joined, entries=placed.entries, issues=issues)
        return joined


def _unused_list(name: str, placed: Named, is_of_tables: bool) -> Refused:
    """Return why a start list is refused that puts nobody into the ranking."""
    if is_of_tables:
        return Refused("joined_list_tables", name=name)
    if placed.several:
        return Refused("joined_list_several", name=name, value=_listed(placed.several))
    return Refused("joined_list_unused", name=name)


def has_open_columns(item: ParsedResult | StartList) -> bool:
    """Return whether a user has to say what the columns of a table mean before it can be read."""
    if isinstance(item, StartList) or item.entries or item.files or not item.layouts:
        return False
    return not LISTS & {issue.code for issue in item.issues}


def _is_usable(item: ParsedResult | StartList) -> bool:
    if isinstance(item, StartList):
        return bool(item.rows)
    return bool(item.entries or item.boards or item.deals)


def _in_order(parts: Sequence[Part]) -> list[Part]:
    """Return files by day and session.

    Of one session, the file that counts comes first: with a ranking, most results and most licence numbers.
    Files without a date count as of the first day.
    """
    first = min((day for part in parts if (day := part.parsed.event.date)), default="")

    def key(part: Part) -> tuple[str, int, bool, int, int, int]:
        event, results = part.parsed.event, len(plays_by_number(part.parsed.boards))
        day, session = event.date or first, event.session or 0
        return day, session, not part.has_figures, -results, -part.licences, part.index

    return sorted(parts, key=key)


def _check_kinds(ranked: Sequence[Part]) -> None:
    first, kind = ranked[0], ranked[0].parsed.event.kind
    for part in ranked[1:]:
        other = part.parsed.event.kind
        if kind and other and kind != other:
            raise Refused("joined_other_kind", name=first.name, other=part.name, kind=kind, due=other)


def _overall(ranked: Sequence[Part]) -> Part | None:
    """Return the file with the ranking of the whole event, if there is one beside files with boards."""
    cumulative = [part for part in ranked if part.parsed.event.session]
    if len(cumulative) > 1:
        return max(cumulative, key=lambda part: part.parsed.event.session or 0)
    rankings = [part for part in ranked if part.has_figures and not part.parsed.boards]
    if len(rankings) == len(ranked) or not rankings:
        return None
    whole = [part for part in rankings if (part.parsed.event.session_count or 1) > 1] or rankings
    if len(whole) > 1:
        raise Refused("joined_two_rankings", name=whole[0].name, other=whole[1].name)
    return whole[0]


def _worth(part: Part) -> tuple[bool, bool, int, int]:
    """Return the sort key by which the best of several files of one ranking comes first."""
    has_percentages = any(entry.percentage for entry in part.entries)
    has_scores = any(entry.score for entry in part.entries)
    return not has_percentages, not has_scores, -decimals(part.entries), -part.licences


def _is_copy(first: Part, second: Part, match: Match) -> bool:
    """Return whether two files of the same contestants have the same ranking."""
    pairs, comparable = compared(first, second, match.indexes)
    is_apart = _are_sections(first, second, match)
    return match.is_whole and not is_apart and is_same_ranking(pairs, comparable)


def _are_sections(first: Part, second: Part, match: Match) -> bool:
    """Return whether two files that name nobody state that they are of different sections."""
    sections = first.parsed.event.section, second.parsed.event.section
    return not match.is_named and all(sections) and sections[0] != sections[1]


def _may_be_same_day(first: Part, second: Part) -> bool:
    days = first.parsed.event.date, second.parsed.event.date
    return None in days or days[0] == days[1]


def _is_of_day(part: Part, session: Part) -> bool:
    """Return whether a file without a ranking may be of the days of a session."""
    day, event = part.parsed.event.date, session.parsed.event
    return not day or not event.date or (event.start_date or event.date) <= day <= event.date


def _are_surely_sessions(sessions: Sequence[Session]) -> bool:
    """Return whether files are sessions of the same people on one day, and each has results of its own."""
    return len(_days(sessions)) < 2 and all(
        is_named(session.part.entries) and session.lines for session in sessions
    )


def _filled(entry: Entry, other: Entry) -> Entry:
    """Return a contestant with what another file says of the same people, if it says more."""
    if not is_named([entry]):
        return replace(entry, people=other.people) if is_named([other]) else entry
    return replace(entry, people=tuple(_filled_person(person, other.people) for person in entry.people))


def _filled_person(person: Person, others: Iterable[Person]) -> Person:
    same = [other for other in others if keys_of(person) & keys_of(other)]
    if len(same) != 1:
        return person
    return replace(person, number=person.number or same[0].number, name=person.name or same[0].name)


def _other_contestants(first: Part, second: Part, match: Match) -> Refused:
    names = {"name": first.name, "other": second.name}
    here = [entry for index, entry in enumerate(second.entries) if index not in match.indexes]
    there = [entry for index, entry in enumerate(first.entries) if index not in match.indexes.values()]
    numbers = [entry.number or "?" for entry in (here or there or first.entries)]
    if not match.is_named:
        for part, other in ((first, second), (second, first)):
            if _has_unread_numbers(part):
                return _unread_numbers(part, other)
        return Refused("joined_other_pairs", **names, value=_listed(numbers))
    counts = {"first": match.first, "second": match.second, "common": match.common}
    return Refused("joined_other_people", **names, **counts, value=numbers[0])


def _other_scores(
    first: Part, second: Part, before: Plays, after: Plays, key: tuple[int, Any, Any], numbered: Part
) -> Refused:
    """Return the refusal of two files with different scores of one board at one table."""
    board, ns, ew = key
    names = {"name": first.name, "other": second.name, "value": before[key], "first": after[key]}
    pairs = {
        side: ", ".join("?" if index is None else numbered.entries[index].number or "?" for index in indexes)
        for side, indexes in (("ns", ns), ("ew", ew))
    }
    return Refused("joined_other_scores", board=board, **pairs, **names)


def _fits_session(part: Part, session: Session) -> bool:
    """Return whether a file without a ranking may be of this session."""
    lines = located(part.parsed.boards, session.part.entries)
    if _unknown_numbers(lines):
        return False
    if lines and session.part.parsed.boards:
        return is_same_play(plays_of(session.lines), plays_of(lines))
    played = {result.board for result in session.part.parsed.boards}
    return bool(lines) or (not session.deals and played <= {deal.board for deal in part.parsed.deals})


def _other_boards(part: Part, session: Session) -> Refused:
    """Return the refusal of a file without a ranking that does not fit the only session."""
    names = {"name": session.part.name, "other": part.name}
    lines = located(part.parsed.boards, session.part.entries)
    if unknown := _unknown_numbers(lines):
        if _has_unread_numbers(session.part):
            return _unread_numbers(session.part, part)
        return Refused("joined_other_pairs", **names, value=_listed(sorted(unknown)))
    own = {deal.board for deal in part.parsed.deals} | {result.board for result in part.parsed.boards}
    missing = {result.board for result in session.part.parsed.boards} - own
    return Refused("joined_other_boards", **names, value=_listed(map(str, sorted(missing or own))))


def _has_unread_numbers(part: Part) -> bool:
    """Return whether a ranking has no numbers of pairs, but columns that are not read."""
    return bool(part.parsed.layouts) and not any(entry.number for entry in part.entries)


def _unread_numbers(part: Part, other: Part) -> Refused:
    (layout, *_others) = part.parsed.layouts
    columns = zip(layout.headings, layout.meanings, strict=True)
    headings = [heading for heading, meaning in columns if heading and meaning in ("", "number")]
    return Refused(
        "joined_no_numbers",
        line=part.index * LINES_PER_FILE,
        name=part.name,
        other=other.name,
        value=", ".join(headings),
    )


def _unknown_numbers(lines: Iterable[Line]) -> set[str]:
    """Return the numbers of results of boards that are not in the ranking."""
    return {number for line in lines for number in line.unknown}


def _days(sessions: Iterable[Session]) -> set[str]:
    return {day for session in sessions if (day := session.part.parsed.event.date)}


def _names(sessions: Iterable[Session]) -> str:
    return ", ".join(session.part.name for session in sessions)


def _listed(numbers: Iterable[str]) -> str:
    numbers = list(numbers)
    return ", ".join(numbers[:MAX_NAMED]) + (" …" if len(numbers) > MAX_NAMED else "")


def _total(results: Sequence[tuple[Entry, int]]) -> tuple[Literal["percentage", "score"], str]:
    """Return the result of a contestant in all sessions, and whether it is a percentage or a score.

    results: the contestant in each session, with the number of its results of boards
    """
    if all(own.percentage for own, _count in results):
        weights = [Decimal(own.boards or count) for own, count in results]
        if not all(weights):
            weights = [Decimal(1)] * len(results)
        shares = [
            Decimal(own.percentage or 0) * weight for (own, _), weight in zip(results, weights, strict=True)
        ]
        return "percentage", _text(sum(shares, Decimal(0)) / sum(weights, Decimal(0)))
    if any(own.percentage or not own.score for own, _count in results):
        raise Refused("joined_not_summed")
    return "score", _text(sum((Decimal(own.score or 0) for own, _ in results), Decimal(0)))


def _text(number: Decimal) -> str:
    return f"{thousandths(number):f}".rstrip("0").rstrip(".")


def _most_boards(results: Iterable[BoardResult]) -> int:
    """Return the largest number of boards of a contestant."""
    played = {(item.section, number, item.board) for item in results for number in (*item.ns, *item.ew)}
    return max(Counter(seat[:2] for seat in played).values(), default=0)


def _sum_of(counts: Iterable[int | None]) -> int | None:
    known = list(counts)
    return sum(count or 0 for count in known) if all(known) else None


def _with_pair_numbers(rows: Sequence[StartRow], boards: Sequence[BoardResult]) -> list[StartRow]:
    """Return the rows of a list of tables with the numbers of the pairs, if the pairs change lines.

    They have them if the East-West pairs are numbered on from the others, and pairs of one line never met.
    """
    tables = max((row.tables for row in rows), default=0)
    numbers = [(*board.ns, *board.ew) for board in boards]
    are_apart = all(
        len(met) == 2 and all(map(str.isdigit, met)) and sum(int(number) <= tables for number in met) == 1
        for met in numbers
    )
    changes = {number for board in boards for number in board.ns} & {
        number for board in boards for number in board.ew
    }
    if not tables or not are_apart or not changes:
        return list(rows)
    return [
        replace(
            row,
            number=str(int(row.number) + tables) if row.direction == "EW" else row.number,
            direction=None,
            tables=0,
        )
        for row in rows
    ]


def _seats_note(joined: ParsedResult, rows: Sequence[StartRow], entries: Sequence[Entry]) -> Issue:
    """Return the note that says which pairs have got the people of each table: "1 → 1 – 8, 2 → 2 – 9"."""
    number_of = {entry.people[:1]: entry.number or "" for entry in entries}
    pairs: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row.direction != "NS"):
        if number := number_of.get(row.people[:1]):
            pairs[row.section or "", row.number].append(number)
    shown = [f"{section}{table} → {' – '.join(numbers)}" for (section, table), numbers in pairs.items()]
    is_sure = all(seats.is_sure for seats in joined.seats)
    note = issue("joined_list_seats" if is_sure else "joined_list_seats_unsure")
    # Longer than a value may be: the numbers are to be checked.
    return replace(note, params={"pairs": _listed(map(shorten, shown))})


def _east_west(rows: Sequence[StartRow], entries: Sequence[Entry], index: int) -> str:
    """Return which pairs the East-West people of a list of tables have become: "1 → 13, 2 → 14"."""
    number_of = {entry.people: entry.number for entry in entries}
    east_west = [(row.number, _numbered_row(row, index).people) for row in rows if row.direction == "EW"]
    return _listed([f"{table} → {number_of[people]}" for table, people in east_west if people in number_of])


def _numbered_row(row: StartRow, index: int) -> StartRow:
    """Return a row of a list with line numbers that name the list."""
    line = index * LINES_PER_FILE + row.line
    return replace(row, line=line, people=tuple(replace(person, line=line) for person in row.people))
