"""The header of a GGUF file: what a model is, read in milliseconds without loading it."""

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from hma.errors import ModelBroken, ModelNotFound

_MAGIC = b"GGUF"
_STRING, _ARRAY = 8, 9
# GGUF's numeric value types, by their number in the file.
_SCALARS = {
    0: "B",
    1: "b",
    2: "H",
    3: "h",
    4: "I",
    5: "i",
    6: "f",
    7: "?",
    10: "Q",
    11: "q",
    12: "d",
}
# Wilder counts only stand in damaged files; without a limit they would take all memory.
_MAX_STRING = 64 * 2**20
_MAX_ITEMS = 100_000_000


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """Metadata of one model file; arrays (the vocabulary) are left out."""

    metadata: dict[str, Any]
    size: int

    @property
    def architecture(self) -> str:
        """For instance "llama"; empty when the file names none."""
        return str(self.metadata.get("general.architecture", ""))

    @property
    def context_length(self) -> int:
        """Tokens the model was trained for; 0 when the file doesn't say."""
        return self._number("context_length")

    @property
    def chat_template(self) -> str | None:
        """The Jinja source of the model's chat template, if it carries one."""
        template = self.metadata.get("tokenizer.chat_template")
        return template if isinstance(template, str) and template.strip() else None

    def cache_bytes(self, context_length: int) -> int:
        """Bytes of a 16-bit KV cache of `context_length` tokens, rounded up by assuming
        that no layer shares or slides its window."""
        heads = self._number("attention.head_count") or 1
        width = self._number("embedding_length") // heads
        key = self._number("attention.key_length") or width
        value = self._number("attention.value_length") or width
        kv_heads = self._number("attention.head_count_kv") or heads
        return 2 * self._number("block_count") * context_length * kv_heads * (key + value)

    def _number(self, key: str) -> int:
        value = self.metadata.get(f"{self.architecture}.{key}", 0)
        return int(value) if isinstance(value, int) else 0


def read_header(path: Path) -> GgufHeader:
    """Read the header of the GGUF file at `path`, and check that its tensors begin inside it.

    That the last tensor also *ends* inside the file is checked by llama.cpp when it loads.

    Raises:
        ModelNotFound: nothing there.
        ModelBroken: a folder, unreadable, not GGUF, or cut.
    """
    try:
        with path.open("rb") as file:
            return _Reader(file, path).header()
    except FileNotFoundError:
        raise ModelNotFound(f"no model file at {path}: check the path") from None
    except IsADirectoryError:
        raise ModelBroken(f"{path} is a folder: name the .gguf file inside it") from None
    except OSError as error:
        raise ModelBroken(f"{path} can't be read: {error.strerror}") from error


class _Reader:
    def __init__(self, file: BinaryIO, path: Path) -> None:
        self._file = file
        self._path = path
        self._size = file.seek(0, 2)
        file.seek(0)

    def header(self) -> GgufHeader:
        if self._file.read(4) != _MAGIC:
            raise ModelBroken(f"{self._path} is not a GGUF file: give a model in GGUF format")
        version = self._scalar("I")
        if version not in (2, 3):
            raise ModelBroken(f"{self._path} is GGUF of an unknown version: convert it again")
        tensors, pairs = self._count(), self._count()
        metadata = dict(self._pair() for _ in range(pairs))
        metadata = {key: value for key, value in metadata.items() if value is not None}
        last = max((self._tensor_offset() for _ in range(tensors)), default=0)
        if tensors == 0 or self._file.tell() + last >= self._size:
            raise self._cut()
        return GgufHeader(metadata, self._size)

    def _pair(self) -> tuple[str, Any]:
        key = self._string()
        return key, self._value(self._scalar("I"))

    def _value(self, kind: int) -> Any:
        if kind == _STRING:
            return self._string()
        if kind == _ARRAY:
            return self._skip_array()
        if kind in _SCALARS:
            return self._scalar(_SCALARS[kind])
        raise self._unknown()

    def _skip_array(self) -> None:
        kind, count = self._scalar("I"), self._count()
        if kind in _SCALARS:
            self._skip(count * struct.calcsize(_SCALARS[kind]))
        elif kind == _STRING:
            for _ in range(count):
                self._skip_string()
        else:  # llama.cpp reads no nested arrays either
            raise self._unknown()

    def _tensor_offset(self) -> int:
        self._skip_string()
        self._skip(8 * self._scalar("I") + 4)  # the dimensions, then the type
        return int(self._scalar("Q"))

    def _string(self) -> str:
        return self._take(self._length()).decode("utf-8", errors="replace")

    def _skip_string(self) -> None:
        self._skip(self._length())

    def _length(self) -> int:
        length = int(self._scalar("Q"))
        if length > _MAX_STRING:
            raise self._cut()
        return length

    def _count(self) -> int:
        count = int(self._scalar("Q"))
        if count > _MAX_ITEMS:
            raise self._cut()
        return count

    def _scalar(self, code: str) -> Any:
        return struct.unpack(f"<{code}", self._take(struct.calcsize(code)))[0]

    def _take(self, count: int) -> bytes:
        data = self._file.read(count)
        if len(data) < count:
            raise self._cut()
        return data

    def _skip(self, count: int) -> None:
        if self._file.seek(count, 1) > self._size:
            raise self._cut()

    def _unknown(self) -> ModelBroken:
        return ModelBroken(f"{self._path} holds metadata of an unknown type: get the file again")

    def _cut(self) -> ModelBroken:
        return ModelBroken(f"{self._path} is cut or damaged: copy or download it again")
