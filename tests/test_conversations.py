"""Whole conversations in two languages: what is held, said and asked.

Store, index, rules, policies and recall are the real ones throughout; the language model
reads along in the dialogues marked `real`."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hma.agent import Agent, Reply
from hma.records import Fact
from hma.testing.scripted import ScriptedModel

OpenAgent = Callable[..., Agent]
Dialogue = dict[str, Any]

DIALOGUES: list[Dialogue] = tomllib.loads(
    Path(__file__).with_suffix("").with_name("conversations.toml").read_text(encoding="utf-8")
)["dialogue"]


def short(fact: Fact) -> str:
    """A fact as conversations.toml writes it."""
    who = "" if fact.subject == "user" else f"{fact.subject}/"
    return f"{who}{fact.attribute}{fact.polarity.value}{fact.value}"


def check(turn: dict[str, Any], reply: Reply, held: set[str]) -> None:
    """Compare one turn with what the table expects of it."""
    said = f"{reply.text}\n{reply.question or ''}"
    assert reply.text, turn["say"]
    assert held == set(turn.get("held", held)), turn["say"]
    assert [word for word in turn.get("reply", ()) if word not in said] == [], said
    assert [word for word in turn.get("never", ()) if word in said] == [], said
    if "asks" in turn:
        assert (reply.question is not None) is turn["asks"], said


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=[one["about"] for one in DIALOGUES])
def test_a_conversation(dialogue: Dialogue, open_agent: OpenAgent) -> None:
    """Turn by turn: the facts held, the words said and not said, a question or none."""
    real = dialogue.get("real", False)
    agent = open_agent() if real else open_agent(use=ScriptedModel(["[]"] * 99))
    memory = agent.memory("ana")
    for turn in dialogue["turns"]:
        reply = agent.chat(turn["say"], user="ana")
        check(turn, reply, {short(fact) for fact in memory.snapshot().facts})


def test_two_users_side_by_side(open_agent: OpenAgent) -> None:
    """Each hears of their own home alone."""
    agent = open_agent(use=ScriptedModel(["[]"] * 9))
    agent.chat("I live in Turin", user="ana")
    agent.chat("I live in Nice", user="ben")
    assert "Turin" in agent.chat("where do I live?", user="ana").text
    assert "Turin" not in agent.chat("what do you know about me?", user="ben").text
