"""The window: the last turns that working memory looks at."""

from collections.abc import Sequence

from hma.errors import InvalidInput
from hma.records import Role, Turn, Window
from hma.working.noise import is_noise

CONTEXT_TURNS = 6


def build_window(turns: Sequence[Turn], *, limit: int = CONTEXT_TURNS, new: int = 1) -> Window:
    """The last `new` turns, to be distilled, behind at most `limit` turns of context.

    Context leaves out system turns and noise ("ok", "haha"). New turns are all kept, in
    their order, so with `new=len(turns)` positions in the window are those of `turns`;
    no reader takes facts from any role but the user's.

    Raises:
        InvalidInput: there are no turns, or `new` asks for none or for more than there are.
    """
    if not 1 <= new <= len(turns):
        raise InvalidInput(f"new must be between 1 and the number of turns ({len(turns)})")
    border = len(turns) - new
    useful = [turn for turn in turns[:border] if _is_context(turn)]
    context = useful[-limit:] if limit > 0 else []
    return Window(turns=(*context, *turns[border:]), new=len(context))


def _is_context(turn: Turn) -> bool:
    return turn.role is not Role.SYSTEM and not is_noise(turn.text)
