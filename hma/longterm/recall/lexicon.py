"""The words that recall knows: content words, function words, and concepts that English and
Chinese words share (`@cat` for "cat" and 猫)."""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pydantic import TypeAdapter

from hma.text import folded, has_cjk, terms


@dataclass(frozen=True, slots=True)
class _Table:
    stopwords: tuple[str, ...]
    animals: tuple[str, ...]
    function: str
    people: Mapping[str, tuple[str, ...]]
    concepts: Mapping[str, tuple[str, ...]]


class Lexicon:
    """Turns text into content terms; words of one concept become one term like `@cat`."""

    def __init__(self, table: _Table) -> None:
        self._stop = frozenset(table.stopwords)
        self._function = frozenset(table.function)
        # Blanked before bigrams are cut, so that none spans them.
        self._cjk_stop = re.compile("|".join(word for word in table.stopwords if has_cjk(word)))
        self._people = frozenset(f"@{name}" for name in table.people)
        groups = {**table.people, **table.concepts}
        self._concept = {
            (word if has_cjk(word) else stem(word)): f"@{name}"
            for name, words in groups.items()
            for word in words
        }
        cjk = sorted((word for word in self._concept if has_cjk(word)), key=len, reverse=True)
        self._cjk = re.compile("|".join(map(re.escape, cjk)))
        self.kin = _alternatives(word for words in table.people.values() for word in words)
        self.animal = _alternatives(word for name in table.animals for word in table.concepts[name])

    @classmethod
    def load(cls) -> "Lexicon":
        """The shipped lexicon; it is read once."""
        return _shipped()

    def terms(self, text: str) -> list[str]:
        """Content terms, in order, repeated as often as they occur.

        >>> Lexicon.load().terms("What's my cat's favourite toy?")
        ['@cat', 'favourit', 'toy']
        >>> Lexicon.load().terms("我的猫喜欢什么玩具？")
        ['玩具', '@cat']
        """
        plain = folded(text)
        content = self._cjk_stop.sub(" ", plain)
        found = [self._term(term) for term in terms(content) if self._is_content(term)]
        return found + [self._concept[word] for word in self._cjk.findall(plain)]

    def people(self, text: str) -> frozenset[str]:
        """The kinds of other people that a text names, like `@sister`."""
        return self._people.intersection(self.terms(text))

    def is_person(self, word: str) -> bool:
        """Whether one Latin word names a kind of person ("sister", "boss")."""
        return self._concept.get(stem(word), "") in self._people

    def _term(self, term: str) -> str:
        if has_cjk(term):
            return term
        root = stem(term)
        return self._concept.get(root, root)

    def _is_content(self, term: str) -> bool:
        if term in self._stop or term.removesuffix("'s") in self._stop:
            return False
        if not has_cjk(term):
            return True
        return not self._function.intersection(term) and term not in self._concept


def stem(word: str) -> str:
    """A rough common root of English word forms; other words pass through.

    >>> [stem(word) for word in ("lattes", "running", "allergies", "moved", "café")]
    ['latt', 'run', 'allergy', 'mov', 'caf']
    """
    root = unicodedata.normalize("NFKD", word.replace("’", "'").casefold())
    root = "".join(char for char in root if not unicodedata.combining(char)).removesuffix("'s")
    if len(root) > 4 and root.endswith("ies"):
        return root[:-3] + "y"
    if len(root) > 3 and root.endswith("s") and not root.endswith(("ss", "us", "is")):
        root = root[:-1]
    for suffix in ("ing", "ed"):
        if len(root) > len(suffix) + 2 and root.endswith(suffix):
            root = root.removesuffix(suffix)
            root = root[:-1] if root[-1] == root[-2] and root[-1] not in "ls" else root
            break
    return root.removesuffix("e") if len(root) > 3 else root


def mentions(text: str, value: str) -> bool:
    """Whether a value stands in a text as whole words (Latin) or as a piece of it (CJK).

    >>> mentions("Is Porto nice?", "porto"), mentions("Is Portobello nice?", "porto")
    (True, False)
    """
    return stands_in(folded(text), folded(value).strip())


def stands_in(text: str, value: str) -> bool:
    """`mentions`, for a text and a value that are folded already."""
    if not value or value not in text:
        return False
    if has_cjk(value):
        return True
    return re.search(rf"(?<![a-z0-9]){re.escape(value)}(?![a-z0-9])", text) is not None


def _alternatives(words: Iterable[str]) -> str:
    listed = sorted(words, key=len, reverse=True)
    return "(?:" + "|".join(re.escape(w) + ("" if has_cjk(w) else "s?") for w in listed) + ")"


@cache
def _shipped() -> Lexicon:
    text = files(__package__).joinpath("lexicon.toml").read_text(encoding="utf-8")
    return Lexicon(TypeAdapter(_Table).validate_python(tomllib.loads(text)))
