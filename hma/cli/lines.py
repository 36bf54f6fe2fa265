"""JSON lines in and out."""

import json
import re
from collections.abc import Iterator
from typing import Any, TextIO, TypeVar

from pydantic import TypeAdapter, ValidationError

from hma.cli.terminal import json_text
from hma.errors import InvalidInput

T = TypeVar("T")
# How a byte that is no UTF-8 arrives when a stream is read with errors="surrogateescape".
_NO_UTF8 = re.compile(r"[\udc80-\udcff]")


def read_lines(stream: TextIO, kind: type[T]) -> Iterator[tuple[int, T | InvalidInput]]:
    """Each non-empty line as a `kind`, or what is wrong with it, with its number from 1."""
    adapter: TypeAdapter[T] = TypeAdapter(kind)
    for number, line in enumerate(stream, 1):
        if not line.strip():
            continue
        if not line.isascii() and _NO_UTF8.search(line):
            yield number, InvalidInput(f"line {number}: is not UTF-8")
            continue
        try:
            yield number, adapter.validate_python(json.loads(line))
        except json.JSONDecodeError as error:
            yield number, InvalidInput(f"line {number}: is not JSON ({error.msg})")
        except RecursionError:
            yield number, InvalidInput(f"line {number}: is nested too deeply")
        except ValidationError as error:
            first = error.errors()[0]
            key = ".".join(str(part) for part in first["loc"]) or "the line"
            yield number, InvalidInput(f"line {number}: {key}: {first['msg']}")
        except ValueError:  # json's for a number of thousands of digits; it is no JSON error
            yield number, InvalidInput(f"line {number}: holds a number that is too long")


def write_line(stream: TextIO, value: dict[str, Any]) -> None:
    """One JSON object, one line, flushed: a reader sees it at once."""
    stream.write(json_text(value) + "\n")
    stream.flush()
