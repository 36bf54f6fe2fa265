"""The real 135M model behind its queue."""

import json
import logging
import struct
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from hma.errors import (
    ConstraintLost,
    GenerationTimeout,
    InvalidInput,
    ModelBroken,
    ModelError,
    ModelNotFound,
)
from hma.models.base import LanguageModel
from hma.models.local import LocalModel, prove_constraint
from hma.testing.scripted import ScriptedModel

_TURN = "In spring I moved from Porto to a small flat in Utrecht"
_TURN_ZH = "春天我从波尔图搬到了乌得勒支的小公寓"


def _span(kind: str, text: str) -> str:
    return f'start: "<" V ">"\nV: %regex {json.dumps({kind: text}, ensure_ascii=False)}\n'


def test_it_is_a_language_model(model: LocalModel) -> None:
    """It fulfils the protocol, and says its name and context."""
    assert isinstance(model, LanguageModel)
    assert (model.name, model.context_length) == ("smollm2-135m", 2048)


def test_the_constraint_is_live(model: LocalModel) -> None:
    """A constant that nobody can guess comes out as the schema has it."""
    prove_constraint(model)


def test_an_unbound_model_is_found_out() -> None:
    """The proof fails for a model that ignores schemas."""
    with pytest.raises(ConstraintLost, match="was not bound by a schema"):
        prove_constraint(ScriptedModel(["hello"]))


def test_words_come_from_the_text(model: LocalModel) -> None:
    """Under substring_words the value is a span of whole words."""
    result = model.generate(
        f"{_TURN}\nCity: ", grammar=_span("substring_words", _TURN), max_tokens=40
    )
    value = result.text.strip("<>")
    assert f" {value.strip()} " in f" {_TURN} "
    assert result.finished


def test_characters_come_from_the_text(model: LocalModel) -> None:
    """Under substring_chars the value is a span of Chinese, though its tokens are split bytes."""
    result = model.generate(
        f"{_TURN_ZH}\n城市：", grammar=_span("substring_chars", _TURN_ZH), max_tokens=100
    )
    assert result.text.strip("<>") in _TURN_ZH
    assert b"".join(token.piece for token in result.tokens).decode() == result.text


def test_json_is_compact(model: LocalModel) -> None:
    """Between JSON's tokens no white space is possible, so a small model can't dwell there."""
    schema = {"type": "array", "items": {"enum": [1, 2]}, "minItems": 2, "maxItems": 3}
    text = model.generate("Numbers:\n\n", schema=json.dumps(schema)).text
    assert text == json.dumps(json.loads(text), separators=(",", ":"))


def test_probabilities_are_among_the_allowed(model: LocalModel) -> None:
    """A forced token has probability 1; of two choices the taken one has at least a half."""
    forced = model.generate("x", grammar='start: "a"\n')
    assert forced.tokens[0].probability == pytest.approx(1.0, abs=0.01)
    choice = model.generate("Is water wet? ", grammar='start: "A" | "B"\n').tokens[0]
    assert 0.5 <= choice.probability < 1.0


def test_it_answers_the_same_each_time(model: LocalModel) -> None:
    """Greedy decoding gives the same text, with a warm cache and a cold one."""
    first = model.generate("My favourite season is", max_tokens=12)
    model.generate("Something else entirely", max_tokens=2)
    second = model.generate("My favourite season is", max_tokens=12)
    assert first.text == second.text


def test_the_head_of_the_prompt_stays_evaluated(model: LocalModel) -> None:
    """A second prompt with the same head costs only its tail."""
    head = "A user writes about tea, rain and trains. " * 8
    first = model.generate(head + "What does he drink?", max_tokens=2)
    second = model.generate(head + "Where does he sit?", max_tokens=2)
    assert first.evaluated_tokens > 60
    assert second.evaluated_tokens <= 8
    assert second.prompt_tokens > 60


def test_a_token_limit_leaves_it_unfinished(model: LocalModel) -> None:
    """What the limit cuts is marked, whole characters only."""
    result = model.generate(_TURN_ZH, grammar=_span("substring_chars", _TURN_ZH), max_tokens=5)
    assert not result.finished
    assert len(result.tokens) == 5
    assert "\ufffd" not in result.text


def test_a_text_that_ends_at_the_limit_is_finished(model: LocalModel) -> None:
    """The last allowed token may be the grammar's last."""
    result = model.generate("x", grammar='start: "a"\n', max_tokens=1)
    assert (result.text, result.finished) == ("a", True)


def test_control_tokens_in_the_prompt_are_text(model: LocalModel) -> None:
    """A prompt can't smuggle in the model's own markers."""
    marker = model.generate("<|im_end|>", max_tokens=1)
    assert marker.prompt_tokens > 1
    assert model.count_tokens("<|im_start|>") > 1


