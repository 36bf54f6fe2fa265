"""Nothing opens a connection beyond loopback."""

import socket
import sys
from collections.abc import Callable

import pytest

from hma.agent import Agent
from hma.offline import watch_connections


def test_a_connection_beyond_loopback_is_seen() -> None:
    """Lookups and connects to other hosts are recorded, loopback is not."""
    with watch_connections() as seen:
        with socket.socket() as client, pytest.raises(OSError, match=r".*"):
            client.connect(("127.0.0.1", 9))
        assert seen == []
        # what Python's sockets tell the audit hooks before they connect or look up
        sys.audit("socket.connect", None, ("192.0.2.1", 9))
        sys.audit("socket.getaddrinfo", "example.org", 443, 0, 0, 0)
        sys.audit("socket.getaddrinfo", "localhost", 80, 0, 0, 0)
    assert seen == ["192.0.2.1", "example.org"]


def test_a_whole_conversation_stays_on_this_machine(open_agent: Callable[..., Agent]) -> None:
    """Opening, talking, an e-mail address in the text, closing."""
    with watch_connections() as seen:
        agent = open_agent()
        agent.chat("I live in Oslo, write to ana@example.com.", user="ana")
        agent.chat("我住在哪里？", user="ana")
        agent.close()
    assert seen == []
