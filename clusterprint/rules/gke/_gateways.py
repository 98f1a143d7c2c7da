"""Helpers of rules about gateways."""

from collections.abc import Callable
from typing import TypeVar

from clusterprint.blueprint.gke.inference import Model
from clusterprint.blueprint.ray.gateway import Route
from clusterprint.rules.kit import Context, Finding, Iterable, Iterator, known

PartT = TypeVar("PartT", Model, Route)


def at_one_address(
    parts: Iterable[PartT], what: str, name: Callable[[PartT], str], context: Context
) -> Iterator[Finding]:
    """A finding for each part whose host name and path an earlier one has."""
    first: dict[tuple[str, str], PartT] = {}
    for part, (hosts, path) in known(parts, lambda each: (each.hosts, each.path)):
        for host in hosts or ("any host",):
            before = first.setdefault((host, path.rstrip("/")), part)
            if before is not part:
                yield Finding(
                    f"{what} {name(before)} and {name(part)} are both at path {path} of {host}",
                    context.at(part, "path"),
                    also=(context.at(before, "path", text="the first one"),),
                    help="give one of them another path, or a host name of its own",
                )
                break
