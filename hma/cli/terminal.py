"""What reaches the terminal: remembered text must not be able to control it."""

import json
import re
import sys
from collections.abc import Iterable
from io import TextIOWrapper
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

# Escape sequences begin with a control character; the bidirectional overrides make text read
# otherwise than it is stored. Line feed and tab are left alone.
_BIDI = "\u202a-\u202e\u2066-\u2069"
_UNSAFE = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f{_BIDI}]")
_UNSAFE_IN_JSON = re.compile(rf"[\x7f-\x9f\ud800-\udfff{_BIDI}]")


def visible(text: str) -> str:
    r"""`text` with each character that could act on a terminal replaced by one that can't.

    >>> visible("\x1b[2J\u202eok")
    '␛[2J�ok'
    """
    return _UNSAFE.sub(lambda match: _picture(ord(match[0])), text)


def _picture(code: int) -> str:
    """The Unicode picture of an ASCII control character; there is none for the others."""
    return chr(0x2400 + code) if code < 0x20 else "\u2421" if code == 0x7F else "\ufffd"


def json_text(value: Any, *, indent: int | None = None) -> str:
    """One JSON document in UTF-8 text; what could act on a terminal is escaped, not lost."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _UNSAFE_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


class SafeConsole(Console):
    """A console that prints text, and acts only on the program's own control codes.

    Emoji codes are off: a user's ":smile:" is to be shown as it was said.
    """

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, emoji=False)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The segments of `renderable`; every text goes to the terminal through here."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else visible(text), style, control)


def tolerate_any_text() -> None:
    """Let a terminal that lacks a character get an escape instead of an error, and a byte that
    is no UTF-8 reach the check of its line instead of ending the program."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="surrogateescape")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
