"""A model that says what a test wrote down for it."""

from collections import deque
from collections.abc import Sequence

from hma.errors import ModelError
from hma.models.base import Generation, Token


class ScriptedModel:
    """A `LanguageModel` that returns `outputs` in order, whatever it is asked.

    It ignores grammars, so it can play a model gone wrong: prose, cut JSON, a value that
    the text doesn't hold, a lone surrogate. An exception among the outputs is raised. The
    prompts it was given stand in `prompts`.

    >>> model = ScriptedModel(["hello", ModelError("the disk is gone")])
    >>> model.generate("Greet:").text, model.prompts
    ('hello', ['Greet:'])
    """

    name = "scripted"
    context_length = 4096

    def __init__(self, outputs: Sequence[str | Exception]) -> None:
        self._outputs = deque(outputs)
        self.prompts: list[str] = []

    def count_tokens(self, text: str) -> int:
        """One token a character."""
        return len(text)

    def generate(
        self,
        prompt: str,
        *,
        grammar: str | None = None,
        schema: str | None = None,
        max_tokens: int = 256,
        time_limit: float = 30.0,
    ) -> Generation:
        """The next output, as one token of probability 1.

        Raises:
            ModelError: the script is over; or the scripted exception.
        """
        self.prompts.append(prompt)
        if not self._outputs:
            raise ModelError(f"call {len(self.prompts)} is not in the script: give more outputs")
        output = self._outputs.popleft()
        if isinstance(output, Exception):
            raise output
        piece = output.encode("utf-8", errors="surrogatepass")
        return Generation(output, (Token(piece, 1.0),), len(prompt), len(prompt), finished=True)

    def chat(
        self,
        messages: Sequence[tuple[str, str]],
        *,
        max_tokens: int = 256,
        time_limit: float = 30.0,
    ) -> Generation:
        """The next output; the prompt noted is one `role: text` line a message."""
        return self.generate("\n".join(f"{role}: {text}" for role, text in messages))

    def close(self) -> None:
        """Nothing to free."""
