"""The Merkle tree: published roots, and every proof against a tree built by the definition."""

import random

import pytest

from scoring.transparency.tree import (
    EMPTY,
    InvalidProof,
    Tree,
    check_consistency,
    grown,
    leaf_hash,
    node_hash,
    root_of_inclusion,
    tile_path,
    tiles,
)

# The leaves and roots with which implementations of RFC 6962 are tested.
LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


class Stored:
    """A tree in memory that grows by `tree.grown`, as the database's does."""

    def __init__(self) -> None:
        self.hashes: dict[tuple[int, int], bytes] = {}
        self.leaves: list[bytes] = []

    def read(self, level: int, first: int, count: int) -> list[bytes]:
        return [self.hashes[level, number] for number in range(first, first + count)]

    def append(self, leaves: list[bytes]) -> None:
        above = list(grown(len(self.leaves), self.read, leaves))
        for number, leaf in enumerate(leaves, len(self.leaves)):
            self.hashes[0, number] = leaf
        for level, number, hash_ in above:
            assert (level, number) not in self.hashes
            self.hashes[level, number] = hash_
        self.leaves += leaves

    def tree(self, size: int | None = None) -> Tree:
        return Tree(len(self.leaves) if size is None else size, self.read)


def by_definition(leaves: list[bytes]) -> bytes:
    """Return the root as RFC 6962 defines it, without tiles."""
    if not leaves:
        return EMPTY
    if len(leaves) == 1:
        return leaves[0]
    half = 1
    while 2 * half < len(leaves):
        half *= 2
    return node_hash(by_definition(leaves[:half]), by_definition(leaves[half:]))


def numbered(first: int, count: int) -> list[bytes]:
    return [leaf_hash(str(number).encode()) for number in range(first, first + count)]


@pytest.fixture(scope="module")
def large() -> Stored:
    """Return a tree of three levels, appended in pieces of many sizes."""
    stored, chance = Stored(), random.Random(6962)
    while len(stored.leaves) < 66_000:
        count = chance.choice([1, 2, 255, 256, 257, 700, 20_011])
        stored.append(numbered(len(stored.leaves), count))
    return stored


def test_roots_are_the_published_ones():
    stored = Stored()
    for data, root in zip(LEAVES, ROOTS, strict=True):
        stored.append([leaf_hash(bytes.fromhex(data))])
        assert stored.tree().root().hex() == root


def test_a_tree_appended_in_pieces_has_the_root_of_the_whole(large):
    assert large.tree().root() == by_definition(large.leaves)
    size = len(large.leaves)
    for level in (1, 2):
        assert sum(key[0] == level for key in large.hashes) == size >> 8 * level > 0


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 255, 256, 257, 511, 513])
def test_every_leaf_of_a_small_tree_has_a_proof(size):
    stored = Stored()
    stored.append(numbered(0, size))
    root = by_definition(stored.leaves)
    for index, leaf in enumerate(stored.leaves):
        proof = stored.tree().inclusion(index)
        assert root_of_inclusion(leaf, index, size, proof) == root
        with pytest.raises(InvalidProof):
            root_of_inclusion(leaf, index, size, [*proof, leaf])
        if proof:
            with pytest.raises(InvalidProof):
                root_of_inclusion(leaf, index, size, proof[:-1])
    with pytest.raises(IndexError):
        stored.tree().inclusion(size)


def test_leaves_of_a_large_tree_have_proofs(large):
    size, root = len(large.leaves), large.tree().root()
    for index in (0, 255, 256, 65_535, 65_536, size - 1):
        assert root_of_inclusion(large.leaves[index], index, size, large.tree().inclusion(index)) == root


def test_a_proof_of_another_leaf_leads_to_another_root(large):
    size = len(large.leaves)
    proof = large.tree().inclusion(300)
    assert root_of_inclusion(large.leaves[301], 300, size, proof) != large.tree().root()


def test_every_smaller_tree_is_shown_to_be_the_beginning():
    stored = Stored()
    stored.append(numbered(0, 300))
    for new in (1, 2, 3, 100, 256, 257, 300):
        for old in range(new + 1):
            roots = by_definition(stored.leaves[:old]), by_definition(stored.leaves[:new])
            proof = stored.tree(new).consistency(old)
            check_consistency(old, roots[0], new, roots[1], proof)
            for wrong in ([*proof, roots[0]], proof[1:] if proof else [roots[0]]):
                with pytest.raises(InvalidProof):
                    check_consistency(old, roots[0], new, roots[1], wrong)


def test_a_tree_that_begins_otherwise_cannot_be_proven(large):
    size = len(large.leaves)
    forged = Stored()
    forged.append([leaf_hash(b"forged"), *large.leaves[1:]])
    old_root = large.tree(1000).root()
    with pytest.raises(InvalidProof):
        check_consistency(1000, old_root, size, forged.tree().root(), forged.tree().consistency(1000))
    with pytest.raises(InvalidProof):
        check_consistency(size, large.tree().root(), 1000, old_root, [])


def test_paths_and_sizes_of_tiles_are_those_of_the_specification():
    assert tile_path(1_234_067) == "x001/x234/067"
    assert (tile_path(0), tile_path(5, 112), tile_path(1000)) == ("000", "005.p/112", "x001/000")
    # The specification's example of 70,000 leaves.
    of_70_000 = list(tiles(70_000))
    assert sum(level == 0 and width == 256 for level, _number, width in of_70_000) == 273
    assert of_70_000[273:] == [(0, 273, 112), (1, 0, 256), (1, 1, 17), (2, 0, 1)]
    assert list(tiles(256)) == [(0, 0, 256), (1, 0, 1)]
