"""What one turn hands to the agent's voice."""

from dataclasses import dataclass

from hma.longterm.base import Committed
from hma.records import Distillation, Judgement, Recollection, Screened, Turn


@dataclass(frozen=True, slots=True)
class Prompt:
    """Everything a responder may speak from.

    Raw history is not in it: the distillation stands for it. `messages` is the rendered
    form, `(role, text)`, for models; the other fields are for voices made of code.

    Attributes:
        turn: the user's turn, screened.
        language: "en" or "zh", the language to answer in.
        screened: what the screening took out.
        distillation: None when the turn could not be distilled (it is queued).
        judgement: what was decided about it.
        committed: what that changed in memory.
        recollection: what memory holds that matters here.
        question: the one question to put to the user, "" if none.
        messages: the prompt for a model.
    """

    turn: Turn
    language: str
    screened: Screened
    distillation: Distillation | None
    judgement: Judgement
    committed: Committed
    recollection: Recollection
    question: str = ""
    messages: tuple[tuple[str, str], ...] = ()
