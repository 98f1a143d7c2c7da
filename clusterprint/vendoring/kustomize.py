"""Kustomizations that manifests name: rendered once, by kubectl, and kept beside the blueprint."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from clusterprint.blueprint.gke.components import Manifest
from clusterprint.derived import kustomizations
from clusterprint.derived.kustomizations import Inputs, NotTaken
from clusterprint.errors import EnvironmentFailure
from clusterprint.files import aside
from clusterprint.files.inside import NotRead, leads_out, read

#: Larger ones fit into no release.
MOST_BYTES = 1 << 20

_SECONDS = 60
# kubectl would fetch what a kustomization names by an address; those are refused before. No proxy is here.
_NOWHERE = "http://127.0.0.1:9"


class Rendered(NamedTuple):
    """A file that a blueprint keeps of a kustomization; all paths are below `folder`, the blueprint's."""

    name: str
    kustomization: str
    folder: Path

    @property
    def file(self) -> Path:
        """Where it lies."""
        return self.folder / self.name

    @property
    def source(self) -> str:
        """What it is made of, for messages."""
        return self.kustomization

    def is_there(self) -> bool:
        """Whether it is there, as the kustomization is now. Raises NotTaken."""
        inputs = self._inputs()
        try:
            return not kustomizations.difference(read(self.file, MOST_BYTES), inputs)
        except (OSError, NotRead):
            return False

    def keep(self) -> None:
        """Render it and put it where it belongs. Raises NotTaken, EnvironmentFailure."""
        inputs = self._inputs()
        content = kustomizations.written(self.kustomization, inputs, _objects(self.kustomization, inputs))
        if len(content) > MOST_BYTES:
            raise NotTaken("renders to more than 1 MiB, and Helm keeps no release that large")
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            aside.write(content, self.file)
        except OSError as error:
            raise EnvironmentFailure(f"{self.name} cannot be written: {error.strerror}") from None

    def _inputs(self) -> Inputs:
        return kustomizations.inputs_of(self.kustomization, self.folder, self.name)


def rendered_by(data: Any, folder: Path) -> Iterator[Rendered]:
    """The kustomizations that a blueprint names. What is not written as it should be, `validate` tells."""
    workloads = data.get("workloads") if isinstance(data, dict) else None
    manifests = workloads.get("manifests") if isinstance(workloads, dict) else None
    for each in manifests if isinstance(manifests, list) else ():
        try:
            said = msgspec.convert(each, Manifest)
        except (msgspec.ValidationError, TypeError):
            continue
        if said.kustomization is UNSET or said.file is UNSET or said.url is not UNSET:
            continue
        if not any(leads_out(folder / path, folder) for path in (said.file, said.kustomization)):
            yield Rendered(said.file, said.kustomization, folder)


def _objects(kustomization: str, inputs: Inputs) -> bytes:
    """What kubectl makes of these files, and of nothing else: they are all that it sees.

    Raises NotTaken, EnvironmentFailure.
    """
    kubectl = shutil.which("kubectl")
    if kubectl is None:
        raise EnvironmentFailure("kubectl is not installed, and is needed to render kustomizations")
    with tempfile.TemporaryDirectory() as scratch:
        for name, content in inputs.files.items():
            copy = Path(scratch, name)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(content)
        try:
            done = subprocess.run(
                [kubectl, "kustomize", "--load-restrictor=LoadRestrictionsRootOnly", kustomization],
                cwd=scratch,
                # Without git and without internet access: only files that were looked at are rendered.
                env={"PATH": "", "HOME": scratch, "HTTP_PROXY": _NOWHERE, "HTTPS_PROXY": _NOWHERE},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise NotTaken(f"is not rendered within {_SECONDS} seconds") from None
        except OSError as error:
            raise EnvironmentFailure(f"kubectl cannot be run: {error.strerror}") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").replace(scratch, "").strip()
        raise NotTaken(f"is not rendered by kubectl: {said.splitlines()[-1] if said else done.returncode}")
    return done.stdout
