"""Watch for connections that leave this machine."""

import ipaddress
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_watchers: list[list[str]] = []
_installed = False


def _is_loopback(host: str) -> bool:
    if host in ("localhost", ""):
        return True
    try:
        return ipaddress.ip_address(host.split("%")[0]).is_loopback
    except ValueError:
        return False


def _hook(event: str, args: tuple[Any, ...]) -> None:
    if not _watchers:
        return
    if event == "socket.connect" and isinstance(args[1], tuple):
        host = str(args[1][0])
    elif event == "socket.getaddrinfo" and args[0] is not None:
        host = args[0].decode() if isinstance(args[0], bytes) else str(args[0])
    else:
        return
    if not _is_loopback(host):
        for seen in _watchers:
            seen.append(host)


@contextmanager
def watch_connections() -> Iterator[list[str]]:
    """Collect the hosts beyond loopback that Python code connects to or looks up.

    An audit hook can't be removed again, so one is installed once and sleeps between uses.
    Connections made by compiled code that goes round Python's sockets are not seen.
    """
    global _installed
    if not _installed:
        sys.addaudithook(_hook)
        _installed = True
    seen: list[str] = []
    _watchers.append(seen)
    try:
        yield seen
    finally:
        _watchers.remove(seen)
