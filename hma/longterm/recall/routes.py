"""Routes: which slots a question asks for, by declarative cues (routes.toml)."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import TypeAdapter

from hma.longterm.recall.lexicon import Lexicon
from hma.records import Fact, Polarity
from hma.slots import Slots
from hma.text import folded

_WHO = r"(?:(?:my |the |our )?[\w'-]+(?: [\w'-]+)?)"
# Characters of a message that are read for cues: some of these patterns take the square of them.
_READ = 1000
_WHOSE = r"(?:my|our|his|her|their|(?:my |the )?[\w-]+'s)"
# Similarity (0..1) from which an object counts as meant although no word is shared.
_CLEARLY_SIMILAR = 0.35


@dataclass(frozen=True, slots=True)
class Route:
    """One row of routes.toml: what its cues ask for. `object` is "", "words" or "meaning"."""

    slots: tuple[str, ...]
    cues: tuple[str, ...]
    weak: tuple[str, ...] = ()
    strength: float = 1.0
    polarity: Polarity | None = None
    object: str = ""

    @property
    def direct(self) -> bool:
        """Whether the question asks for just this, rather than touching on it."""
        return self.strength >= 1

    def strength_for(self, fact: Fact, lexical: float, dense: float) -> float:
        """How strongly this route asks for `fact`, 0..1, given its other two signs."""
        if self.polarity is not None and fact.polarity is not self.polarity:
            return 0.0
        if fact.attribute in self.weak:
            return self.strength / 2 if lexical > 0 or dense > 0 else 0.0
        if fact.attribute not in self.slots and "*" not in self.slots:
            return 0.0
        if self.object and lexical <= 0:
            similar = self.object == "meaning" and dense >= _CLEARLY_SIMILAR
            return self.strength / 2 if similar else 0.0
        return self.strength


class Routes:
    """All routes, compiled. `Routes.load(slots)` adds "what is my <label>" for each slot."""

    def __init__(self, routes: Sequence[Route], assistant: Sequence[str], lexicon: Lexicon) -> None:
        self._routes = [(route, _compile(route.cues, lexicon)) for route in routes]
        self._assistant = _compile(assistant, lexicon)

    @classmethod
    def load(cls, slots: Slots) -> "Routes":
        """The shipped routes, and one by label for each slot of the table."""
        table = routes_table()
        routes = TypeAdapter(list[Route]).validate_python(table["route"])
        return cls([*routes, *_by_label(slots)], table["assistant"]["cues"], Lexicon.load())

    def asked(self, query: str) -> tuple[Route, ...]:
        """The routes whose cues stand in `query`. A question for one polarity ("what do I
        hate?") is not read as one about an object ("do I hate tofu?") too."""
        text = folded(query[:_READ])
        found = [route for route, cue in self._routes if cue.search(text)]
        polar = {slot for route in found if route.polarity for slot in route.slots}
        return tuple(
            route
            for route in found
            if route.polarity or not route.object or not polar.intersection(route.slots)
        )

    def beside(self, query: str) -> str:
        """What is left of `query` without the words that made it ask for a slot outright."""
        text = folded(query[:_READ])
        for route, cue in self._routes:
            if route.direct:
                text = cue.sub(" ", text)
        return text

    def asks_assistant(self, query: str) -> bool:
        """Whether the question is about the agent itself ("where do you live?")."""
        return self._assistant.search(folded(query[:_READ])) is not None


@cache
def routes_table() -> dict[str, Any]:
    """routes.toml as it stands."""
    return tomllib.loads(files(__package__).joinpath("routes.toml").read_text(encoding="utf-8"))


def _compile(cues: Sequence[str], lexicon: Lexicon) -> re.Pattern[str]:
    text = "|".join(f"(?:{cue})" for cue in cues)
    for name, pattern in (
        ("{whose}", _WHOSE),
        ("{who}", _WHO),
        ("{kin}", lexicon.kin),
        ("{animal}", lexicon.animal),
    ):
        text = text.replace(name, pattern)
    return re.compile(text)


def _by_label(slots: Slots) -> list[Route]:
    return [
        Route(
            slots=(name,),
            cues=(
                r"\b(?:what(?:'s| is| are)|tell me|remember|know) my "
                + re.escape(folded(slot.label_in("en")))
                + r"s?\s*(?:\?|$)",
                "我的" + re.escape(folded(slot.label_in("zh"))),
            ),
        )
        for name, slot in slots.items()
    ]
