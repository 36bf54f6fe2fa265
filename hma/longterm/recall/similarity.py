"""Similarity of meaning, corrected for what any two texts have in common.

Small multilingual embedders put any two texts at a cosine of 0.7 to 0.95, higher within
one language than across two. So a cosine is measured against two backgrounds: how near
the question is to ordinary memories in the fact's language, and how near the fact is to
ordinary questions in the question's language. What rises above both is similarity.
"""

import threading
from collections.abc import Mapping, Sequence

import numpy as np

from hma.longterm.recall.routes import routes_table
from hma.models.base import Embedder, Vector
from hma.text import language_of

# Of the corrected cosine: nothing below the first, full marks from the second on.
_FLOOR = 0.03
_FULL = 0.08


class Similarity:
    """Scores vectors against a question. The backgrounds are embedded once, at first use."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._lock = threading.Lock()
        self._background: Mapping[str, Vector] | None = None

    def vector(self, query: str) -> Vector:
        """The question's vector, shape `(dimension,)`."""
        return self._embedder.query(query)

    def scaled(self, query: str, vector: Vector, rows: Vector, languages: Sequence[str]) -> Vector:
        """Similarity of each row to the question as 0..1, shape `(len(rows),)`.

        `vector` is the question's; `languages` are those of the rows' texts.
        """
        hub = rows @ self._backgrounds()[f"{language_of(query)}_queries"]
        return self._lifted(vector, rows @ vector, languages, hub)

    def scaled_cosines(
        self, query: str, vector: Vector, cosines: Vector, languages: Sequence[str]
    ) -> Vector:
        """As `scaled`, where only the cosines are known: each row counts as an ordinary one."""
        background = self._backgrounds()
        asked = background[f"{language_of(query)}_queries"]
        hub = np.array([background[f"{name}_passages"] @ asked for name in languages])
        return self._lifted(vector, cosines, languages, hub)

    def _lifted(
        self, vector: Vector, cosines: Vector, languages: Sequence[str], hub: Vector
    ) -> Vector:
        background = self._backgrounds()
        near = {name: float(background[f"{name}_passages"] @ vector) for name in ("en", "zh")}
        lift = cosines - 0.5 * (np.array([near[name] for name in languages]) + hub)
        return np.asarray(np.clip((lift - _FLOOR) / (_FULL - _FLOOR), 0.0, 1.0), dtype=np.float32)

    def warm(self) -> None:
        """Embed the backgrounds now (a few hundred milliseconds) rather than in a turn."""
        self._backgrounds()

    def _backgrounds(self) -> Mapping[str, Vector]:
        with self._lock:
            if self._background is None:
                texts = routes_table()["background"]
                self._background = {name: self._mean(name, texts[name]) for name in texts}
            return self._background

    def _mean(self, name: str, texts: Sequence[str]) -> Vector:
        if name.endswith("_passages"):
            rows = self._embedder.passages(texts)
        else:
            rows = np.stack([self._embedder.query(text) for text in texts])
        return np.asarray(rows.mean(axis=0), dtype=np.float32)
