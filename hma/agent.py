"""The base agent: one turn, front to back, each step a method that a subclass may override."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from pathlib import Path
from types import TracebackType
from typing import Self

from hma.clock import Clock
from hma.composing import main_messages
from hma.errors import (
    DistillationError,
    HmaError,
    InvalidInput,
    ModelError,
    PolicyError,
    StoreBusy,
    VersionConflict,
)
from hma.exchange import Prompt
from hma.longterm.base import Committed, Memory, Recaller, Store
from hma.longterm.checks import checked_text, utc
from hma.meta.base import PolicyEngine
from hma.meta.wording import question_text
from hma.records import (
    Candidate,
    Distillation,
    Judgement,
    Owner,
    Question,
    Recalled,
    Recollection,
    Role,
    Screened,
    Snapshot,
    Turn,
    Window,
    dump,
)
from hma.responders import Responder
from hma.sessions import Sessions
from hma.slots import Slots
from hma.text import language_of
from hma.tracing import Trace, new_id
from hma.working.base import DistilReport, Distils
from hma.working.schema import document
from hma.working.window import build_window

# A commit is judged again after somebody else's; each round one writer wins, so this many
# rounds fail only when more writers than this hit one owner at the same instant.
_ROUNDS = 32
# Characters of a user's last messages that the next one is screened together with.
_HEARD = 200
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Parts:
    """What an agent is made of. `hma.bootstrap.wire` makes them from the settings."""

    store: Store
    engine: PolicyEngine
    distiller: Distils
    recaller: Recaller
    responder: Responder
    slots: Slots
    clock: Clock
    window: int = 12
    max_characters: int = 20_000
    close: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to one turn.

    Attributes:
        text: what the agent says.
        question: the one question memory asks the user, or None. It is not part of `text`.
        trace_id: `hma trace ID` shows the whole turn.
        distillation: what was understood; None when the turn is queued for later.
        recalled: what memory held that mattered.
    """

    text: str
    question: str | None
    trace_id: str
    distillation: Distillation | None
    recalled: tuple[Recalled, ...]


