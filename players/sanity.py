"""Sanity checks of the register: people, licences, categories, clubs, accounts, and the database itself."""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection
from django.db.models import Count, Exists, ExpressionWrapper, F, Max, Min, OuterRef, Q, QuerySet, fields
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players import triggers
from players.ages import OWN_ACCOUNT
from players.models import (
    CategoryAssignment,
    Club,
    Licence,
    NamePair,
    Player,
    PlayerMerge,
    Proposal,
    Role,
)
from players.models.names import pairs_of, search_text_of
from ui.clock import today
from ui.formatting import format_date
from ui.sanity import ROWS, Check, GroupsOf, RowsOf, Severity, TextsOf

LONGEST_LICENCE = timedelta(days=400)
OLD_PROPOSAL = timedelta(days=14)


def named(player: Player) -> str:
    """Return number and name of a player, for the office."""
    return f"{player.number} {player.desk_name}"


def _day(day: date) -> str:
    return format_date(day, get_language() or "")


def person_page(player: Player) -> str:
    """Return the address of the office's page of a person."""
    return reverse("person", args=[player.number])


def of_players(query) -> RowsOf:
    """Return a finder of wrong players."""
    return RowsOf(query, named, person_page)


def of_holders(query, text) -> RowsOf:
    """Return a finder of wrong rows that belong to a player, as licences do.

    text: function of a row
    """
    return RowsOf(query, text, lambda row: person_page(row.player), ["player"])


def _overlapping() -> QuerySet:
    others = Licence.objects.filter(
        player=OuterRef("player"),
        issuer=OuterRef("issuer"),
        valid_to__gte=OuterRef("valid_from"),
        valid_from__lte=OuterRef("valid_to"),
        pk__lt=OuterRef("pk"),
    )
    return Licence.objects.filter(Exists(others))


def _too_long() -> QuerySet:
    length = ExpressionWrapper(F("valid_to") - F("valid_from"), fields.DurationField())
    return Licence.objects.annotate(length=length).filter(length__gt=LONGEST_LICENCE, issuer="")


def _licence(row: Licence) -> str:
    days = f"{_day(row.valid_from)} – {_day(row.valid_to)}"
    return f"{named(row.player)}: {row.issuer or gettext('licence')} {days}"


def _two_categories() -> QuerySet:
    others = CategoryAssignment.objects.filter(
        player=OuterRef("player"),
        valid_from=OuterRef("valid_from"),
        revoked_at=None,
        category__is_title=False,
        pk__lt=OuterRef("pk"),
    )
    steps = CategoryAssignment.objects.filter(revoked_at=None, category__is_title=False)
    return steps.filter(Exists(others))


def _outside_ladder() -> QuerySet:
    wrong = Q(valid_from__lt=F("category__valid_from")) | Q(valid_from__gt=F("category__valid_to"))
    return CategoryAssignment.objects.filter(wrong, revoked_at=None)


def _assignment(row: CategoryAssignment) -> str:
    return f"{named(row.player)}: {row.category.code}, {_day(row.valid_from)}"


def _same_person() -> Iterator[tuple[int, int]]:
    groups = (
        Player.objects.unmerged()
        .filter(birth_year__isnull=False, erased_on=None)
        .order_by()
        .values("search_text", "club", "birth_year")
        .annotate(first=Min("pk"), last=Max("pk"), number=Count("pk"))
        .filter(number__gt=1)
    )
    yield from groups.order_by("first").values_list("first", "last").iterator(chunk_size=ROWS)


def _merges_apart() -> QuerySet:
    """Return the players whose state and whose record of merging differ."""
    open_merge = PlayerMerge.objects.filter(duplicate=OuterRef("pk"), undone_at=None)
    recorded = Exists(open_merge.filter(kept=OuterRef("merged_into")))
    return Player.objects.filter(
        Q(merged_into__isnull=False) & ~recorded | Q(merged_into=None) & Exists(open_merge)
    )


def _erased_but_named() -> QuerySet:
    named_still = ~Q(given_name="") | ~Q(surname="") | ~Q(email="") | Q(birth_year__isnull=False)
    indexed = Exists(NamePair.objects.filter(player=OuterRef("pk")))
    return Player.objects.filter(erased_on__isnull=False).filter(
        named_still | Q(user__isnull=False) | indexed
    )


