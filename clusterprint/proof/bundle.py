"""Bundles for diagnosis: what a maintainer needs to find a fault, without secrets and names; their replay.

A bundle is a tar file of texts. Those of others are read within limits, into memory, and never unpacked.
"""

import gzip
import io
import json
import platform
import re
import tarfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from clusterprint import __version__
from clusterprint.errors import ClusterprintError, UsageError
from clusterprint.examine import Examined
from clusterprint.files import inside
from clusterprint.lifecycle.events import read_event
from clusterprint.lifecycle.failures import TerraformFailed
from clusterprint.lifecycle.session import Session
from clusterprint.lifecycle.stack import Stack
from clusterprint.lifecycle.terraform import Terraform
from clusterprint.lifecycle.world import home_of
from clusterprint.masking import mask_thoroughly
from clusterprint.proof.checksums import role
from clusterprint.proof.redact import own_names, redacted

#: The newest part of a log is what counts.
_MOST_LOG = 2 << 20
_MOST_BUNDLE = 32 << 20
_MOST_FILE = 8 << 20
_MOST_FILES = 200
_NAME = re.compile(r"[a-z0-9][-a-z0-9]*(?:/[a-z0-9][-a-z0-9]*)?\.(?:json|yaml|txt)")
_TYPE = re.compile(r"[a-z][a-z0-9_]{1,80}")
_OPERATIONS = frozenset({"create", "update", "delete"})


class Fault(NamedTuple):
    """An error of the cloud: at which operation, on which type of resource, in which words."""

    operation: str
    type: str
    error: str


class Bundle(NamedTuple):
    """A bundle that was read: the blueprint, and the faults to replay."""

    blueprint: str
    faults: tuple[Fault, ...]


def logs_of(stacks: Sequence[Stack], simulate: Path | None, logs: Path | None) -> dict[str, str]:
    """The newest part of the log of each stack that has one; to be read before a session clears them."""
    found = {}
    for each in stacks:
        file = (logs or home_of(simulate) / "stacks" / each.mark) / f"{each.name}.log"
        try:
            content = file.read_bytes()[-_MOST_LOG:]
        except OSError:
            continue
        found[each.name] = content.decode("utf-8", "replace")
    return found


def contents(
    examined: Examined,
    stacks: Sequence[Stack],
    session: Session,
    logs: Mapping[str, str],
    running: Iterable[tuple[str, str]] = (),
) -> dict[str, str]:
    """The files of a bundle by name, redacted; `running` are the answers of the running cluster."""
    validated = examined.results[0]
    cluster = str(validated.document.data["name"])
    names = own_names(dict(validated.document.data))
    taken: set[str] = set()
    text = examined.sources[validated.document.file]
    found = {"blueprint.yaml": _placeholders(text, validated.document.data)}
    problems: list[str] = []
    for each in stacks:
        part = role(each.name, cluster)
        document = json.loads((each.folder / "cdk.tf.json").read_text("utf-8"))
        found[f"stacks/{part}.json"] = _json(_clean(document, names, taken))
        if each.name in logs:
            found[f"logs/{part}.txt"] = redacted(logs[each.name], names, taken)
    faults = [one for log in logs.values() for one in _faults(log)]
    shown = [each._replace(error=redacted(each.error, names, taken)) for each in faults]
    found["faults.json"] = _json([each._asdict() for each in dict.fromkeys(shown)])
    with session.terraforms(stacks) as terraforms:
        for name, terraform in terraforms.items():
            try:
                found[f"states/{role(name, cluster)}.json"] = _json(_clean(_state(terraform), names, taken))
            except (TerraformFailed, ClusterprintError) as failed:
                texts = failed.errors if isinstance(failed, TerraformFailed) else (str(failed),)
                told = f"state of {role(name, cluster)}"
                problems += [redacted(f"{told}: {each}", names, taken) for each in texts]
    for name, answer in running:
        text = redacted(answer.encode()[-_MOST_LOG:].decode("utf-8", "replace"), names, taken)
        if name:
            found[name] = text
        else:
            problems.append(text)
    versions = {
        "clusterprint": __version__,
        "program": f"{session.world.engine} {session.world.version()}",
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "redacted": sorted(taken),
        "problems": problems,
    }
    return {"versions.json": _json(versions), **found}


