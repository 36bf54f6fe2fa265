"""The main prompt: recalled facts as dated, quoted data, in the user's language."""

import re
from collections.abc import Mapping, Sequence

from hma.prompts import render
from hma.records import Distillation, Polarity, Recalled, Recollection
from hma.slots import Slots

# Control characters that are no white space, bidirectional overrides, and the tag and selector
# characters that spell whole sentences invisibly.
_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069"
    "\U000e0000-\U000e007f\U000e0100-\U000e01ef]"
)
_NOT = {"en": " (not)", "zh": "（否）"}


def main_messages(
    system: str,
    text: str,
    distillation: Distillation | None,
    recollection: Recollection,
    *,
    slots: Slots,
    language: str,
) -> tuple[tuple[str, str], ...]:
    """The messages for the responding model: system prompt with memory, and the user's turn."""
    constraints = distillation.constraints if distillation else ()
    intent = distillation.intent if distillation else None
    head = render(
        f"main.{language}",
        system=system,
        recalled=[_item(one, slots, language) for one in _newest_first(recollection.recalled)],
        notes=[_one_line(note) for note in recollection.notes],
        constraints=[_as_data(constraint.value) for constraint in constraints],
        intent=_as_data(intent.value) if intent else "",
    )
    return (("system", head.strip()), ("user", text))


def _newest_first(recalled: Sequence[Recalled]) -> Sequence[Recalled]:
    return sorted(recalled, key=lambda one: one.fact.confirmed_at, reverse=True)


def _item(one: Recalled, slots: Slots, language: str) -> Mapping[str, str]:
    fact = one.fact
    slot = slots.get(fact.attribute)
    label = slot.label_in(language) if slot else fact.attribute
    who = "" if fact.subject == "user" else f"{fact.subject}:"
    quote = fact.evidence[-1].quote if fact.evidence else ""
    return {
        "since": fact.valid_from.date().isoformat(),
        "label": f"{_as_data(who)} {label}" if who else label,
        "negation": _NOT[language] if fact.polarity is Polarity.NEGATIVE else "",
        "value": _as_data(fact.value),
        "quote": _as_data(quote),
        "note": f" ({_one_line(one.note)})" if one.note else "",
    }


def _as_data(text: str) -> str:
    """One line without quotes of its own, so that it can't leave its quotation marks."""
    return _one_line(text).replace('"', "'").replace("“", "‘").replace("”", "’")


def _one_line(text: str) -> str:
    """One line without what a reader can't see but a model can, and without the marks of
    control tokens, which some servers read inside of a message too."""
    return " ".join(_HIDDEN.sub("", text).split()).replace("<|", "‹|").replace("|>", "|›")
