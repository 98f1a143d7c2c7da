"""`clusterprint quota`: the quotas that clusters use."""

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clusterprint.cli import cluster_arguments
from clusterprint.cli.output import FORMAT, say
from clusterprint.words import in_units

if TYPE_CHECKING:
    from clusterprint.review.quota import QuotaNeed
    from clusterprint.review.quota_parts import Metric


@click.command("quota")
@cluster_arguments.any_of
@FORMAT
@click.option("--commands", is_flag=True, help="Print the commands that request these quotas instead.")
def quota(paths: tuple[Path, ...], form: str, *, commands: bool) -> None:
    """Show which quotas clusters use, and how much.

    CLUSTER is a name, a blueprint's file, or a folder of blueprints; the default is blueprints/. The stacks
    are synthesized, and what they hold is counted by region, metric and capacity model: accelerators, vCPUs,
    disks, Filestore and Managed Lustre, networks and addresses, at the minimum and the maximum that
    autoscaling allows. What else runs in the same project uses the same quotas. Storage pools of Hyperdisk
    and of NetApp are not counted: it is not documented which quota they use. No cloud is asked: `clusterprint
    doctor` compares with the actual quotas. Exit code 1 for problems in a blueprint.
    """
    from clusterprint.cli.quota_needs import quota_of  # loads the engine, once it is needed
    from clusterprint.review.quota_request import request

    needs = quota_of(cluster_arguments.sound(paths, "no quotas are shown: the blueprints have problems"))
    if form == "json":
        say(json.dumps([_data(each) for each in needs], indent=2, ensure_ascii=False))
    elif commands:
        say("\n".join(request(metric, sum(each.most for each in many)) for metric, many in asked(needs)))
    else:
        say("\n".join(_lines(needs)))


def asked(needs: "Sequence[QuotaNeed]") -> "Iterator[tuple[Metric, list[QuotaNeed]]]":
    """The metrics to ask for, each with its needs; what a reservation holds is not among them."""
    for metric, many in groupby((each for each in needs if each.is_asked), key=lambda each: each.metric):
        yield metric, list(many)


def _data(need: "QuotaNeed") -> dict[str, Any]:
    metric = need.metric
    return {
        "cloud": metric.cloud,
        "owner": metric.owner,
        "region": metric.region,
        "metric": metric.name,
        "dimension": metric.dimension,
        "model": need.model,
        "unit": metric.unit,
        "least": need.least,
        "most": need.most,
        "asked": need.is_asked,
        "uncertain": need.doubt,
        "sources": list(need.sources),
    }


def _lines(needs: "Sequence[QuotaNeed]") -> Iterator[str]:
    for (cloud, owner), of_owner in groupby(needs, key=lambda each: (each.metric.cloud, each.metric.owner)):
        yield f"{'project' if cloud == 'google' else 'subscription'} {owner}"
        for region, of_region in groupby(of_owner, key=lambda each: each.metric.region):
            yield f"  {'all regions' if region == 'global' else region}"
            for _, same in groupby(of_region, key=lambda each: each.metric):
                many = list(same)
                yield from (f"    {_line(each)}" for each in many)
                if len(of_sum := [each for each in many if each.is_asked]) > 1:
                    yield f"    {_sum(of_sum)}"
    if any(not each.is_asked for each in needs):
        yield "The machines of a reservation were counted when it was created, and are not counted again."


def _name(metric: "Metric") -> str:
    return f"{metric.name} ({metric.dimension})" if metric.dimension else metric.name


def _sum(needs: "Sequence[QuotaNeed]") -> str:
    """The amount of one quota that is used in several ways."""
    metric, most = needs[0].metric, sum(each.most for each in needs)
    least = sum(each.least for each in needs)
    before = "" if least == most else f"{least:,} to "
    return f"{_name(metric)}: {before}{in_units(most, metric.unit)} to ask for in all"


def _line(need: "QuotaNeed") -> str:
    metric, name = need.metric, _name(need.metric)
    least = "" if need.least == need.most else f"{need.least:,} to "
    model = f", {need.model.replace('_', '-')}" if need.model else ""
    doubt = f" (not certain: {need.doubt})" if need.doubt else ""
    return f"{name}: {least}{in_units(need.most, metric.unit)}{model}{doubt}"