class Agent:
    """An agent that remembers its users. Subclass it, set `system`, override any step.

    The steps, in order: `screen`, `listen`, `distil`, `judge`, `commit`, `recall`,
    `compose`, `respond`. Safe to use from many threads; turns of one user are taken one
    after the other.
    """

    system: str = "You are a helpful assistant."
    scope: str = ""
    """Agent scope of the memory: agents of different scopes share nothing."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self._sessions = Sessions()

    @classmethod
    def open(cls, config: Path | str | None = None, *, data: Path | str | None = None) -> Self:
        """Open an agent as configured (see `hma.settings.Settings.load`).

        Raises:
            ConfigError: the configuration is wrong.
            ModelError: the model can't be loaded.
            StoreError: the store can't be opened.
        """
        from hma.bootstrap import wire  # the one place that knows the concrete classes
        from hma.settings import Settings

        return cls(wire(Settings.load(config, data=data)))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close what was opened for this agent: model, index, store. Safe to repeat."""
        self.parts.close()

    def memory(self, user: str, *, tenant: str = "default") -> Memory:
        """The memory of one user of this agent; everything read or written is theirs."""
        for name, value in (("user", user), ("tenant", tenant)):
            # Names are written too. Long numeric ids are common as names, and one in twenty
            # passes for a card, so cards are let be.
            kinds = {one.kind for one in self.parts.engine.screen(value).redactions}
            if kinds - {"CARD", "NUMBER"}:
                raise InvalidInput(f"{name} holds an identifier that may not be stored; rename it")
        return self.parts.store.of(Owner(user=user, tenant=tenant, agent=self.scope))

    # --- one turn ---------------------------------------------------------------------

    def chat(
        self, text: str, *, user: str, tenant: str = "default", at: datetime | None = None
    ) -> Reply:
        """Take one message of `user` and answer it.

        Args:
            text: the message, as typed.
            user: whose memory to use; there is no default.
            tenant: partition above the user.
            at: when it was said (timezone-aware); default: now.

        Raises:
            InvalidInput: the text or user can't be used; nothing was stored.
            PolicyError: screening failed; nothing was stored.
            StoreError: the store failed. What was acknowledged before is safe.
            ModelError: the responder failed; the turn itself is stored and remembered.
        """
        at = utc("at", at) if at else self.parts.clock()
        text = self._checked(text)
        memory = self.memory(user, tenant=tenant)
        with self._sessions.of(memory.owner).lock:
            return self._turn(memory, text, at)

    def _turn(self, memory: Memory, text: str, at: datetime) -> Reply:
        trace = Trace(at)
        session = self._sessions.of(memory.owner)
        heard = self._said_before(memory) if session.heard is None else session.heard
        with trace.step("screen"):
            screened = self.screen(text, before=heard)
        turn = Turn(new_id(at), Role.USER, screened.text, at)
        with trace.step("listen"):
            memory.append(turn)
            window = self.listen(memory, turn)
        # kept in RAM only, for numbers that are split over several messages
        session.heard = f"{heard}\n{text}"[-_HEARD:]
        # until the commit has marked it, this turn waits like those before it
        waited, session.behind = session.behind, True
        window, report = self._distilled(window, trace)
        judgement, committed = self._settle(memory, turn, window, report, trace)
        session.behind = report is None or (waited and bool(memory.queued()))
        with trace.step("recall"):
            fresh = [fact.id for fact in committed.opened]
            recollection = self.recall(memory, turn.text, at=at, exclude=fresh)
        with trace.step("compose"):
            question = self._question(memory, judgement.ask, turn)
            prompt = self.compose(
                turn, screened, report, judgement, committed, recollection, question
            )
        _note(trace, memory, window, prompt, report)
        reply = self._answer(memory, prompt, trace)
        distillation = report.distillation if report else None
        return Reply(reply, question or None, trace.id, distillation, recollection.recalled)

    def _answer(self, memory: Memory, prompt: Prompt, trace: Trace) -> str:
        """Respond, and keep reply and trace together; the trace also when it fails."""
        said: Turn | None = None
        try:
            with trace.step("respond"):
                reply = self.screen(self.respond(prompt)).text
            said = Turn(new_id(trace.at), Role.ASSISTANT, _joined(reply, prompt.question), trace.at)
            trace.note("reply", reply)
        except HmaError as error:
            trace.note("failed", f"{type(error).__name__}: {error}")
            raise
        finally:
            memory.save_trace(trace.id, trace.at, trace.document(), turn=prompt.turn.id, reply=said)
        return reply

    def _said_before(self, memory: Memory) -> str:
        """What the user said last to another process, as it was stored."""
        turns = memory.recent(self.parts.window)
        return "\n".join(one.text for one in turns if one.role is Role.USER)[-_HEARD:]

    def _distilled(self, window: Window, trace: Trace) -> tuple[Window, DistilReport | None]:
        """The window that was distilled, and the report; None when it failed.

        Then the turn stays queued and the chat goes on. A turn that waits since earlier and
        fails again must not keep the new one from being taken in: that is tried alone.
        """
        alone = build_window(window.turns, limit=self.parts.window, new=1)
        with trace.step("distil"):
            for chosen in dict.fromkeys((window, alone)):
                try:
                    return chosen, self.distil(chosen)
                except (DistillationError, ModelError) as error:
                    trace.note("behind", f"{type(error).__name__}: {error}")
        return window, None

    def _settle(
        self,
        memory: Memory,
        turn: Turn,
        window: Window,
        report: DistilReport | None,
        trace: Trace,
    ) -> tuple[Judgement, Committed]:
        """Judge and commit, again and again while somebody else commits in between."""
        facts = report.distillation.facts if report else ()
        done = [one.id for one in window.turns[window.new :]] if report else []
        for _ in range(_ROUNDS):
            if memory.turn(turn.id) != turn:
                facts, done = (), []  # forgotten or erased meanwhile: nothing of it is learnt
            with trace.step("judge"):
                judgement = self.judge(memory.snapshot(), facts, turn)
            try:
                with trace.step("commit"):
                    return judgement, self.commit(memory, judgement, done, at=turn.at)
            except VersionConflict:
                continue
        raise StoreBusy("this user's memory is being written by too many others; try again")

    def _question(self, memory: Memory, question: Question | None, turn: Turn) -> str:
        if question is None:
            return ""
        known = {fact.id: fact for fact in memory.snapshot().facts}
        facts = [known[one] for one in question.against if one in known]
        return question_text(question, facts, self.parts.slots, language_of(turn.text))

    def _checked(self, text: str) -> str:
        if not checked_text("the message", text, limit=self.parts.max_characters).strip():
            raise InvalidInput("the message is empty; say something")
        return text

    # --- the steps --------------------------------------------------------------------

    def screen(self, text: str, *, before: str = "") -> Screened:
        """Take out what must never be stored. Everything after this sees only the result."""
        return self.parts.engine.screen(text, before=before)

    def listen(self, memory: Memory, turn: Turn) -> Window:
        """The window of the last turns, with the turns to distil at its end.

        Turns that a crash or a failed distillation left behind are taken up again with the
        next one.
        """
        limit = self.parts.window
        turns = _before(turn, memory.recent(limit))
        waiting: set[str] = set()
        if self._sessions.of(memory.owner).behind:
            queued = _before(turn, memory.queued())
            waiting = {one.id for one in queued}
            recent = {one.id for one in turns}
            turns = [one for one in queued if one.id not in recent][:limit] + turns
        turns.append(turn)
        first = next((i for i, one in enumerate(turns) if one.id in waiting), len(turns) - 1)
        return build_window(turns, limit=limit, new=len(turns) - first)

    def distil(self, window: Window) -> DistilReport:
        """Distil the new turns of the window.

        Raises:
            DistillationError, ModelError: it can't be done now; the turn stays queued.
        """
        return self.parts.distiller.distil(window)

    def judge(self, memory: Snapshot, candidates: Sequence[Candidate], turn: Turn) -> Judgement:
        """Decide what is kept, held, asked and refused."""
        return self.parts.engine.judge(candidates, turn, memory)

    def commit(
        self, memory: Memory, judgement: Judgement, distilled: Sequence[str], *, at: datetime
    ) -> Committed:
        """Carry the judgement out in one transaction.

        Raises:
            VersionConflict: memory has moved on; the agent judges again.
        """
        return memory.commit(judgement, distilled=distilled, at=at)

    def recall(
        self, memory: Memory, query: str, *, at: datetime, exclude: Sequence[str] = ()
    ) -> Recollection:
        """What memory holds that matters for `query`."""
        snapshot = memory.snapshot()
        weights = self.parts.engine.weights(snapshot)
        found = self.parts.recaller.recall(memory, query, weights=weights, at=at, exclude=exclude)
        try:
            permitted = tuple(self.parts.engine.permit(found.recalled, snapshot))
        except PolicyError as error:
            # the turn is stored already: it costs the recollection, not the reply
            log.warning("nothing is recalled: %s", error)
            return Recollection(found.version)
        return Recollection(found.version, permitted, found.notes)

    def compose(
        self,
        turn: Turn,
        screened: Screened,
        report: DistilReport | None,
        judgement: Judgement,
        committed: Committed,
        recollection: Recollection,
        question: str,
    ) -> Prompt:
        """The prompt: distillation and recalled facts as dated, quoted data."""
        language = language_of(turn.text)
        distillation = report.distillation if report else None
        messages = main_messages(
            self.system,
            turn.text,
            distillation,
            recollection,
            slots=self.parts.slots,
            language=language,
        )
        return Prompt(
            turn, language, screened, distillation, judgement, committed, recollection,
            question, messages,
        )  # fmt: skip

    def respond(self, prompt: Prompt) -> str:
        """Say something, from the prompt alone."""
        return self.parts.responder.respond(prompt)


