#!/usr/bin/env python3
"""Check a transparency log: that nothing in it was changed, removed or reordered.

LOG is its address, or a folder or zip file of it. The check is worth what you kept earlier: a checkpoint, a
receipt, or a copy of the log, by which changes are named. Without it, a log rewritten as a whole looks equal.
Of a dataset the awards are compared; with one that was kept, also whose number each code stands for. --key
replaces the keys in LOG/keys. Ends with 0 and "equal: N entries", 1 and differences, or 2 if it cannot read.
"""

import base64
import csv
import json
import re
import subprocess
import sys
import zipfile
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from contextlib import suppress
from functools import partial, reduce
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path, PureWindowsPath
from urllib.request import urlopen

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

WIDTH, MOST, LONGEST = 256, 50, 2**25  # hashes in a tile; differences printed; bytes of a bundle or a line
COLUMNS = ("entry", "family", "kind", "person", "played_on", "points")  # of awards, as in the log
COLUMNS += ("posted_at", "reverses", "run", "tournament", "venue")
canonical = partial(json.dumps, sort_keys=True, separators=(",", ":"))


class Log:
    """A published log: a folder, a zip file of one, or an address."""

    def __init__(self, path):
        self.path, self.is_address = path.rstrip("/"), path.startswith(("http://", "https://"))
        self.root = zipfile.Path(path) if Path(path).is_file() else Path(path)
        self.checkpoint = Checkpoint(self.read("checkpoint").decode(), f"{path}/checkpoint")

    def read(self, name):
        if self.is_address:
            return urlopen(f"{self.path}/{name}", timeout=60).read(LONGEST)
        file = self.root.joinpath(*name.split("/"))
        if not file.is_file():
            raise ValueError(f"{self.path}: {name} is missing")
        return file.read_bytes()

    def tile(self, level, number, width):
        """Return the hashes of a tile; for the level "entries", the entries of a bundle."""
        *groups, last = re.findall("...", str(number).zfill(-(-len(str(number)) // 3) * 3))
        path = "".join(f"x{group}/" for group in groups) + last  # 1234567 is x001/x234/567
        name = f"tile/{level}/{path}" + ("" if width == WIDTH else f".p/{width}")
        content, at, parts, head = self.read(name), 0, [], 2 if level == "entries" else 0
        while at < len(content):
            length = int.from_bytes(content[at : at + 2], "big") if head else 32
            parts.append(content[at + head : at + head + length])
            at += head + length
        if at != len(content) or len(parts) != width:
            raise ValueError(f"{self.path}: {name} has not {width} entries")
        return parts


class Checkpoint:
    """A signed checkpoint: origin, size, root, and signatures as (name, id of the key, signature)."""

    def __init__(self, text, path):
        body, _blank, signatures = text.rpartition("\n\n")
        try:
            self.path, self.body = path, body + "\n"
            self.origin, size, root = body.split("\n")[:3]
            self.size = int(re.fullmatch("0|[1-9][0-9]*", size)[0])
            self.root = base64.b64decode(root, validate=True)
            parts = map(str.split, signatures.splitlines())
            self.signatures = [(name, base64.b64decode(value)) for _dash, name, value in parts]
        except (TypeError, ValueError):
            raise ValueError(f"{path} is no checkpoint") from None

    def signed_by(self, keys):
        """Return whether one of these verifying keys (name+id+key) signed it."""
        for name, _id, key in (key.split("+", 2) for key in keys):
            public = base64.b64decode(key)[1:]
            start = sha256(name.encode() + b"\n\x01" + public).digest()[:4]
            for signature in [one for signer, one in self.signatures if (signer, one[:4]) == (name, start)]:
                with suppress(InvalidSignature):
                    Ed25519PublicKey.from_public_bytes(public).verify(signature[4:], self.body.encode())
                    return True


class Checker:
    """Reads the log once, from its first entry to its last, and collects the differences."""

    def __init__(self, log, checkpoints, kept, dataset, receipts, keys):
        own = [part.checkpoint for part in (kept, dataset, *receipts) if part]
        unsigned = [one for one in [log.checkpoint, *own, *checkpoints] if not one.signed_by(keys)]
        self.differences = [f"{one.path} is not signed by the log (mistyped?)" for one in unsigned]
        self.checkpoints = [log.checkpoint, *(one for one in [*own, *checkpoints] if one not in unsigned)]
        self.log, self.kept, self.dataset = log, kept, dataset
        self.note, self.changed = self.differences.append, []
        self.awards = dataset.awards() if dataset else iter(())
        self.award, self.size, self.subtrees = next(self.awards, None), 0, []  # (height, hash), largest first
        self.receipts = [(part["index"], part["leaf"].encode()) for one in receipts for part in one.parts]
        self.above = {}  # (level, number) -> hashes of a tile that is not complete yet

    def add(self, leaf):
        """Add a leaf to the tree, which is kept as the roots of its perfect subtrees (RFC 6962)."""
        height = 0
        while self.subtrees and self.subtrees[-1][0] == height:
            leaf, height = node(self.subtrees.pop()[1], leaf), height + 1
        self.subtrees.append((height, leaf))
        self.size += 1

    def root(self):
        hashes = [root for _height, root in self.subtrees] or [sha256(b"").digest()]
        return reduce(lambda right, left: node(left, right), reversed(hashes))

    def run(self):
        size = self.log.checkpoint.size
        self.compare_roots()
        for number in range((size + WIDTH - 1) // WIDTH):
            entries = self.log.tile("entries", number, min(WIDTH, size - number * WIDTH))
            hashes = [sha256(b"\x00" + entry).digest() for entry in entries]
            self.compare_tile(0, number, hashes)
            width = min(WIDTH, self.kept.checkpoint.size - number * WIDTH) if self.kept else 0
            kept = self.kept.tile(0, number, width) if width > 0 else []
            pairs = enumerate(zip(kept, hashes, strict=False), number * WIDTH)
            self.changed += [(index, pair) for index, pair in pairs if pair[0] != pair[1]]
            for entry, leaf in zip(entries, hashes, strict=True):
                self.compare_entry(self.size, entry)
                self.add(leaf)
                self.compare_roots()
        for level, number in list(self.above):
            self.compare_tile(level, number, self.above.pop((level, number)))
        if self.award:
            self.note(f"the dataset has entry {self.award['entry']}, which the log has not")
        former = {before: index for index, (before, _now) in self.changed}
        for index, (_before, now) in self.changed:
            what = f"stood at {former[now]}: reordered" if now in former else "was changed"
            self.note(f"entry {index} {what}")
        for one in [one for one in self.checkpoints if one.size > size]:
            self.note(f"entries {size} to {one.size - 1} are missing: {one.path} had them")

    def compare_tile(self, level, number, hashes):
        """Compare hashes with those of a tile, and collect the hash above a full one."""
        stored = zip(hashes, self.log.tile(level, number, len(hashes)), strict=True)
        for index, pair in enumerate(stored, number * WIDTH):
            if pair[0] != pair[1]:
                what = f"hash {index} of level {level}" if level else f"entry {index}"
                self.note(f"{what} was changed: the published tree has another hash")
        if len(hashes) == WIDTH:
            while len(hashes) > 1:
                hashes = list(map(node, hashes[::2], hashes[1::2]))
            self.above.setdefault(place := (level + 1, number // WIDTH), []).append(hashes[0])
            if len(self.above[place]) == WIDTH:
                self.compare_tile(*place, self.above.pop(place))

    def compare_roots(self):
        for one in [one for one in self.checkpoints if one.size == self.size]:
            if one.origin != self.log.checkpoint.origin:
                self.note(f"{one.path} is of another log: {one.origin}")
            elif one.root != self.root():
                split = one.size == self.log.checkpoint.size and one is not self.log.checkpoint
                what = f"the first {one.size} entries are not those of {one.path}"
                self.note("split view: two checkpoints of one size differ" if split else what)

    def compare_entry(self, index, entry):
        """Compare an entry with that of a receipt, and with the next award of the dataset."""
        if any(leaf != entry for at, leaf in self.receipts if at == index):
            self.note(f"entry {index} is not the one of the receipt")
        if not self.dataset or index >= self.dataset.checkpoint.size or json.loads(entry)["leaf"] != "entry":
            return
        if self.award is None or str(self.award["leaf"]) != str(index):
            return self.note(f"the dataset lacks entry {index} of the log")
        if self.dataset.numbers.get(self.award["person"], self) != self.award["number"]:
            self.note(f"entry {index}: players.csv has another number")
        data = {name: self.award[name] for name in COLUMNS if self.award[name] is not None}
        if canonical(data | {"leaf": "entry"}).encode() != entry:
            self.note(f"entry {index}: the dataset has another award")
        self.award = next(self.awards, None)


def node(left, right):
    return sha256(b"\x01" + left + right).digest()


def unique(pairs, what="an object of JSON has a key"):
    """Return a dict. Raise ValueError if a key comes twice: other programs might take the other value."""
    if len(result := dict(pairs)) != len(pairs):
        raise ValueError(f"{what} twice")
    return result


class Dataset:
    """A dump of the public data. `numbers`: {code of a player in the log: federation number}."""

    def __init__(self, path):
        self.path, self.archive = path, (archive := zipfile.ZipFile(path))
        unique([(PureWindowsPath(name).name.lower(), 0) for name in archive.namelist()], f"{path} has a file")
        self.checkpoint = Checkpoint(archive.open("checkpoint").read(LONGEST).decode(), f"{path}: checkpoint")
        rows = [(row["person"], row["number"] or None) for row in self.rows("players.csv") if row["person"]]
        self.numbers = unique(rows, f"{path}: players.csv has a code")

    def lines(self, name):
        return map(bytes.decode, iter(partial(self.archive.open(name).readline, LONGEST), b""))

    def rows(self, name):
        rows = csv.DictReader(self.lines(name))
        unique([(head, name) for head in rows.fieldnames or ()], f"{self.path}: {name} has a column")
        return rows

    def awards(self):
        """Yield the awards in the order of the log, the same as CSV and as JSON."""
        lines = (line for line in self.lines("json/awards.json") if line.strip() not in ("[", "]"))
        for row, line in zip_longest(self.rows("awards.csv"), lines):
            values = json.loads(line.rstrip(",\r\n"), object_pairs_hook=unique) if line else {}
            if {name: "" if value is None else str(value) for name, value in values.items()} != row:
                raise ValueError(f"{self.path}: awards.csv and json/awards.json differ: {row or values}")
            yield values


class Receipt:
    """The receipt of an entry. `parts`: leaf, index and proof of the entry, and of the run that gave it."""

    def __init__(self, path):
        self.data = json.loads(Path(path).read_text(encoding="utf-8"), object_pairs_hook=unique)
        self.path, self.checkpoint = path, Checkpoint(self.data["checkpoint"], path)
        self.parts = [self.data, *([self.data["run"]] if self.data.get("run") else [])]

    def proven_root(self, part):
        """Return the root to which the proof of a leaf leads (RFC 9162, section 2.1.3.2)."""
        at, last = part["index"], self.checkpoint.size - 1
        result = sha256(b"\x00" + part["leaf"].encode()).digest()
        for sibling in map(base64.b64decode, part["proof"]):
            on_left = at & 1 or at == last
            result = node(sibling, result) if on_left else node(result, sibling)
            while on_left and at and not at & 1:
                at, last = at >> 1, last >> 1
            at, last = at >> 1, last >> 1
        return result if not last else b""

    def differences(self):
        """Yield what is wrong: a proof, the inputs, or the points if the engine is here."""
        receipt, roots = self.data, {self.proven_root(part) for part in self.parts}
        if receipt["size"] != self.checkpoint.size or roots != {self.checkpoint.root}:
            yield f"{self.path}: the proof does not lead to its checkpoint"
        entry, *runs = (json.loads(part["leaf"]) for part in self.parts)
        if "event" not in receipt or not runs:
            if entry["kind"] == "award":
                yield f"{self.path}: the data from which the award follows are missing"
            return
        digests = [sha256(canonical(field["event"]).encode()).hexdigest() for field in receipt["inputs"]]
        whole = digests[0] if len(digests) == 1 else sha256("".join(digests).encode()).hexdigest()
        own = {name: value for name, value in receipt["event"].items() if name != "regulation"}
        stored = any(own.items() <= field["event"].items() for field in receipt["inputs"])
        named = {whole, receipt["digest"], runs[0]["inputs"]}
        if not stored or len(named) > 1 or entry["run"] != runs[0]["run"]:
            yield f"{self.path}: the event is not the one of the run in the log"
        if (manage := Path(__file__).resolve().parent.parent / "manage.py").exists():
            command, event = [sys.executable, str(manage), "score"], canonical(receipt["event"]).encode()
            awards = json.loads(subprocess.run(command, input=event, stdout=-1).stdout).get("awards", [])
            points = {award["contestant"]: round(100 * float(award["points"])) for award in awards}
            if (computed := points.get(receipt["contestant"])) != entry["points"]:
                yield f"{self.path}: the engine gives {computed} hundredths, not {entry['points']}"


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("log", metavar="LOG")
    for name in ("checkpoint", "receipt", "key"):
        parser.add_argument(f"--{name}", action="append", default=[])
    for name in ("kept", "dataset", "kept-dataset"):
        parser.add_argument(f"--{name}")
    options = parser.parse_args()
    if options.kept_dataset and not options.dataset:
        parser.error("--kept-dataset needs --dataset")
    try:
        log = Log(options.log)
        keys = options.key or log.read("keys").decode().split()
        kept = [Checkpoint(Path(path).read_text(encoding="utf-8"), path) for path in options.checkpoint]
        receipts, older = list(map(Receipt, options.receipt)), Log(options.kept) if options.kept else None
        dataset = Dataset(options.dataset) if options.dataset else None
        checker = Checker(log, kept, older, dataset, receipts, keys)
        for person, number in Dataset(options.kept_dataset).numbers.items() if options.kept_dataset else ():
            if number and (now := dataset.numbers.get(person)):
                checker.differences += [f"who had the number {number} has {now} now"] * (now != number)
        checker.differences += [line for receipt in receipts for line in receipt.differences()]
        checker.run()
    except ValueError as error:
        sys.exit(print(error) or 1)
    except Exception as error:  # a file that was made to do harm may raise any
        sys.exit(print(f"cannot be read: {error!r}") or 2)
    if len(lines := checker.differences) > MOST:
        lines[MOST:] = [f"… and {len(lines) - MOST} further differences"]
    print("\n".join(lines) or f"equal: {log.checkpoint.size} entries")
    if dataset and dataset.checkpoint.size < log.checkpoint.size:
        print(f"The dataset has the awards of the first {dataset.checkpoint.size} entries alone.")
    sys.exit(1 if lines else 0)
