"""The commands, as other programs and people call them."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_chat_reads_a_pipe_and_remembers_over_restarts(hma: Run) -> None:
    """The README's first example, then the same question from a new process."""
    first = hma("chat", "--user", "ana", stdin="I moved to Lisbon in May.\nWhere do I live?\n")
    assert first.returncode == 0, first.stderr
    assert "You told me that you live in Lisbon." in first.stdout
    again = hma("chat", "--user", "ana", stdin="Where do I live?\n")
    assert "Lisbon" in again.stdout
    other = hma("chat", "--user", "ben", stdin="Where do I live?\n")
    assert "Lisbon" not in other.stdout


def test_a_change_a_trace_and_the_history(hma: Run) -> None:
    """History shows old and new with their times; the trace explains the turn."""
    lines = "I live in Lisbon.\nI moved to Porto.\nWhere do I live?\n"
    chat = hma("chat", "--user", "ana", "--verbose", stdin=lines)
    history = hma("facts", "history", "home", "--user", "ana")
    assert "Lisbon" in history.stdout
    assert "superseded" in history.stdout
    assert "Porto" in history.stdout
    trace_id = chat.stdout.split("trace ")[-1].strip()
    trace = hma("trace", trace_id, "--user", "ana")
    for heading in (
        "screened",
        "distilled",
        "decided",
        "recalled",
        "prompt",
        "reply",
        "milliseconds",
    ):
        assert heading in trace.stdout
    assert hma("trace", trace_id, "--user", "ben").returncode == 1


def test_a_line_that_is_not_taken_does_not_end_the_chat(hma: Run) -> None:
    """A NUL and an invalid byte are refused, the next line is answered; exit code 1."""
    chat = hma("chat", "--user", "ana", stdin="a\x00b\nMy name is Ana.\n")
    assert chat.returncode == 1
    assert "NUL" in chat.stderr
    assert "your name is Ana" in chat.stdout


def test_correct_forget_and_erase(hma: Run, tmp_path: Path) -> None:
    """The user's hand on the memory; what is forgotten is in no file."""
    hma("chat", "--user", "ana", stdin="I live in Lisbon.\nMy cat is called Misopotamia.\n")
    listed = json.loads(hma("facts", "list", "--user", "ana", "--json").stdout)
    ids = {fact["attribute"]: fact["id"] for fact in listed}
    corrected = hma("facts", "correct", ids["home"], "Porto", "--user", "ana")
    assert corrected.returncode == 0, corrected.stderr
    assert "Porto" in hma("facts", "list", "--user", "ana").stdout
    shown = hma("facts", "show", ids["pet"], "--user", "ana")
    assert "My cat is called Misopotamia" in shown.stdout
    receipt = hma("facts", "forget", ids["pet"], "--user", "ana")
    assert "Gone" in receipt.stdout
    assert not any(
        b"Misopotamia" in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()
    )
    assert hma("facts", "erase", "--user", "ana", "--yes").returncode == 0
    assert json.loads(hma("facts", "list", "--user", "ana", "--json").stdout) == []


def test_an_unknown_or_unfinished_id_is_one_line(hma: Run) -> None:
    """No traceback for a user's mistake; an empty variable in a script forgets nothing."""
    hma("chat", "--user", "ana", stdin="I live in Lisbon.\n")
    assert hma("facts", "forget", "", "--user", "ana").returncode == 2
    assert "Lisbon" in hma("facts", "list", "--user", "ana").stdout
    result = hma("facts", "show", "nonsense", "--user", "ana")
    assert result.returncode == 1
    assert result.stderr.startswith("hma:")
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ("[modle]\n", ["modle", "did you mean"]),
        ("[model]\npath = '/nowhere/x.gguf'\n", ["/nowhere/x.gguf"]),
        ("[model]\nname = 'gpt'\n", ["gpt", "smollm2-135m"]),
        (
            "[meta.policies.decay]\nuse = 'hma.meta.decay:NoDekay'\n",
            ["meta.policies.decay.use", "NoDecay"],
        ),
        ("[meta.policies.decay]\ngrace = 3\n", ["meta.policies.decay.grace", "grace_days"]),
        ("[meta.policies.decay]\ngrace_days = 'many'\n", ["meta.policies.decay.grace_days"]),
        ("[meta.policies.decay]\nuse = 'hma.clock:system_clock'\n", ["meta.policies.decay"]),
    ],
)
def test_a_wrong_configuration_is_one_line_that_names_the_key(
    hma: Run, config: str, words: list[str]
) -> None:
    """File, key, what is wrong, and the mend."""
    result = hma("chat", "--user", "ana", stdin="hello\n", config=config)
    assert result.returncode in (1, 2)
    assert "Traceback" not in result.stderr
    for word in words:
        assert word in result.stderr


