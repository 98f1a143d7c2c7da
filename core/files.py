"""Lays the package into what is built here: the code of `clusterprint`, which lies in the folder above.

A source archive has it inside, laid out as in a wheel; then there is nothing to do.
"""

import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CoreFiles(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the folders that the wheel of `clusterprint` has."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Hatch's call before it collects files."""
        if Path(self.root, "clusterprint").is_dir():
            return
        above = Path(self.root).parent
        project = tomllib.loads((above / "pyproject.toml").read_text("utf-8"))
        wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
        places = {**{each: each for each in wheel["packages"]}, **wheel["force-include"]}
        build_data["force_include"].update({str(above / source): place for source, place in places.items()})
