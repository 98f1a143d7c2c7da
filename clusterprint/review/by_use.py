"""Resources that are billed by use, so that their cost is unknown: buckets, caches, containers."""

from collections.abc import Callable, Iterable
from typing import Any

from clusterprint import catalog
from clusterprint.catalog import PricedByGib
from clusterprint.resource_types import resource_type
from clusterprint.review import ideas
from clusterprint.review.delta import Resource, get
from clusterprint.review.known import called, region_at


def by_use(resources: Iterable[Resource]) -> list[str]:
    """All of one side that is paid for by what is in it, with what a GiB costs where that is known."""
    found = ((_TOLD.get(resource_type(each.type).price or ""), each) for each in resources)
    return [tell(each) for tell, each in found if tell]


def _bucket(resource: Resource) -> str:
    values = resource.values
    automatic = get(values, "autoclass.enabled") is True
    prices = None if automatic else catalog.bucket_prices(str(get(values, "storage_class", "STANDARD")))
    return f"{ideas.title(resource)}{_rate(prices, get(values, 'location'))}"


def _cache(resource: Resource) -> str:
    values = resource.values
    bucket, zone = called(get(values, "bucket")), get(values, "zone")
    of, at = f" of{bucket}" if bucket else "", called(zone)
    return f"cache{of}{' in' + at if at else ''}{_rate(catalog.bucket_cache_prices(), zone)}"


def _container(resource: Resource) -> str:
    return ideas.title(resource)


def _rate(prices: PricedByGib | None, place: Any) -> str:
    price = prices.rate(region_at(place)) if prices else None
    return f" (${price.usd:g} per GiB and month in {price.region})" if price else ""


_TOLD: dict[str, Callable[[Resource], str]] = {
    "bucket": _bucket,
    "bucket cache": _cache,
    "azure container": _container,
}