def test_swapping_a_policy_changes_the_behaviour(hma: Run) -> None:
    """One line names another conflict policy: the newest wins, nothing is asked."""
    lines = "I live in Lisbon.\nI live in Porto.\nWhere do I live?\n"
    asked = hma("chat", "--user", "ana", stdin=lines)
    assert "hma?" in asked.stdout
    config = '[meta.policies.conflict]\nuse = "hma.meta.conflict:NewestWins"\n'
    swapped = hma("chat", "--user", "ben", stdin=lines, config=config)
    assert "hma?" not in swapped.stdout
    assert "you live in Porto" in swapped.stdout.splitlines()[-1]


@pytest.mark.parametrize("options", [[], ["--rules-only"]])
def test_distil_gives_a_line_for_each_line(hma: Run, options: list[str]) -> None:
    """The published form: evidence is that span; a bad line is an error of its own."""
    schema = json.loads(hma("schema", "distillation").stdout)
    turns = [
        {"role": "user", "text": "我叫李雷，我住在杭州。"},
        {"role": "assistant", "text": "So you live in Berlin?"},
        {"role": "user", "text": "I'm allergic to peanuts.", "at": "2026-05-03T10:00:00+02:00"},
    ]
    lines = json.dumps({"id": "a", "turns": turns}) + "\nnot json\n"
    result = hma("distil", *options, stdin=lines)
    assert result.returncode == 1
    good, bad = (json.loads(line) for line in result.stdout.splitlines())
    assert "not JSON" in bad["error"]
    jsonschema.validate(good["distillation"], schema)
    found = {(fact["attribute"], fact["value"]) for fact in good["distillation"]["facts"]}
    assert {("name", "李雷"), ("home", "杭州"), ("allergy", "peanuts")} <= found
    assert "Berlin" not in {value for _, value in found}
    for fact in good["distillation"]["facts"]:
        span = fact["evidence"]
        assert turns[span["turn"]]["text"][span["start"] : span["end"]] == span["quote"]
        assert fact["value"] in span["quote"]
    assert good["ms"] > 0
    assert set(good["tokens"]) == {"prompt", "output"}


def test_play_answers_the_probes_in_the_order_of_time(hma: Run, tmp_path: Path) -> None:
    """Two users side by side; a probe before the move knows the old home, one after the new."""
    scenarios = [
        {
            "id": "s1",
            "user": "ana",
            "sessions": [
                {"at": "2026-03-01T09:00:00+01:00", "turns": ["I live in Lisbon."]},
                {"at": "2026-06-01T09:00:00+02:00", "turns": ["I moved to Porto."]},
            ],
            "probes": [
                {"at": "2026-04-01T09:00:00+02:00", "ask": "Where do I live?"},
                {"at": "2026-06-02T09:00:00+02:00", "ask": "Where do I live?"},
            ],
        },
        {
            "id": "s2",
            "user": "ben",
            "sessions": [{"at": "2026-03-02T09:00:00+01:00", "turns": ["我住在成都。"]}],
            "probes": [{"at": "2026-03-03T09:00:00+01:00", "ask": "我住在哪里？"}],
        },
    ]
    file, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    file.write_text("\n".join(json.dumps(one) for one in scenarios), encoding="utf-8")
    result = hma("play", str(file), "--out", str(out))
    assert result.returncode == 0, result.stderr
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    got = {(row["id"], row["probe"]): [one["value"] for one in row["recalled"]] for row in rows}
    assert got == {("s1", 0): ["Lisbon"], ("s1", 1): ["Porto"], ("s2", 0): ["成都"]}
    assert set(rows[0]) == {"id", "probe", "ask", "reply", "recalled", "question", "trace_id"}


def test_doctor_finds_all_well_and_then_a_fault(hma: Run, tmp_path: Path) -> None:
    """Exit code 0 and an ok for each part; a damaged model file is named with its mend."""
    hma("chat", "--user", "ana", stdin="I live in Oslo.\n")
    well = hma("doctor")
    assert well.returncode == 0, well.stdout
    assert well.stdout.count("ok") == 5
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(b"GGUF" + b"\x00" * 100)
    ill = hma("doctor", "--json", config=f"[model]\npath = '{cut}'\n")
    assert ill.returncode == 1
    checks = {one["name"]: one for one in json.loads(ill.stdout)}
    assert checks["embedder"]["ok"]
    assert not checks["model"]["ok"]
    assert "cut.gguf" in checks["model"]["detail"]


def test_reindex_and_migrate(hma: Run) -> None:
    """The index is rebuilt from the store."""
    hma("chat", "--user", "ana", stdin="I live in Oslo.\nI love chess.\n")
    assert "2 vectors" in hma("reindex").stdout
    assert "schema" in hma("migrate").stdout
