"""`clusterprint show`: all values of a blueprint, and the plans of its stacks."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.cli import cluster_arguments
from clusterprint.cli.output import FORMAT, say
from clusterprint.cli.report import print_report, utf8
from clusterprint.cli.tables import lined_up
from clusterprint.describe import yaml_block
from clusterprint.document import Document
from clusterprint.errors import UsageError
from clusterprint.examine import examine
from clusterprint.overview import disk_pools, storage_classes, volumes, wishes
from clusterprint.overview.cluster import Cluster, as_data, at_rest, cluster_of
from clusterprint.overview.resolved import Stack, shortened, stacks_of
from clusterprint.overview.values import Value, as_yaml, values_of
from clusterprint.wishes import counted_words

_WIDEST = 72


@click.command("show")
@cluster_arguments.one
@FORMAT
def show(blueprint: Path, form: str) -> None:
    """Print all values of a blueprint.

    CLUSTER is a name, a blueprint's file, or `-` for standard input. After each value comes its origin: the
    line of a file, or the default. Then follow the machines with what the catalog knows about them, the
    wishes for capacity with their prices, the volumes with their performance and monthly cost (`?` is not
    known, or depends on use), disk pools with the disks in them, storage classes, and the plan of each stack
    with the address of its state; in text, long texts of it are shortened, and empty values are left out. If
    the blueprint has errors, those are printed instead, and the exit code is 1.
    """
    if blueprint.is_dir():
        raise UsageError(f"{blueprint} is a folder: name one blueprint; `clusterprint list` shows all")
    examined = examine([blueprint])
    result = next(iter(examined.results), None)
    if examined.errors or result is None or result.blueprint is None:
        print_report(examined, "text", utf8(sys.stderr))
        sys.exit(3 if examined.crashed else 1)
    document = result.document
    values = list(values_of(result.blueprint, document))
    stacks = stacks_of(result.blueprint, document.folder)
    cluster, storage = cluster_of(result), _storage(result.blueprint)
    if isinstance(result.blueprint, VmBlueprint):
        cluster = at_rest(result.blueprint, cluster)
    if form == "json":
        data = _data(values, cluster, storage, stacks)
        say(json.dumps({**data, "wishes": wishes.as_data(wishes.priced(result))}, indent=2))
    else:
        known = [*_machines(cluster), *_wishes(cluster, wishes.priced(result)), *_stored(storage)]
        say("\n".join([*_understood(document, values), "", *known, *_resolved(stacks)]))


_Rows = list[dict[str, Any]]


def _storage(blueprint: Blueprint) -> dict[str, _Rows]:
    return {
        "volumes": volumes.volumes_data(blueprint),
        "disk_pools": disk_pools.disk_pools_data(blueprint),
        "storage_classes": storage_classes.storage_classes_data(blueprint),
    }


def _data(
    values: Sequence[Value], cluster: Cluster, storage: dict[str, _Rows], stacks: Sequence[Stack]
) -> dict[str, Any]:
    return {
        "values": [
            {"place": list(each.place), "value": each.value, "origin": each.origin} for each in values
        ],
        **as_data(cluster),
        **storage,
        "stacks": [each._asdict() for each in stacks],
    }


def _understood(document: Document, values: list[Value]) -> Iterator[str]:
    yield f"# {document.file}: all values"
    lines = as_yaml(values)
    width = min(max(len(line) for line, _ in lines), _WIDEST)
    for line, origin in lines:
        yield f"{line.ljust(width)}  # {origin}" if origin else line


def _machines(cluster: Cluster) -> Iterator[str]:
    yield "# machines, by the catalog"
    header = (
        "NAME",
        "MACHINE TYPE",
        "NODES",
        "CAPACITY",
        "ACCELERATORS",
        "NICS",
        "FABRIC",
        "ZONES",
        "USD/H",
        "FROM",
    )
    rows = [_row(each) for each in as_data(cluster)["machines"]]
    yield from (f"# {line}" for line in lined_up(header, rows, {"NICS", "USD/H"}))


def _wishes(cluster: Cluster, found: list[wishes.Priced]) -> Iterator[str]:
    if not found:
        return
    yield from ("", "# wishes for capacity")
    rows = [
        (
            each.group.name,
            f"{counted_words(each.group, each.number)}{', counts' if each.counts else ''}",
            "-" if each.per_hour is None else f"{each.per_hour:,.2f}",
        )
        for each in found
    ]
    yield from (f"# {line}" for line in lined_up(("NAME", "WISH", "USD/H"), rows, {"USD/H"}))
    if bounds := wishes.cost_range(cluster.per_hour, found):
        least, most = (f"{each:,.2f}" for each in bounds)
        yield f"# the cluster costs {least} to {most} USD per hour, by the wishes that count"


def _stored(storage: dict[str, _Rows]) -> Iterator[str]:
    """A table for each existing sort of storage."""
    tables = (
        ("volumes", "volumes, all clients together", volumes),
        ("disk_pools", "disk pools", disk_pools),
        ("storage_classes", "storage classes, for claims of any workload", storage_classes),
    )
    for key, title, table in tables:
        if storage[key]:
            yield from ("", f"# {title}")
            rows = (tuple(table.cells(each)) for each in storage[key])
            yield from (f"# {line}" for line in lined_up(table.HEADER, rows, table.NUMBERS))


def _row(group: dict[str, Any]) -> tuple[str, ...]:
    least, most, price = group["nodes"], group["most_nodes"], group["usd_per_hour"]
    each = group["accelerators_per_node"]
    return (
        group["name"],
        group["machine_type"],
        str(most) if least == most else f"{least}-{most}",
        group["capacity"],
        f"{each * most:g} {group['accelerator']}" if each else "-",
        str(group["interfaces"] or "?"),
        group["fabric"] or "-",
        ", ".join(group["zones"]) or "-",
        "-" if price is None else f"{f'{price * least / most:,.2f}-' if least < most else ''}{price:,.2f}",
        f"{group['source']}, {group['date']}" if group["source"] else "not in the catalog",
    )


def _resolved(stacks: Sequence[Stack]) -> Iterator[str]:
    for each in stacks:
        yield ""
        yield f"# resolved: stack {each.name}, state {each.state}"
        yield yaml_block(shortened(each.plan))
