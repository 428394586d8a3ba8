"""The Merkle tree of the log: hashes, tiles and proofs (RFC 6962, section 2.1; C2SP tlog-tiles).

A tree of n leaves is stored as levels of hashes. Level 0 has the hash of each leaf; each hash of a level
above is that of 256 hashes of the level below. A tile is up to 256 consecutive hashes of a level.

`tools/verify_log.py` has its own copy of these rules on purpose: whoever checks the log runs one file, and no
code of this site.
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256

WIDTH = 256  # hashes in a full tile, and leaves in a full bundle of entries
BITS = 8  # 2 ** BITS == WIDTH
EMPTY = sha256(b"").digest()  # root of the tree without leaves

# Function (level, first index, count) -> the stored hashes. Levels and indexes are those of tiles.
Read = Callable[[int, int, int], Sequence[bytes]]


class InvalidProof(Exception):
    """A proof that does not show what it should."""


def leaf_hash(data: bytes) -> bytes:
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def fold(hashes: Sequence[bytes]) -> bytes:
    """Return the root over consecutive hashes of one level. `hashes` is not empty."""
    level = list(hashes)
    while len(level) > 1:
        last = level[-1:] if len(level) % 2 else []
        level = [
            sha256(b"\x01" + left + right).digest()
            for left, right in zip(level[::2], level[1::2], strict=False)
        ] + last
    return level[0]


# --- Reading a stored tree --------------------------------------------------------------------------------
class Tree:
    """A stored tree of `size` leaves. Each tile is read once."""

    def __init__(self, size: int, read: Read) -> None:
        self.size = size
        self._read = read
        self._tiles: dict[tuple[int, int], Sequence[bytes]] = {}

    def tile(self, level: int, number: int) -> Sequence[bytes]:
        """Return the hashes of a tile: 256, or fewer at the right edge of the tree."""
        key = level, number
        if key not in self._tiles:
            self._tiles[key] = self._read(level, number * WIDTH, self.width(level, number))
        return self._tiles[key]

    def width(self, level: int, number: int) -> int:
        """Return the number of hashes that a tile has; 0 if there is no such tile."""
        return max(0, min(WIDTH, (self.size >> BITS * level) - number * WIDTH))

    def root(self) -> bytes:
        return self._range(0, self.size) if self.size else EMPTY

    def inclusion(self, index: int) -> list[bytes]:
        """Return the proof that the leaf `index` is in the tree (RFC 6962, section 2.1.1).

        Raise IndexError if there is no such leaf.
        """
        if not 0 <= index < self.size:
            raise IndexError(index)
        return self._path(index, 0, self.size)

    def consistency(self, old: int) -> list[bytes]:
        """Return the proof that the tree begins with the tree of the first `old` leaves (section 2.1.2).

        Raise IndexError if there are fewer leaves.
        """
        if not 0 <= old <= self.size:
            raise IndexError(old)
        return self._subproof(old, 0, self.size, True) if old else []

    def _path(self, index: int, first: int, end: int) -> list[bytes]:
        if end - first == 1:
            return []
        middle = first + _split(end - first)
        if index < middle:
            return [*self._path(index, first, middle), self._range(middle, end)]
        return [*self._path(index, middle, end), self._range(first, middle)]

    def _subproof(self, old: int, first: int, end: int, known: bool) -> list[bytes]:
        if old == end:
            return [] if known else [self._range(first, end)]
        middle = first + _split(end - first)
        if old <= middle:
            return [*self._subproof(old, first, middle, known), self._range(middle, end)]
        return [*self._subproof(old, middle, end, False), self._range(first, middle)]

    def _range(self, first: int, end: int) -> bytes:
        """Return the root of the leaves from `first` up to `end`, a subtree of the tree."""
        count = end - first
        if count & (count - 1):
            middle = first + _split(count)
            return node_hash(self._range(first, middle), self._range(middle, end))
        level, bits = divmod(count.bit_length() - 1, BITS)
        start = first >> BITS * level
        number, offset = divmod(start, WIDTH)
        return fold(self.tile(level, number)[offset : offset + (1 << bits)])


def _split(count: int) -> int:
    """Return the largest power of two below `count`, which is at least 2."""
    return 1 << (count - 1).bit_length() - 1


def tiles(size: int) -> Iterator[tuple[int, int, int]]:
    """Yield (level, number, width) of all tiles of a tree with `size` leaves."""
    level = 0
    while count := size >> BITS * level:
        for number in range((count + WIDTH - 1) // WIDTH):
            yield level, number, min(WIDTH, count - number * WIDTH)
        level += 1


def tile_path(number: int, width: int = WIDTH) -> str:
    """Return the path of a tile below its level: "x001/x234/067", and ".p/112" for a partial one."""
    groups = f"{number:0{-(-len(str(number)) // 3) * 3}d}"
    parts = [groups[at : at + 3] for at in range(0, len(groups), 3)]
    path = "/".join([f"x{part}" for part in parts[:-1]] + parts[-1:])
    return path if width == WIDTH else f"{path}.p/{width}"


# --- Appending ------------------------------------------------------------------------------------------
def grown(size: int, read: Read, leaves: Sequence[bytes]) -> Iterator[tuple[int, int, bytes]]:
    """Yield (level, index, hash) of what appending adds to the levels above 0.

    size: number of leaves so far
    read: reads the stored hashes
    leaves: the hashes of the new leaves
    """
    level, first, new = 0, size, list(leaves)
    while new:
        offset = first % WIDTH
        if offset + len(new) < WIDTH:
            return
        hashes = [*read(level, first - offset, offset), *new] if offset else new
        above = [fold(hashes[at : at + WIDTH]) for at in range(0, len(hashes) - WIDTH + 1, WIDTH)]
        level, first, new = level + 1, first // WIDTH, above
        yield from ((level, first + number, hash_) for number, hash_ in enumerate(new))


# --- Checking proofs --------------------------------------------------------------------------------------
def root_of_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes]) -> bytes:
    """Return the root that a proof of inclusion leads to. Raise InvalidProof if it has the wrong length.

    leaf: the hash of the leaf
    """
    if not 0 <= index < size:
        raise InvalidProof("the tree has no such leaf")
    node, last, steps, rest = index, size - 1, iter(proof), leaf
    for sibling in steps:
        if not last:
            raise InvalidProof("the proof is too long")
        if node & 1 or node == last:
            rest = node_hash(sibling, rest)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            rest = node_hash(rest, sibling)
        node, last = node >> 1, last >> 1
    if last:
        raise InvalidProof("the proof is too short")
    return rest


def check_consistency(old: int, old_root: bytes, new: int, new_root: bytes, proof: Sequence[bytes]) -> None:
    """Check that the larger tree begins with the smaller one. Raise InvalidProof if that is not shown."""
    if old > new:
        raise InvalidProof("the tree has become smaller")
    if old == new or not old:
        roots, rest = (old_root, old_root if old else new_root), proof
    else:
        roots, rest = _roots_of_consistency(old, new, proof if old & (old - 1) else [old_root, *proof])
    if rest or roots != (old_root, new_root):
        raise InvalidProof("the proof does not lead to the roots")


def _roots_of_consistency(
    old: int, new: int, proof: Sequence[bytes]
) -> tuple[tuple[bytes, bytes], Sequence[bytes]]:
    """Return the roots of both trees, and what is left of the proof (RFC 9162, section 2.1.4.2)."""
    if not proof:
        raise InvalidProof("the proof is too short")
    node, last = old - 1, new - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    old_hash = new_hash = proof[0]
    used = 1
    while last:
        if used == len(proof):
            raise InvalidProof("the proof is too short")
        sibling, used = proof[used], used + 1
        if node & 1 or node == last:
            old_hash, new_hash = node_hash(sibling, old_hash), node_hash(sibling, new_hash)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            new_hash = node_hash(new_hash, sibling)
        node, last = node >> 1, last >> 1
    return (old_hash, new_hash), proof[used:]
