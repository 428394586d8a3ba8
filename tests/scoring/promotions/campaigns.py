"""A small federation at the end of 2025, and campaigns in every state, made by the real services.

Three categories have points. In 2D, the first of ten players moves up to 2C. In 2C, the first of five moves
up to 2P. The only player of 1P cannot move. The office account of `People` opens, freezes, decides and
publishes; its committee account approves. The fixture `clock` must be in use: it sets the day to 20 January
2026.
"""

from dataclasses import dataclass, field
from datetime import date

from django.urls import reverse

from players.models import Player, Role
from scoring.ledger.services import posting
from scoring.promotions.acts import act_by_verb
from scoring.promotions.acts.approve import Approve
from scoring.promotions.acts.claims import Claim
from scoring.promotions.acts.open import Abandon, Open
from scoring.promotions.acts.publish import Publish
from scoring.promotions.models import CampaignClaim, CampaignTask, PromotionCampaign, PromotionRuleSet
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries.campaigns import list_digest
from scoring.promotions.queries.candidates import rule_set_of
from scoring.promotions.services import simulations
from scoring.promotions.services import work as campaign_tasks
from tests import factories as make

YEAR = 2025
FROZEN_ON = date(2026, 1, 20)
CLAIMS_UNTIL = date(2026, 2, 4)  # fifteen days after publication
EFFECTIVE_ON = date(2026, 3, 1)
AFTER_CLAIMS = date(2026, 2, 5)


def committee():
    """Create an account with the role of the committee."""
    account = make.user()
    make.role(account, Role.Kind.COMMITTEE)
    return account


@dataclass
class People:
    """The accounts of the federation, and its players by category, most points first."""

    office: object = field(default_factory=make.office)
    committee: object = field(default_factory=committee)
    diamonds: list[Player] = field(default_factory=list)  # of 2D
    hearts: list[Player] = field(default_factory=list)  # of 2C
    spade: Player | None = None  # of 1P

    @property
    def everybody(self) -> list[Player]:
        return [*self.diamonds, *self.hearts, self.spade]


def post_points(player: Player, points: int, day: date = date(2025, 6, 1)) -> None:
    """Post a tournament's points, in hundredths, to a player on that day."""
    posting.post_opening([opening_row(player, points, day)], None)


def opening_row(player: Player, points: int, day: date) -> posting.OpeningRow:
    return posting.OpeningRow(player.pk, day, f"Open of {points}", False, points)


def confirmed_rules(year: int = YEAR) -> PromotionRuleSet:
    """Confirm all figures of the rule set of a year, and return the set."""
    rules = rule_set_of(year)
    rules.confirmed = True
    rules.save()
    rules.rules.update(confirmed=True)
    return rules


def create_people(year: int = YEAR) -> People:
    """Create the federation's accounts and players, and post the players' points of the year.

    Ten players of category 2D have 1000, 900, … 100 hundredths. Five of 2C and one of 1P have points too.
    """
    result, played_on = People(), date(year, 6, 1)
    club = make.club()
    result.diamonds = make.players(10, category="2D", club=club)
    result.hearts = make.players(5, category="2C", club=club)
    result.spade = make.player(category="1P", club=club)
    rows = [
        opening_row(player, 1000 - 100 * place, played_on) for place, player in enumerate(result.diamonds)
    ]
    rows += [opening_row(player, 2000 - 100 * place, played_on) for place, player in enumerate(result.hearts)]
    posting.post_opening([*rows, opening_row(result.spade, 5000, played_on)], None)
    return result


def draft(people: People) -> PromotionCampaign:
    return Open().perform(
        YEAR,
        people.office,
        rule_set=confirmed_rules(),
        intake_until=date(2026, 1, 15),
        effective_on=EFFECTIVE_ON,
    )


def carry_out(campaign: PromotionCampaign, verb: Verb, by, reason: str = "") -> CampaignTask:
    """Perform a long act, and run its task as a worker would. Return the task."""
    task = act_by_verb(verb).perform(campaign.pk, by, reason)
    campaign_tasks.perform(task.pk)
    task.refresh_from_db()
    campaign.refresh_from_db()
    return task


def frozen(people: People) -> PromotionCampaign:
    campaign = draft(people)
    carry_out(campaign, Verb.FREEZE, people.office)
    return campaign


def approve(campaign: PromotionCampaign, people: People) -> None:
    Approve().perform(campaign.pk, people.committee, list_digest(campaign))
    campaign.refresh_from_db()


def approved(people: People) -> PromotionCampaign:
    campaign = frozen(people)
    approve(campaign, people)
    return campaign


def published(people: People) -> PromotionCampaign:
    campaign = approved(people)
    Publish().perform(campaign.pk, people.office, CLAIMS_UNTIL)
    campaign.refresh_from_db()
    return campaign


def file_claim(
    campaign: PromotionCampaign, player: Player, text: str = "I have more points"
) -> CampaignClaim:
    """Create an account for the player, and the player's claim against the published lists."""
    player.user = make.user()
    player.save()
    return Claim().perform(campaign.pk, player, text, player.user)


def applied(people: People, clock) -> PromotionCampaign:
    """Return a campaign that was applied on the first day after the claims period.

    The new categories begin on 1 March.
    """
    campaign = published(people)
    clock(AFTER_CLAIMS)
    carry_out(campaign, Verb.APPLY, people.office)
    return campaign


def reversed_(people: People, clock) -> PromotionCampaign:
    campaign = applied(people, clock)
    carry_out(campaign, Verb.REVERSE, people.office, "wrong rules")
    return campaign


def abandoned(people: People) -> PromotionCampaign:
    campaign = frozen(people)
    Abandon().perform(campaign.pk, people.office, "not this year")
    campaign.refresh_from_db()
    return campaign


def in_state(state: str, people: People, clock) -> PromotionCampaign:
    """Return a new campaign in this state."""
    make_it = {
        "draft": draft,
        "frozen": frozen,
        "approved": approved,
        "published": published,
        "abandoned": abandoned,
    }
    if state in make_it:
        return make_it[state](people)
    return {"applied": applied, "reversed": reversed_}[state](people, clock)


def compare_late_results(campaign: PromotionCampaign) -> None:
    """Let a worker compare the frozen lists with what is known now, for the page of late results."""
    asked = simulations.ask(campaign.last_day, campaign.rule_set, snapshot=campaign.snapshot)
    simulations.perform(asked.pk)


def response_for(client, account, name: str, *args, **query):
    """Sign in as the account and request the page with this URL name. Return the response."""
    client.force_login(account)
    return client.get(reverse(name, args=args), query)
