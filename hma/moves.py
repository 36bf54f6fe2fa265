"""What a turn does in the conversation: greets, thanks, asks, requests, states."""

import re
import tomllib
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from hma.text import folded
from hma.working.noise import is_noise, is_question
from hma.working.segments import clauses

LANGUAGES = ("en", "zh")


class Move(StrEnum):
    """The one thing that a turn mainly does."""

    GREETING = "greeting"
    THANKS = "thanks"
    FAREWELL = "farewell"
    ACKNOWLEDGED = "acknowledged"
    EVERYTHING = "everything"
    MYSELF = "myself"
    FORGET = "forget"
    WRONG = "wrong"
    QUESTION = "question"
    REQUEST = "request"
    STATEMENT = "statement"


@cache
def phrases(language: str) -> dict[str, Any]:
    """The phrase table of the memory voice, "en" or "zh"."""
    text = files("hma.prompts").joinpath(f"voice.{language}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def _heard(name: str) -> re.Pattern[str]:
    """The cues of both languages: one text may mix them."""
    cues = [cue for language in LANGUAGES for cue in phrases(language)["heard"][name]]
    return re.compile("|".join(f"(?:{cue})" for cue in cues))


def hears(name: str, text: str) -> bool:
    """Whether a cue of this name stands in the text."""
    return _heard(name).search(folded(text)) is not None


def move_of(text: str) -> Move:
    """What `text` does.

    >>> [move_of(text).value for text in ("cheers!", "remind me where I live", "推荐个餐厅")]
    ['thanks', 'question', 'request']
    """
    if is_noise(text):
        return _small_talk(text)
    for move in (Move.WRONG, Move.FORGET, Move.EVERYTHING):
        if hears(move, text):
            return move
    asks = hears("asking", text) or any(is_question(one.text) for one in clauses(text))
    if asks and hears(Move.MYSELF, text) and not about_user(text):
        return Move.MYSELF
    if hears(Move.REQUEST, text) and not hears("asking", text):
        return Move.REQUEST
    return Move.QUESTION if asks else Move.STATEMENT


def about_user(text: str) -> bool:
    """Whether the user speaks of themselves, beyond "tell me"."""
    return _heard("me").search(_heard("no_me").sub(" ", folded(text))) is not None


def _small_talk(text: str) -> Move:
    for move in (Move.THANKS, Move.FAREWELL, Move.GREETING):
        if hears(move, text):
            return move
    return Move.ACKNOWLEDGED
