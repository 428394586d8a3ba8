"""Signed notes, checkpoints and cosignatures."""

import pytest

from scoring.transparency.notes import COSIGNATURE, Checkpoint, InvalidNote, Signer, Verifier

# A well-known log's key: its id follows from name and key.
PUBLISHED = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8"
ROOT = bytes(range(32))


@pytest.fixture
def signer() -> Signer:
    return Signer.generate("example.org/transparencia")


def checkpoint(signer: Signer, size: int = 7) -> Checkpoint:
    body = Checkpoint(signer.name, size, ROOT).body
    return Checkpoint(signer.name, size, ROOT, (signer.sign(body),))


def test_a_published_key_has_the_id_that_follows_from_it():
    assert str(Verifier.parse(PUBLISHED)) == PUBLISHED


def test_keys_are_read_as_they_are_written(signer):
    assert Signer.parse(str(signer)) == signer
    assert Verifier.parse(str(signer.verifier())) == signer.verifier()
    assert str(signer).split("+")[4] not in repr(signer)


def test_a_checkpoint_is_read_as_it_is_written(signer):
    text = str(checkpoint(signer))
    assert text.startswith("example.org/transparencia\n7\nAAECAwQF")
    parsed = Checkpoint.parse(text)
    assert str(parsed) == text
    assert (parsed.origin, parsed.size, parsed.root) == (signer.name, 7, ROOT)
    assert parsed.signed_by([signer.verifier()]) == [signer.verifier()]


def test_a_changed_checkpoint_has_a_wrong_signature(signer):
    text = str(checkpoint(signer)).replace("\n7\n", "\n8\n")
    with pytest.raises(InvalidNote, match="wrong"):
        Checkpoint.parse(text).signed_by([signer.verifier()])


def test_signatures_of_unknown_keys_are_ignored(signer):
    other = Signer.generate(signer.name)
    assert checkpoint(other).signed_by([signer.verifier()]) == []


def test_a_cosignature_says_when(signer):
    witness = Signer.generate("witness.example/1")
    body = checkpoint(signer).body
    line = witness.cosign(body, 1_790_000_000)
    assert line.time == 1_790_000_000
    assert witness.verifier(COSIGNATURE).verifies(body, line)
    assert not witness.verifier(COSIGNATURE).verifies(body.replace("7", "8"), line)
    assert not witness.verifier().verifies(body, line)  # as the signature of a log it is none


def test_a_note_with_extension_lines_keeps_them(signer):
    body = f"{signer.name}\n7\n{str(checkpoint(signer)).splitlines()[2]}\nfurther\n"
    parsed = Checkpoint.parse(f"{body}\n{signer.sign(body)}")
    assert parsed.extensions == ("further",)
    assert parsed.signed_by([signer.verifier()])


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "",
        lambda text: text.replace("\n\n", "\n"),
        lambda text: text.replace("\n7\n", "\n07\n"),
        lambda text: text.replace("\n7\n", "\n-7\n"),
        lambda text: text.replace("\n7\n", "\n7.0\n"),
        lambda text: text.replace("\n7\n", "\n" + "9" * 30 + "\n"),
        lambda text: text.replace("AAEC", "AAE"),
        lambda text: text.replace("—", "-"),
        lambda text: text.rstrip("\n"),
        lambda text: text.replace("org/", "org/\x07"),
        lambda text: text + text.splitlines()[-1] + "\n" * 2,
        lambda text: text + (text.splitlines()[-1] + "\n") * 200,
    ],
)
def test_what_is_no_checkpoint_is_refused(signer, change):
    with pytest.raises(InvalidNote):
        Checkpoint.parse(change(str(checkpoint(signer))))


@pytest.mark.parametrize(
    "text",
    ["", "PRIVATE+KEY+secret!", "PRIVATE+KEY+a b+00000000+secret!", "PRIVATE+KEY+a+00000000+secret!"],
)
def test_what_is_no_key_is_refused_without_showing_it(text):
    with pytest.raises(InvalidNote) as raised:
        Signer.parse(text)
    assert "secret!" not in str(raised.value)


def test_a_key_with_a_wrong_id_is_refused(signer):
    wrong = str(signer.verifier()).replace(signer.verifier().key_id.hex(), "00000000")
    with pytest.raises(InvalidNote):
        Verifier.parse(wrong)
    with pytest.raises(InvalidNote):
        Verifier.parse("name+00000000+!!!!")


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\nb"])
def test_names_that_notes_cannot_have_are_refused(name):
    with pytest.raises(InvalidNote):
        Signer.generate(name)
