"""Files for machines: those of a layer, laid out as on the machine, and facts, which scripts read."""

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import msgspec

from clusterprint.errors import InternalError
from clusterprint.plan.updates import UpdatesPlan

FACTS = "/etc/clusterprint"


class File(msgspec.Struct, frozen=True, kw_only=True):
    """A file on the machine, owned by root. `encoded` keeps any text whole, whatever characters it has."""

    path: str
    text: str
    mode: str
    encoded: bool = False


@cache  # every blueprint of a fleet has the same few
def layer(name: str) -> tuple[File, ...]:
    """The files of a layer, such as `vmss/node`: all below `<kind>/files/<layer>` in this package."""
    kind, _, rest = name.partition("/")
    folder = Path(__file__).parent / kind / "files" / rest
    return tuple(_file(path, folder) for path in sorted(folder.rglob("*")) if path.is_file())


def _file(path: Path, folder: Path) -> File:
    text = path.read_text("utf-8")
    mode = "0755" if text.startswith("#!") else "0644"
    return File(path=f"/{path.relative_to(folder).as_posix()}", text=text, mode=mode)


def facts(name: str, lines: Iterable[str]) -> File:
    """A file of facts, one a line: data that is parsed, never shell that is run."""
    checked = []
    for line in lines:
        # A line break inside a fact would be another fact, so none passes.
        if not line.replace("\t", "").isprintable():
            raise InternalError(f"a fact for the machines contains a control character: {line!r}")
        checked.append(line)
    return File(path=f"{FACTS}/{name}", text="\n".join([*checked, ""]), mode="0644")


def settings(values: dict[str, str]) -> File:
    """The file of single facts, `key=value`, which scripts ask for by key."""
    return facts("settings", (f"{key}={value}" for key, value in values.items()))


def updates(plan: UpdatesPlan | None) -> Iterator[File]:
    """Files that say what a machine may update by itself; none if its image decides."""
    if plan is None:
        return
    yield from layer("common/updates")
    if not plan.security:
        return
    yield from layer("common/security-updates")
    yield facts("security-updates", (f"first={plan.first}",))
    units = "/etc/systemd/system/clusterprint-updates"
    if plan.calendar:
        timer = f"[Timer]\nOnCalendar=\nOnCalendar={plan.calendar}\nRandomizedDelaySec=0\n"
        yield File(path=f"{units}.timer.d/window.conf", text=timer, mode="0644")
        service = f"[Service]\nTimeoutStartSec={plan.seconds}\n"
        yield File(path=f"{units}.service.d/window.conf", text=service, mode="0644")
