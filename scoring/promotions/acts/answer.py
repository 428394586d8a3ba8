"""The act of answering a player's claim."""

from django import forms
from django.db import transaction
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.access import require
from players.models import Category
from scoring.promotions.acts.base import Act, Refused, register, required_text
from scoring.promotions.acts.decide import TargetField, decision_detail, is_person, store_decision
from scoring.promotions.acts.forms import REASON_LENGTH, ActForm
from scoring.promotions.models import CampaignClaim, ClaimAnswer
from scoring.promotions.pure.states import Verb

TEXT_LENGTH = ClaimAnswer._meta.get_field("text").max_length


class AnswerForm(ActForm):
    """The form for the office's answer to a claim.

    If the claim is accepted, the form requires a target: the category to move the player to, or staying.
    """

    accepted = forms.TypedChoiceField(
        label=_("The claim is"),
        choices=[("1", _("accepted")), ("0", _("not accepted"))],
        coerce=lambda value: value == "1",
        widget=forms.RadioSelect,
    )
    target = TargetField(
        label=_("If it is accepted, the player"),
        required=False,
        help_text=_("Leave it empty when the claim is not accepted."),
    )
    text = forms.CharField(
        label=_("Answer"),
        max_length=TEXT_LENGTH,
        widget=forms.Textarea({"rows": 5}),
        help_text=_("The player reads it."),
    )

    def __init__(self, *args, present: Category | None, targets: list[Category], **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.fields["target"].offer(present, targets)

    def clean(self) -> dict:
        """Require a target if the claim is accepted."""
        cleaned = super().clean()
        if cleaned.get("accepted") and not self.data.get(self.add_prefix("target")):
            self.add_error("target", gettext("Say where the player goes now that the claim is accepted."))
        return cleaned


@register
class Answer(Act):
    """The act of answering a claim. Its form is on the page of the claim."""

    verb = Verb.ANSWER
    logged = _("a claim answered")
    turn_words = _("It is the office’s turn: it answers the claims.")
    works_on_list = True
    public = True
    form_class = AnswerForm

    @transaction.atomic
    def perform(self, claim_id: int, accepted: bool, text: str, target: Category | None, by) -> ClaimAnswer:
        """Store the office's answer to a claim.

        If the claim is accepted, also store a decision: the player moves to `target`, or stays if it is None.
        Raises Refused if the claim has an answer already, or if it is the account's own claim.
        """
        require(self.may(by))
        claim = CampaignClaim.objects.select_related("player__merged_into").get(pk=claim_id)
        campaign = self.lock(claim.campaign_id)
        if ClaimAnswer.objects.filter(claim=claim).exists():
            raise Refused(gettext("Somebody else has answered this claim."), code="answered")
        if is_person(by, claim.player):
            raise Refused(gettext("Nobody answers their own claim."), code="own")
        text = required_text(text, "text", TEXT_LENGTH)
        new_answer = ClaimAnswer.objects.create(claim=claim, accepted=accepted, text=text, by=by)
        detail = {"claim": claim.pk, "player": claim.player_id, "accepted": accepted}
        reason = Truncator(text).chars(REASON_LENGTH)
        if accepted:
            decision = store_decision(campaign, claim.player_id, target, reason, by, new_answer)
            detail |= decision_detail(decision)
        self.finish(campaign, by, reason, detail)
        return new_answer
