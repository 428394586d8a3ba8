#!/usr/bin/env python3
"""Check a transparency log: that nothing in it was changed, removed or reordered.

    python verify_log.py LOG [--checkpoint FILE]... [--kept LOG] [--receipt FILE]... [--dataset ZIP] [--key KEY]...

LOG is a folder or a zip file with the published log (C2SP tlog-tiles): checkpoint, keys, tile/. What you kept
earlier is what makes the check worth something: a checkpoint (a text of a few lines), or an earlier copy of
the log, with which changed entries are named. Without it, a log that was rewritten as a whole looks equal.

Ends with 0 and "equal: N entries"; with 1 and a line for each difference; with 2 if something cannot be read.
Needs Python 3.9 or newer and the package `cryptography`, and nothing of the site.
"""

import argparse
import base64
import binascii
import csv
import io
import json
import subprocess
import sys
import zipfile
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

WIDTH, MOST = 256, 50  # hashes in a tile; differences printed
NUMBERS = ("entry", "points", "reverses", "tournament")  # columns of the dataset's awards that are integers
TEXTS = ("family", "kind", "person", "played_on", "posted_at", "run", "venue")


class Unreadable(Exception):
    """A file that is missing or is not what it should be."""


class Folder:
    """A published log: a folder, or a zip file of one."""

    def __init__(self, path):
        try:
            self.path = Path(path)
            self.root = zipfile.Path(str(path)) if self.path.is_file() else self.path
            self.checkpoint = Checkpoint(self.read("checkpoint").decode(), f"{path}/checkpoint")
        except (zipfile.BadZipFile, UnicodeDecodeError) as error:
            raise Unreadable(f"{path}: {error}") from None

    def read(self, name):
        """Return the content of a file. Raise Unreadable."""
        try:
            return self.root.joinpath(*name.split("/")).read_bytes()
        except (OSError, KeyError):
            raise Unreadable(f"{self.path}: {name} is missing") from None

    def keys(self):
        try:
            return self.read("keys").decode().split()
        except Unreadable:
            return []

    def tile(self, level, number, width):
        """Return the hashes of a tile."""
        name = f"tile/{level}/{tile_path(number, width)}"
        content = self.read(name)
        if len(content) != 32 * width:
            raise Unreadable(f"{self.path}: {name} has not {width} hashes")
        return [content[at : at + 32] for at in range(0, len(content), 32)]

    def entries(self, number, width):
        """Return the entries of a bundle."""
        name = f"tile/entries/{tile_path(number, width)}"
        content, at, entries = self.read(name), 0, []
        while at < len(content):
            length = int.from_bytes(content[at : at + 2], "big")
            entries.append(content[at + 2 : at + 2 + length])
            at += 2 + length
        if at != len(content) or len(entries) != width:
            raise Unreadable(f"{self.path}: {name} has not {width} entries")
        return entries


class Checkpoint:
    """A signed checkpoint: origin, size, root, and signatures as (name, id of the key, signature)."""

    def __init__(self, text, path):
        body, _blank, signatures = text.rpartition("\n\n")
        try:
            self.path, self.body = path, body + "\n"
            self.origin, size, root = body.split("\n")[:3]
            self.size, self.root = int(size), base64.b64decode(root, validate=True)
            lines = [line.split(" ") for line in signatures.splitlines()]
            decoded = [(name, base64.b64decode(value, validate=True)) for _dash, name, value in lines]
            self.signatures = [(name, value[:4], value[4:]) for name, value in decoded]
        except (ValueError, binascii.Error):
            raise Unreadable(f"{path} is no checkpoint") from None

    def signed_by(self, keys):
        """Return whether one of these verifying keys (name+id+key) signed it."""
        for key in keys:
            name, _id, value = key.split("+", 2)
            public = base64.b64decode(value)[1:]
            key_id = sha256(name.encode() + b"\n\x01" + public).digest()[:4]
            for signer, signer_id, signature in self.signatures:
                if (signer, signer_id) == (name, key_id):
                    try:
                        Ed25519PublicKey.from_public_bytes(public).verify(signature, self.body.encode())
                        return True
                    except InvalidSignature:
                        return False
        return False


class Growing:
    """The tree of the leaves so far, as the roots of its perfect subtrees (RFC 6962)."""

    def __init__(self):
        self.size, self.parts = 0, []  # (height, hash), the largest first

    def add(self, leaf):
        height = 0
        while self.parts and self.parts[-1][0] == height:
            leaf, height = node(self.parts.pop()[1], leaf), height + 1
        self.parts.append((height, leaf))
        self.size += 1

    def root(self):
        if not self.parts:
            return sha256(b"").digest()
        root = self.parts[-1][1]
        for _height, left in reversed(self.parts[:-1]):
            root = node(left, root)
        return root