def _before(turn: Turn, turns: Sequence[Turn]) -> list[Turn]:
    """What stands before `turn`: another process may have added turns behind it."""
    return list(takewhile(lambda one: one.id != turn.id, turns))


def _joined(reply: str, question: str) -> str:
    return f"{reply}\n{question}" if question else reply


def _note(
    trace: Trace,
    memory: Memory,
    window: Window,
    prompt: Prompt,
    report: DistilReport | None,
) -> None:
    """Fill the trace in the order of the pipeline."""
    trace.note("user", memory.owner.user)
    trace.note("screened", dump(prompt.screened))
    trace.note("window", [dump(turn) for turn in window.turns])
    trace.note("new", window.new)
    if report is not None:
        trace.note("distillation", document(report.distillation))
        cost = {"prompt": report.prompt_tokens, "output": report.output_tokens}
        trace.note("tokens", cost | {"retries": report.retries})
        trace.note("problems", list(report.problems))
        trace.note("distil_ms", {name: round(s * 1000, 1) for name, s in report.seconds.items()})
    trace.note("judgement", dump(prompt.judgement))
    trace.note("version", prompt.committed.version)
    trace.note("recollection", dump(prompt.recollection))
    trace.note("prompt", [list(message) for message in prompt.messages])
    trace.note("question", prompt.question)
