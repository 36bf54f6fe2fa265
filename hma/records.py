"""The plain records that the three tiers exchange.

All are frozen dataclasses without behaviour beyond what their own fields imply. They
import no tier. `dump` and `load` turn any of them into JSON-ready data and back.

Times are timezone-aware and in UTC. Offsets count Unicode code points of `Turn.text`.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter

T = TypeVar("T")


# --- words the tiers agree on --------------------------------------------------------


class Role(StrEnum):
    """Who produced a turn."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


class Polarity(StrEnum):
    """Whether the attribute holds (`+`) or is denied (`-`): "I hate tofu" is likes, `-`."""

    POSITIVE = "+"
    NEGATIVE = "-"


class Status(StrEnum):
    """How the user put a fact."""

    ASSERTED = "asserted"
    CORRECTED = "corrected"
    RETRACTED = "retracted"
    TENTATIVE = "tentative"


class ConstraintKind(StrEnum):
    """How a constraint binds."""

    MUST = "must"
    MUST_NOT = "must_not"
    CONDITIONAL = "conditional"


class Mood(StrEnum):
    """The sentiment of a turn."""

    NEUTRAL = "neutral"
    POSITIVE = "positive"
    NEGATIVE = "negative"
    URGENT = "urgent"


class Source(StrEnum):
    """Trust class of what a fact rests on, from most to least trusted.

    A fact's class is the least trusted of its sources; no rewrite can raise it.
    """

    USER = "user"
    TOOL = "tool"
    ASSISTANT = "assistant"
    ASSUMED = "assumed"


class Reader(StrEnum):
    """Which of the two independent readers found something."""

    MODEL = "model"
    RULES = "rules"


class Sensitivity(StrEnum):
    """L1 public, L2 needed for the service, L3 sensitive. L3 text is never written."""

    L1 = "L1"
    L2 = "L2"
    L3 = "L3"


class Verdict(StrEnum):
    """What happens to a candidate."""

    ADMIT = "admit"
    HOLD = "hold"
    ASK = "ask"
    REFUSE = "refuse"


class Effect(StrEnum):
    """What an admitted candidate does to the facts that stand already."""

    NEW = "new"
    REPEAT = "repeat"
    SUPERSEDE = "supersede"
    COEXIST = "coexist"
    RETRACT = "retract"


class Answer(StrEnum):
    """How the user settled a question that shows an old (first) and a new (second) side."""

    FIRST = "first"
    SECOND = "second"
    BOTH = "both"
    NEITHER = "neither"
    DONT_STORE = "dont_store"


class Closing(StrEnum):
    """Why a fact stopped being current."""

    SUPERSEDED = "superseded"
    RETRACTED = "retracted"


# --- what was said -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Owner:
    """The partition a memory belongs to. `user` has no default: a missing one is an error."""

    user: str
    tenant: str = "default"
    agent: str = ""
    group: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message, after screening."""

    id: str
    role: Role
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Span:
    """A verbatim piece of a turn: `window.turns[turn].text[start:end] == quote`.

    `turn` is the position in the window, `turn_id` the turn's own id ("" outside a store).
    """

    turn: int
    start: int
    end: int
    quote: str
    turn_id: str = ""


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of a turn, with its place in the turn's text."""

    turn: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Window:
    """The turns that working memory looks at. `new` is the position of the first turn to
    distil; what stands before it is context."""

    turns: tuple[Turn, ...]
    new: int = 0


@dataclass(frozen=True, slots=True)
class Redaction:
    """Something that was taken out of a text; `start`/`end` locate the placeholder."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Screened:
    """A text that may be written: identifiers replaced by typed placeholders like `[CARD]`."""

    text: str
    redactions: tuple[Redaction, ...] = ()
    sensitivity: Sensitivity = Sensitivity.L1


# --- what was understood -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Candidate:
    """A fact as read from a window, not yet judged.

    `value` is verbatim and lies inside `evidence`, whose quote is the clause that states
    it. `subject` is "user", or the other person as named. `cues` are what code saw in
    the clause ("change", "hedge", "condition", ...). `signals` are the inputs that
    `confidence` was computed from.
    """

    subject: str
    attribute: str
    value: str
    polarity: Polarity
    status: Status
    evidence: Span
    confidence: float
    scope: str = "global"
    source: Source = Source.USER
    found_by: tuple[Reader, ...] = ()
    cues: tuple[str, ...] = ()
    signals: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Constraint:
    """Something the answer must, must not, or must under a condition respect. Kept whole."""

    value: str
    kind: ConstraintKind
    evidence: Span
    confidence: float


@dataclass(frozen=True, slots=True)
class EntityLink:
    """Something named in the window. `id` comes from tools or the caller, else "" ."""

    type: str
    name: str
    evidence: Span
    confidence: float
    id: str = ""


@dataclass(frozen=True, slots=True)
class Intent:
    """What the user wants from this turn, in the user's own words."""

    value: str
    evidence: Span
    confidence: float


