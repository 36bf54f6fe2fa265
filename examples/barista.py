"""A subclass with a system prompt of its own, and one step overridden.

Run:  python examples/barista.py
"""

import tempfile

from hma import Agent
from hma.exchange import Prompt


class Barista(Agent):
    """Remembers how its guests like their coffee."""

    system = "You help people choose coffee."

    def respond(self, prompt: Prompt) -> str:
        """Every step of a turn is a method; this one adds a closing word."""
        return f"{super().respond(prompt)} Enjoy!"


def main() -> None:
    """Tell it something, ask it, and look at what it stands on."""
    with tempfile.TemporaryDirectory() as data, Barista.open(data=data) as agent:
        agent.chat("I'm vegan and I love oat milk.", user="ana")
        reply = agent.chat("What do I like?", user="ana")
        print(reply.text)
        for one in reply.recalled:
            print(f"- {one.fact.attribute}: {one.fact.value} ({one.reason})")


if __name__ == "__main__":
    main()
