"""From the config's `[meta.policies.*]` tables to one policy of each kind.

`use` names a class: `module:Class`, a shipped one by its bare name, or an entry point of
the group `hma.policies`. All other keys are options, passed to the constructor by keyword
and checked against the types of its signature.
"""

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import fields
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from pydantic import TypeAdapter, ValidationError

from hma.errors import ConfigError
from hma.meta import base
from hma.meta.base import Policies

ENTRY_POINTS = "hma.policies"
SHIPPED = "hma.meta.policies"
KEY = "meta.policies"

DEFAULTS: Mapping[str, str] = {
    "privacy": "StandardPrivacy",
    "admission": "ThresholdAdmission",
    "conflict": "SlotConflict",
    "decay": "InactivityDecay",
    "asking": "PatientAsking",
    "recall": "BudgetRecall",
}
_PROTOCOLS: Mapping[str, type] = {
    "privacy": base.PrivacyPolicy,
    "admission": base.AdmissionPolicy,
    "conflict": base.ConflictPolicy,
    "decay": base.DecayPolicy,
    "asking": base.AskingPolicy,
    "recall": base.RecallPolicy,
}


def load_policies(config: Mapping[str, Mapping[str, Any]] | None = None) -> Policies:
    """One policy of each kind, by default the shipped ones.

    Args:
        config: kind -> {"use": class, option: value, ...}; what is left out has defaults.

    Raises:
        ConfigError: an unknown kind, class or option, a bad value, or a class that is no
            policy of its kind. The message names the key and the mend.
    """
    tables = config or {}
    kinds = [field.name for field in fields(Policies)]
    for kind, table in tables.items():
        if kind not in kinds:
            raise ConfigError(f"{KEY}.{kind}: there is no such policy{_instead(kind, kinds)}")
        if not isinstance(table, Mapping):
            raise ConfigError(f'{KEY}.{kind} must be a table, like {{ use = "{DEFAULTS[kind]}" }}')
    return Policies(**{kind: _build(kind, tables.get(kind, {})) for kind in kinds})


def _build(kind: str, table: Mapping[str, Any]) -> Any:
    key = f"{KEY}.{kind}"
    use = table.get("use", DEFAULTS[kind])
    cls = _class(f"{key}.use", use)
    options = {name: value for name, value in table.items() if name != "use"}
    checked = _options(key, cls, options)
    try:
        policy = cls(**checked)
    except ValueError as error:
        raise ConfigError(f"{key}: {cls.__name__}: {error}") from error
    except Exception as error:  # a plug-in's constructor may raise anything
        raise ConfigError(
            f"{key}.use: {cls.__name__} could not be made ({type(error).__name__}: {error})"
        ) from error
    _conforms(f"{key}.use", policy, _PROTOCOLS[kind])
    return policy


# --- the class -----------------------------------------------------------------------


def load_class(use: str, *, key: str) -> type:
    """The class that `use` names as `module:Class`.

    Args:
        use: the name as it stands in the config.
        key: where it stands in the config, for the error.

    Raises:
        ConfigError: no such module or class, or its module can't be imported.
    """
    module_name, _, class_name = use.partition(":")
    if not all(part.isidentifier() for part in (class_name, *module_name.split("."))):
        raise ConfigError(f"{key} must be module:Class, not {use!r}")
    found = _attribute(key, _import(key, module_name), class_name)
    if not inspect.isclass(found):
        raise ConfigError(f"{key}: {use!r} is no class; name one as module:Class")
    return found


def _class(key: str, use: object) -> type:
    if not isinstance(use, str) or not use.strip():
        raise ConfigError(f'{key} must name a class, like "package.module:Class"')
    use = use.strip()
    if ":" in use:
        return load_class(use, key=key)
    shipped = import_module(SHIPPED).__all__
    if use in shipped:
        return load_class(f"{SHIPPED}:{use}", key=key)
    plugins = {point.name: point.value for point in entry_points(group=ENTRY_POINTS)}
    if use in plugins:
        return load_class(plugins[use], key=f"{key} (entry point {use!r})")
    raise ConfigError(
        f"{key}: there is no policy named {use!r}{_instead(use, [*shipped, *plugins])}; "
        "one of your own is named module:Class"
    )


