"""The policy engine in the process: it runs the policies and contains their faults."""

import logging
from collections.abc import Sequence

from hma.clock import Clock, system_clock
from hma.errors import PolicyError
from hma.meta import containment
from hma.meta.base import Context, Policies
from hma.meta.containment import contained
from hma.meta.judging import Judging
from hma.records import Candidate, Judgement, Recalled, Screened, Snapshot, Turn
from hma.slots import Slots

log = logging.getLogger(__name__)


class LocalEngine:
    """Implements `PolicyEngine` by calls in the same process. It keeps no state: the same
    arguments at the same time give the same answer.

    A policy that raises or answers nonsense writes nothing: a text is not let through
    (`PolicyError`), a candidate is held with the reason, a question stays open, and a fact
    keeps its full weight.
    """

    def __init__(self, policies: Policies, slots: Slots, clock: Clock = system_clock) -> None:
        self._policies = policies
        self._slots = slots
        self._clock = clock

    def screen(self, text: str, *, before: str = "") -> Screened:
        """See `PrivacyPolicy.screen`.

        Raises:
            PolicyError: the policy failed; the text must not be written.
        """
        policy = self._policies.privacy
        return contained(
            policy, lambda: policy.screen(text, before=before), containment.screening_problem
        )

    def judge(
        self, candidates: Sequence[Candidate], turn: Turn | None, memory: Snapshot
    ) -> Judgement:
        """Settle the question that `turn` answers, decide about `candidates` in the order
        they were said, and choose the question to ask now. Valid for `memory.version`."""
        judging = Judging(self._policies, self._slots, memory, self._clock())
        judging.settle(turn)
        judging.decide(candidates)
        return judging.finish()

    def weights(self, memory: Snapshot) -> dict[str, float]:
        """Today's worth of each current fact by id, 0 (dormant) to 1.

        A decay policy that fails on a fact leaves it at 1: forgetting by accident would be
        the worse fault. The log names the policy.
        """
        context = self._context(memory)
        policy = self._policies.decay
        weights: dict[str, float] = {}
        for fact in memory.facts:
            if not fact.current:
                continue
            try:
                weights[fact.id] = contained(
                    policy,
                    lambda fact=fact: policy.weight(fact, context),  # type: ignore[misc]
                    containment.weight_problem,
                )
            except PolicyError as error:
                log.warning("a fact keeps its full weight: %s", error)
                weights[fact.id] = 1.0
        return weights

    def permit(self, recalled: Sequence[Recalled], memory: Snapshot) -> Sequence[Recalled]:
        """See `RecallPolicy.permit`.

        Raises:
            PolicyError: the policy failed; nothing of `recalled` may be shown.
        """
        policy = self._policies.recall
        context = self._context(memory)
        return contained(
            policy,
            lambda: policy.permit(recalled, context),
            lambda answer: containment.permission_problem(answer, recalled),
        )

    def _context(self, memory: Snapshot) -> Context:
        return Context(memory, self._slots, self._clock())
