"""The engine's exception class and all its error codes."""

CODES = {
    "float": "A number with a decimal point or exponent was written without quotes",
    "number_too_long": "A number has more digits than any real value needs",
    "duplicate_key": "The same key appears twice in one object",
    "wrong_type": "The value is of another JSON type than the field takes",
    "unknown_field": "The regulation has no such field",
    "missing_field": "A required field is absent",
    "conflicting_fields": "Two fields that exclude each other are both present",
    "bad_number": "The text is not a plain number",
    "bad_date": "The text is not a calendar date written YYYY-MM-DD",
    "out_of_range": "The number lies outside what the rule can take",
    "unknown_regulation": "No regulation has this code",
    "unknown_family": "No family of regulations has this code",
    "no_regulation": "No regulation of the family was in force on the date",
    "unknown_event_type": "The regulation's table of C1 has no such event type",
    "unknown_format": "The format is not pairs, teams or individual",
    "unknown_venue": "The regulation's list of C5 has no such venue",
    "unknown_category": "The regulation's table of C4 has no such category",
    "unknown_ties": "The treatment of ties is not mean, mean_place or best",
    "unknown_place_rule": "The rule for places is not text or even",
    "unknown_places_table": "The table of places is not AY or A",
    "unknown_rating": "The rating of the tournament is not one of the table of R",
    "unknown_restriction": "The restriction of the field is not none, one or two",
    "missing_factor": "A factor that no source gives is not given by the event either",
    "unknown_class": "The class of the tournament is not A, B, C or D",
    "unknown_grade": "The grade is not written as 12k or 3d",
    "no_players": "No player is listed",
    "unknown_player": "A game names somebody who is not listed",
    "same_player": "Both sides of a game or of a board are the same",
    "bad_scores": "The scores of a game are not 1-0, 0.5-0.5 or 0-1",
    "duplicate_game": "The same two players have two games in one round",
    "no_results": "No result is listed",
    "duplicate_result": "The same two contestants have two results on one board",
    "no_contestants": "No contestant is listed",
    "contestant_count": "Fewer contestants are declared than are listed",
    "duplicate_id": "Two contestants, or two players, share an id",
    "place_sequence": "The places do not form a ranking such as 1, 2, 2, 4",
    "unknown_contestant": "The event has no contestant with this id",
}


class EngineError(Exception):
    """Raised for an input that the engine cannot score.

    ``code`` is a key of ``CODES``. ``field`` is the path of the offending value, such as
    ``contestants[3].players[0].category``, or empty for the whole event. ``message`` is an English sentence.
    """

    def __init__(self, code: str, field: str, message: str):
        if code not in CODES:
            raise ValueError(f"undocumented engine error code: {code}")
        super().__init__(message)
        self.code = code
        self.field = field
        self.message = message

    def __str__(self) -> str:
        where = f"{self.field}: " if self.field else ""
        return f"{self.code}: {where}{self.message}"
