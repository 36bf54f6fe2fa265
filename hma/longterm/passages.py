"""What is embedded for a fact: the clause that states it, under its slot's label."""

from collections.abc import Sequence

from hma.longterm.chunks import chunks
from hma.longterm.codec import pack
from hma.longterm.words import FORGOTTEN
from hma.models.base import Embedder
from hma.records import Candidate, Fact
from hma.slots import Slot, Slots
from hma.text import language_of

BATCH = 256


class Passages:
    """Facts as stored vectors. Slow: call it outside of any write transaction."""

    def __init__(self, embedder: Embedder, slots: Slots) -> None:
        self.embedder = embedder
        self._slots = slots

    @property
    def name(self) -> str:
        """The name that vectors are stored and compared under."""
        return self.embedder.name

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self.embedder.dimension

    def of_candidates(self, candidates: Sequence[Candidate]) -> list[bytes]:
        """Vectors of facts-to-be, packed as they are stored."""
        return self._packed([self._text(c, c.evidence.quote) for c in candidates])

    def of_facts(self, facts: Sequence[Fact]) -> list[bytes]:
        """Vectors of facts, packed as they are stored."""
        return self._packed(
            [self._text(f, f.evidence[0].quote if f.evidence else "") for f in facts]
        )

    def _text(self, said: Candidate | Fact, quote: str) -> str:
        clause = said.value if quote in {"", FORGOTTEN} else quote
        slot = self._slots.get(said.attribute, Slot(said.attribute))
        label = slot.label_in(language_of(clause))
        about = label if said.subject == "user" else f"{said.subject}, {label}"
        return f"{about}: {clause}"

    def _packed(self, texts: Sequence[str]) -> list[bytes]:
        return [pack(row) for some in chunks(texts, BATCH) for row in self.embedder.passages(some)]
