"""One loaded llama.cpp model, for one thread at a time."""

import codecs
import ctypes
import logging
import os
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from hma.errors import ConstraintLost, GenerationTimeout, ModelBroken, ModelError
from hma.models.base import Generation, Token
from hma.models.constraint import Constrainer, Guard
from hma.models.gguf import GgufHeader, read_header

# Larger batches evaluate prompts no faster on a few cores, but cost memory and make
# llama.cpp slower to notice a time limit.
_BATCH = 256
_WORKSPACE_BYTES = 100 * 2**20
# No text has longer tokens on average: a longer prompt is refused without tokenising it.
_MAX_CHARACTERS_PER_TOKEN = 128


class Deadline:
    """When a call must be over: its time limit, its caller gone, or the model closing."""

    def __init__(self, seconds: float, closing: threading.Event) -> None:
        self._end = time.monotonic() + seconds
        self._seconds = seconds
        self._closing = closing
        self._abandoned = False

    @property
    def remaining(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self._end - time.monotonic())

    @property
    def over(self) -> bool:
        """Whether the call must stop now."""
        return self._abandoned or self._closing.is_set() or time.monotonic() >= self._end

    def abandon(self) -> None:
        """The caller doesn't wait any longer."""
        self._abandoned = True

    def check(self) -> None:
        """Raise GenerationTimeout once the call must stop."""
        if self.over:
            raise self.error()

    def error(self) -> GenerationTimeout:
        """Why the call stopped."""
        if self._closing.is_set():
            return GenerationTimeout("the call was cancelled because the model is closing")
        return GenerationTimeout(
            f"the model did not answer within {self._seconds:g} s: ask again or raise the limit"
        )


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a prompt. In `control` parts special tokens count; in all others they are text."""

    text: str
    control: bool = False


class Engine:
    """llama.cpp and the constraint on it. Not thread-safe: `LocalModel` sees to one owner."""

    def __init__(
        self, path: Path, *, context_length: int, threads: int | None, adapter: Path | None
    ) -> None:
        """Load the model.

        Raises:
            ModelNotFound, ModelBroken: the file or the adapter is missing, damaged or too large.
        """
        self.header = read_header(path)
        if self.header.context_length:
            context_length = min(context_length, self.header.context_length)
        _check_memory(path, self.header, context_length)
        if adapter is not None and read_header(adapter).metadata.get("general.type") != "adapter":
            raise ModelBroken(f"{adapter} is no adapter: give a LoRA in GGUF format")
        self._llama = _load(path, context_length, threads, adapter)
        self.context_length: int = self._llama.n_ctx()
        self._constrainer = Constrainer(self._llama)

    @property
    def special_texts(self) -> tuple[str, str]:
        """The begin and end tokens as text, as chat templates want them."""
        model = self._llama._model
        bos, eos = self._llama.token_bos(), self._llama.token_eos()
        return (
            model.token_get_text(bos) if bos >= 0 else "",
            model.token_get_text(eos) if eos >= 0 else "",
        )

    def tokenize(self, text: str, *, control: bool = False, begin: bool = False) -> list[int]:
        """Token ids of `text`; `begin` puts the model's begin token before it, if it has one.

        Lone surrogates become "?": llama.cpp can't read them.
        """
        data = text.encode("utf-8", errors="replace")
        ids: list[int] = self._llama.tokenize(data, add_bos=begin, special=control)
        return ids

    def generate(
        self,
        prompt: Sequence[Piece],
        deadline: Deadline,
        *,
        max_tokens: int,
        grammar: str | None = None,
        schema: str | None = None,
    ) -> Generation:
        """Continue `prompt` greedily. Raises as `LanguageModel.generate`."""
        deadline.check()
        guard = self._constrainer.guard(grammar, schema)
        ids = self._prompt_ids(prompt, max_tokens)
        cached = self._cached(ids)
        try:
            tokens, finished = self._decode(ids, guard, max_tokens, deadline)
        except RuntimeError as error:  # llama_decode: aborted by the deadline, or failed
            deadline.check()
            raise ModelError(f"the model stopped working: {error}") from error
        finally:
            self._abort_when(None)
        return Generation(
            text=_text(tokens, finished, guard),
            tokens=tokens,
            prompt_tokens=len(ids),
            evaluated_tokens=len(ids) - cached,
            finished=finished,
        )

    def close(self) -> None:
        """Free the model."""
        self._llama.close()

    def _decode(
        self, ids: list[int], guard: Guard, max_tokens: int, deadline: Deadline
    ) -> tuple[tuple[Token, ...], bool]:
        """The generated tokens, and whether the model (or its grammar) ended by itself."""
        tokens: list[Token] = []
        self._abort_when(deadline)
        with closing(self._llama.generate(ids, temp=0.0, logits_processor=[guard])) as stream:
            for token in stream:
                if not tokens:
                    self._abort_when(None)
                deadline.check()
                probability = guard.confirm(token)
                if self._ends(token):
                    return tuple(tokens), True
                # One token further than the limit, to see whether the text ended right at it.
                if len(tokens) == max_tokens:
                    break
                tokens.append(Token(self._piece(token), probability))
                if guard.complete_after(token):
                    return tuple(tokens), True
        return tuple(tokens), False

    def _prompt_ids(self, prompt: Sequence[Piece], max_tokens: int) -> list[int]:
        room = self.context_length - max_tokens
        if sum(len(piece.text) for piece in prompt) <= room * _MAX_CHARACTERS_PER_TOKEN:
            ids: list[int] = []
            for piece in prompt:
                # A template writes the begin token itself.
                begin = not ids and not piece.control
                ids += self.tokenize(piece.text, control=piece.control, begin=begin)
            if len(ids) <= room:
                return ids or [max(self._llama.token_bos(), 0)]
        raise ModelError(
            f"the prompt and {max_tokens} tokens of output don't fit the context of "
            f"{self.context_length} tokens: shorten the prompt, or raise model.context_length"
        )

    def _cached(self, ids: list[int]) -> int:
        """How many of `ids` are in the KV cache; the last one is always evaluated."""
        cached = 0
        for old, new in zip(self._llama._input_ids, ids[:-1], strict=False):
            if old != new:
                break
            cached += 1
        return cached

    def _ends(self, token: int) -> bool:
        import llama_cpp

        return bool(llama_cpp.llama_vocab_is_eog(self._llama._model.vocab, token))

    def _piece(self, token: int) -> bytes:
        """The bytes of one token; empty for control tokens."""
        import llama_cpp

        size = 64
        while True:
            buffer = ctypes.create_string_buffer(size)
            length = llama_cpp.llama_token_to_piece(
                self._llama._model.vocab, token, buffer, size, 0, False
            )
            if length >= 0:
                return buffer.raw[:length]
            size = -length

    def _abort_when(self, deadline: Deadline | None) -> None:
        """Let llama.cpp leave an evaluation when `deadline` is over.

        Meant for prompts: llama.cpp asks for each node of the graph, some 600 times an
        evaluation, which would cost a tenth of the time of single tokens.
        """
        import llama_cpp

        callback = llama_cpp.ggml_abort_callback
        # Kept on self: ctypes doesn't keep a callback alive.
        self._abort = callback(lambda _: deadline.over) if deadline else callback()
        llama_cpp.llama_set_abort_callback(self._llama.ctx, self._abort, None)


def _load(path: Path, context_length: int, threads: int | None, adapter: Path | None) -> Any:
    # Spinning OpenMP threads bring a busy machine to a crawl: 2 cores under load gave 3 tokens/s
    # spinning and 16 waiting. It must be set before the first library that brings OpenMP loads.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    from llama_cpp import Llama

    cores = os.cpu_count() or 1
    try:
        llama = Llama(
            str(path),
            n_ctx=context_length,
            n_batch=_BATCH,
            n_ubatch=_BATCH,
            n_threads=threads or max(1, cores // 2),
            n_threads_batch=threads or cores,
            seed=0,
            lora_path=str(adapter) if adapter else None,
            verbose=False,
        )
    except (ValueError, RuntimeError) as error:
        raise ModelBroken(
            f"llama.cpp can't load {path}: the file is cut, damaged or of an unknown kind; "
            "check it with: hma models verify"
        ) from error
    # llama-cpp-python goes on without an adapter that failed to load.
    if adapter is not None and not llama._lora_adapter:
        llama.close()
        raise ModelBroken(
            f"llama.cpp can't load the adapter {adapter}: it is cut, or not made for this model"
        )
    # What goes wrong from here on becomes an exception; llama.cpp's own lines on stderr add noise.
    logging.getLogger("llama-cpp-python").setLevel(logging.CRITICAL)
    return llama


def _check_memory(path: Path, header: GgufHeader, context_length: int) -> None:
    needed = header.size + header.cache_bytes(context_length) + _WORKSPACE_BYTES
    available = psutil.virtual_memory().available
    if needed > available:
        raise ModelBroken(
            f"{path} needs about {needed >> 20} MiB of memory and {available >> 20} MiB are free: "
            "choose a smaller model or a smaller model.context_length"
        )


def _text(tokens: Sequence[Token], finished: bool, guard: Guard) -> str:
    data = b"".join(token.piece for token in tokens)
    if not guard.constrained:
        return data.decode("utf-8", errors="replace")
    try:
        # A token limit may cut inside a character: then its first bytes are left out.
        return codecs.getincrementaldecoder("utf-8")().decode(data, final=finished)
    except UnicodeDecodeError:
        raise ConstraintLost("the generated bytes are no text: ask again") from None
