"""The grammar of one call: only spans of the text in hand can be generated as values.

The model writes facts as short arrays, value first:

    [["Lisbon","user","home","+","asserted"]]

A value (and a person's name) is a run of *chunks* of the text: whole words, single CJK
characters, single symbols. Chunks are JSON-escaped before they enter the grammar, so
that a quote or backslash of the text comes out as valid JSON and is never cut in two.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from hma.records import Polarity, Status
from hma.text import has_cjk

# Facts in one answer; the others are characters.
MAX_FACTS = 6
MAX_VALUE = 60
MAX_SUBJECT = 24
MAX_CHUNK = 40  # a longer "word" is cut, so that each text has a value within any bound

# Nothing is read across these: line ends, control characters, lone surrogates.
_BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


def chunks(text: str) -> Iterator[str]:
    """The pieces that a value may begin and end with; together they are `text`.

    >>> list(chunks("I'm in 上海 for 2.5 days!"))
    ["I'm", ' ', 'in', ' ', '上', '海', ' ', 'for', ' ', '2.5', ' ', 'days', '!']
    """
    start = 0
    for end in range(1, len(text) + 1):
        if end == len(text) or end - start == MAX_CHUNK or not _joined(text, end):
            yield text[start:end]
            start = end


def _joined(text: str, at: int) -> bool:
    """Whether the characters on both sides of position `at` belong to one chunk."""
    left, right = text[at - 1], text[at]
    if left.isspace() or right.isspace():
        return left.isspace() and right.isspace()
    if _is_mark(right) or "\u200d" in (left, right):
        return True  # accents, vowel signs, emoji made of several code points
    return (_in_word(left) or _links(text, at - 1)) and (_in_word(right) or _links(text, at))


def _links(text: str, at: int) -> bool:
    """Whether `text[at]` holds its neighbours together: "don't", "2.5", "10,000"."""
    if not 0 < at < len(text) - 1:
        return False
    left, char, right = text[at - 1], text[at], text[at + 1]
    if char in "'’":
        return left.isalpha() and right.isalpha()
    return char in ".,:" and left.isdigit() and right.isdigit()


def _in_word(char: str) -> bool:
    return (char.isalnum() or _is_mark(char)) and not has_cjk(char)


def _is_mark(char: str) -> bool:
    return unicodedata.category(char).startswith("M")


def runs(texts: Iterable[str]) -> tuple[str, ...]:
    """The stretches of `texts` that a value may be a span of, without repeats."""
    parts = (part for text in texts for part in _BREAKS.split(text))
    return tuple(dict.fromkeys(part for part in parts if any(map(str.isalnum, part))))


def one_line(text: str) -> str:
    """`text` for a line of the prompt: what no value may cross becomes a space."""
    return _BREAKS.sub(" ", text).strip()


def facts_grammar(
    texts: Sequence[str],
    attributes: Iterable[str],
    *,
    max_facts: int = MAX_FACTS,
    max_value: int = MAX_VALUE,
) -> str:
    """A Lark grammar for llguidance: at most `max_facts` facts, whose values are spans of
    `texts` of at most `max_value` characters (no less than `MAX_CHUNK`) and whose
    attributes are of `attributes`.

    Raises:
        ValueError: `texts` hold nothing that could be a value, or there are no attributes.
    """
    spans = [_substring(run) for run in runs(texts)]
    names = [json.dumps(name, ensure_ascii=False) for name in attributes]
    if not spans or not names:
        raise ValueError("a grammar needs some text and at least one attribute")
    rest = f' ("," fact){{0,{max_facts - 1}}}' if max_facts > 1 else ""
    lines = [
        f'start: "[" (fact{rest})? "]"',
        r'fact: "[\"" VALUE "\",\"" who "\",\"" ATTRIBUTE "\",\"" POLARITY "\",\"" STATUS "\"]"',
        'who: "user" | NAMED',
        f"VALUE: SPAN & {_bounded(max_value)}",
        f"NAMED: SPAN & {_bounded(MAX_SUBJECT)}",
        f"ATTRIBUTE: {' | '.join(names)}",
        f"POLARITY: {_choice(Polarity)}",
        f"STATUS: {_choice(Status)}",
        f"SPAN: {' | '.join(f'SPAN{i}' for i in range(len(spans)))}",
        *(f"SPAN{i}: {span}" for i, span in enumerate(spans)),
    ]
    return "\n".join(lines) + "\n"


def _substring(run: str) -> str:
    escaped = [json.dumps(chunk, ensure_ascii=False)[1:-1] for chunk in chunks(run)]
    return "%regex " + json.dumps({"substring_chunks": escaped}, ensure_ascii=False)


def _bounded(limit: int) -> str:
    """Not empty, no space at either end, at most `limit` characters."""
    return rf"/[^ ](.{{0,{limit - 2}}}[^ ])?/"


def _choice(words: type[Polarity] | type[Status]) -> str:
    return " | ".join(json.dumps(word.value) for word in words)
