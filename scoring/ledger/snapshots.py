"""Convert an evaluation to what a scoring run stores, and back."""

import hashlib
from typing import Any

from scoring import regulations
from scoring.engine.digest import digest
from scoring.ledger import evaluation as adapters
from scoring.ledger import systems
from scoring.ledger.models import ScoringRun


def inputs_of(evaluation: adapters.Evaluation) -> list[dict[str, Any]]:
    """Return the inputs that a run stores: the engine's event of each field."""
    to_json = systems.of_regulation(evaluation.regulation).to_json
    return [{"field": scored.field, "event": to_json(scored.event)} for scored in evaluation.fields]


def digest_of(evaluation: adapters.Evaluation) -> str:
    """Return the SHA-256 digest of the engine's inputs.

    With one field it is the digest of the event. With two fields it is the digest of both events' digests.
    """
    return stored_digest(inputs_of(evaluation))


def outcome_of(evaluation: adapters.Evaluation) -> dict[str, Any]:
    """Return the results that pages show without running the engine again. Decimals are strings."""
    return {
        "persons": evaluation.persons,
        "reasons": [{"code": reason.code, "params": reason.params} for reason in evaluation.reasons],
        # `scoring.promotions.queries.averages` reads the coefficient of the field's strength (C4) here.
        "lines": [
            {
                "field": scored.field,
                "n": str(scored.result.n),
                "p_max": str(scored.result.p_max),
                "p_min": str(scored.result.p_min),
                "coefficients": {name: str(value) for name, value in scored.result.coefficients.items()},
            }
            for scored in evaluation.fields
        ],
    }


def stored_digest(inputs: list[dict[str, Any]]) -> str:
    """Return the digest of stored inputs. It equals a run's `input_digest` unless they were altered."""
    digests = [digest(stored["event"]) for stored in inputs]
    return digests[0] if len(digests) == 1 else hashlib.sha256("".join(digests).encode()).hexdigest()


def evaluation_of(run: ScoringRun) -> adapters.Evaluation:
    """Run the engine again on a run's stored inputs and return the result, for receipts and audits."""
    return evaluation_from(run.regulation, run.inputs)


def evaluation_from(code: str, inputs: list[dict[str, Any]]) -> adapters.Evaluation:
    """Run the engine on stored inputs and return the result. Raise EngineError if they cannot be read.

    code: code of the regulation
    """
    regulation = regulations.get(code)
    from_json = systems.of_regulation(regulation).from_json
    pairs = [(stored["field"], from_json(regulation, stored["event"])) for stored in inputs]
    return adapters.evaluate_events(regulation, pairs)
