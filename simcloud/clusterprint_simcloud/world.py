"""One simulated world: clouds, a state bucket, and an environment in which Terraform meets nothing else."""

from __future__ import annotations

import copy
import json
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

from clusterprint_simcloud import facts
from clusterprint_simcloud.azure import assumed as azure
from clusterprint_simcloud.cloud import faults
from clusterprint_simcloud.cloud.contents import CLOUD_VARIABLE, Cloud, Contents, Record
from clusterprint_simcloud.environment import apart, tools
from clusterprint_simcloud.errors import MissingPart, NoLoopback
from clusterprint_simcloud.gcs import Emulator
from clusterprint_simcloud.gcs.kept import KeptStore
from clusterprint_simcloud.gcs.store import Bucket, Store
from clusterprint_simcloud.google import assumed as google
from clusterprint_simcloud.plugin import mirror
from clusterprint_simcloud.plugin.servicer import Servicer
from clusterprint_simcloud.plugin.serving import SOCKETS_VARIABLE, Attached, short_folder
from clusterprint_simcloud.providers import installed, schema_of
from clusterprint_simcloud.required import Versions, required

Mode = Literal["reattach", "mirror"]
# The plan that was made last, in the folder of its stack.
_PLAN = "simulated.tfplan"
_CHANGING = frozenset({"create", "update", "delete", "replace"})
TIMEOUT = 300.0  # seconds for one command; a test that takes longer hangs


def binary() -> str | None:
    """The path of `terraform`, else of `tofu`, else None."""
    return shutil.which("terraform") or shutil.which("tofu")


class TerraformFailed(AssertionError):  # noqa: N818  (a failed expectation, as in a test)
    """A run that was expected to succeed did not; the message has what it said."""


class Moment(NamedTuple):
    """The contents of a world at some time: of its clouds, and of its state buckets."""

    contents: Contents
    buckets: dict[str, Bucket]


