"""Voices that generate may say nothing about the user that the prompt does not hold."""

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hma.agent import Agent
from hma.bootstrap import model_path
from hma.errors import ConfigError, ModelError
from hma.exchange import Prompt
from hma.grounding import grounded
from hma.longterm.base import Committed
from hma.models.base import LanguageModel
from hma.records import Fact, Judgement, Recollection, Screened
from hma.responders import LocalResponder, OpenAIResponder
from hma.settings import Settings
from hma.slots import Slots
from hma.testing.samples import a_fact, a_recalled, a_turn
from hma.testing.scripted import ScriptedModel
from hma.voice import MemoryVoice

OpenAgent = Callable[..., Agent]


def _prompt(text: str, *facts: Fact, stale: bool = False) -> Prompt:
    """The prompt of a turn for which `facts` were recalled."""
    note = "may be out of date" if stale else ""
    recalled = tuple(a_recalled(fact, note=note) for fact in facts)
    return Prompt(
        a_turn(text),
        "en",
        Screened(text),
        None,
        Judgement(0),
        Committed(0),
        Recollection(0, recalled),
        messages=(("system", "You help people choose coffee."), ("user", text)),
    )


HOME = a_fact("f1", "home", "Lisbon")
OLIVES = a_fact("f2", "likes", "olives", "-")
IDA = a_fact("f3", "likes", "chess", subject="Ida")
NAME = a_fact("f4", "name", "Ana")
WUXI = a_fact("f5", "home", "无锡")


@pytest.mark.parametrize(
    ("asked", "reply"),
    [
        ("Where do I live?", "You live in Lisbon."),
        ("Where do I live?", "Ana, you live in Lisbon and you don't like olives."),
        ("Where do I live?", "I'm sorry, you haven't told me that."),
        ("Where do I live?", "I don’t know."),
        ("我住在哪里？", "你住在无锡。"),
        ("我多大了？", "抱歉，你没有告诉过我。"),
        ("Tell me a joke.", "Fish tell the best jokes."),
        ("Hello!", "Hello! How can I help you today?"),
    ],
)
def test_what_memory_holds_may_be_said(asked: str, reply: str) -> None:
    """Remembered facts, not knowing, courtesy, and talk about other things."""
    facts = [HOME, OLIVES, IDA, NAME, WUXI]
    about_self = "I" in asked or "我" in asked
    assert grounded(reply, _prompt(asked, *(facts if about_self else [])))


@pytest.mark.parametrize(
    ("asked", "reply"),
    [
        ("Where do I live?", "You live in Porto."),
        ("Where do I live?", "You don't live in Lisbon."),
        ("Where do I live?", "You live in Lisbon with your dog."),
        ("Where do I live?", "You live\nin Porto."),
        ("Where do I live?", "You live in... Porto!"),
        ("Where do I live?", "Porto."),
        ("Where do I live?", "That would be Porto, of course."),
        ("Where do I live?", "Ana lives in Porto."),
        ("Where do I live?", "Your home: the user lives in Porto."),
        ("Where do I live?", "You like Lisbon."),
        ("Where do I live?", "ｙｏｕ live in Porto."),
        ("Do I live in Porto?", "Yes, you live in Porto."),
        ("Do I live in Porto?", "Yes, you do."),
        ("Do I live in Porto?", "Sure."),
        ("Do I live in Porto?", "是的。"),
        ("What do I like?", "You like olives."),
        ("What do I like?", "You like chess."),
        ("What do I like?", "You like coffee."),
        ("What do I drink?", "You told me you like coffee."),
        ("我住在哪里？", "你住在北京。"),
        ("我住在哪里？", "你不住在无锡。"),
        ("我住在哪里？", "北京。"),
        ("住哪里？", "北京。"),
        ("Tell me a joke.", "Ana lives in Porto, ha!"),
        ("Tell me a joke.", "I remember Porto being home."),
        ("Tell me a joke.", "u live in Porto"),
    ],
)
def test_an_invention_about_the_user_is_no_grounded_reply(asked: str, reply: str) -> None:
    """Other values, the other sign, other people's facts, the question's own words, the
    system's words, a bare yes: in one sentence or cut in two."""
    assert not grounded(reply, _prompt(asked, HOME, OLIVES, IDA, NAME, WUXI))


