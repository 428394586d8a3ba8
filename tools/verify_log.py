#!/usr/bin/env python3
"""Check a transparency log: that nothing in it was changed, removed or reordered.

    python verify_log.py LOG [--checkpoint FILE]... [--kept LOG] [--receipt FILE]... [--dataset ZIP]

LOG is the log's address, or a folder or zip file with its files (C2SP tlog-tiles). The check is worth what
you kept earlier: a checkpoint (a text of a few lines), or a copy of the log, by which changes are named.
Without it, a log that was rewritten as a whole looks equal. --key KEY replaces the keys in LOG/keys.

Ends with 0 and "equal: N entries"; with 1 and a line for each difference; with 2 if a file cannot be read.
Needs Python 3.10 and the package `cryptography`, and nothing of the site.
"""

import argparse
import base64
import csv
import io
import json
import subprocess
import sys
import zipfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from urllib.request import urlopen

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

WIDTH, MOST = 256, 50  # hashes in a tile; differences printed
NUMBERS = ("entry", "points", "reverses", "tournament")  # columns of the dataset's awards that are integers
TEXTS = ("family", "kind", "person", "played_on", "posted_at", "run", "venue")


class Log:
    """A published log: a folder, a zip file of one, or an address."""

    def __init__(self, path):
        self.path, self.is_address = path, path.startswith(("http://", "https://"))
        self.root = zipfile.Path(path) if Path(path).is_file() else Path(path)
        self.checkpoint = Checkpoint(self.read("checkpoint").decode(), f"{path}/checkpoint")

    def read(self, name):
        if self.is_address:
            return urlopen(f"{self.path}/{name}", timeout=60).read()
        file = self.root.joinpath(*name.split("/"))
        if not file.is_file():
            raise ValueError(f"{self.path}: {name} is missing")
        return file.read_bytes()

    def tile(self, level, number, width):
        name = f"tile/{level}/{tile_path(number, width)}"
        content = self.read(name)
        if len(content) != 32 * width:
            raise ValueError(f"{self.path}: {name} has not {width} hashes")
        return [content[at : at + 32] for at in range(0, len(content), 32)]

    def entries(self, number, width):
        name = f"tile/entries/{tile_path(number, width)}"
        content, at, entries = self.read(name), 0, []
        while at < len(content):
            length = int.from_bytes(content[at : at + 2], "big")
            entries.append(content[at + 2 : at + 2 + length])
            at += 2 + length
        if at != len(content) or len(entries) != width:
            raise ValueError(f"{self.path}: {name} has not {width} entries")
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
            self.signatures = [(name, base64.b64decode(value)) for _dash, name, value in lines]
        except ValueError:
            raise ValueError(f"{path} is no checkpoint") from None

    def signed_by(self, keys):
        """Return whether one of these verifying keys (name+id+key) signed it."""
        for key in keys:
            name, _id, value = key.split("+", 2)
            public = base64.b64decode(value)[1:]
            key_id = sha256(name.encode() + b"\n\x01" + public).digest()[:4]
            for signature in [
                value[4:] for signer, value in self.signatures if (signer, value[:4]) == (name, key_id)
            ]:
                with suppress(InvalidSignature):
                    Ed25519PublicKey.from_public_bytes(public).verify(signature, self.body.encode())
                    return True
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
        root = self.parts[-1][1] if self.parts else sha256(b"").digest()
        for _height, left in reversed(self.parts[:-1]):
            root = node(left, root)
        return root