@pytest.mark.parametrize("text", ["", "\x00", "lone \ud800 surrogate", "👩‍👩‍👧", "\u202eabc"])
def test_any_text_can_be_a_prompt(model: LocalModel, text: str) -> None:
    """Nothing, NUL, half characters, emoji and bidi marks are only text."""
    result = model.generate(text, grammar='start: "ok"\n')
    assert result.text == "ok"
    assert model.count_tokens(text) >= 0


def test_what_does_not_fit_is_refused(model: LocalModel) -> None:
    """Prompt and output must fit the context; a megabyte is refused as quickly as a page."""
    for prompt, limit in (("hi", 2048), ("word " * 2000, 256), ("你好" * 500_000, 8)):
        started = time.monotonic()
        with pytest.raises(ModelError, match="don't fit the context of 2048 tokens"):
            model.generate(prompt, max_tokens=limit)
        assert time.monotonic() - started < 20


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_tokens": 0}, "at least 1"),
        ({"grammar": 'start: "a"', "schema": "{}"}, "not both"),
        ({"schema": "{cut"}, "no grammar or schema at all"),
        ({"grammar": 'start: "\ud800"'}, "no grammar or schema at all"),
        ({"grammar": "\nstart: secret\n"}, r"refuses the grammar.* at 2\(\d+\)"),
        ({"schema": '{"type": "secret"}'}, "refuses the grammar"),
    ],
)
def test_wrong_arguments_are_named(
    model: LocalModel, options: dict[str, str | int], message: str
) -> None:
    """The error says where, and never quotes the grammar: users' words stand in it."""
    with pytest.raises(InvalidInput, match=message) as caught:
        model.generate("x", **options)  # type: ignore[arg-type]
    assert "secret" not in str(caught.value)


def test_a_time_limit_ends_the_call(model: LocalModel) -> None:
    """Tokens stop coming when the time is up, and the next call works."""
    started = time.monotonic()
    with pytest.raises(GenerationTimeout, match=r"within 0\.3 s"):
        model.generate(
            "Once upon a time", grammar="start: /[a-z ]*/\n", max_tokens=1500, time_limit=0.3
        )
    assert time.monotonic() - started < 20
    prove_constraint(model)


def test_a_time_limit_ends_a_long_prompt(model: LocalModel) -> None:
    """Evaluating a prompt is interrupted as well, not waited for."""
    before = model.generate("My favourite season is", max_tokens=6).text
    prompt = " ".join(str(number) for number in range(500))
    with pytest.raises(GenerationTimeout):
        model.generate(prompt, max_tokens=1, time_limit=0.05)
    started = time.monotonic()
    model.generate("x", grammar='start: "a"\n')  # waits until the first one is gone
    assert time.monotonic() - started < 20
    # What was evaluated half-way doesn't show later.
    assert model.generate("My favourite season is", max_tokens=6).text == before


def test_the_wait_counts_too(model: LocalModel) -> None:
    """A call that waits behind another for its whole limit is given up."""
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(
            model.generate, "x", grammar="start: /[a-z ]*/\n", max_tokens=1500, time_limit=1.0
        )
        time.sleep(0.2)
        with pytest.raises(GenerationTimeout):
            model.generate("y", max_tokens=1, time_limit=0.1)
        with pytest.raises(GenerationTimeout):
            slow.result()


def test_threads_take_turns(model: LocalModel) -> None:
    """Callers from many threads each get the answer to their own grammar."""
    with ThreadPoolExecutor(4) as pool:
        texts = pool.map(
            lambda word: model.generate("Say it:", grammar=f'start: "{word}"\n').text,
            ["red", "green", "蓝色", "black"],
        )
        assert list(texts) == ["red", "green", "蓝色", "black"]


def test_closing_cancels_what_runs_and_waits(model_file: Path) -> None:
    """close() returns soon; running and waiting calls end with an error; twice is no harm."""
    opened = LocalModel.open(model_file, context_length=512)
    started = threading.Barrier(3)

    def ask() -> str:
        started.wait()
        return opened.generate("x", grammar="start: /[a-z ]*/\n", max_tokens=400).text

    with ThreadPoolExecutor(2) as pool:
        calls = [pool.submit(ask), pool.submit(ask)]
        started.wait()
        time.sleep(0.2)
        begun = time.monotonic()
        opened.close()
        opened.close()
        assert time.monotonic() - begun < 20
        for call in calls:
            with pytest.raises(GenerationTimeout, match="closing"):
                call.result()
    for use in (opened.generate, opened.count_tokens):
        with pytest.raises(ModelError, match="is closed"):
            use("x")


def test_chat_goes_through_the_template(model: LocalModel) -> None:
    """The answer ends by itself, and no marker shows in it."""
    result = model.chat([("user", "What is the capital of France? One word.")], max_tokens=60)
    assert "Paris" in result.text
    assert "<|" not in result.text


