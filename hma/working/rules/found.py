"""What a rule found, before it is handed out."""

from dataclasses import dataclass

from hma.records import Candidate


@dataclass(frozen=True, slots=True)
class Found:
    """A fact with what a later correction needs to know about it."""

    fact: Candidate
    kind: str
    clause: int