@given(st.sampled_from([" ", "\n", ". ", ", ", "; ", "... ", "! "]), st.booleans())
def test_no_punctuation_hides_an_invention(gap: str, first: bool) -> None:
    """However a foreign word is cut off from a true sentence, the reply is refused."""
    true = "You live in Lisbon"
    reply = f"Porto{gap}{true}" if first else f"{true}{gap}Porto"
    assert not grounded(reply, _prompt("Where do I live?", HOME))


def test_a_doubtful_fact_is_left_to_the_plain_voice() -> None:
    """The plain voice says that it may be out of date; the model's sentence would not."""
    assert not grounded("You live in Lisbon.", _prompt("Where do I live?", HOME, stale=True))


def test_an_invention_is_replaced_by_the_plain_sentence() -> None:
    """The model claims a dog; the user hears the memory voice instead."""
    voice = MemoryVoice(Slots.load())
    local = LocalResponder(ScriptedModel(["You have a dog called Rex."]), voice)
    prompt = _prompt("What's my dog called?")
    assert local.respond(prompt) == voice.respond(prompt)
    assert "Rex" not in voice.respond(prompt)


def test_the_local_model_speaks(open_agent: OpenAgent) -> None:
    """`responder = "local"`: the reply never names a city that memory does not hold."""
    agent = open_agent(responder="local")
    agent.chat("My name is Ana and I live in Lisbon.", user="ana")
    reply = agent.chat("Where do I live?", user="ana")
    assert reply.text
    for city in ("Porto", "London", "Paris", "New York"):
        assert city not in reply.text


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """`llama_cpp.server` with the default model, on a free port of loopback."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "llama_cpp.server", "--model", str(model_path(Settings()))]
    process = subprocess.Popen(
        [*command, "--host", "127.0.0.1", "--port", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(port, process)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.wait()


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        assert process.poll() is None, "the server ended"
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    pytest.fail("the server did not start")


@pytest.mark.slow
def test_a_server_speaks(open_agent: OpenAgent, server: str) -> None:
    """An OpenAI-compatible server on loopback is the voice; memory works as before."""
    agent = open_agent(responder={"use": server, "max_tokens": 24})
    agent.chat("I live in Lisbon.", user="ana")
    reply = agent.chat("Where do I live?", user="ana")
    assert reply.text
    assert [one.fact.value for one in reply.recalled] == ["Lisbon"]


@pytest.mark.slow
def test_the_server_example_runs(server: str) -> None:
    """examples/server.py, as documented."""
    example = Path(__file__).parent.parent / "examples" / "server.py"
    result = subprocess.run(
        [sys.executable, str(example), server], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip()


def test_a_server_that_is_not_there_is_one_clear_error(
    open_agent: OpenAgent, model: LanguageModel
) -> None:
    """The reply fails; what the user said is kept."""
    agent = open_agent(responder="http://127.0.0.1:9/v1")
    with pytest.raises(ModelError, match="can't be reached"):
        agent.chat("I live in Lisbon.", user="ana")
    assert [fact.value for fact in agent.memory("ana").snapshot().facts] == ["Lisbon"]


class _Nonsense(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        failing = self.path.startswith("/broken")
        self.send_response(500 if failing else 200)
        self.end_headers()
        self.wfile.write(b'{"choices": []}')

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.mark.parametrize(
    ("path", "words"), [("/broken", "answered 500"), ("/v1", "does not answer")]
)
def test_a_server_that_answers_nonsense_is_one_clear_error(path: str, words: str) -> None:
    """An error status, and JSON of another form."""
    with HTTPServer(("127.0.0.1", 0), _Nonsense) as http:
        Thread(target=http.serve_forever, daemon=True).start()
        voice = OpenAIResponder(f"http://127.0.0.1:{http.server_port}{path}")
        with pytest.raises(ModelError, match=words):
            voice.respond(_prompt("hi"))
        voice.close()
        http.shutdown()


def test_a_responder_that_names_nothing_is_a_config_error(open_agent: OpenAgent) -> None:
    """The key is named."""
    for use in ("nonsense", "hma.clock:nothing", "ftp://x"):
        with pytest.raises(ConfigError, match=r"responder\.use"):
            open_agent(responder=use)
