"""Any parameters of the address give public pages without a fault, of bounded size, with a type."""

from urllib.parse import urlencode

from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.access.conftest import built, world  # noqa: F401 (fixtures)
from tests.access.matrix import PUBLIC
from tests.access.test_matrix import address
from tests.examples import examples
from ui.parameters import FORMER, NAMES

# Longer than any page of the small federation of the test.
MOST_BYTES = 400_000
# The files of the log that are no texts, and the address of the witness, which takes no GET.
OTHERS = {"set_language", "log_tile", "log_bundle", "log_stamp", "log_script", "log_add_checkpoint"}
PAGES = sorted(set(PUBLIC) - OTHERS)
KINDS = {"text/html", "text/plain", "text/calendar", "application/json", "application/atom+xml"}
VALUES = st.one_of(
    st.sampled_from(
        [
            "",
            "0",
            "-1",
            "1",
            "99999999999999999999",
            "1e9",
            "NaN",
            "2026-13-45",
            "9999-12-31",
            "0001-01-01",
            "csv",
            "' OR 1=1 --",
            "%",
            "_",
            "\\",
            "(?:a+)+$",
            "<script>alert(1)</script>",
            "../../etc/passwd",
            "\x00",
            "\r\nX: y",
            "ñ" * 3_000,
        ]
    ),
    st.text(max_size=12).filter(lambda text: not any("\ud800" <= sign <= "\udfff" for sign in text)),
)
NAMES_OF_PARAMETERS = sorted({*NAMES, *FORMER, "n_1P", "2-pagina", "2-orden", "2-filas", "unknown"} - {"yo"})
PARAMETERS = st.lists(st.tuples(st.sampled_from(NAMES_OF_PARAMETERS), VALUES), max_size=5)


@examples(40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(PAGES), PARAMETERS)
def test_any_parameters_give_a_page_of_bounded_size(client, world, name, parameters):  # noqa: F811
    response = client.get(f"{address(name, world)}?{urlencode(parameters)}", follow=True)
    assert response.status_code in (200, 404)
    body = b"".join(response.streaming_content) if response.streaming else response.content
    assert len(body) < MOST_BYTES


def test_every_body_names_its_type_and_charset(client, world):  # noqa: F811
    for name in PAGES:
        response = client.get(address(name, world), PUBLIC[name].query)
        kind = response.headers["Content-Type"]
        if kind.startswith("text/"):
            assert kind.endswith("charset=utf-8"), name
        assert kind.split(";")[0] in KINDS, name
