"""Puts provider bindings into the wheel, cut down to the modules that stacks/ uses.

Complete packages, of which little is used, would be nearly all that an installation downloads, unpacks and
compiles. They are needed to build a wheel, and then no more. A checkout, installed editable, runs with them
(extra `bindings`).
"""

import importlib.metadata
import importlib.util
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_PLACE = "clusterprint/_assets/bindings"
_NOTICE = """\
# {package}

Parts of {distribution} {version}, under the licence beside this file (MPL-2.0).
The complete package and its sources: {source}

What was changed: only these modules are here, and their compiled JavaScript has no source maps.

{modules}
"""


class CutBindings(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the cut packages to a wheel."""

    def dependencies(self) -> list[str]:
        """What must be there while a wheel is built: the complete bindings, and what cuts them."""
        cutter = next(each for each in self.metadata.core.dependencies if each.startswith("msgspec"))
        return [*self.metadata.core.optional_dependencies["bindings"], cutter]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Hatch's call before it collects files; `version` is that of the target: standard or editable."""
        if version != "standard":
            return
        self._aside = tempfile.mkdtemp(prefix="clusterprint-bindings-")
        cut_packages(Path(self.root), Path(self._aside))
        build_data["force_include"][self._aside] = _PLACE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Hatch's call when the wheel is written."""
        if version == "standard":
            shutil.rmtree(self._aside)


def cut_packages(root: Path, out: Path) -> None:
    """Write into `out` each package of bindings that root/stacks imports, with the imported modules only.

    Raises ModuleNotFoundError when one is not installed.
    """
    sys.path.insert(0, str(root))
    from clusterprint.bindings.scan import modules_imported

    sys.path.remove(str(root))
    for package, named in modules_imported(root / "stacks").items():
        spec = importlib.util.find_spec(package)
        if spec is None or spec.origin is None:
            message = (
                f"{package} is needed to build a wheel: pip install '.[bindings]', or build with isolation"
            )
            raise ModuleNotFoundError(message)
        _cut_package(Path(spec.origin).parent, named, out / package)


def _cut_package(whole: Path, named: set[str], out: Path) -> None:
    from clusterprint.bindings.cut import cut

    # Words in comments look like modules too.
    modules = sorted(name for name in named if (whole / name).is_dir())
    (out / "_jsii").mkdir(parents=True)
    # Importing the whole package at once has no meaning here: see clusterprint/bindings/importing.py.
    (out / "__init__.py").touch()
    for file in ("_jsii/__init__.py", *(f"{module}/__init__.py" for module in modules)):
        (out / file).parent.mkdir(exist_ok=True)
        shutil.copyfile(whole / file, out / file)
    (tarball,) = (whole / "_jsii").glob("*.jsii.tgz")
    (out / "_jsii" / tarball.name).write_bytes(cut(tarball, modules))
    _write_notice(whole.name, modules, out)


def _write_notice(package: str, modules: list[str], out: Path) -> None:
    distribution = importlib.metadata.distribution(package.replace("_", "-"))
    licence = distribution.read_text("LICENSE") or distribution.read_text("licenses/LICENSE")
    if not licence:
        message = f"{package} has no licence to bring along"
        raise FileNotFoundError(message)
    (out / "LICENSE").write_text(licence, "utf-8")
    notice = _NOTICE.format(
        package=package,
        distribution=distribution.metadata["Name"],
        version=distribution.version,
        source=distribution.metadata["Home-page"],
        modules="\n".join(f"- {module}" for module in modules),
    )
    (out / "NOTICE.md").write_text(notice, "utf-8")
