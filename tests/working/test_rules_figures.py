"""What the shipped rules are worth on labelled utterances.

`rules_dev.jsonl` is what the rules were tuned on; `rules_heldout.jsonl` was written before
the rules. A line holds `t` (a turn, or turns; "a:" marks the assistant's), `f` (facts as
[slot, value, polarity, status, subject], the last three optional) and `a` (facts that may
be read but need not).
"""

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hma.records import Candidate, Role, Turn, Window
from hma.text import has_cjk
from hma.working.rules.reader import RuleReader

HERE = Path(__file__).parent
DEFAULTS = ("", "", "+", "asserted", "user")
Label = tuple[str, ...]


def labels(rows: list[list[str]]) -> list[Label]:
    """The facts of a case with the defaults filled in."""
    return [(*row, *DEFAULTS[len(row) :]) for row in rows]


def window(texts: str | list[str]) -> Window:
    """The window of a case."""
    lines = texts if isinstance(texts, list) else [texts]
    at = datetime(2026, 3, 1, tzinfo=UTC)
    return Window(
        tuple(
            Turn(str(i), Role.ASSISTANT, line[2:], at)
            if line.startswith("a:") and len(lines) > 1
            else Turn(str(i), Role.USER, line, at)
            for i, line in enumerate(lines)
        )
    )


def overlap(one: str, other: str) -> float:
    """Token F1; characters in Chinese."""
    left, right = (
        Counter(list(text) if has_cjk(text) else text.casefold().split()) for text in (one, other)
    )
    return 2 * (left & right).total() / (left.total() + right.total())


def is_right(label: Label, fact: Candidate) -> bool:
    """Whether a fact read is the labelled one."""
    slot, value, polarity, status, subject = label
    return (
        (slot, polarity) == (fact.attribute, fact.polarity)
        and (subject == "user") == (fact.subject == "user")
        and (status == "tentative") == (fact.status == "tentative")
        and (status == "retracted") == (fact.status == "retracted")
        and overlap(value, fact.value) >= 0.5
    )


def measure(name: str) -> tuple[float, float]:
    """Precision and recall over one file."""
    reader = RuleReader()
    right = wrong = wanted = 0
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        gold = labels(case["f"])
        wanted += len(gold)
        for fact in reader.read(window(case["t"])).facts:
            hit = next((label for label in gold if is_right(label, fact)), None)
            if hit:
                gold.remove(hit)
                right += 1
            elif not any(is_right(label, fact) for label in labels(case.get("a", []))):
                wrong += 1
    return right / (right + wrong), right / wanted


@pytest.mark.parametrize(
    ("name", "precision", "recall"),
    [("rules_dev.jsonl", 0.98, 0.95), ("rules_heldout.jsonl", 0.95, 0.85)],
)
def test_precision_and_recall(name: str, precision: float, recall: float) -> None:
    """The rules stay as precise as promised, and find what they found."""
    measured = measure(name)
    assert measured[0] >= precision
    assert measured[1] >= recall


def test_the_labels_are_verbatim() -> None:
    """Every labelled value stands in a user turn of its case."""
    for name in ("rules_dev.jsonl", "rules_heldout.jsonl"):
        for line in (HERE / name).read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            turns = window(case["t"]).turns
            texts = [turn.text for turn in turns if turn.role is Role.USER]
            for label in labels(case["f"] + case.get("a", [])):
                assert any(label[1] in text for text in texts), label
