"""A model's own chat template, rendered so that a user's text can't act as a control token."""

import re
import secrets
from collections.abc import Sequence

from hma.errors import ModelBroken, ModelError
from hma.models.engine import Piece


class ChatTemplate:
    """The Jinja template from a GGUF file.

    Raises:
        ModelBroken: it is no Jinja template.
    """

    def __init__(self, source: str, bos: str, eos: str) -> None:
        from llama_cpp.llama_chat_format import Jinja2ChatFormatter

        try:
            self._format = Jinja2ChatFormatter(template=source, bos_token=bos, eos_token=eos)
        except Exception as error:  # whatever Jinja says of a template that it can't read
            raise ModelBroken(
                "the model's chat template can't be read; use another file"
            ) from error

    def pieces(self, messages: Sequence[tuple[str, str]]) -> list[Piece]:
        """The prompt for `(role, text)` messages, ready for the assistant's answer.

        The template sees a placeholder for each text. What stands between the placeholders
        afterwards is the template's own, and only there special tokens count.

        Raises:
            ModelError: the template refused the messages, for instance the order of their roles.
        """
        nonce = secrets.token_hex(8)
        stand_ins = [
            {"role": role, "content": f"{nonce}-{number}."}
            for number, (role, _) in enumerate(messages)
        ]
        try:
            prompt = self._format(messages=stand_ins).prompt
        except Exception as error:  # templates run arbitrary Jinja, and raise anything
            raise ModelError(f"the model's chat template refused the messages: {error}") from error
        parts = re.split(rf"{nonce}-(\d+)\.", prompt)
        return [
            Piece(messages[int(part)][1]) if odd else Piece(part, control=True)
            for odd, part in zip((i % 2 for i in range(len(parts))), parts, strict=True)
            if part
        ]
