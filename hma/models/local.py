"""A local GGUF model that many threads may use."""

import json
import secrets
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Self

from hma.errors import ConstraintLost, InvalidInput, ModelError
from hma.models.base import Generation, LanguageModel
from hma.models.chat import ChatTemplate
from hma.models.engine import Deadline, Engine, Piece


class LocalModel:
    """llama.cpp behind a queue: one thread owns the model, the others wait for their turn.

    A call's time limit covers its wait. The prompts' common head stays in the KV cache from
    call to call, so keep it constant and put what changes last.
    """

    def __init__(self, engine: Engine, name: str) -> None:
        """Use `open`."""
        self._engine = engine
        self._name = name
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"hma-{name}")
        self._closing = threading.Event()
        # Tokenising only reads the vocabulary, so callers do it themselves; it must not be freed
        # meanwhile.
        self._lock = threading.Lock()
        self._template: ChatTemplate | None = None

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        name: str | None = None,
        context_length: int = 2048,
        threads: int | None = None,
        adapter: Path | None = None,
    ) -> Self:
        """Load the GGUF file at `path`, in about a second for 135M parameters.

        Args:
            path: the model file.
            name: what errors and traces call it; the file's name without it.
            context_length: tokens of prompt and output together; no more than it was trained for.
            threads: CPU threads; default: all cores for prompts, half of them for single tokens.
            adapter: a LoRA in GGUF format to load on top.

        Raises:
            ModelNotFound: no model or adapter file there.
            ModelBroken: a file is cut, no GGUF or of an unknown kind, or memory is too short.
        """
        engine = Engine(path, context_length=context_length, threads=threads, adapter=adapter)
        return cls(engine, name or path.stem)

    @property
    def name(self) -> str:
        """Catalogue name, or the file's name."""
        return self._name

    @property
    def context_length(self) -> int:
        """Tokens of prompt and output together."""
        return self._engine.context_length

    def count_tokens(self, text: str) -> int:
        """Number of tokens of `text` without special tokens.

        Raises:
            ModelError: the model is closed.
        """
        with self._lock:
            self._require_open()
            return len(self._engine.tokenize(text))

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

        Special tokens such as `<|im_start|>` in `prompt` are read as plain text.

        Raises:
            ConstraintLost: the grammar was not in force for every token.
            GenerationTimeout: `time_limit` seconds passed, or the model is closing.
            InvalidInput: the grammar can't be read, or `max_tokens` is below one.
            ModelError: the prompt does not fit, or the model failed or is closed.
        """
        return self._run(
            lambda deadline: self._engine.generate(
                [Piece(prompt)], deadline, max_tokens=max_tokens, grammar=grammar, schema=schema
            ),
            max_tokens,
            time_limit,
        )

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
        pieces = self._chat_template().pieces(messages)
        return self._run(
            lambda deadline: self._engine.generate(pieces, deadline, max_tokens=max_tokens),
            max_tokens,
            time_limit,
        )

    def _chat_template(self) -> ChatTemplate:
        """The file's template, read when it is first needed: distilling needs none."""
        if self._template is None:
            source = self._engine.header.chat_template
            if not source:
                raise ModelError(
                    f"model {self._name} carries no chat template, so it can't answer chats: "
                    "choose an instruct model for the responder"
                )
            self._template = ChatTemplate(source, *self._engine.special_texts)
        return self._template

    def close(self) -> None:
        """Cancel what runs and waits, and free the model. A second call does nothing."""
        with self._lock:
            if self._closing.is_set():
                return
            self._closing.set()
        self._worker.shutdown(wait=True, cancel_futures=True)
        self._engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _run(
        self, work: Callable[[Deadline], Generation], max_tokens: int, time_limit: float
    ) -> Generation:
        """Queue `work` and wait for it; if the caller can't wait any longer, it stops soon."""
        if max_tokens < 1:
            raise InvalidInput("max_tokens must be at least 1")
        deadline = Deadline(time_limit, self._closing)
        with self._lock:
            self._require_open()
            future = self._worker.submit(work, deadline)
        try:
            return future.result(timeout=deadline.remaining)
        except TimeoutError:
            future.cancel()
            raise deadline.error() from None
        except CancelledError:  # by close()
            raise deadline.error() from None
        finally:
            deadline.abandon()

    def _require_open(self) -> None:
        if self._closing.is_set():
            raise ModelError(f"model {self._name} is closed: open it again")


def prove_constraint(model: LanguageModel) -> None:
    """Make `model` emit a constant that it can't guess, to prove that a schema binds it.

    Raises:
        ConstraintLost: it emitted something else. No output of this model can be trusted.
        ModelError: the model failed.
    """
    nonce = secrets.token_hex(4)
    schema = json.dumps({"const": nonce})
    text = model.generate("Say hello:", schema=schema, max_tokens=32).text
    if text.strip() != json.dumps(nonce):
        raise ConstraintLost(
            f"model {model.name} was not bound by a schema: reinstall outlines and llguidance "
            "in the pinned versions"
        )
