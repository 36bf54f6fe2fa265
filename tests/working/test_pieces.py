"""What the model reads at once."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from hma.records import Role, Turn, Window
from hma.working.noise import is_noise
from hma.working.pieces import pieces

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
U, A, S = Role.USER, Role.ASSISTANT, Role.SYSTEM


def window(*turns: tuple[Role, str], new: int = 0) -> Window:
    """A window of turns."""
    return Window(tuple(Turn("t", role, text, NOW) for role, text in turns), new)


def words(text: str) -> int:
    """A token count for the tests: one a word."""
    return len(text.split())


def shown(of: Window, budget: int = 100) -> list[list[str]]:
    """The pieces as texts."""
    return [[line.text for line in piece] for piece in pieces(of, words, budget)]


def test_short_turn_is_one_piece_below_its_context() -> None:
    """The last useful turn of the context stands above the new turn."""
    seen = window(
        (U, "I bake."),
        (A, "What do you bake?"),
        (U, "ok"),
        (A, "And why?"),
        (U, "Rye bread."),
        new=4,
    )
    assert shown(seen) == [["And why?", "Rye bread."]]


def test_dialogue_of_new_turns_reads_in_order() -> None:
    """New user turns share a piece, what the assistant said stands between them."""
    seen = window((U, "I bake."), (A, "What do you bake?"), (U, "Rye bread."))
    assert shown(seen) == [["I bake.", "What do you bake?", "Rye bread."]]


def test_only_user_turns_are_parts() -> None:
    """Lines of the assistant are shown, and can't be read from; system text is not shown."""
    seen = window((S, "Secret rule."), (A, "You live in Ghent."), (U, "No, Bruges."))
    (piece,) = pieces(seen, words, 100)
    assert [(line.text, line.part is not None) for line in piece] == [
        ("You live in Ghent.", False),
        ("No, Bruges.", True),
    ]


def test_noise_is_left_out() -> None:
    """Emoji, thanks and punctuation are nothing to read."""
    assert shown(window((U, "😀!!"), (U, ""), (U, "ok thanks"), (U, "好的"))) == []


def test_long_turn_is_split_at_clause_borders() -> None:
    """Pieces end where clauses end."""
    seen = window((U, "I live in Ghent. I work in Bruges. I sleep in trains."))
    assert shown(seen, budget=8) == [["I live in Ghent. I work in Bruges."], ["I sleep in trains."]]


def test_long_clause_is_split_between_words() -> None:
    """Where there is no punctuation at all, words stay whole."""
    text = "word " * 50
    texts = [line for piece in shown(window((U, text)), budget=10) for line in piece]
    assert len(texts) >= 5
    assert all(set(line.split()) == {"word"} for line in texts)


def test_long_context_is_shortened_or_left_out() -> None:
    """Context shows its end only, and nothing where it does not fit."""
    seen = window((A, "blah " * 200 + "What is your name?"), (U, "Bo Lind"), new=1)
    (piece,) = pieces(seen, words, 100)
    assert piece[0].text.endswith("What is your name?")
    assert len(piece[0].text) < 200
    assert shown(seen, budget=3) == [["Bo Lind"]]


@given(
    st.lists(
        st.tuples(st.sampled_from(Role), st.text(alphabet="ab我 .,。\n", max_size=120)), max_size=6
    ),
    st.integers(2, 12),
)
def test_nothing_of_the_user_is_cut_away(turns: list[tuple[Role, str]], budget: int) -> None:
    """The parts are verbatim, in order, without overlap, and hold every word but noise."""
    seen = window(*turns)
    found = [line.part for piece in pieces(seen, words, budget) for line in piece if line.part]
    covered: dict[int, set[int]] = {}
    last = (-1, 0)
    for part in found:
        assert seen.turns[part.turn].text[part.start : part.end] == part.text
        assert (part.turn, part.start) >= last
        last = (part.turn, part.end)
        covered.setdefault(part.turn, set()).update(range(part.start, part.end))
    for index, turn in enumerate(seen.turns):
        if turn.role is U and not is_noise(turn.text):
            needed = {at for at, char in enumerate(turn.text) if char.isalnum()}
            assert needed <= covered.get(index, set())
