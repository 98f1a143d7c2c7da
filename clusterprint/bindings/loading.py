"""Assemblies that Node loads when Python imports bindings.

- For a provider's assembly it is given a cut one, with the modules that the sources of the stacks import.
- A module imported later that is not among them gets a small assembly of its own, under a name of its own,
  since an assembly is loaded only once.
- When a cut assembly does not work out, the complete one is loaded, and one line says so.
"""

import importlib.util
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from clusterprint.bindings import brought
from clusterprint.bindings.assembly import Assembly, cut_assembly
from clusterprint.bindings.importing import Finder
from clusterprint.bindings.installed import require
from clusterprint.bindings.node import Node, configure
from clusterprint.bindings.scan import PREFIX, modules_imported
from clusterprint.bindings.warning import warn
from clusterprint.errors import EnvironmentFailure

if TYPE_CHECKING:
    from jsii._kernel import Kernel

_engine: "Engine | None" = None


def prepare(stacks: Path | None = None) -> None:
    """Makes cdktf and provider bindings ready to be imported; call it before the first such import.

    `stacks` is the folder whose sources say which modules are in use: by default that of the package
    `stacks`. Calling it again does nothing. Raises EnvironmentFailure when the engine, its bindings or Node
    are not installed.
    """
    global _engine  # noqa: PLW0603 -- jsii has one kernel per process, and this is what is known about it
    if _engine is not None:
        return
    folder = stacks or _stacks_folder()
    require(folder)
    configure()
    import jsii

    engine = Engine(jsii.kernel, folder)
    setattr(jsii.kernel, "load", engine.load)  # noqa: B010 -- mypy refuses the plain way for methods
    sys.meta_path.insert(0, Finder(engine))
    _engine = engine


def stop_node() -> None:
    """Ends the Node that `prepare` has started, and waits for its end."""
    if _engine is not None:
        _engine.node.stop()


def _stacks_folder() -> Path | None:
    spec = importlib.util.find_spec("stacks")
    places = (spec and spec.submodule_search_locations) or ()
    return next((Path(place) for place in places), None)


class Engine:
    """What jsii's kernel has loaded, and what it is going to be asked for."""

    def __init__(self, kernel: "Kernel", stacks: Path | None) -> None:
        """Starts Node; `stacks` is the folder to scan, None when there is none."""
        self.node = Node(kernel)
        self._kernel_load = kernel.load
        self._complete = brought.are_unwanted()
        self._in_use = modules_imported(stacks) if stacks and not self._complete else {}
        # Modules imported before their package's assembly is loaded: in use too, wherever that happens.
        self._imported: dict[str, set[str]] = {}
        self._loaded: list[Assembly] = []
        # The modules in the cut assembly of a package; other packages are loaded complete, or not yet.
        self._cut: dict[str, frozenset[str]] = {}
        self._extra: set[tuple[str, str]] = set()

    def load(self, name: str, version: str, tarball: str) -> None:
        """Takes the place of the kernel's `load`. Raises EnvironmentFailure when nothing helps."""
        self.node.wait()
        whole = Assembly(name, version, tarball)
        try:
            self._load_somehow(whole)
        except Exception as failure:  # noqa: BLE001 -- jsii raises RuntimeError and anything below it
            self._start_over(whole, failure)
        self._loaded.append(whole)

    def note_import(self, package: str, module: str) -> bool:
        """Whether a module that is about to be imported is missing in what is loaded."""
        if package in self._cut:
            return module not in self._cut[package]
        self._imported.setdefault(package, set()).add(module)
        return False

    def load_extra(self, package: str, module: str) -> tuple[str, str]:
        """Loads an assembly for one more module: returns the name that is written in it, and its own.

        Raises EnvironmentFailure.
        """
        whole = next(assembly for assembly in self._loaded if assembly.package == package)
        name = f"{whole.name}--{module.replace('_', '-')}"
        try:
            with cut_assembly(whole, frozenset({module}), name) as part:
                self._kernel_load(*part)
        except Exception as failure:  # whatever it is, the user needs to know what helps
            message = f"cannot load {package}.{module} ({failure}): set CLUSTERPRINT_BINDINGS=full"
            raise EnvironmentFailure(message) from failure
        self._extra.add((package, module))
        return whole.name, name

    def _load_somehow(self, whole: Assembly) -> None:
        """Loads the cut assembly or else the complete one. Raises what jsii and `cut` raise."""
        if brought.has(whole.package):  # it was cut when the wheel was built
            self._kernel_load(*whole)
            return
        cut = not self._complete and whole.package.startswith(PREFIX)
        if cut and whole.package not in self._in_use:
            warn(f"loading all of {whole.name}, since no source of the stacks imports it")
            cut = False
        if not cut:
            self._kernel_load(*whole)
            return
        modules = self._modules(whole)
        try:
            with cut_assembly(whole, modules, whole.name) as part:
                self._kernel_load(*part)
        except Exception as failure:  # noqa: BLE001 -- whatever it is, the complete assembly still loads
            self._load_instead(whole, failure)
        else:
            self._cut[whole.package] = modules

    def _load_instead(self, whole: Assembly, failure: Exception) -> None:
        try:
            self._kernel_load(*whole)
        except Exception:  # noqa: BLE001 -- a consequence of the first failure, which says more
            raise failure from None
        warn(f"loading all of {whole.name}, since loading the types in use failed: {failure}")

    def _modules(self, whole: Assembly) -> frozenset[str]:
        named = self._in_use[whole.package] | self._imported.get(whole.package, set())
        folder = Path(whole.tarball).parent.parent
        # Words in comments look like modules too; `_jsii` is what all of them import.
        return frozenset(name for name in named if (folder / name).is_dir() and name != "_jsii")

    def _start_over(self, whole: Assembly, failure: Exception) -> None:
        """Loads everything again in a new Node: unpacked anew, and if that fails, complete and uncached.

        Raises EnvironmentFailure.
        """
        from jsii import _reference_map

        # Objects live in the Node that made them: after the first there is no way back.
        objects = _reference_map._refs._refs  # noqa: SLF001
        for remedy in () if objects else (_forget_unpacked, self._give_up_caching):
            remedy(whole)
            try:
                self._load_again(whole)
            except Exception as another:  # noqa: BLE001 -- as in `load`
                failure = another
            else:
                warn(f"started Node again, since it had failed to load {whole.name}: {failure}")
                return
        message = f"Node cannot load {whole.name} {whole.version}: {failure}"
        raise EnvironmentFailure(message) from failure

    def _load_again(self, whole: Assembly) -> None:
        self._cut.clear()
        self.node.restart()
        for assembly in (*self._loaded, whole):
            self._load_somehow(assembly)
        for package, module in self._extra:
            self.load_extra(package, module)

    def _give_up_caching(self, _: Assembly) -> None:
        os.environ["JSII_RUNTIME_PACKAGE_CACHE"] = "disabled"
        self._complete = True


def _forget_unpacked(whole: Assembly) -> None:
    """Takes away jsii's mark that an assembly is unpacked: it then does so again, under a lock."""
    root = os.environ.get("JSII_RUNTIME_PACKAGE_CACHE_ROOT")
    marks = f"{whole.name}/{whole.version}/*/.jsii-runtime-package-cache"
    for mark in Path(root).glob(marks) if root else ():
        with suppress(OSError):
            mark.unlink()
