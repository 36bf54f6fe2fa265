"""Voices that generate: the local GGUF, and any OpenAI-compatible server."""

import os
from typing import Any, Protocol, runtime_checkable

import httpx

from hma.errors import ConfigError, ModelError
from hma.exchange import Prompt
from hma.grounding import grounded
from hma.models.base import LanguageModel


@runtime_checkable
class Responder(Protocol):
    """The agent's voice."""

    def respond(self, prompt: Prompt) -> str:
        """The reply to `prompt.turn`."""
        ...


class LocalResponder:
    """The local GGUF speaks. What it says about the user is checked against the prompt; a
    reply that fails, or is empty, is replaced by the plain voice's."""

    def __init__(self, model: LanguageModel, plain: Responder, *, max_tokens: int = 256) -> None:
        self._model = model
        self._plain = plain
        self._max_tokens = max_tokens

    def respond(self, prompt: Prompt) -> str:
        """The model's reply if it is grounded, else the plain one."""
        reply = self._model.chat(prompt.messages, max_tokens=self._max_tokens).text.strip()
        if not reply or not grounded(reply, prompt):
            return self._plain.respond(prompt)
        return reply


class OpenAIResponder:
    """A server that speaks OpenAI's chat completions protocol, such as `llama_cpp.server`.

    Args:
        url: base URL up to and including `/v1`.
        model: model name to ask for.
        api_key_env: environment variable with the key; an unset one sends no key.
        timeout: seconds.
        max_tokens: bound on the reply.
    """

    def __init__(
        self,
        url: str,
        *,
        model: str = "default",
        api_key_env: str = "OPENAI_API_KEY",
        timeout: float = 60.0,
        max_tokens: int = 256,
    ) -> None:
        if not url.startswith(("http://", "https://")):
            raise ConfigError("responder.use: it must be an http:// or https:// URL")
        key = os.environ.get(api_key_env, "")
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        # trust_env=False: a proxy variable must not send a user's words elsewhere
        try:
            self._client = httpx.Client(
                base_url=url, headers=headers, timeout=timeout, trust_env=False
            )
        except httpx.InvalidURL:
            raise ConfigError("responder.use: this URL can't be read; check its port") from None
        self._model = model
        self._max_tokens = max_tokens

    def respond(self, prompt: Prompt) -> str:
        """The server's reply.

        Raises:
            ModelError: the server can't be reached, refuses, or answers nonsense.
        """
        body = {
            "model": self._model,
            "messages": [{"role": role, "content": text} for role, text in prompt.messages],
            "max_tokens": self._max_tokens,
            "temperature": 0,
        }
        # without a name and password that may stand in the URL
        where = f"the responder at {self._client.base_url.copy_with(userinfo=b'')}"
        try:
            answer = self._client.post("chat/completions", json=body)
            answer.raise_for_status()
            return _content(answer.json())
        except httpx.HTTPStatusError as error:
            code = error.response.status_code
            raise ModelError(
                f"{where} answered {code}; see its log, or check responder.model"
            ) from error
        except httpx.HTTPError as error:
            raise ModelError(
                f"{where} can't be reached ({type(error).__name__}); is it running?"
            ) from error
        except (KeyError, IndexError, TypeError, ValueError):
            raise ModelError(f"{where} does not answer as a chat completions server") from None

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def _content(answer: Any) -> str:
    content = answer["choices"][0]["message"]["content"]
    if not isinstance(content, str):
        raise TypeError("the content of a chat completion must be text")
    return content