@dataclass(frozen=True, slots=True)
class Sentiment:
    """The mood of the new turns."""

    value: Mood
    evidence: Span | None
    confidence: float


@dataclass(frozen=True, slots=True)
class Distillation:
    """What working memory made of a window."""

    intent: Intent | None = None
    constraints: tuple[Constraint, ...] = ()
    entity_links: tuple[EntityLink, ...] = ()
    facts: tuple[Candidate, ...] = ()
    sentiment: Sentiment | None = None


# --- what is kept --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fact:
    """A row of long-term memory: subject -attribute-> value.

    Valid time (`valid_from`, `valid_to`) is when it holds in the world; recorded time
    (`recorded_at`, `closed_at`) is when memory learnt and closed it. `version` is the
    owner's version that opened it.
    """

    id: str
    subject: str
    attribute: str
    value: str
    polarity: Polarity
    confidence: float
    source: Source
    valid_from: datetime
    recorded_at: datetime
    confirmed_at: datetime
    version: int
    evidence: tuple[Span, ...] = ()
    scope: str = "global"
    valid_to: datetime | None = None
    closed_at: datetime | None = None
    closing: Closing | None = None
    superseded_by: str | None = None
    needs_review_since: datetime | None = None

    @property
    def current(self) -> bool:
        """Whether this row is what memory holds now."""
        return self.closed_at is None


@dataclass(frozen=True, slots=True)
class Question:
    """A doubt that waits, inert, for the user: the facts `against` (the first side) or the
    new candidate (the second)."""

    id: str
    candidate: Candidate
    against: tuple[str, ...]
    created_at: datetime
    asked_at: datetime | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What meta-memory decided about one candidate, against which facts, and why."""

    candidate: Candidate
    verdict: Verdict
    effect: Effect
    against: tuple[str, ...]
    policy: str
    reason: str


@dataclass(frozen=True, slots=True)
class Settlement:
    """A question that the user's turn answered."""

    question: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class Judgement:
    """All decisions of one turn, valid for memory version `version` and no other.

    `questions` are new doubts; `ask` is the one to put to the user now, new or old.
    """

    version: int
    decisions: tuple[Decision, ...] = ()
    settlements: tuple[Settlement, ...] = ()
    questions: tuple[Question, ...] = ()
    ask: Question | None = None


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One line of the record of what was decided, admitted or not."""

    id: str
    at: datetime
    decision: Decision


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What an owner's memory holds at one version: all that a decision needs."""

    owner: Owner
    version: int
    facts: tuple[Fact, ...]
    questions: tuple[Question, ...] = ()
    held: tuple[LedgerEntry, ...] = ()
    last_seen: datetime | None = None
    turns_since_question: int | None = None


@dataclass(frozen=True, slots=True)
class Recalled:
    """A fact that matters for this turn, the parts of its score, and the reason in words.

    `note` says when it may be out of date. `standing` is a user's instruction that binds
    every answer, whatever was asked.
    """

    fact: Fact
    score: float
    parts: Mapping[str, float]
    reason: str
    note: str = ""
    standing: bool = False


@dataclass(frozen=True, slots=True)
class Recollection:
    """What was recalled, at which version; `notes` correct premises that no longer hold."""

    version: int
    recalled: tuple[Recalled, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Receipt:
    """Proof of an erasure: how many of each thing are gone. Holds no text."""

    id: str
    at: datetime
    counts: Mapping[str, int]


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def dump(record: object) -> Any:
    """JSON-ready form of a record: dicts, lists, strings, numbers; times in ISO 8601."""
    return _adapter(cast(Hashable, type(record))).dump_python(record, mode="json")


def load(kind: type[T], data: Any) -> T:
    """The record of type `kind` that `dump` made `data` from.

    Raises:
        pydantic.ValidationError: when `data` is not such a record.
    """
    return cast(T, _adapter(cast(Hashable, kind)).validate_python(data))