class Checker:
    """Reads the log once, from its first entry to its last, and collects the differences."""

    def __init__(self, log, checkpoints, kept=None, dataset=None, receipts=()):
        self.log, self.kept, self.checkpoints = log, kept, [log.checkpoint, *checkpoints]
        self.size, self.differences = log.checkpoint.size, []
        self.awards, self.in_dataset = (awards_of(dataset), dataset_size(dataset)) if dataset else (None, 0)
        self.receipts = {receipt["index"]: receipt for receipt in receipts}
        self.changed, self.pending = [], {}  # (index, hash) of entries that are not those kept; tiles to compare

    def run(self):
        tree, award = Growing(), next(self.awards, None) if self.awards else None
        by_size = {}
        for checkpoint in self.checkpoints:
            by_size.setdefault(checkpoint.size, []).append(checkpoint)
        self.compare_roots(tree, by_size)
        for number in range((self.size + WIDTH - 1) // WIDTH):
            width = min(WIDTH, self.size - number * WIDTH)
            entries = self.log.entries(number, width)
            hashes = [sha256(b"\x00" + entry).digest() for entry in entries]
            self.compare_tile(0, number, hashes)
            self.compare_kept(number, hashes)
            for entry, leaf in zip(entries, hashes):
                self.compare_receipt(tree.size, entry)
                if self.awards and tree.size < self.in_dataset:
                    award = self.compare_award(tree.size, entry, award)
                tree.add(leaf)
                self.compare_roots(tree, by_size)
            if number % 4096 == 4095:
                print(f"{tree.size} of {self.size} entries", file=sys.stderr)
        for level, number in list(self.pending):
            self.compare_tile(level, number, self.pending.pop((level, number)))
        if award:
            self.note(f"the dataset has the award {award['entry']}, which the log has not")
        self.name_moved()
        for checkpoint in self.checkpoints:
            if checkpoint.size > self.size:
                self.note(f"entries {self.size} to {checkpoint.size - 1} are missing: {checkpoint.path} had them")

    def note(self, text):
        self.differences.append(text)

    def compare_tile(self, level, number, hashes):
        """Compare hashes with those of a tile, and collect the hash above a full one."""
        stored = self.log.tile(level, number, len(hashes))
        for at, (computed, published) in enumerate(zip(hashes, stored)):
            if computed != published:
                what = "entry" if level == 0 else f"hash of level {level}"
                self.note(f"{what} {number * WIDTH + at} was changed: the published tree has another hash")
        if len(hashes) == WIDTH:
            above = self.pending.setdefault((level + 1, number // WIDTH), [])
            above.append(folded(hashes))
            if len(above) == WIDTH:
                self.compare_tile(level + 1, number // WIDTH, self.pending.pop((level + 1, number // WIDTH)))

    def compare_kept(self, number, hashes):
        width = min(WIDTH, self.kept.checkpoint.size - number * WIDTH) if self.kept else 0
        if width > 0:
            for at, (before, now) in enumerate(zip(self.kept.tile(0, number, width), hashes)):
                if before != now:
                    self.changed.append((number * WIDTH + at, before, now))

    def name_moved(self):
        """Say of each entry that is not the one kept whether it was changed or stood elsewhere."""
        formerly = {before: index for index, before, _now in self.changed}
        for index, _before, now in self.changed:
            at = formerly.get(now)
            self.note(f"entry {index} was changed" if at is None else f"entry {index} stood at {at}: reordered")
        if self.kept and self.kept.checkpoint.size > self.size:
            self.note(f"entries {self.size} to {self.kept.checkpoint.size - 1} were removed")

    def compare_roots(self, tree, by_size):
        for checkpoint in by_size.get(tree.size, ()):
            if checkpoint.origin != self.log.checkpoint.origin:
                self.note(f"{checkpoint.path} is of another log: {checkpoint.origin}")
            elif checkpoint.root != tree.root() and checkpoint is self.log.checkpoint:
                self.note("the entries have another root than the checkpoint of the log")
            elif checkpoint.root != tree.root():
                split = "split view: two checkpoints of one size differ" if tree.size == self.size else ""
                self.note(split or f"the first {tree.size} entries are not those of {checkpoint.path}")

    def compare_award(self, index, entry, award):
        """Compare an entry of the log with the next award of the dataset. Return the award after it."""
        if json.loads(entry)["leaf"] != "entry":
            return award
        if award is None or int(award["leaf"]) != index:
            self.note(f"the dataset has no award for entry {index} of the log")
            return award
        data = {"leaf": "entry"}
        data.update({name: int(award[name]) for name in NUMBERS if award[name]})
        data.update({name: award[name] for name in TEXTS if award[name]})
        if json.dumps(data, sort_keys=True, separators=(",", ":")).encode() != entry:
            self.note(f"entry {index}: the dataset has another award")
        return next(self.awards, None)

    def compare_receipt(self, index, entry):
        if index in self.receipts and self.receipts[index]["leaf"].encode() != entry:
            self.note(f"entry {index} is not the one of the receipt")


def node(left, right):
    return sha256(b"\x01" + left + right).digest()


def folded(hashes):
    """Return the hash above a full tile."""
    while len(hashes) > 1:
        hashes = [node(left, right) for left, right in zip(hashes[::2], hashes[1::2])]
    return hashes[0]


def tile_path(number, width):
    parts = [f"{number % 1000:03d}"]
    while number := number // 1000:
        parts.insert(0, f"x{number % 1000:03d}")
    return "/".join(parts) + ("" if width == WIDTH else f".p/{width}")


def awards_of(path):
    """Yield the awards of a dataset, in the order of the log."""
    with zipfile.ZipFile(path) as archive, archive.open("awards.csv") as file:
        yield from csv.DictReader(io.TextIOWrapper(file, "utf-8", newline=""))


def dataset_size(path):
    with zipfile.ZipFile(path) as archive:
        return Checkpoint(archive.read("checkpoint").decode(), f"{path}: checkpoint").size


def root_of(receipt):
    """Return the root to which the proof of a receipt leads (RFC 9162, section 2.1.3.2)."""
    node_at, last = receipt["index"], receipt["size"] - 1
    result = sha256(b"\x00" + receipt["leaf"].encode()).digest()
    for sibling in map(base64.b64decode, receipt["proof"]):
        if node_at & 1 or node_at == last:
            result = node(sibling, result)
            while node_at and not node_at & 1:
                node_at, last = node_at >> 1, last >> 1
        else:
            result = node(result, sibling)
        node_at, last = node_at >> 1, last >> 1
    return result if not last else b""


def check_receipt(path, receipt, keys):
    """Return the differences of a receipt: its proof, its signature, and its points if the engine is here."""
    checkpoint = Checkpoint(receipt["checkpoint"], path)
    if not checkpoint.signed_by(keys):
        yield f"{path}: its checkpoint is not signed by the log"
    if receipt["size"] != checkpoint.size or root_of(receipt) != checkpoint.root:
        yield f"{path}: the proof does not lead to its checkpoint"
    manage = Path(__file__).resolve().parent.parent / "manage.py"
    if receipt.get("event") and manage.exists():
        command = [sys.executable, str(manage), "score"]
        text = json.dumps(receipt["event"])
        result = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        awards = json.loads(result.stdout).get("awards", []) if result.returncode == 0 else []
        points = {award["contestant"]: award["points"] for award in awards}
        if points.get(receipt["contestant"]) != receipt["points"]:
            yield f"{path}: the engine gives {points.get(receipt['contestant'])}, not {receipt['points']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log", metavar="LOG")
    parser.add_argument("--checkpoint", action="append", default=[], metavar="FILE")
    parser.add_argument("--kept", metavar="LOG")
    parser.add_argument("--receipt", action="append", default=[], metavar="FILE")
    parser.add_argument("--dataset", metavar="ZIP")
    parser.add_argument("--key", action="append", default=[], metavar="KEY")
    options = parser.parse_args()
    try:
        log = Folder(options.log)
        keys = options.key or log.keys()
        kept = [Checkpoint(Path(path).read_text(encoding="utf-8"), path) for path in options.checkpoint]
        older = Folder(options.kept) if options.kept else None
        receipts = [json.loads(Path(path).read_text(encoding="utf-8")) for path in options.receipt]
        checker = Checker(log, [*kept, *([older.checkpoint] if older else [])], older, options.dataset, receipts)
        for checkpoint in checker.checkpoints:
            if not checkpoint.signed_by(keys):
                checker.note(f"{checkpoint.path} is not signed by the log")
        for path, receipt in zip(options.receipt, receipts):
            checker.differences.extend(check_receipt(path, receipt, keys))
        checker.run()
    except (Unreadable, OSError, ValueError, LookupError, zipfile.BadZipFile) as error:
        print(error)
        sys.exit(2 if isinstance(error, OSError) else 1)
    for difference in checker.differences[:MOST]:
        print(difference)
    if len(checker.differences) > MOST:
        print(f"… and {len(checker.differences) - MOST} further differences")
    if not checker.differences:
        print(f"equal: {log.checkpoint.size} entries")
    sys.exit(1 if checker.differences else 0)


if __name__ == "__main__":
    main()
