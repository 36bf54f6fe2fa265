"""The bounded memory of conversations."""

from hma.records import Owner
from hma.sessions import Sessions


def test_a_session_is_kept_until_others_push_it_out() -> None:
    """The longest unused goes first, and comes back as new."""
    sessions = Sessions(capacity=2)
    ana = sessions.of(Owner("ana"))
    ana.behind = False
    sessions.of(Owner("ben"))
    assert sessions.of(Owner("ana")) is ana
    sessions.of(Owner("cem"))
    assert sessions.of(Owner("ana")) is ana
    sessions.of(Owner("ben"))
    sessions.of(Owner("cem"))
    assert sessions.of(Owner("ana")).behind
