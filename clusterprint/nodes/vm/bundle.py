"""The start-up script of a machine: a fixed script, and behind its end the files that it puts in place.

Each file is a line `#file MODE PATH` and then its own lines behind a `|`. So it is readable in a review, a
line that changes is a line of the difference, and nothing in a file is taken for anything but its content.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from clusterprint.nodes import file
from clusterprint.nodes.file import File, layer
from clusterprint.nodes.vm.facts import facts
from clusterprint.plan.vm_nodes import NodeSettings, System
from clusterprint.words import counted

_BOOTSTRAP = Path(__file__).parent / "bootstrap"
_FILE = re.compile(r"^#file [^\n]*\n(?:\|[^\n]*\n)*", re.MULTILINE)


def startup_script(settings: NodeSettings, more: Iterable[str] = (), beside: Iterable[File] = ()) -> str:
    """Everything that a machine of these settings needs, as one script; with `more` layers, and files."""
    layers = dict.fromkeys([*_LAYERS[settings.system](settings), *more])
    entries = [entry for name in layers for entry in _entries(name)]
    # Container-Optimized OS is told by its metadata.
    held = file.updates(settings.updates) if settings.system == "linux" else ()
    entries += map(_entry, [*facts(settings), *held, *beside])
    entries.sort(key=lambda entry: entry.path)
    return _BOOTSTRAP.read_text("utf-8") + "".join(entry.text for entry in entries)


def _layers(settings: NodeSettings) -> Iterator[str]:
    """Only requested files are on the machine, and the answer to health checks, which may begin later."""
    yield from ("common/every", "vm/every", "vm/repair")
    wanted = {
        ("vm/updates",): settings.updates,
        ("vm/limits",): settings.unlimited_memlock,
        ("common/scratch", "vm/scratch"): settings.scratch,
        ("vm/driver",): settings.driver,
        ("vm/confidential-gpus",): settings.confidential_gpus,
        ("common/docker", "vm/docker"): settings.docker or settings.container or settings.ray,
        ("vm/registry", "vm/container"): settings.container,
        ("vm/buckets",): settings.mounts,
        ("vm/volumes",): settings.volumes,
        ("vm/lustre",): any(each.kind == "lustre" for each in settings.volumes),
        ("vm/parallelstore",): any(each.kind == "parallelstore" for each in settings.volumes),
        ("vm/files",): settings.files_bucket,
        ("vm/gib",): settings.gpudirect == "roce",
        ("vm/falcon",): settings.rdma,
        ("vm/health",): settings.health,
        ("vm/hosts",): settings.hosts or settings.ssh,
        ("vm/ssh",): settings.ssh,
        ("vm/end",): settings.end,
        ("vm/dcgm",): settings.dcgm,
        ("vm/ops-agent",): settings.ops_agent,
        ("vm/mpi",): settings.mpi,
        ("vm/nccl-tests",): settings.nccl_tests,
        ("vm/registry", "vm/ray"): settings.ray,
        ("common/slurm", "vm/slurm"): settings.slurm,
        ("vm/idle",): settings.idle,
        ("vm/notebook",): settings.notebook_port,
        ("vm/startup",): settings.startup_script,
        ("common/packages",): _installs(settings),
    }
    for layers, asked_for in wanted.items():
        if asked_for:
            yield from layers


def _installs(settings: NodeSettings) -> bool:
    """Whether a step may have to install packages."""
    others = (
        settings.docker,
        settings.container is not None,
        settings.ray is not None,
        settings.gpudirect,
        settings.hosts,
        settings.ssh,
        settings.mpi,
        settings.dcgm,
        settings.ops_agent,
        settings.notebook_port,
        settings.idle and settings.idle.stops,
        settings.updates and settings.updates.security,
    )
    return bool(settings.scratch or settings.driver or settings.mounts or settings.volumes or any(others))


def _layers_of_cos(settings: NodeSettings) -> Iterator[str]:
    """Container-Optimized OS has Docker and no packages, and is not set up for everything."""
    yield from ("common/every", "vm/every", "vm/cos")
    wanted = {
        ("vm/limits",): settings.unlimited_memlock,
        ("common/scratch", "common/packages", "vm/scratch"): settings.scratch,
        ("vm/driver-cos",): settings.driver,
        ("vm/docker-cos",): settings.docker or settings.container or settings.receive,
        ("vm/registry", "vm/receive"): settings.receive,
        ("vm/registry", "vm/container"): settings.container,
        ("vm/files",): settings.files_bucket,
        ("vm/startup",): settings.startup_script,
    }
    for layers, asked_for in wanted.items():
        if asked_for:
            yield from layers


_LAYERS: dict[System, Callable[[NodeSettings], Iterator[str]]] = {"linux": _layers, "cos": _layers_of_cos}


class _Entry(NamedTuple):
    """A file as it stands in the script, and where it goes."""

    path: str
    text: str


@cache  # the size of every group of every blueprint is looked at, and layers are the same for all
def _entries(name: str) -> tuple[_Entry, ...]:
    return tuple(map(_entry, layer(name)))


def folded(script: str) -> str:
    """The script with a line in place of each file that is, literally, one of this version."""

    def line(found: re.Match[str]) -> str:
        text = found[0]
        heading, _, body = text.partition("\n")
        count = body.count("\n")
        return f"{heading} ({counted(count, 'line')} of clusterprint)\n" if text in _shipped() else text

    return _FILE.sub(line, script) if "#file " in script else script


@cache
def _shipped() -> frozenset[str]:
    """All files of all layers, as they are in scripts."""
    above = Path(__file__).parent.parent
    names = [
        f"{kind}/{each.name}" for kind in ("common", "vm") for each in (above / kind / "files").iterdir()
    ]
    return frozenset(each.text for name in names for each in _entries(name))


def _entry(file: File) -> _Entry:
    lines = (f"|{line}\n" for line in _without_asides(file))
    return _Entry(file.path, f"#file {file.mode} {file.path}\n{''.join(lines)}")


def _without_asides(file: File) -> Iterator[str]:
    """The lines of a file; a script's without comments but the first paragraph, which says what it is.

    The others are for those who change it: they would fill the metadata, and another word in one of them
    would replace the template of every cluster.
    """
    lines = file.text.removesuffix("\n").split("\n")
    if file.encoded or not (file.text.startswith("#!") or file.path.endswith(".sh")):
        yield from lines
        return
    head = list(takewhile(lambda line: _is_comment(line) and line != "#", lines))
    yield from head
    yield from (line for line in lines[len(head) :] if not _is_comment(line))


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")