def _names_out_of_step() -> Iterator[str]:
    """Yield the ids of the players whose name is not indexed as it is written."""
    rows = Player.objects.order_by("pk").annotate(pairs=Count("name_pairs"))
    values = rows.values_list("pk", "given_name", "surname", "search_text", "pairs")
    for pk, given_name, surname, indexed, pairs in values.iterator(chunk_size=ROWS):
        if search_text_of(f"{given_name} {surname}") != indexed or len(pairs_of(indexed)) != pairs:
            yield str(pk)


class NamesOutOfStep(RowsOf):
    """Finder of players whose index of names differs from the name."""

    def keys(self) -> Iterator[str]:
        """Yield the ids of the players."""
        return _names_out_of_step()


def _visible_minors() -> QuerySet:
    born_since = today().year - OWN_ACCOUNT
    return Player.objects.unmerged().filter(birth_year__gte=born_since, hidden=False)


def _odd_birth_year() -> QuerySet:
    return Player.objects.filter(Q(birth_year__lt=1900) | Q(birth_year__gt=today().year))


def _account(account: Any) -> str:
    return str(account.get_username())


def account_page(account: Any) -> str:
    """Return the address of the office's page of an account."""
    return reverse("account", args=[account.pk])


def _without_person() -> QuerySet:
    accounts = get_user_model().objects.filter(is_active=True, is_superuser=False, player=None)
    return accounts.filter(~Exists(Role.objects.filter(user=OuterRef("pk"))))


def _of_closed_accounts() -> QuerySet:
    return Role.objects.filter(user__is_active=False)


def _of_closed_clubs() -> QuerySet:
    return Role.objects.filter(club__active=False)


def _role(row: Role) -> str:
    return f"{row.user.get_username()}: {row.words}"


def _closed_with_members() -> QuerySet:
    licensed = Licence.objects.valid_on(today()).filter(player__club=OuterRef("pk"))
    return Club.objects.filter(Exists(licensed), active=False)


def _without_administrator() -> QuerySet:
    roles = Role.objects.filter(club=OuterRef("pk"), kind=Role.Kind.CLUB_ADMIN, user__is_active=True)
    return Club.objects.filter(~Exists(roles), active=True)


def _club_page(club: Club) -> str:
    return reverse("office_club", args=[club.pk])


def _old_proposals() -> QuerySet:
    waiting = Proposal.objects.filter(state=Proposal.State.PENDING)
    return waiting.filter(prepared_at__lt=timezone.now() - OLD_PROPOSAL)


def _proposal(row: Proposal) -> str:
    return f"{row.kind} {row.key}, {_day(timezone.localdate(row.prepared_at))}"


# --- The database itself --------------------------------------------------------------------------------
def _guards() -> Iterable[str]:
    return triggers.problems(connection)


