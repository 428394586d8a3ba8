"""What is stored of an uploaded file, whatever its kind."""

import hashlib

import pytest

from scoring.office.models import OfficeImport
from scoring.ratings.models import GoUpload
from tournaments.models import ResultUpload
from tournaments.services.arrival import file_fields


@pytest.mark.parametrize("model", [ResultUpload, GoUpload, OfficeImport])
def test_a_long_name_keeps_its_end_and_the_bytes_their_digest(model):
    longest = model._meta.get_field("file_name").max_length
    name = "x" * longest + ".csv"
    assert file_fields(model, name, b"abc") == {
        "file_name": name[4:],
        "sha256": hashlib.sha256(b"abc").hexdigest(),
    }
    assert file_fields(model, "a.csv", b"")["file_name"] == "a.csv"
