"""Values of a first blueprint: from options, and asked for on a terminal."""

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import click

from clusterprint import catalog, did_you_mean
from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.starter import LOCATION, MACHINES, Start, is_public_key, zone_of

_NAME = "first"
_AZURE = "vmss"
_MOST = 65_536


def choose(options: Mapping[str, str]) -> Start:
    """The values to write. Raises UsageError without a terminal, for all missing values at once."""
    asking = _Asking(options, is_terminal=sys.stdin.isatty())
    kind = asking.one("kind", f"Kind ({', '.join(MACHINES)})", default="vm", must=True)
    if kind not in MACHINES:
        raise UsageError(f"there is no kind {kind}: use one of {', '.join(MACHINES)}")
    _refuse_of_other_cloud(options, kind)
    name = asking.one("name", "Name of the cluster", default=_NAME)
    start = _azure(asking, name) if kind == _AZURE else _google(asking, kind, name)
    asking.finish()
    return start


def _google(asking: "_Asking", kind: str, name: str) -> Start:
    owner = asking.one("project", "Project of Google Cloud", must=True)
    machine_type = asking.one("machine_type", "Machine type", default=MACHINES[kind])
    given = asking.options["zone"]
    near = zone_of(machine_type, asking.options["region"] or (catalog.region_of(given) if given else ""))
    region = asking.one("region", "Region", default=catalog.region_of(given or near) if given or near else "")
    if region and not given and region not in catalog.regions():
        ways = [*filter(None, [did_you_mean.region(region)]), "add --zone"]
        raise UsageError(f"no zone of region {region} is known: {' Or '.join(ways)}")
    zone = asking.one("zone", "Zone", default=zone_of(machine_type, region))
    bucket = asking.one("state_bucket", "Bucket for the state", default=_bucket(owner))
    return Start(kind, name, owner, region, zone, machine_type, bucket)


def _azure(asking: "_Asking", name: str) -> Start:
    owner = asking.one("subscription", "Subscription of Azure", must=True)
    size = asking.one("machine_type", "Size of machine", default=MACHINES[_AZURE])
    location = asking.one("location", "Location", default=asking.options["region"] or LOCATION)
    bucket = asking.one("state_bucket", "Bucket of Google Cloud for the state", must=True)
    key = asking.one("key", "File of your public SSH key", must=True, flag="--ssh-public-key")
    return Start(_AZURE, name, owner, location, "", size, bucket, _public_key(key) if key else "")


def _bucket(project: str) -> str:
    return f"{re.sub(r'[^a-z0-9-]', '-', project)}-terraform-state" if project else ""


def _refuse_of_other_cloud(options: Mapping[str, str], kind: str) -> None:
    """Refuse an option that would have no effect."""
    idle = ("project", "zone") if kind == _AZURE else ("subscription", "location", "key")
    for each in idle:
        if options[each]:
            flag = "ssh-public-key" if each == "key" else each
            raise UsageError(f"--{flag} does not apply to kind {kind}: leave it out")


def _public_key(path: str) -> str:
    try:
        with Path(path).expanduser().open(encoding="utf-8") as stream:
            text = stream.read(_MOST)
    except (OSError, RuntimeError, UnicodeDecodeError) as error:  # RuntimeError: there is no home
        raise EnvironmentFailure(f"{path} cannot be read as a public SSH key: {error}") from error
    if not is_public_key(text):
        raise UsageError(f"{path} is not a public SSH key: name the file that ends in .pub")
    return text.strip()


class _Asking:
    """Options first; then questions, if there is somebody to answer; then defaults."""

    def __init__(self, options: Mapping[str, str], *, is_terminal: bool) -> None:
        self.options = options
        self._ask: Callable[[str, str], str] | None = self._prompt if is_terminal else None
        self._missing: list[str] = []

    def one(self, option: str, title: str, *, default: str = "", must: bool = False, flag: str = "") -> str:
        """A value; noted as missing if it is required and not given."""
        if value := self.options[option].strip():
            return value
        if self._ask:
            return self._ask(title, default)
        if must or not default:
            self._missing.append(flag or f"--{option.replace('_', '-')}")
            return default if option == "kind" else ""
        return default

    def finish(self) -> None:
        """Refuse incomplete values."""
        if self._missing:
            raise UsageError(f"there is no terminal to ask on: add {', '.join(self._missing)}")

    @staticmethod
    def _prompt(title: str, default: str) -> str:
        answer: str = click.prompt(title, default=default or None, err=True)
        return answer.strip()
