"""The registry: from the config to policies, and clear errors on the way."""

import importlib.metadata
import sys
from pathlib import Path
from typing import Any

import pytest

from hma.errors import ConfigError
from hma.meta.base import Policies
from hma.meta.conflict import NewestWins
from hma.meta.decay import InactivityDecay, NoDecay
from hma.meta.policies import __all__ as shipped
from hma.meta.privacy.gate import StandardPrivacy, StrictPrivacy
from hma.meta.registry import DEFAULTS, load_class, load_policies
from hma.testing.policies import PrivacyConformance

OWN = """
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Fading:
    '''A policy of the user's own, with options of several types.'''

    days: int
    names: tuple[str, ...] = ()
    mode: Literal["soft", "hard"] = "soft"

    def weight(self, fact, context):
        return 0.5


class Heir(Fading):
    pass


class Lax:
    def __init__(self, **options):
        self.options = options

    def weight(self, fact, context):
        return 1.0


class Unannotated:
    def __init__(self, days=3):
        self.days = days

    def weight(self, fact, context):
        return 1.0


class WrongMethod:
    def weigh(self, fact, context):
        return 1.0


class WrongParameters:
    def weight(self, fact):
        return 1.0


class Late:
    async def weight(self, fact, context):
        return 1.0


class Fragile:
    def __init__(self, *, days: int = 1):
        raise OSError("no such disk")

    def weight(self, fact, context):
        return 1.0


class NoPrivacy:
    def screen(self, text):
        return text


number = 3
"""


