"""What a scoring run keeps of an evaluation, and the way back from it to the engine."""

import hashlib

from scoring import regulations
from scoring.engine.digest import digest
from scoring.ledger import evaluation as adapters
from scoring.ledger import systems
from scoring.ledger.models import ScoringRun


def inputs_of(evaluation: adapters.Evaluation) -> list[dict]:
    """What a run stores: each line's field and the engine's event."""
    to_json = systems.of_regulation(evaluation.regulation).to_json
    return [{"field": line.field, "event": to_json(line.event)} for line in evaluation.lines]


def digest_of(evaluation: adapters.Evaluation) -> str:
    """The SHA-256 of the inputs: of the one line's event, or of the digests of both lines' events."""
    return stored_digest(inputs_of(evaluation))


def outcome_of(evaluation: adapters.Evaluation) -> dict:
    """What is read of a run without computing it again; decimals as strings. Older runs have more."""
    return {
        "persons": evaluation.persons,
        "reasons": [{"code": reason.code, "params": reason.params} for reason in evaluation.reasons],
        # The modified average of a year reads the C4 here (`scoring.promotions.queries.averages`).
        "lines": [
            {
                "field": line.field,
                "n": str(line.result.n),
                "p_max": str(line.result.p_max),
                "p_min": str(line.result.p_min),
                "coefficients": {name: str(value) for name, value in line.result.coefficients.items()},
            }
            for line in evaluation.lines
        ],
    }


def stored_digest(inputs: list[dict]) -> str:
    """The digest of inputs as they are stored. Equal to `digest_of` unless somebody touched them."""
    digests = [digest(each["event"]) for each in inputs]
    return digests[0] if len(digests) == 1 else hashlib.sha256("".join(digests).encode()).hexdigest()


def evaluation_of(run: ScoringRun) -> adapters.Evaluation:
    """Run the engine again on the stored inputs: receipts and audits start here."""
    return evaluation_from(run.regulation, run.inputs)


def evaluation_from(code: str, inputs: list[dict]) -> adapters.Evaluation:
    """The same from the regulation's code and the inputs. Raises EngineError where they cannot be read."""
    regulation = regulations.get(code)
    from_json = systems.of_regulation(regulation).from_json
    pairs = [(each["field"], from_json(regulation, each["event"])) for each in inputs]
    return adapters.evaluate_events(regulation, pairs)
