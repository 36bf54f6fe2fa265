"""The agent's voice is a server that speaks OpenAI's protocol; memory stays here.

Start a server, for instance llama.cpp's own:

    python -m llama_cpp.server --model model.gguf --port 8000

Run:  python examples/server.py http://127.0.0.1:8000/v1
"""

import sys
import tempfile
from pathlib import Path

from hma import Agent


def main(url: str) -> None:
    """Tell the agent something; let the server answer from what is remembered."""
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder, "hma.toml")
        config.write_text(f'[responder]\nuse = "{url}"\nmax_tokens = 48\n', encoding="utf-8")
        with Agent.open(config, data=folder) as agent:
            agent.chat("My name is Ana and I live in Porto.", user="ana")
            print(agent.chat("Where do I live?", user="ana").text)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000/v1")