@pytest.fixture(autouse=True)
def _own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules of a user's own on the path."""
    (tmp_path / "own_policies.py").write_text(OWN, encoding="utf-8")
    (tmp_path / "broken_module.py").write_text("1 / 0\n", encoding="utf-8")
    (tmp_path / "needs_more.py").write_text("import not_installed_anywhere\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("own_policies", "broken_module", "needs_more"):
        monkeypatch.delitem(sys.modules, name, raising=False)


class TestStandardPrivacy(PrivacyConformance):
    """The shipped policies keep what every privacy policy must keep."""

    def policy(self) -> StandardPrivacy:
        """The default."""
        return StandardPrivacy()


class TestStrictPrivacy(PrivacyConformance):
    """The strict one."""

    def policy(self) -> StrictPrivacy:
        """With its defaults."""
        return StrictPrivacy()


def decay(**table: Any) -> Any:
    """The decay policy that a table makes."""
    return load_policies({"decay": table}).decay


# --- what works ----------------------------------------------------------------------


def test_defaults() -> None:
    """Without a config each kind has the shipped default."""
    policies = load_policies()
    made = {kind: type(getattr(policies, kind)).__name__ for kind in DEFAULTS}
    assert made == dict(DEFAULTS)
    assert set(DEFAULTS) == set(Policies.__dataclass_fields__)


@pytest.mark.parametrize("prefix", ["", "hma.meta.policies:"])
@pytest.mark.parametrize("name", shipped)
def test_every_shipped_policy_can_be_named(name: str, prefix: str) -> None:
    """By its bare name, and by the path that the documentation shows."""
    kinds = []
    for kind in DEFAULTS:
        try:
            policy = getattr(load_policies({kind: {"use": prefix + name}}), kind)
        except ConfigError:
            continue
        assert type(policy).__name__ == name
        kinds.append(kind)
    assert len(kinds) == 1


def test_one_line_swaps_a_policy() -> None:
    """The others keep their defaults."""
    policies = load_policies({"conflict": {"use": "hma.meta.conflict:NewestWins"}})
    assert isinstance(policies.conflict, NewestWins)
    assert isinstance(policies.decay, InactivityDecay)


def test_options_without_use_go_to_the_default() -> None:
    """An option alone tunes the shipped policy; text from the environment is converted."""
    for days in (7, 7.0, "7"):
        assert vars(decay(grace_days=days))["_grace_days"] == 7


def test_a_policy_of_ones_own() -> None:
    """A dataclass works as well; options are converted to its types."""
    policy = decay(use="own_policies:Fading", days="3", names=["a", "b"], mode="hard")
    assert (policy.days, policy.names, policy.mode) == (3, ("a", "b"), "hard")
    assert decay(use="own_policies:Heir", days="3").days == 3


def test_open_and_untyped_constructors() -> None:
    """What has no type, or takes anything, is passed as it is."""
    assert decay(use="own_policies:Lax", any=1, thing="x").options == {"any": 1, "thing": "x"}
    assert decay(use="own_policies:Unannotated", days="x").days == "x"


def test_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed plug-in is named by its entry point."""
    point = importlib.metadata.EntryPoint("fading", "own_policies:Unannotated", "hma.policies")
    broken = importlib.metadata.EntryPoint("broken", "broken_module:X", "hma.policies")
    found = importlib.metadata.EntryPoints([point, broken])
    monkeypatch.setattr("hma.meta.registry.entry_points", lambda group: found.select(group=group))
    assert type(decay(use="fading")).__name__ == "Unannotated"
    with pytest.raises(ConfigError, match=r"entry point 'broken'\): importing .* failed"):
        decay(use="broken")
    with pytest.raises(ConfigError, match="did you mean 'fading'"):
        decay(use="fadin")


def test_any_class_can_be_loaded_by_path() -> None:
    """Other parts of the config name classes in the same way."""
    assert load_class("hma.meta.decay:NoDecay", key="responder.use") is NoDecay
    with pytest.raises(ConfigError, match=r"^responder\.use must be module:Class, not 'NoDecay'"):
        load_class("NoDecay", key="responder.use")


# --- what does not -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"deacy": {}}, "meta.policies.deacy: there is no such policy; did you mean 'decay'?"),
        ({"decay": "NoDecay"}, "meta.policies.decay must be a table"),
        ({"decay": {"use": 3}}, "meta.policies.decay.use must name a class"),
        ({"decay": {"use": " "}}, "meta.policies.decay.use must name a class"),
        (
            {"decay": {"use": "InactivtyDecay"}},
            "meta.policies.decay.use: there is no policy named 'InactivtyDecay'; "
            "did you mean 'InactivityDecay'?",
        ),
        (
            {"decay": {"use": "hma.meta.decay:inactivitydecay"}},
            "meta.policies.decay.use: hma.meta.decay has no class 'inactivitydecay'; "
            "did you mean 'InactivityDecay'?",
        ),
        (
            {"decay": {"use": "no.such.module:X"}},
            "meta.policies.decay.use: there is no module 'no'; check the spelling",
        ),
        ({"decay": {"use": "needs_more:X"}}, "there is no module 'not_installed_anywhere'"),
        (
            {"decay": {"use": "broken_module:X"}},
            "importing 'broken_module' failed (ZeroDivisionError: division by zero)",
        ),
        ({"decay": {"use": ":X"}}, "meta.policies.decay.use must be module:Class"),
        ({"decay": {"use": "own_policies:"}}, "meta.policies.decay.use must be module:Class"),
        ({"decay": {"use": ".own_policies:Lax"}}, "meta.policies.decay.use must be module:Class"),
        ({"decay": {"use": "own_policies:number"}}, "'own_policies:number' is no class"),
        (
            {"decay": {"grace_day": 3}},
            "meta.policies.decay.grace_day: InactivityDecay has no such option; "
            "did you mean 'grace_days'?",
        ),
        (
            {"decay": {"zzz": 3}},
            "InactivityDecay has no such option; there are: daily, dormant_days, grace_days",
        ),
        ({"decay": {"use": "NoDecay", "days": 3}}, "NoDecay has no such option; it takes none"),
        (
            {"decay": {"grace_days": "soon"}},
            "meta.policies.decay.grace_days: Input should be a valid number",
        ),
        (
            {"decay": {"grace_days": True}},
            "meta.policies.decay.grace_days: must be a number, not true",
        ),
        ({"decay": {"daily": 2}}, "meta.policies.decay: InactivityDecay: needs grace_days >= 0"),
        (
            {"decay": {"use": "own_policies:Fading"}},
            "meta.policies.decay.days is missing: Fading needs it",
        ),
        (
            {"decay": {"use": "own_policies:Fading", "days": 1, "mode": "loud"}},
            "meta.policies.decay.mode: Input should be 'soft' or 'hard', not 'loud'",
        ),
        (
            {"decay": {"use": "own_policies:Fading", "days": 1, "names": ["a", 3]}},
            "meta.policies.decay.names.1: Input should be a valid string",
        ),
        (
            {"decay": {"use": "own_policies:WrongMethod"}},
            "decay.use: WrongMethod is no DecayPolicy: it lacks weight(fact, context)",
        ),
        (
            {"decay": {"use": "own_policies:WrongParameters"}},
            "meta.policies.decay.use: WrongParameters.weight can't be called as "
            "weight(fact, context)",
        ),
        (
            {"decay": {"use": "own_policies:Late"}},
            "Late.weight must be a plain method, not async",
        ),
        (
            {"decay": {"use": "own_policies:Fragile"}},
            "Fragile could not be made (OSError: no such disk)",
        ),
        (
            {"privacy": {"use": "own_policies:NoPrivacy"}},
            "NoPrivacy.screen can't be called as screen(text, before)",
        ),
        (
            {"asking": {"use": "NoDecay"}},
            "meta.policies.asking.use: NoDecay is no AskingPolicy: it lacks choose(questions, "
            "context)",
        ),
    ],
)
def test_errors_name_the_key_and_the_mend(config: Any, message: str) -> None:
    """One clear error for each mistake: the key, what is wrong, and what would be right."""
    with pytest.raises(ConfigError) as caught:
        load_policies(config)
    assert message in str(caught.value)
