"""`clusterprint list`: all clusters of a repository."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap

import click

from clusterprint.cli import cluster_arguments
from clusterprint.cli.output import FORMAT, say
from clusterprint.cli.tables import lined_up
from clusterprint.examine import examine
from clusterprint.overview.cluster import Cluster, as_data, cluster_of
from clusterprint.overview.facts import facts_of
from clusterprint.render.visible import visible
from clusterprint.words import counted

_HEADER = ("NAME", "KIND", "WHERE", "USD/H", "ACCELERATORS")
# Columns of a terminal that the text fits, unless one name is longer.
_WIDTH = 100
_LEGEND = """\
Below each: machines, capacity models, file; --format json has the states, too. Machines and
accelerators: the maximum where pools grow. USD/H: list prices of these machines, no disks, networks
or discounts; + without machines that have no list price; - no list price."""


@click.command("list")
@cluster_arguments.any_of
@FORMAT
def list(paths: tuple[Path, ...], form: str) -> None:  # noqa: A001 - it is what users type
    """List all clusters with machines and cost.

    A row also has the kind, the capacity and the place of the state. CLUSTER is a name, a blueprint's file,
    or a folder of blueprints; the default is blueprints/. Of blueprints with errors, the valid values are
    listed, and the exit code is 1.
    """
    examined = examine(paths)
    clusters = [cluster_of(each) for each in examined.results]
    unread = [*examined.unreadable]
    if form == "json":
        say(json.dumps({"clusters": [as_data(each) for each in clusters], "unreadable": unread}, indent=2))
    else:
        header, *rows = lined_up(_HEADER, map(_row, clusters), {"USD/H"})
        found = [line for row, each in zip(rows, clusters, strict=True) for line in (row, *_below(each))]
        say("\n".join([header, *found, "", _summary(clusters), _LEGEND]))
    wrong = [*unread, *(each.file for each in clusters if each.errors)]
    if wrong:
        said = f"{counted(len(wrong), 'blueprint')} with mistakes: {', '.join(map(visible, wrong))}"
        say(f"{said}; `clusterprint validate` says which", err=True)
    sys.exit(1 if wrong else 0)


def _row(cluster: Cluster) -> tuple[str, ...]:
    return (
        cluster.name or "?",
        cluster.kind or "?",
        cluster.place or "?",
        _price(cluster),
        ", ".join(accelerators(cluster)) or "-",
    )


def _below(cluster: Cluster) -> Iterator[str]:
    """Machines, capacity models and the file of a cluster, in as many lines as they need."""
    machines = dict.fromkeys(
        f"{each.machines.most} x {each.machines.machine_type}" for each in cluster.groups
    )
    models = dict.fromkeys(each.machines.model for each in cluster.groups)
    file = cluster.file + (" (mistakes)" if cluster.errors else "")
    text = "; ".join(filter(None, (", ".join(machines), ", ".join(models), visible(file))))
    yield from (
        f"  {line}" for line in wrap(text, _WIDTH - 2, break_long_words=False, break_on_hyphens=False)
    )


def accelerators(cluster: Cluster) -> tuple[str, ...]:
    """How many of which accelerators: `16 H200 141GB`."""
    sums: dict[str, float] = {}
    for each in cluster.groups:
        of = facts_of(each).family
        if of.each:
            sums[of.name] = sums.get(of.name, 0) + of.each * each.machines.most
    return tuple(f"{amount:g} {name}" for name, amount in sums.items())


def _price(cluster: Cluster) -> str:
    if cluster.per_hour is None:
        return "-"
    return f"{cluster.per_hour:,.2f}{'+' if cluster.without_price else ''}"


def _summary(clusters: Sequence[Cluster]) -> str:
    known = sum(each.per_hour or 0 for each in clusters)
    more = " and what has no list price" if any(each.without_price for each in clusters) else ""
    return f"{counted(len(clusters), 'cluster')}, {known:,.2f} USD per hour{more}"
