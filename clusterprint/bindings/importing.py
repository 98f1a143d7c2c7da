"""How Python finds the packages of provider bindings and their modules, and those of the engine.

The package of a provider is registered empty: importing one of its modules imports no other.
"""

import importlib
import typing
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from clusterprint.bindings import brought
from clusterprint.bindings.scan import PREFIX

if TYPE_CHECKING:
    from clusterprint.bindings.loading import Engine


_ENGINE = ("cdktf", "constructs")


class Finder(MetaPathFinder):
    """Finds the packages of providers and their modules."""

    def __init__(self, engine: "Engine") -> None:
        """`engine` is told what is imported, and knows what is missing."""
        self._engine = engine

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Python's question: how is this module loaded? None leaves it to the usual way."""
        if not fullname.startswith(PREFIX) and fullname not in _ENGINE:
            return None
        if brought.has(fullname):
            path = [str(brought.FOLDER)]
        spec = PathFinder.find_spec(fullname, path, target)
        package, _, module = fullname.partition(".")
        if spec is None or module == "_jsii":
            return None
        if fullname in _ENGINE:
            spec.loader = _WithoutChecks(fullname, str(spec.origin))
        elif not module:
            spec.loader = _EmptyPackage()
        elif self._engine.note_import(package, module):
            spec.loader = _ExtraModule(self._engine)
        else:
            spec.loader = _WithoutChecks(fullname, str(spec.origin))
        return spec


class _EmptyPackage(Loader):
    """A provider's package without what stands in its `__init__`, which imports every module there is."""

    def exec_module(self, module: ModuleType) -> None:
        """Leaves the module as it is, but for modules that are used without being imported."""

        def import_module(name: str) -> ModuleType:
            try:
                return importlib.import_module(f"{module.__name__}.{name}")
            except ModuleNotFoundError:
                message = f"module {module.__name__!r} has no attribute {name!r}"
                raise AttributeError(message) from None

        setattr(module, "__getattr__", import_module)  # noqa: B010 -- PEP 562, for one module


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
        """Whatever is asked for is there."""


def _skip_type_check(**_: object) -> None:
    """Takes the place of `check_type`."""


# What generated code calls `typing`: the same, but for the evaluation of annotations.
_typing = ModuleType("typing")
vars(_typing).update(vars(typing), get_type_hints=lambda _: _AnyHints())


class _ExtraModule(Loader):
    """A module of bindings whose types are in an assembly of their own."""

    def __init__(self, engine: "Engine") -> None:
        self._engine = engine

    def exec_module(self, module: ModuleType) -> None:
        """Runs the module's source with the name of that assembly in it."""
        package, _, name = module.__name__.partition(".")
        importlib.import_module(f"{package}._jsii")
        usual, own = self._engine.load_extra(package, name)
        source = Path(str(module.__file__)).read_text(encoding="utf-8").replace(f'"{usual}.', f'"{own}.')
        exec(compile(source, str(module.__file__), "exec"), module.__dict__)  # noqa: S102 -- that is importing