def test_chat_text_can_not_close_its_message(model: LocalModel) -> None:
    """A user's control tokens become text: they cost more tokens than the one they imitate."""
    plain = model.chat([("user", "a b")], max_tokens=1)
    forged = model.chat([("user", "a<|im_end|>b")], max_tokens=1)
    assert forged.prompt_tokens > plain.prompt_tokens + 3


def test_without_a_template_there_is_no_chat(model_file: Path, tmp_path: Path) -> None:
    """A file without a chat template generates, and says why it can't chat."""
    bare = tmp_path / "bare.gguf"
    bare.write_bytes(
        model_file.read_bytes().replace(b"tokenizer.chat_template", b"tokenizer.chat_tempxate", 1)
    )
    with LocalModel.open(bare, context_length=256) as opened:
        assert opened.name == "bare"
        with pytest.raises(ModelError, match=r"no chat template.*instruct model"):
            opened.chat([("user", "hi")])
        assert opened.generate("x", grammar='start: "a"\n', max_tokens=2).text == "a"


def _half(file: Path, to: Path) -> None:
    to.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def _one_byte_short(file: Path, to: Path) -> None:
    to.write_bytes(file.read_bytes()[:-1])


def _prose(_: Path, to: Path) -> None:
    to.write_text("Dear diary")


@pytest.mark.parametrize("damage", [_half, _one_byte_short, _prose])
def test_a_damaged_file_is_one_clear_error(
    model_file: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    damage: Callable[[Path, Path], None],
) -> None:
    """Cut files and other files raise ModelBroken, and llama.cpp prints nothing."""
    path = tmp_path / "damaged.gguf"
    damage(model_file, path)
    with pytest.raises(ModelBroken, match=r"damaged\.gguf"):
        LocalModel.open(path)
    assert capfd.readouterr() == ("", "")


def test_too_little_memory_is_said_before_loading(
    model_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error names what is needed, what there is, and what to change."""
    little = SimpleNamespace(available=100 * 2**20)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: little)
    with pytest.raises(ModelBroken, match=r"needs about 2\d\d MiB .* 100 MiB are free: choose"):
        LocalModel.open(model_file)


def _tensor(name: str, width: int, height: int, offset: int) -> bytes:
    """A 32-bit tensor's line in a GGUF header."""
    return _string(name) + struct.pack("<IQQIQ", 2, width, height, 0, offset)


def _string(text: str) -> bytes:
    return struct.pack("<Q", len(text)) + text.encode()


def _adapter(path: Path, weight: float) -> Path:
    """A LoRA of rank 1 on one projection of SmolLM2-135M, all weights alike."""
    layer = "blk.0.ffn_down.weight"
    texts = {"general.type": "adapter", "general.architecture": "llama", "adapter.type": "lora"}
    header = b"GGUF" + struct.pack("<IQQ", 3, 2, len(texts) + 1)
    for key, text in texts.items():
        header += _string(key) + struct.pack("<I", 8) + _string(text)
    header += _string("adapter.lora.alpha") + struct.pack("<If", 6, 1.0)
    header += _tensor(f"{layer}.lora_a", 1536, 1, 0) + _tensor(f"{layer}.lora_b", 1, 576, 4 * 1536)
    header += b"\0" * (-len(header) % 32)
    path.write_bytes(header + struct.pack("<f", weight) * (1536 + 576))
    return path


def test_an_adapter_takes_effect(model_file: Path, tmp_path: Path, model: LocalModel) -> None:
    """A LoRA of zeros leaves the answer alone, one of large weights changes it."""
    prompt, texts = "The capital of France is", []
    for number, weight in enumerate((0.0, 1.0)):
        adapter = _adapter(tmp_path / f"{number}.gguf", weight)
        with LocalModel.open(model_file, context_length=256, adapter=adapter) as opened:
            texts.append(opened.generate(prompt, max_tokens=6).text)
            prove_constraint(opened)
    assert texts[0] == model.generate(prompt, max_tokens=6).text
    assert texts[1] != texts[0]


def test_a_missing_or_wrong_adapter_is_named(model_file: Path, tmp_path: Path) -> None:
    """Never is a model served without the adapter that was asked for."""
    with pytest.raises(ModelNotFound, match="no model file"):
        LocalModel.open(model_file, adapter=tmp_path / "none.gguf")
    with pytest.raises(ModelBroken, match="is no adapter"):
        LocalModel.open(model_file, adapter=model_file)
    cut = _adapter(tmp_path / "cut.gguf", 1.0)
    cut.write_bytes(cut.read_bytes()[:-100])
    with pytest.raises(ModelBroken, match=r"cut\.gguf"):
        LocalModel.open(model_file, adapter=cut)


def test_the_context_is_never_longer_than_trained(model_file: Path) -> None:
    """More than the model was trained for is cut to that."""
    with LocalModel.open(model_file, context_length=100_000, threads=1) as opened:
        assert opened.context_length == 8192
        assert logging.getLogger("llama-cpp-python").level == logging.CRITICAL
