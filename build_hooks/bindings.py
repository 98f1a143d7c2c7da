"""Puts provider bindings into the wheel, cut down to the modules that stacks/ uses (cutting.py).

An editable installation gets them too, in its checkout.
"""

import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_PLACE = "clusterprint/_assets/bindings"


class CutBindings(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the cut packages to a wheel."""

    def dependencies(self) -> list[str]:
        """What must be there while a wheel is built: the complete bindings, and what cuts them."""
        cutter = next(each for each in self.metadata.core.dependencies if each.startswith("msgspec"))
        return [*self.metadata.core.optional_dependencies["bindings"], cutter]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Hatch's call before it collects files; `version` is that of the target: standard or editable."""
        sys.path.insert(0, str(Path(__file__).parent))
        import cutting

        sys.path.remove(str(Path(__file__).parent))
        if version == "standard":
            self._aside = tempfile.mkdtemp(prefix="clusterprint-bindings-")
            cutting.cut_packages(Path(self.root), Path(self._aside))
            build_data["force_include"][self._aside] = _PLACE
        else:
            with suppress(ModuleNotFoundError):  # `make` installs the complete bindings later, and then cuts
                cutting.renew(Path(self.root))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Hatch's call when the wheel is written."""
        if version == "standard":
            shutil.rmtree(self._aside)