def _import(key: str, module: str) -> Any:
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise ConfigError(
            f"{key}: there is no module {error.name!r}; check the spelling, and that it is "
            "installed or on PYTHONPATH"
        ) from error
    except Exception as error:  # importing runs the module's code
        raise ConfigError(
            f"{key}: importing {module!r} failed ({type(error).__name__}: {error})"
        ) from error


def _attribute(key: str, module: Any, name: str) -> object:
    try:
        return getattr(module, name)
    except AttributeError:
        classes = [known for known, value in vars(module).items() if inspect.isclass(value)]
        raise ConfigError(
            f"{key}: {module.__name__} has no class {name!r}{_instead(name, classes)}"
        ) from None


# --- its options ---------------------------------------------------------------------


def _options(key: str, cls: type, options: Mapping[str, Any]) -> dict[str, Any]:
    """`options` converted to the types that the constructor asks for."""
    known, takes_any = _parameters(cls)
    checked: dict[str, Any] = {}
    for name, value in options.items():
        if name in known:
            checked[name] = _converted(f"{key}.{name}", known[name], value)
        elif takes_any:
            checked[name] = value
        else:
            mend = _instead(name, known) if known else "; it takes none"
            raise ConfigError(f"{key}.{name}: {cls.__name__} has no such option{mend}")
    for name, parameter in known.items():
        if parameter.default is parameter.empty and name not in checked:
            raise ConfigError(f"{key}.{name} is missing: {cls.__name__} needs it")
    return checked


def _parameters(cls: type) -> tuple[dict[str, inspect.Parameter], bool]:
    """What the constructor takes by keyword, types resolved, and whether it takes any."""
    try:
        signature = inspect.signature(cls, eval_str=True)
    except (ValueError, TypeError, NameError):
        return {}, True
    kinds = inspect.Parameter
    named = {
        name: parameter
        for name, parameter in signature.parameters.items()
        if parameter.kind in (kinds.KEYWORD_ONLY, kinds.POSITIONAL_OR_KEYWORD)
    }
    takes_any = any(p.kind is kinds.VAR_KEYWORD for p in signature.parameters.values())
    return named, takes_any


def _converted(key: str, parameter: inspect.Parameter, value: Any) -> Any:
    if isinstance(value, bool) and parameter.annotation in (int, float):
        raise ConfigError(f"{key}: must be a number, not {str(value).lower()}")
    if parameter.annotation is parameter.empty:
        return value
    try:
        return TypeAdapter(parameter.annotation).validate_python(value)
    except ValidationError as error:
        first = error.errors()[0]
        inside = "".join(f".{part}" for part in first["loc"])
        raise ConfigError(f"{key}{inside}: {first['msg']}, not {value!r}") from error


# --- its methods ---------------------------------------------------------------------


def _conforms(key: str, policy: object, protocol: type) -> None:
    """Check that the policy's methods can be called as the protocol says."""
    for name, method in vars(protocol).items():
        if name.startswith("_") or not inspect.isfunction(method):
            continue
        wanted = inspect.signature(method)
        shown = f"{name}({', '.join(list(wanted.parameters)[1:])})"
        own = getattr(policy, name, None)
        who = type(policy).__name__
        if not callable(own):
            raise ConfigError(f"{key}: {who} is no {protocol.__name__}: it lacks {shown}")
        if inspect.iscoroutinefunction(own):
            raise ConfigError(f"{key}: {who}.{name} must be a plain method, not async")
        if not _accepts(own, wanted):
            raise ConfigError(f"{key}: {who}.{name} can't be called as {shown}")


def _accepts(own: Any, wanted: inspect.Signature) -> bool:
    parameters = list(wanted.parameters.values())[1:]
    keyword_only = inspect.Parameter.KEYWORD_ONLY
    positional = [p.name for p in parameters if p.kind is not keyword_only]
    keywords = {p.name: p.name for p in parameters if p.kind is keyword_only}
    try:
        inspect.signature(own).bind(*positional, **keywords)
    except (TypeError, ValueError):
        return False
    return True


def _instead(wrong: str, known: Iterable[str]) -> str:
    """ "; did you mean X?" or the list of what there is."""
    names = sorted(known)
    close = get_close_matches(wrong, names, n=1, cutoff=0.6)
    folded = {name.casefold(): name for name in names}
    if not close and (match := get_close_matches(wrong.casefold(), folded, n=1, cutoff=0.6)):
        close = [folded[match[0]]]
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; there are: {', '.join(names)}" if names else ""
