"""Kustomizations that manifests name: rendered once, by kubectl, and kept beside the blueprint."""

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import UNSET

from clusterprint.derived import kustomizations
from clusterprint.derived.kustomizations import Inputs, NotTaken
from clusterprint.errors import EnvironmentFailure
from clusterprint.files import safe_write
from clusterprint.files.inside import NotRead, leads_out, read
from clusterprint.vendoring.manifests import MOST_BYTES, manifests_in

_SECONDS = 60
# kubectl would fetch what a kustomization names by an address; those are refused before. No proxy is here.
_NOWHERE = "http://127.0.0.1:9"
_ALONE = {
    "PATH": "",
    **{
        name: _NOWHERE for each in ("http_proxy", "https_proxy", "all_proxy") for name in (each, each.upper())
    },
}
_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000


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
        """The inputs, for messages."""
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
        safe_write.write(content, self.file, self.folder)

    def _inputs(self) -> Inputs:
        return kustomizations.inputs_of(self.kustomization, self.folder, self.name)


def rendered_by(data: Any, folder: Path) -> Iterator[Rendered]:
    """The kustomizations that a blueprint names. What is not written as it should be, `validate` tells."""
    for said in manifests_in(data):
        if said.kustomization is UNSET or said.file is UNSET or said.url is not UNSET:
            continue
        if not any(leads_out(folder / path, folder) for path in (said.file, said.kustomization)):
            yield Rendered(said.file, said.kustomization, folder)


def _objects(kustomization: str, inputs: Inputs) -> bytes:
    """The rendering of these files by kubectl, and of nothing else: it sees only them.

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
                # Without git and without a network: only files that were looked at are rendered.
                env={**_ALONE, "HOME": scratch},
                preexec_fn=_leave_networks,
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


def _leave_networks() -> None:
    """Have no network from here on, not even the machine's own addresses, where the system can do that."""
    unshare = getattr(ctypes.CDLL(None), "unshare", None)  # Linux; Python has it from 3.12 on
    if unshare is not None and unshare(_CLONE_NEWUSER | _CLONE_NEWNET) != 0:
        unshare(_CLONE_NEWNET)  # containers often allow root this, and no users of its own
