"""Long lists in pieces."""

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def chunks(items: Collection[T], size: int = 500) -> Iterator[Sequence[T]]:
    """Pieces of at most `size`; 500 fit every database's limit of parameters.

    >>> [list(piece) for piece in chunks("abcde", 2)]
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    left = iter(items)
    while piece := list(islice(left, size)):
        yield piece
