"""What working memory's parts promise to each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from hma.records import Candidate, Constraint, Distillation, EntityLink, Window


@dataclass(frozen=True, slots=True)
class Reading:
    """What one reader found in a window, before confidence is computed from all of them.

    The `confidence` of these records is the reader's own: the rules' prior for the rule
    that fired, or the joint token probability of the model.
    """

    facts: tuple[Candidate, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    entity_links: tuple[EntityLink, ...] = ()


class FactReader(Protocol):
    """An independent reader of facts: `RuleReader` is one, `ModelReader` the other."""

    def read(self, window: Window) -> Reading:
        """What `window.turns[window.new:]` states. Every span is verbatim."""
        ...


@dataclass(frozen=True, slots=True)
class DistilReport:
    """A distillation and what it cost: seconds by step, model tokens in and out, retries.

    `problems` says in words what was thrown away or left unread by the model.
    """

    distillation: Distillation
    seconds: dict[str, float]
    prompt_tokens: int
    output_tokens: int
    retries: int
    problems: Sequence[str] = ()


class Distils(Protocol):
    """Anything that makes a distillation of a window."""

    def distil(self, window: Window) -> DistilReport:
        """Distil the new turns of the window.

        Raises:
            DistillationError: it could not be done now; the turns must stay queued.
        """
        ...
