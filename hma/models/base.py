"""What the tiers need of a model, and nothing more."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Token:
    """A generated token: its bytes, and its probability among the tokens the grammar allowed."""

    piece: bytes
    probability: float


@dataclass(frozen=True, slots=True)
class Generation:
    """What a model generated.

    `finished` is False when the token limit cut it. `prompt_tokens` counts the whole
    prompt, `evaluated_tokens` only what was not in the KV cache already.
    """

    text: str
    tokens: tuple[Token, ...]
    prompt_tokens: int
    evaluated_tokens: int
    finished: bool


@runtime_checkable
class LanguageModel(Protocol):
    """A local generative model. Implementations are safe to call from many threads."""

    @property
    def name(self) -> str:
        """Catalogue name, or the file's name."""
        ...

    @property
    def context_length(self) -> int:
        """Tokens of prompt and output together."""
        ...

    def count_tokens(self, text: str) -> int:
        """Number of tokens of `text` without special tokens."""
        ...

    def generate(
        self,
        prompt: str,
        *,
        grammar: str | None = None,
        schema: str | None = None,
        max_tokens: int = 256,
        time_limit: float = 30.0,
    ) -> Generation:
        """Continue `prompt` greedily, inside a Lark `grammar` or a JSON `schema` if given.

        Raises:
            ConstraintLost: the grammar was not in force for every token.
            GenerationTimeout: `time_limit` seconds passed.
            ModelError: the prompt does not fit, or the model failed.
        """
        ...

    def chat(
        self,
        messages: Sequence[tuple[str, str]],
        *,
        max_tokens: int = 256,
        time_limit: float = 30.0,
    ) -> Generation:
        """Answer `(role, text)` messages through the model's own chat template.

        Raises:
            ModelError: the file carries no chat template, or as for `generate`.
        """
        ...

    def close(self) -> None:
        """Free the model. Further calls raise `ModelError`."""
        ...


@runtime_checkable
class Embedder(Protocol):
    """Texts to unit vectors of float32, shape `(dimension,)` or `(n, dimension)`."""

    @property
    def name(self) -> str:
        """Name and version; vectors of different names are never compared."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def query(self, text: str) -> Vector:
        """The vector of a question, shape `(dimension,)`."""
        ...

    def passages(self, texts: Sequence[str]) -> Vector:
        """The vectors of remembered texts, shape `(len(texts), dimension)`."""
        ...
