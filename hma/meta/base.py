"""The policy protocols: one method or two each, pure functions of what they are given."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable

from hma.records import (
    Answer,
    Candidate,
    Effect,
    Fact,
    Judgement,
    Question,
    Recalled,
    Screened,
    Snapshot,
    Turn,
    Verdict,
)
from hma.slots import Slots


@dataclass(frozen=True, slots=True)
class Context:
    """What a policy may look at beside the candidate: the memory as it stands, the slot
    table, the time."""

    memory: Snapshot
    slots: Slots
    now: datetime


@dataclass(frozen=True, slots=True)
class Ruling:
    """A policy's answer for one candidate. `against` are ids of facts; `reason` is a
    sentence for people."""

    verdict: Verdict
    reason: str
    effect: Effect = Effect.NEW
    against: tuple[str, ...] = ()


@runtime_checkable
class PrivacyPolicy(Protocol):
    """May this text be written, and in which form?"""

    def screen(self, text: str, *, before: str = "") -> Screened:
        """`text` with everything that must not be stored replaced by a typed placeholder.
        `before` is the same speaker's previous text, so that a number split over two
        messages is found as well."""
        ...


@runtime_checkable
class AdmissionPolicy(Protocol):
    """Is this candidate good enough to become a fact?"""

    def admit(self, candidate: Candidate, context: Context) -> Ruling:
        """Admit, hold or refuse."""
        ...


@runtime_checkable
class ConflictPolicy(Protocol):
    """The candidate against the facts that it competes with: which stands?"""

    def resolve(self, candidate: Candidate, rivals: Sequence[Fact], context: Context) -> Ruling:
        """Admit with an effect (new, repeat, supersede, coexist, retract), ask, or refuse."""
        ...


@runtime_checkable
class DecayPolicy(Protocol):
    """What is this fact worth today?"""

    def weight(self, fact: Fact, context: Context) -> float:
        """Between 0 (dormant) and 1."""
        ...


@runtime_checkable
class AskingPolicy(Protocol):
    """Which doubt is put to the user now, and what did the user's answer mean?"""

    def choose(self, questions: Sequence[Question], context: Context) -> Question | None:
        """The question to ask in this turn, if any."""
        ...

    def expires(self, asked: datetime) -> datetime:
        """Until when a doubt that arose at `asked` may be put or answered."""
        ...

    def interpret(self, text: str, question: Question, context: Context) -> Answer | None:
        """What `text` says about the question that was asked last; None if nothing."""
        ...


@runtime_checkable
class RecallPolicy(Protocol):
    """What may enter the prompt?"""

    def permit(self, recalled: Sequence[Recalled], context: Context) -> Sequence[Recalled]:
        """The part of `recalled` that may be shown, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Policies:
    """One policy of each kind."""

    privacy: PrivacyPolicy
    admission: AdmissionPolicy
    conflict: ConflictPolicy
    decay: DecayPolicy
    asking: AskingPolicy
    recall: RecallPolicy


class PolicyEngine(Protocol):
    """The policies as one service, in the process or behind gRPC. It keeps no state."""

    def screen(self, text: str, *, before: str = "") -> Screened:
        """See `PrivacyPolicy.screen`. Any failure raises `PolicyError`: fail closed."""
        ...

    def judge(
        self, candidates: Sequence[Candidate], turn: Turn | None, memory: Snapshot
    ) -> Judgement:
        """Decide about `candidates` against `memory`; read `turn` as a possible answer to
        the question that was asked last; choose the question to ask now."""
        ...

    def weights(self, memory: Snapshot) -> dict[str, float]:
        """Today's worth of each current fact, by fact id."""
        ...

    def permit(self, recalled: Sequence[Recalled], memory: Snapshot) -> Sequence[Recalled]:
        """See `RecallPolicy.permit`."""
        ...
