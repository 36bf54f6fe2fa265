"""Text hidden in base64, hexadecimal, percent encoding, escapes of HTML or JSON, or English
number words: decoded once, to be searched too."""

import base64
import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import unquote

_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}")
_HEX = re.compile(r"(?<![0-9A-Za-z])(?:[0-9A-Fa-f]{2}){12,}(?![0-9A-Za-z])")
_ESCAPES = re.compile(
    r"(?:[^\s&\\]{0,32}(?:&#(?:[0-9]{1,7}|x[0-9A-Fa-f]{1,6});|\\u[0-9A-Fa-f]{4})){2,}[^\s&\\]{0,32}"
)
_JSON_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})")
_PERCENT = re.compile(r"(?:[^\s%]{0,32}%[0-9A-Fa-f]{2}){4,}[^\s%]{0,32}")
_NAMES = {
    **dict(
        zip("zero one two three four five six seven eight nine".split(), "0123456789", strict=True)
    ),
    "oh": "0",
    "x": "X",
}
_NAME = re.compile("|".join(_NAMES), re.IGNORECASE)
_SPELLED = re.compile(
    rf"(?<![a-z])(?:(?:{_NAME.pattern})(?:[\s,.-]{{1,3}}|(?![a-z]))){{13,}}", re.IGNORECASE
)
_URLSAFE = str.maketrans("-_", "+/")


def decoded(text: str) -> Iterator[tuple[int, int, str]]:
    """`(start, end, plain)` for each piece of a normalised text that can be decoded."""
    for match in _BASE64.finditer(text):
        body = match[0].rstrip("=").translate(_URLSAFE)
        body = body[: len(body) - (len(body) % 4 == 1)]
        raw = base64.b64decode(body + "=" * (-len(body) % 4))
        yield match.start(), match.end(), raw.decode("utf-8", "replace")
    for match in _HEX.finditer(text):
        yield match.start(), match.end(), bytes.fromhex(match[0]).decode("utf-8", "replace")
    for match in _PERCENT.finditer(text):
        yield match.start(), match.end(), unquote(match[0])
    for match in _ESCAPES.finditer(text):
        plain = _JSON_ESCAPE.sub(lambda found: chr(int(found[1], 16)), unescape(match[0]))
        yield match.start(), match.end(), plain
    for match in _SPELLED.finditer(text):
        plain = "".join(_NAMES[name.lower()] for name in _NAME.findall(match[0]))
        yield match.start(), match.start() + len(match[0].rstrip(" \n,.-")), plain
