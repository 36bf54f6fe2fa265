"""Reading the header of a model file."""

import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from hma.errors import ModelBroken, ModelNotFound
from hma.models.gguf import read_header

# Opens, but reading its start is an error, even for root.
_UNREADABLE = Path("/proc/self/mem")


def test_the_header_tells_what_a_model_is(model_file: Path) -> None:
    """Architecture, context, template and size come from the file, without loading it."""
    header = read_header(model_file)
    assert header.architecture == "llama"
    assert header.context_length == 8192
    assert header.size == model_file.stat().st_size
    assert "<|im_start|>" in (header.chat_template or "")
    # 2 bytes, 30 layers, 3 heads, 64 wide for keys and for values
    assert header.cache_bytes(100) == 2 * 100 * 30 * 3 * (64 + 64)


@pytest.mark.parametrize("length", [4, 20, 100, 100_000, 1_000_000, 49_000_000])
def test_a_cut_file_is_named_broken(model_file: Path, tmp_path: Path, length: int) -> None:
    """Wherever the header or the tensors break off, the error says what to do."""
    with model_file.open("rb") as file:
        cut = tmp_path / "cut.gguf"
        cut.write_bytes(file.read(length))
    with pytest.raises(ModelBroken, match="cut or damaged: copy or download it again"):
        read_header(cut)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a GGUF file"),
        ("这不是模型".encode(), "not a GGUF file"),
        (b"PK\x03\x04 a zip file", "not a GGUF file"),
        (b"GGUF" + struct.pack("<IQQ", 1, 1, 1), "unknown version"),
        (b"GGUF" + struct.pack("<IQQ", 3, 2**60, 2**60), "cut or damaged"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 1, 1, 2**62), "cut or damaged"),
        (b"GGUF" + struct.pack("<IQQQ2sI", 3, 1, 1, 2, b"ab", 99), "unknown type"),
        (b"GGUF" + struct.pack("<IQQQ2sIIQ", 3, 1, 1, 2, b"ab", 9, 9, 1), "unknown type"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 0), "cut or damaged"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: bytes, message: str) -> None:
    """Texts, archives and headers with absurd counts end in one clear error at once."""
    path = tmp_path / "wrong.gguf"
    path.write_bytes(content)
    with pytest.raises(ModelBroken, match=message):
        read_header(path)


@pytest.mark.skipif(not _UNREADABLE.exists(), reason="Linux only")
@pytest.mark.parametrize(
    ("place", "error", "message"),
    [
        (lambda folder: folder / "none.gguf", ModelNotFound, "no model file at"),
        (lambda folder: folder, ModelBroken, "is a folder"),
        (lambda folder: _UNREADABLE, ModelBroken, "can't be read"),
    ],
)
def test_what_can_not_be_opened_is_named(
    tmp_path: Path, place: Callable[[Path], Path], error: type[Exception], message: str
) -> None:
    """A missing file, a folder and an unreadable file each get their own message."""
    with pytest.raises(error, match=message):
        read_header(place(tmp_path))
