"""How Python finds the packages of provider bindings and their modules, and those of the engine.

The package of a provider is registered empty: importing one of its modules imports no other.
"""

import os
import typing
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType

from clusterprint.errors import EnvironmentFailure, from_checkout

_PROVIDER = "cdktf_cdktf_provider_"
_ENGINE = ("cdktf", "constructs")
_PACKAGE = Path(__file__).resolve().parents[1]
_PLACES = (_PACKAGE / "_assets" / "bindings", _PACKAGE.parent / ".cache" / "bindings")
#: The cut packages: those of a wheel, or those of a checkout. Nothing else in the environment sees them.
FOLDER = next(filter(Path.is_dir, _PLACES), _PLACES[-1])


class Finder(MetaPathFinder):
    """Finds the packages of providers and their modules."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Python's question: how is this module loaded? None leaves it to the usual way.

        Raises EnvironmentFailure, which says what helps, for bindings that there are not.
        """
        package, _, module = fullname.partition(".")
        if fullname in _ENGINE:
            return _spec(fullname, path, target, _WithoutChecks)
        if not package.startswith(_PROVIDER):
            return None
        complete = os.environ.get("CLUSTERPRINT_BINDINGS") == "full"
        if not module and not complete:
            path = [str(FOLDER)]
        spec = _spec(fullname, path, target, _WithoutChecks if module else _EmptyPackage)
        if spec is None:
            raise EnvironmentFailure(_missing(fullname, complete=complete))
        return spec


def _spec(
    fullname: str, path: Sequence[str] | None, target: ModuleType | None, loader: type[Loader]
) -> ModuleSpec | None:
    """Python's own answer, with another loader."""
    spec = PathFinder.find_spec(fullname, path, target)
    if spec is not None:
        spec.loader = loader(fullname, str(spec.origin))  # type: ignore[call-arg]
    return spec


def _missing(fullname: str, *, complete: bool) -> str:
    extra = "'.[bindings]'"
    if complete:
        return f"provider bindings ({fullname}) are not installed: {from_checkout(extra)}"
    return f"the cut provider bindings lack {fullname}: run `make bindings` in the checkout of clusterprint"


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