def _json(document: Any) -> str:
    return json.dumps(document, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _clean(tree: Any, names: Mapping[str, str], taken: set[str]) -> Any:
    """A tree with every text in it redacted, keys too."""
    if isinstance(tree, str):
        return redacted(tree, names, taken)
    if isinstance(tree, Mapping):
        return {redacted(str(key), names, taken): _clean(each, names, taken) for key, each in tree.items()}
    if isinstance(tree, list | tuple):
        return [_clean(each, names, taken) for each in tree]
    return tree


def _state(terraform: Terraform) -> list[dict[str, Any]]:
    """The resources of a state without any value: type, status, dependencies, which attributes are set."""
    terraform.init()
    return [
        {
            "address": f"{each.get('type')}.{each.get('name')}",
            "mode": each.get("mode"),
            "instances": [
                {
                    "status": one.get("status"),
                    "needs": one.get("dependencies") or [],
                    "set": sorted(key for key, value in (one.get("attributes") or {}).items() if value),
                }
                for one in each.get("instances") or ()
            ],
        }
        for each in terraform.state().get("resources") or ()
    ]


def _placeholders(text: str, data: Mapping[str, Any]) -> str:
    """A blueprint that still validates, with the names of our examples in place of its owner's."""
    kept = {
        "project": "my-gpu-project",
        "bucket": "my-terraform-state",
        "UUID": f"00000000{'-0000' * 3}-{'0' * 12}",
    }
    names = {name: kept[kind] for name, kind in own_names(dict(data)).items() if kind in kept}
    names[str(data["name"])] = "replayed"
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])", names[name], text)
    lines = (line for line in text.splitlines(keepends=True) if not line.lstrip().startswith("#"))
    return mask_thoroughly("".join(lines))


def _faults(log: str) -> Iterator[Fault]:
    """The errors of resources in a log of Terraform."""
    actions: dict[str, str] = {}
    for line in log.splitlines():
        event = read_event(line)
        if event.sort == "apply_errored":
            actions[event.address] = event.action
        # An error of a deletion has no address: it is one of those that have no error yet.
        address = event.address or next(iter(actions), "")
        if not event.error or address not in actions:
            continue
        operation, kind = actions.pop(address), address.rpartition("module.")[2].partition(".")[0]
        if _TYPE.fullmatch(kind) and operation in _OPERATIONS:
            yield Fault(operation, kind, event.error[:4000])


def packed(files: Mapping[str, str]) -> bytes:
    """The tar file, the same for the same texts."""
    content = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=content, mode="wb", mtime=0) as zipped,
        tarfile.open(fileobj=zipped, mode="w") as tar,
    ):
        for name, text in sorted(files.items()):
            encoded = text.encode("utf-8", "replace")
            entry = tarfile.TarInfo(name)
            entry.size = len(encoded)
            tar.addfile(entry, io.BytesIO(encoded))
    return content.getvalue()


def read_bundle(file: Path) -> Bundle:
    """The parts of a bundle that are replayed. Raises UsageError for a file that is none."""
    try:
        files = dict(_unpacked(inside.read(file, _MOST_BUNDLE)))
        rows = json.loads(files["faults.json"])
        faults = tuple(Fault(str(each["operation"]), str(each["type"]), str(each["error"])) for each in rows)
        blueprint = files["blueprint.yaml"]
    except inside.NotRead as refused:
        raise UsageError(f"{file} {refused}") from None
    except (OSError, EOFError, tarfile.TarError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise UsageError(f"{file} is no bundle: {type(error).__name__}") from None
    if not all(each.operation in _OPERATIONS and _TYPE.fullmatch(each.type) for each in faults):
        raise UsageError(f"{file} is no bundle: its faults are none of resources")
    return Bundle(blueprint, faults)


def _unpacked(content: bytes) -> Iterator[tuple[str, str]]:
    """The files in a bundle. Raises ValueError for what no bundle has: links, other names, too much of it."""
    with gzip.GzipFile(fileobj=io.BytesIO(content)) as zipped:
        plain = zipped.read(_MOST_BUNDLE + 1)
    if len(plain) > _MOST_BUNDLE:
        raise ValueError("too large")
    with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as tar:
        for count, entry in enumerate(tar):
            stream = tar.extractfile(entry) if entry.isreg() else None
            large = count >= _MOST_FILES or entry.size > _MOST_FILE
            if stream is None or large or not _NAME.fullmatch(entry.name):
                raise ValueError(entry.name)
            yield entry.name, stream.read().decode("utf-8")
