"""How Python finds the packages of provider bindings and their modules, and those of the engine.

The package of a provider is registered empty: importing one of its modules imports no other. With the engine
cdktn, what `stacks` calls cdktf is cdktn, and its bindings are those that were cut by the same names.
"""

import os
import typing
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType

from clusterprint.bindings.installed import CDKTF, CDKTN
from clusterprint.errors import EnvironmentFailure, from_checkout

_PROVIDER = "cdktf_cdktf_provider_"
_ENGINE = (CDKTF, CDKTN, "constructs")
_EXTRA, _SUCCESSOR_EXTRA = "'.[bindings]'", "'.[cdktn-bindings]'"
_PACKAGE = Path(__file__).resolve().parents[1]
_PLACES = (_PACKAGE / "_assets" / "bindings", _PACKAGE.parent / ".cache" / "bindings")
#: The cut packages: those of a wheel, or those of a checkout. Nothing else in the environment sees them.
FOLDER = next(filter(Path.is_dir, _PLACES), _PLACES[-1])


class Finder(MetaPathFinder):
    """Finds the packages of providers and their modules."""

    def __init__(self, engine: str = CDKTF) -> None:
        self._engine = engine

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Python's question: how is this module loaded? None leaves it to the usual way.

        Raises EnvironmentFailure, which says what helps, for bindings that there are not.
        """
        package, _, module = fullname.partition(".")
        if fullname == CDKTF != self._engine:
            return ModuleSpec(fullname, _OtherEngine())
        if fullname in _ENGINE:
            return _spec(fullname, path, target, _WithoutChecks)
        if not package.startswith(_PROVIDER):
            return None
        complete = os.environ.get("CLUSTERPRINT_BINDINGS") == "full"
        if not module and not complete:
            path = [str(FOLDER if self._engine == CDKTF else FOLDER / self._engine)]
        spec = _spec(fullname, path, target, _WithoutChecks if module else _EmptyPackage)
        if spec is None:
            raise EnvironmentFailure(_missing(fullname, self._engine, complete=complete))
        return spec


def _spec(
    fullname: str, path: Sequence[str] | None, target: ModuleType | None, loader: type[Loader]
) -> ModuleSpec | None:
    """Python's own answer, with another loader."""
    spec = PathFinder.find_spec(fullname, path, target)
    if spec is not None:
        spec.loader = loader(fullname, str(spec.origin))  # type: ignore[call-arg]
    return spec


def _missing(fullname: str, engine: str, *, complete: bool) -> str:
    if complete:
        return f"provider bindings ({fullname}) are not installed: {from_checkout(_EXTRA)}"
    cut = "run `make bindings` in the checkout of clusterprint"
    if engine != CDKTF and not (FOLDER / engine).is_dir():
        cut = f"{from_checkout(_SUCCESSOR_EXTRA)}, and run `make bindings`"
    return f"the cut provider bindings lack {fullname}: {cut}"


class _OtherEngine(Loader):
    """The engine that takes the place of cdktf: the module of its own name, under that of cdktf too."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:  # noqa: ARG002
        """The module, complete."""
        module = import_module(CDKTN)
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is left to run; Python has given the module the other name's spec."""
        module.__spec__ = self._spec


class _EmptyPackage(SourceFileLoader):
    """A provider's package without what stands in its `__init__`, which imports every module there is."""

    def exec_module(self, module: ModuleType) -> None:
        """Leave the module as it is."""


class _WithoutChecks(SourceFileLoader):
    """A module whose functions take their arguments without looking at them.

    Generated code compares each argument with its annotation, and evaluates that anew in every call: a
    quarter of the time of a synth. mypy has compared them before, and Node does so again.
    """

    def exec_module(self, module: ModuleType) -> None:
        """Runs the module, then takes its checks away."""
        super().exec_module(module)
        vars(module).update(typing=_typing, check_type=_skip_type_check)


class _AnyHints(dict[str, object]):
    """Annotations that nobody is going to look at."""

    def __missing__(self, _: str) -> None:
        """A module that has every attribute."""


def _skip_type_check(**_: object) -> None:
    """Takes the place of `check_type`."""


# What generated code calls `typing`: the same, but for the evaluation of annotations.
_typing = ModuleType("typing")
vars(_typing).update(vars(typing), get_type_hints=lambda _: _AnyHints())
