"""Is an index folder fit to be opened? Asked in a child process: a damaged one kills its reader."""

import json
import random
import subprocess
import sys
from collections.abc import Collection as Ids
from collections.abc import Mapping
from pathlib import Path

from hma.longterm.index.collection import Collection
from hma.models.base import Vector

_SAMPLE = 100
_NEIGHBOURS = 3
_SAME = 0.999


def probe(folder: Path, expected: Mapping[str, str], *, unsure: Ids[str], timeout: float) -> bool:
    """Whether the index in `folder` opens, holds just the `expected` ids, and finds its own
    vectors.

    Args:
        folder: a generation.
        expected: partition by id, as SQL has it.
        unsure: ids whose changes may or may not have been applied yet.
        timeout: seconds after which an index counts as damaged (some damage hangs).
    """
    order = {"folder": str(folder), "expected": list(expected), "unsure": list(unsure)}
    try:
        child = subprocess.run(
            [sys.executable, "-m", "hma.longterm.index.probe"],
            input=json.dumps(order),
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
    except (subprocess.TimeoutExpired, OSError):
        return False
    return child.returncode == 0


def healthy(collection: Collection, expected: Ids[str], unsure: Ids[str]) -> bool:
    """Ids as expected, and each vector of a random sample finds itself."""
    held = collection.ids()
    if (held ^ set(expected)) - set(unsure) or collection.count() != len(held):
        return False
    sample = random.sample(sorted(held), min(_SAMPLE, len(held)))
    return all(
        any(found == own and score > _SAME for found, score in collection.nearest(row, _NEIGHBOURS))
        or _has_twins(collection, row)
        for own, row in (collection.vectors(sample) if sample else {}).items()
    )


def _has_twins(collection: Collection, row: Vector) -> bool:
    """Equal vectors crowd each other out of the nearest few: then all of those are equal."""
    nearest = collection.nearest(row, _NEIGHBOURS)
    return len(nearest) == _NEIGHBOURS and all(score > _SAME for _, score in nearest)


def main() -> int:
    """Read an order from standard input; exit 0 for a healthy index."""
    order = json.load(sys.stdin)
    collection = Collection.at_path(Path(order["folder"]))
    return 0 if healthy(collection, order["expected"], order["unsure"]) else 1


if __name__ == "__main__":
    sys.exit(main())
