"""A policy of one's own, named in the configuration by `module:Class`.

    [meta.policies.admission]
    use = "policy:TwiceOrNever"
    times = 2

Run:  python examples/policy.py
"""

import sys
import tempfile
from pathlib import Path

from hma import Agent
from hma.meta.base import Context, Ruling
from hma.records import Candidate, Verdict
from hma.text import normal_form


class TwiceOrNever:
    """Admits only what the user has said in several turns."""

    def __init__(self, *, times: int = 2) -> None:
        self._times = times

    def admit(self, candidate: Candidate, context: Context) -> Ruling:
        """Hold a fact until it was heard `times` times; refuse what was hardly heard at all."""
        if candidate.confidence < 0.5:
            return Ruling(Verdict.REFUSE, "confidence is below 0.5")
        turns = {
            entry.decision.candidate.evidence.turn_id
            for entry in context.memory.held
            if entry.decision.candidate.attribute == candidate.attribute
            and normal_form(entry.decision.candidate.value) == normal_form(candidate.value)
        }
        heard = len(turns | {candidate.evidence.turn_id})
        if heard >= self._times:
            return Ruling(Verdict.ADMIT, f"heard in {heard} turns")
        return Ruling(Verdict.HOLD, f"heard in {heard} of {self._times} turns")


CONFIG = """
[meta.policies.admission]
use = "policy:TwiceOrNever"
times = 2
"""


def main() -> None:
    """Say a thing once, then again."""
    sys.path.insert(0, str(Path(__file__).parent))
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder, "hma.toml")
        config.write_text(CONFIG, encoding="utf-8")
        with Agent.open(config, data=folder) as agent:
            for text in ("I live in Oslo.", "As I said, I live in Oslo."):
                agent.chat(text, user="ana")
                facts = agent.memory("ana").snapshot().facts
                print(f"{text!r} -> {[fact.value for fact in facts]}")


if __name__ == "__main__":
    main()
