"""Puts provider bindings into the wheel, cut down to the modules that stacks/ uses (cutting.py).

An editable installation gets them too, in its checkout.
"""

import shutil
import sys
import tempfile
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_PLACE = "clusterprint/_assets/bindings"


class CutBindings(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the cut packages to a wheel."""

    def dependencies(self) -> list[str]:
        """The requirements of building a wheel: complete bindings, of both engines, and what cuts them."""
        cutter = next(each for each in self.metadata.core.dependencies if each.startswith("msgspec"))
        extras = self.metadata.core.optional_dependencies
        return [*extras["bindings"], *extras["cdktn-bindings"], cutter]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Hatch's call before it collects files; `version` is that of the target: standard or editable."""
        if version == "standard":
            self._aside = tempfile.mkdtemp(prefix="clusterprint-bindings-")
            _cutting().cut_packages(Path(self.root), Path(self._aside))
            build_data["force_include"][self._aside] = _PLACE
        else:
            # `make` installs msgspec and the complete bindings only after the checkout, and cuts then.
            with suppress(ModuleNotFoundError):
                _cutting().renew(Path(self.root))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Hatch's call when the wheel is written."""
        if version == "standard":
            shutil.rmtree(self._aside)


def _cutting() -> ModuleType:
    """The module beside this file. Raises ModuleNotFoundError where msgspec is not installed."""
    folder = str(Path(__file__).parent)
    sys.path.insert(0, folder)
    try:
        return import_module("cutting")
    finally:
        sys.path.remove(folder)
