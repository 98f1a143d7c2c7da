"""`clusterprint choose`: machine types that fit a number of GPUs, and a blueprint for one."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from clusterprint.catalog import CAPACITY_MODELS, CapacityModel
from clusterprint.choose import OFFERED, Need, Offer, offers
from clusterprint.cli.capacity import letters
from clusterprint.cli.completion import accelerators, regions
from clusterprint.cli.new_file import write
from clusterprint.cli.output import FORMAT, out_option, say
from clusterprint.cli.tables import lined_up
from clusterprint.errors import UsageError
from clusterprint.words import counted

_HEADER = ("MACHINE TYPE", "NODES", "WITH", "KIND", "NICS", "FABRIC", "SOLD", "AS", "WHERE", "USD/H", "EACH")
_LEGEND = """\
Sold: D on demand, S spot, F flex-start, R reservation; - not available, ? unknown. USD/H is the list price
of all machines, sold as AS says, EACH that of one accelerator; - no list price."""


@click.command("choose")
@click.option(
    "--gpus", type=click.IntRange(1, 100_000), required=True, help="Number of GPUs, or of TPU chips."
)
@click.option(
    "--gpu", required=True, shell_complete=accelerators, help="GPU or TPU: h200, a100-80gb, l4, v6e, mi300x."
)
@click.option(
    "--region", default="", shell_complete=regions, help="Region of Google Cloud, or location of Azure."
)
@click.option("--kind", type=click.Choice(OFFERED), help="Kind of cluster.")
@click.option(
    "--capacity", type=click.Choice(CAPACITY_MODELS), help="Capacity model: how the machines are sold."
)
@click.option("--machine-type", default="", help="Write the blueprint of this offer instead of the first.")
@out_option("Write the blueprint to a new file.")
@FORMAT
def choose(  # noqa: PLR0913 - click passes options
    *,
    gpus: int,
    gpu: str,
    region: str,
    kind: str | None,
    capacity: CapacityModel | None,
    machine_type: str,
    out: Path | None,
    form: str,
) -> None:
    """Find machine types, and print a blueprint.

    Each line is a machine type: how many of them it takes, what connects them, how they are sold, where they
    are, and what they cost by list. The blueprint has been tried: `validate --strict` accepts it; replace the
    names of project, bucket and reservation in it. If no machine type fits,
    the lines below the table say why, and the exit code is 1.
    """
    found = offers(Need(gpus, gpu, region, kind or "", capacity))
    chosen = _chosen(found, machine_type)
    if out is not None and chosen is not None:
        write(chosen.blueprint, out)
    if form == "json":
        say(json.dumps([_data(each) for each in found], indent=2))
    elif not found:
        say(f"nothing in the catalog has {counted(gpus, gpu)} like this", err=True)
    else:
        say("\n".join(_text(found, chosen, out)))
    sys.exit(0 if found else 1)


def _chosen(found: Sequence[Offer], machine_type: str) -> Offer | None:
    """The offer whose blueprint is meant; None if the first one has none."""
    if not machine_type:
        return found[0] if found and found[0].blueprint else None
    named = next((each for each in found if each.candidate.machine_type == machine_type), None)
    if named is None:
        names = ", ".join(each.candidate.machine_type for each in found) or "none"
        raise UsageError(f"{machine_type} is not among the offers: {names}")
    if not named.blueprint:
        raise UsageError(f"there is no blueprint with {machine_type}: {'; '.join(named.limits)}")
    return named


def _text(found: Sequence[Offer], chosen: Offer | None, out: Path | None) -> Iterator[str]:
    yield from lined_up(_HEADER, map(_row, found), {"NODES", "NICS", "USD/H", "EACH"})
    yield ""
    for each in found:
        if each.limits:
            yield f"{each.candidate.machine_type}: {'; '.join(each.limits)}"
    yield _LEGEND
    if chosen is None:
        return
    yield ""
    if out is not None:
        yield f"wrote {out}: {chosen.candidate.machine_type}"
    else:
        yield f"# The blueprint with {chosen.candidate.machine_type}; --out FILE writes it."
        yield chosen.blueprint.rstrip()


def _row(offer: Offer) -> tuple[str, ...]:
    each = offer.candidate
    price = offer.per_hour
    where = f"{offer.region} ({', '.join(zone.rpartition('-')[2] for zone in offer.zones) or '?'})"
    return (
        each.machine_type,
        str(each.nodes),
        f"{offer.accelerators} {each.accelerator}",
        offer.kind,
        str(each.nics),
        each.fabric or "-",
        letters({model: each.capacity.get(model) for model in CAPACITY_MODELS}),
        offer.capacity,
        offer.region if offer.kind == "vmss" else where,
        "-" if price is None else f"{price:,.2f}",
        "-" if price is None else f"{price / offer.accelerators:,.2f}",
    )


def _data(offer: Offer) -> dict[str, Any]:
    each = offer.candidate
    return {
        "machine_type": each.machine_type,
        "nodes": each.nodes,
        "accelerator": each.accelerator,
        "accelerators_per_node": each.each,
        "accelerators": offer.accelerators,
        "kind": offer.kind,
        "kinds": list(each.kinds),
        "interfaces": each.nics,
        "fabric": each.fabric,
        "capacity": offer.capacity,
        "sold": {model: each.capacity.get(model) for model in CAPACITY_MODELS},
        "region": offer.region,
        "zones": list(offer.zones),
        "all_zones": None if each.zones is None else list(each.zones),
        "usd_per_hour": offer.per_hour,
        "prices_per_node": {
            model: None if price is None else {"usd": price.usd, "region": price.region, "date": price.date}
            for model, price in offer.prices.items()
        },
        "limits": list(offer.limits),
        "blueprint": offer.blueprint,
    }
