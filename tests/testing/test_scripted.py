"""The model that tests script."""

import pytest

from hma.errors import GenerationTimeout, ModelError
from hma.models.base import LanguageModel
from hma.testing.scripted import ScriptedModel


def test_outputs_come_in_order_and_prompts_are_kept() -> None:
    """Text, rubbish and errors come as written, whatever is asked and however."""
    model = ScriptedModel(["prose", '{"cut', "lone \ud800", GenerationTimeout("late"), "你好"])
    assert isinstance(model, LanguageModel)
    assert [model.generate(prompt, grammar="start: A").text for prompt in "abc"] == [
        "prose",
        '{"cut',
        "lone \ud800",
    ]
    with pytest.raises(GenerationTimeout, match="late"):
        model.generate("d")
    assert model.chat([("system", "be brief"), ("user", "hi")]).text == "你好"
    assert model.prompts == ["a", "b", "c", "d", "system: be brief\nuser: hi"]


def test_the_end_of_the_script_is_an_error() -> None:
    """A call too many is named, not answered."""
    with pytest.raises(ModelError, match="call 1 is not in the script"):
        ScriptedModel([]).generate("a")