def _sequences() -> Iterator[str]:
    """Yield the tables whose next id is taken already, as after rows were copied in with their ids."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, pg_get_serial_sequence(c.oid::regclass::text, a.attname) FROM pg_class c"
            " JOIN pg_attribute a ON a.attrelid = c.oid AND a.attidentity <> ''"
            " WHERE c.relkind IN ('r', 'p') AND pg_table_is_visible(c.oid) ORDER BY 1"
        )
        quote = connection.ops.quote_name
        for table, sequence in cursor.fetchall():
            # Both names come from the catalogue.
            cursor.execute(f"SELECT max(id), (SELECT last_value FROM {sequence}) FROM {quote(table)}")  # noqa: S608
            largest, last = cursor.fetchone()
            if largest and largest > last:
                yield table


def _indexes() -> Iterator[str]:
    """Yield the indexes that PostgreSQL does not use, as after an index that failed to be built."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
            " WHERE NOT (i.indisvalid AND i.indisready) AND pg_table_is_visible(c.oid) ORDER BY 1"
        )
        yield from (name for (name,) in cursor.fetchall())


ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE
CHECKS = [
    Check(
        "licence_overlap",
        WARNING,
        _("Licences that overlap"),
        _("A person has two licences of one federation for the same days. Shorten or remove one of them."),
        of_holders(_overlapping, _licence),
    ),
    Check(
        "licence_long",
        WARNING,
        _("Licences longer than a season"),
        _("A licence of more than 400 days usually has a mistyped year. Correct its last day."),
        of_holders(_too_long, _licence),
    ),
    Check(
        "category_twice",
        ERROR,
        _("Two categories from the same day"),
        _("Only the later entry counts, which may be the wrong one. Revoke the other one."),
        RowsOf(_two_categories, _assignment, lambda row: person_page(row.player), ["player", "category"]),
    ),
    Check(
        "category_outside",
        ERROR,
        _("Categories of another time"),
        _(
            "The category did not exist on the day from which the person has it. Revoke it and "
            "give the right one."
        ),
        RowsOf(_outside_ladder, _assignment, lambda row: person_page(row.player), ["player", "category"]),
    ),
    Check(
        "person_twice",
        WARNING,
        _("Two numbers with the same name, club and year of birth"),
        _("They are probably one person, whose points are counted apart. Merge the numbers."),
        GroupsOf(
            Player,
            _same_person,
            lambda group: " / ".join(map(named, group)),
            lambda group: reverse("merges"),
        ),
    ),
    Check(
        "merge_chain",
        ERROR,
        _("Numbers merged into a merged number"),
        _("Their pages lead to a number that is no longer used. Part the numbers and merge them again."),
        of_players(lambda: Player.objects.filter(merged_into__merged_into__isnull=False)),
    ),
    Check(
        "merge_apart",
        ERROR,
        _("Merged numbers that do not agree with the record of merging"),
        _("The number is marked as merged without a record, or the reverse, so it cannot be parted."),
        of_players(_merges_apart),
    ),
    Check(
        "erased_named",
        ERROR,
        _("Erased persons whose data are still there"),
        _("The person asked that nothing but the number remains. Ask for the erasure again."),
        of_players(_erased_but_named),
    ),
    Check(
        "name_index",
        WARNING,
        _("Names that are not found as they are written"),
        _("The index of names differs from the name, so searching misses the person. Save the person again."),
        NamesOutOfStep(Player.objects.all, named, person_page),
    ),
    Check(
        "minor_visible",
        ERROR,
        _("Children under 14 with a visible name"),
        _(
            "Only a holder of parental authority can consent to it. Hide the name, or correct the "
            "year of birth."
        ),
        of_players(_visible_minors),
    ),
    Check(
        "birth_year_odd",
        WARNING,
        _("Impossible years of birth"),
        _("The year is in the future or before 1900. Correct it."),
        of_players(_odd_birth_year),
    ),
    Check(
        "account_alone",
        NOTE,
        _("Accounts without person and without role"),
        _("Nobody needs such an account. Link it to its person, or close it."),
        RowsOf(_without_person, _account, account_page),
    ),
    Check(
        "role_of_closed_account",
        WARNING,
        _("Roles of closed accounts"),
        _("If the account is opened again, it has these rights at once. Take the roles away."),
        RowsOf(_of_closed_accounts, _role, lambda row: account_page(row.user), ["user", "club", "region"]),
    ),
    Check(
        "role_of_closed_club",
        NOTE,
        _("Roles for closed clubs"),
        _("The club plays no more. Take the roles away, or open the club again."),
        RowsOf(_of_closed_clubs, _role, lambda row: account_page(row.user), ["user", "club", "region"]),
    ),
    Check(
        "club_closed_members",
        WARNING,
        _("Closed clubs with licensed members"),
        _("Their members belong to a club that no longer exists. Move them to another one."),
        RowsOf(_closed_with_members, lambda club: club.name, _club_page),
    ),
    Check(
        "club_without_administrator",
        NOTE,
        _("Clubs without an administrator"),
        _("Nobody at the club can name directors or answer its members. Invite somebody."),
        RowsOf(_without_administrator, lambda club: club.name, _club_page),
    ),
    Check(
        "proposal_old",
        WARNING,
        _("Acts that have waited for a second person for two weeks"),
        _("Approve or return them, or withdraw them if they are no longer needed."),
        RowsOf(_old_proposals, _proposal, lambda row: row.get_absolute_url()),
    ),
    Check(
        "guard",
        ERROR,
        _("Guards of the database that are missing or changed"),
        _("The database no longer refuses what must never happen. The operator runs “manage.py migrate”."),
        TextsOf(_guards),
    ),
    Check(
        "sequence_behind",
        ERROR,
        _("Tables whose next id is taken already"),
        _("The next new row will fail. The operator runs the output of “manage.py sqlsequencereset”."),
        TextsOf(_sequences),
    ),
    Check(
        "index_invalid",
        ERROR,
        _("Indexes that the database does not use"),
        _("Pages are slow, or two rows may be equal that must differ. The operator runs REINDEX."),
        TextsOf(_indexes),
    ),
]