class Checker:
    """Reads the log once, from its first entry to its last, and collects the differences."""

    def __init__(self, log, checkpoints, kept, dataset, receipts):
        self.log, self.kept, self.differences, self.tree = log, kept, [], Growing()
        self.note, self.changed = self.differences.append, []  # (index, hash kept, hash now)
        self.checkpoints = [log.checkpoint, *checkpoints, *([kept.checkpoint] if kept else [])]
        self.awards, self.awards_to = awards_of(dataset) if dataset else (iter(()), 0)
        self.award = next(self.awards, None)
        self.receipts = {receipt["index"]: receipt["leaf"].encode() for receipt in receipts}
        self.above = {}  # (level, number) -> hashes of a tile that is not complete yet

    def run(self):
        size = self.log.checkpoint.size
        self.compare_roots()
        for number in range((size + WIDTH - 1) // WIDTH):
            entries = self.log.entries(number, min(WIDTH, size - number * WIDTH))
            hashes = [sha256(b"\x00" + entry).digest() for entry in entries]
            self.compare_tile(0, number, hashes)
            self.compare_kept(number, hashes)
            for entry, leaf in zip(entries, hashes, strict=True):
                self.compare_entry(self.tree.size, entry)
                self.tree.add(leaf)
                self.compare_roots()
            if number % 4096 == 4095:
                print(f"{self.tree.size} of {size} entries", file=sys.stderr)
        for level, number in list(self.above):
            self.compare_tile(level, number, self.above.pop((level, number)))
        if self.award:
            self.note(f"the dataset has entry {self.award['entry']}, which the log has not")
        self.name_changed()
        for one in self.checkpoints:
            if one.size > size:
                self.note(f"entries {size} to {one.size - 1} are missing: {one.path} had them")

    def compare_tile(self, level, number, hashes):
        """Compare hashes with those of a tile, and collect the hash above a full one."""
        stored = self.log.tile(level, number, len(hashes))
        for index, pair in enumerate(zip(hashes, stored, strict=True), number * WIDTH):
            if pair[0] != pair[1]:
                what = f"hash {index} of level {level}" if level else f"entry {index}"
                self.note(f"{what} was changed: the published tree has another hash")
        if len(hashes) == WIDTH:
            place = level + 1, number // WIDTH
            self.above.setdefault(place, []).append(folded(hashes))
            if len(self.above[place]) == WIDTH:
                self.compare_tile(*place, self.above.pop(place))

    def compare_kept(self, number, hashes):
        width = min(WIDTH, self.kept.checkpoint.size - number * WIDTH) if self.kept else 0
        kept = self.kept.tile(0, number, width) if width > 0 else []
        for index, (before, now) in enumerate(zip(kept, hashes, strict=False), number * WIDTH):
            if before != now:
                self.changed.append((index, before, now))

    def name_changed(self):
        """Say of each entry that is not the one kept whether it was changed or stood elsewhere."""
        former = {before: index for index, before, _now in self.changed}
        for index, _before, now in self.changed:
            what = f"stood at {former[now]}: reordered" if now in former else "was changed"
            self.note(f"entry {index} {what}")

    def compare_roots(self):
        """Compare the root so far with those of the checkpoints of this size."""
        size = self.tree.size
        for one in [one for one in self.checkpoints if one.size == size]:
            if one.origin != self.log.checkpoint.origin:
                self.note(f"{one.path} is of another log: {one.origin}")
            elif one.root != self.tree.root():
                split = size == self.log.checkpoint.size and one is not self.log.checkpoint
                what = "split view: two checkpoints of one size differ" if split else ""
                self.note(what or f"the first {size} entries are not those of {one.path}")

    def compare_entry(self, index, entry):
        """Compare an entry with that of a receipt, and with the next award of the dataset."""
        if self.receipts.get(index, entry) != entry:
            self.note(f"entry {index} is not the one of the receipt")
        if index >= self.awards_to or json.loads(entry)["leaf"] != "entry":
            return
        if self.award is None or int(self.award["leaf"]) != index:
            self.note(f"the dataset lacks entry {index} of the log")
            return
        data = {name: int(self.award[name]) for name in NUMBERS if self.award[name]}
        data |= {name: self.award[name] for name in TEXTS if self.award[name]} | {"leaf": "entry"}
        if json.dumps(data, sort_keys=True, separators=(",", ":")).encode() != entry:
            self.note(f"entry {index}: the dataset has another award")
        self.award = next(self.awards, None)


def node(left, right):
    return sha256(b"\x01" + left + right).digest()


def folded(hashes):
    while len(hashes) > 1:
        hashes = [node(left, right) for left, right in zip(hashes[::2], hashes[1::2], strict=True)]
    return hashes[0]


def tile_path(number, width):
    parts = [f"{number % 1000:03d}"]
    while number := number // 1000:
        parts.insert(0, f"x{number % 1000:03d}")
    return "/".join(parts) + ("" if width == WIDTH else f".p/{width}")


def awards_of(path):
    """Return the awards of a dataset, in the order of the log, and the size of the log that it has."""
    archive = zipfile.ZipFile(path)
    size = Checkpoint(archive.read("checkpoint").decode(), f"{path}: checkpoint").size
    return csv.DictReader(io.TextIOWrapper(archive.open("awards.csv"), "utf-8", newline="")), size


def proven_root(receipt):
    """Return the root to which the proof of a receipt leads (RFC 9162, section 2.1.3.2)."""
    at, last = receipt["index"], receipt["size"] - 1
    result = sha256(b"\x00" + receipt["leaf"].encode()).digest()
    for sibling in map(base64.b64decode, receipt["proof"]):
        if at & 1 or at == last:
            result = node(sibling, result)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            result = node(result, sibling)
        at, last = at >> 1, last >> 1
    return result if not last else b""


def check_receipt(path, receipt, keys):
    """Yield the differences of a receipt: its proof, its signature, and its points if the engine is here."""
    checkpoint = Checkpoint(receipt["checkpoint"], path)
    if not checkpoint.signed_by(keys):
        yield f"{path}: its checkpoint is not signed by the log"
    if receipt["size"] != checkpoint.size or proven_root(receipt) != checkpoint.root:
        yield f"{path}: the proof does not lead to its checkpoint"
    manage = Path(__file__).resolve().parent.parent / "manage.py"
    if "event" in receipt and manage.exists():
        command, event = [sys.executable, str(manage), "score"], json.dumps(receipt["event"])
        result = subprocess.run(command, input=event, capture_output=True, text=True, check=True)
        awards = json.loads(result.stdout).get("awards", [])
        points = {award["contestant"]: round(100 * float(award["points"])) for award in awards}
        posted = json.loads(receipt["leaf"])["points"]
        if (computed := points.get(receipt["contestant"])) != posted:
            yield f"{path}: the engine gives {computed} hundredths, not {posted}"


def main():
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("log", metavar="LOG")
    parser.add_argument("--checkpoint", action="append", default=[], metavar="FILE", type=Path)
    parser.add_argument("--kept", metavar="LOG")
    parser.add_argument("--receipt", action="append", default=[], metavar="FILE", type=Path)
    parser.add_argument("--dataset", metavar="ZIP", type=Path)
    parser.add_argument("--key", action="append", default=[], metavar="KEY")
    options = parser.parse_args()
    try:
        log = Log(options.log)
        keys = options.key or log.read("keys").decode().split()
        kept = [Checkpoint(path.read_text(encoding="utf-8"), path) for path in options.checkpoint]
        receipts = [json.loads(path.read_text(encoding="utf-8")) for path in options.receipt]
        older = Log(options.kept) if options.kept else None
        checker = Checker(log, kept, older, options.dataset, receipts)
        unsigned = [one.path for one in checker.checkpoints if not one.signed_by(keys)]
        checker.differences += [f"{path} is not signed by the log" for path in unsigned]
        for path, receipt in zip(options.receipt, receipts, strict=True):
            checker.differences += check_receipt(path, receipt, keys)
        checker.run()
    except ValueError as error:
        sys.exit(print(error) or 1)
    except (OSError, KeyError, zipfile.BadZipFile, subprocess.CalledProcessError) as error:
        sys.exit(print(f"cannot be read: {error!r}") or 2)
    lines = checker.differences[:MOST]
    if len(checker.differences) > MOST:
        lines.append(f"… and {len(checker.differences) - MOST} further differences")
    print("\n".join(lines) or f"equal: {log.checkpoint.size} entries")
    sys.exit(1 if lines else 0)


if __name__ == "__main__":
    main()
