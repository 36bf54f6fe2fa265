"""Finding forgotten words in what is left. English, Chinese, and both in one text."""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from hma.text import has_cjk, normal_form

FORGOTTEN = "[forgotten]"

# A letter or digit that a word could go on with. CJK needs no gap between words.
_LETTER = r"[^\W\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]"


class Words:
    """A set of values, to be found as whole words whatever their case, width or spacing.

    >>> words = Words(["Lisbon", "里斯本"])
    >>> [words.occur_in(text) for text in ("我住在LISBON呢", "她在里斯本", "a lisbonite")]
    [True, True, False]
    """

    def __init__(self, values: Iterable[str]) -> None:
        forms = {normal_form(value) or _folded(value) for value in values} - {""}
        self._pattern = re.compile("|".join(map(_whole, sorted(forms))) or r"(?!)")

    def occur_in(self, text: str) -> bool:
        """Whether any of the values stands in `text`."""
        return self._pattern.search(_folded(text)) is not None


def strings(document: Any) -> Iterator[str]:
    """All strings of a JSON document, keys too."""
    if isinstance(document, str):
        yield document
    elif isinstance(document, Mapping):
        for key, value in document.items():
            yield str(key)
            yield from strings(value)
    elif isinstance(document, list | tuple):
        for value in document:
            yield from strings(value)
    elif document is not None:
        yield json.dumps(document)


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _whole(form: str) -> str:
    before = "" if has_cjk(form[0]) or not form[0].isalnum() else f"(?<!{_LETTER})"
    after = "" if has_cjk(form[-1]) or not form[-1].isalnum() else f"(?!{_LETTER})"
    return before + re.escape(form) + after