class World:
    """A simulated world; a context manager.

    :param buckets: the state buckets that exist from the start, with versioning.
    :param mode: `reattach` serves the providers from this process, which is fast; in `mirror` mode Terraform
        installs and spawns them as it would real ones.
    :param folder: where it keeps its files; a temporary folder by default, removed at the end. The cloud in
        it is that of the last world there; with `keep`, so is the state bucket.
    :param timeout: how long one command may take, in seconds; None for as long as it likes.
    """

    def __init__(
        self,
        *buckets: str,
        mode: Mode = "reattach",
        folder: Path | None = None,
        timeout: float | None = TIMEOUT,
        keep: bool = False,
    ) -> None:
        self.mode = mode
        self._keep = keep
        self._timeout = timeout
        self._buckets = buckets or ("terraform-state",)
        self._given = folder
        self._stack = ExitStack()
        self._by_version: dict[Versions, dict[str, str]] = {}
        self.environment: dict[str, str] = {}

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            if self._given is None:
                made = stack.enter_context(
                    tempfile.TemporaryDirectory(prefix="simcloud-", ignore_cleanup_errors=True)
                )
                self.folder = Path(made)
            else:
                self.folder = self._given
            self.cloud = Cloud(self.folder / "cloud")
            stack.callback(self.cloud.close)
            store = KeptStore(self.folder / "storage") if self._keep else None
            self.storage = stack.enter_context(_emulator(self._buckets, store))
            with self.cloud.open() as contents:
                for bucket in map(google.bucket, self._buckets):
                    if bucket.key not in contents.records:
                        contents.add(bucket)
            self.environment = self._environment(stack)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _environment(self, stack: ExitStack) -> dict[str, str]:
        home = {"CDKTF_HOME": str(self.folder / "cdktf"), CLOUD_VARIABLE: str(self.cloud.folder)}
        # The same variable serves the backend and terraform_remote_state.
        storage = {"GOOGLE_BACKEND_STORAGE_CUSTOM_ENDPOINT": self.storage.endpoint}
        return {
            **apart(),
            **home,
            **storage,
            **tools(self.folder, self.cloud.folder),
            **self._providers(stack),
        }

    def _providers(self, stack: ExitStack) -> dict[str, str]:
        found = installed()
        if not found:
            message = "No provider bindings are installed: install cdktf-cdktf-provider-google."
            raise MissingPart(message)
        if self.mode == "mirror":
            sockets = stack.enter_context(tempfile.TemporaryDirectory(prefix="cps", dir=short_folder()))
            offered = {one.name: facts.versions(one.name) or [schema_of(one).version] for one in found}
            return {SOCKETS_VARIABLE: sockets, **mirror.write(self.folder, offered)}
        configuration = self.folder / "reattach.tfrc"
        configuration.write_text("disable_checkpoint = true\n")
        attached = self._by_version[()] = self._attached((), stack)
        return {"TF_CLI_CONFIG_FILE": str(configuration), **attached}

    def _attached(self, versions: Versions, stack: ExitStack) -> dict[str, str]:
        found = installed(dict(versions))
        attached = Attached({one.name: Servicer(one, schema_of(one), self.cloud) for one in found})
        stack.callback(attached.close)
        return attached.environment

    def providers(self, folder: Path) -> dict[str, str]:
        """Providers of their own, for a Terraform that runs at the same time as others: its environment.

        A provider remembers how it was configured, so that two stacks cannot share one (in `reattach` mode).
        """
        return self._attached(required(folder), self._stack)

    def _shared_providers(self, folder: Path) -> dict[str, str]:
        """Those of the versions that a folder requires: Terraform takes what it is attached to as it is."""
        if self.mode == "mirror":
            return {}  # Terraform looks for them itself
        versions = required(folder)
        if versions not in self._by_version:
            self._by_version[versions] = self._attached(versions, self._stack)
        return self._by_version[versions]

    # ---- running

    def run(
        self, *command: str, folder: Path, check: bool = True, environment: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run any command in this world.

        :raises TerraformFailed: when it fails and `check` is on.
        """
        with self.cloud.open() as contents:
            contents.runs_in(str(folder))
        done = subprocess.run(  # noqa: S603  (what the caller asks for)
            command,
            cwd=folder,
            env={**self.environment, **self._shared_providers(folder), **(environment or {})},
            text=True,
            capture_output=True,
            check=False,
            timeout=self._timeout,
            stdin=subprocess.DEVNULL,
        )
        if check and done.returncode:
            said = f"{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
            message = f"{' '.join(command)} ended with {done.returncode}\n{said}"
            raise TerraformFailed(message)
        return done

    def terraform(
        self, folder: Path, *arguments: str, check: bool = True
    ) -> subprocess.CompletedProcess[str]:
        """Run Terraform in a folder with Terraform JSON; `init` comes first where it has not been done.

        :raises TerraformFailed: when it fails and `check` is on.
        :raises MissingPart: without a `terraform` or `tofu` binary.
        """
        program = binary()
        if program is None:
            message = "Neither terraform nor tofu is on the PATH: install one of them."
            raise MissingPart(message)
        if arguments[0] != "init" and not (folder / ".terraform").exists():
            self.run(program, "init", "-no-color", folder=folder)
        return self.run(program, *arguments[:1], "-no-color", *arguments[1:], folder=folder, check=check)

    def apply(self, folder: Path, *, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Apply without asking."""
        return self.terraform(folder, "apply", "-auto-approve", check=check)

    def destroy(self, folder: Path, *, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Destroy without asking."""
        return self.terraform(folder, "destroy", "-auto-approve", check=check)

    def plan(self, folder: Path, *arguments: str) -> dict[str, Any]:
        """Plan, and return the plan as `terraform show -json` gives it."""
        self.terraform(folder, "plan", f"-out={_PLAN}", *arguments)
        shown = self.terraform(folder, "show", "-json", _PLAN)
        document: dict[str, Any] = json.loads(shown.stdout)
        return document

    def changes(self, folder: Path) -> dict[str, str]:
        """The actions of a plan: address -> `create`, `update`, `delete`, `replace`; empty when nothing."""
        done = self.terraform(folder, "plan", "-json", f"-out={_PLAN}")
        messages = [json.loads(line) for line in done.stdout.splitlines()]
        planned = [one["change"] for one in messages if one["type"] == "planned_change"]
        return {one["resource"]["addr"]: one["action"] for one in planned if one["action"] in _CHANGING}

    def carry_out(self, folder: Path) -> subprocess.CompletedProcess[str]:
        """Apply what `plan` or `changes` has planned last."""
        return self.terraform(folder, "apply", _PLAN)

    # ---- looking and meddling

    def assume(self, *folders: Path) -> list[Record]:
        """Let everything exist that the stacks in the folders only name; returns what was added.

        That is what is named literally and made by none: on Google Cloud buckets, networks, subnetworks and
        service accounts; on Azure resource groups, subnets and storage accounts.
        """
        documents = [
            json.loads(file.read_text()) for folder in folders for file in sorted(folder.glob("*.tf.json"))
        ]
        with self.cloud.open() as contents:
            return [one for cloud in (google, azure) for one in cloud.assume(contents, documents)]

    def resources(self, *types: str) -> list[Record]:
        """Records that configurations created in the cloud, and those that these created, oldest first."""
        found = [one for one in self.cloud.read().records.values() if not one.builtin]
        return [one for one in found if not types or one.type in types]

    def moment(self) -> Moment:
        """All that is there now, to return to."""
        return Moment(self.cloud.read(), copy.deepcopy(self.storage.store.buckets))

    def return_to(self, moment: Moment) -> None:
        """Let all be as it was at a moment of this world; what was logged stays."""
        with self.cloud.open() as contents:
            contents.replace(moment.contents)
        self.storage.store.buckets = copy.deepcopy(moment.buckets)

    def shortage(self, zone: str, code: str) -> None:
        """Let a zone have no machines left: groups get none there, and say `code` for it."""
        with self.cloud.open() as contents:
            contents.shortages[zone] = code

    def faults(self, *rules: faults.Fault) -> None:
        """Install fault rules in place of those before; none: no faults."""
        faults.install(self.cloud, rules)


def _emulator(buckets: Sequence[str], store: Store | None) -> Emulator:
    """The state buckets, which Terraform reaches through a port of this machine."""
    try:
        return Emulator(*buckets, store=store)
    except OSError as error:
        message = (
            f"simulated plans need the loopback network, and 127.0.0.1 cannot be used here"
            f" ({error.strerror or error}): bring it up (`ip link set lo up`), or run outside of the sandbox"
        )
        raise NoLoopback(message) from error
