"""Whether the quotas of a project suffice for the clusters."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import groupby
from typing import Any, NamedTuple

from clusterprint.cloud.google import Google, path
from clusterprint.doctor.finding import Finding, Findings
from clusterprint.review.quota import QuotaNeed
from clusterprint.review.quota_parts import GLOBAL, Metric
from clusterprint.review.quota_request import request
from clusterprint.words import in_units

_PREEMPTIBLE = "PREEMPTIBLE_"


class _Quota(NamedTuple):
    """A limit, and how much of it is taken; None where the API that knows it does not say."""

    limit: float
    usage: float | None


def quotas(google: Google, project: str, needs: Iterable[QuotaNeed]) -> Findings:
    """A finding for each metric that does not suffice or is not known, and one for all that do."""
    known = _Known(google, project)
    asked = [each for each in needs if each.is_asked]
    good = 0
    for metric, many in groupby(asked, key=lambda each: each.metric):
        need = sum(each.most for each in many)
        finding = _judged(known, metric, need, f"project {project}")
        good += finding is None
        if finding:
            yield finding
    if good:
        yield Finding(f"project {project}", "quota", "ok", f"{good} quotas are large enough for the clusters")


def _judged(known: "_Known", metric: Metric, need: int, place: str) -> Finding | None:
    name = f"{metric.name} ({metric.dimension})" if metric.dimension else metric.name
    where = "in all regions" if metric.region == GLOBAL else f"in {metric.region}"
    quota = known.find(metric)
    if quota is None:
        message = f"the quota of {name} {where} is not known; {need:,} are needed"
        return Finding(place, "quota", "unasked", message, request(metric, need))
    used = quota.usage or 0
    if quota.limit < 0 or quota.limit - used >= need:  # -1 is no limit
        return None
    if metric.name.startswith(_PREEMPTIBLE) and quota.limit == 0:
        tail = "; preemptible use then counts toward the standard quota, if that has room"
    else:
        tail = ""
    taken = f", {used:,.0f} of them in use" if quota.usage is not None else ""
    needed = f"{in_units(need, metric.unit)} {'is' if need == 1 else 'are'} needed"
    message = f"{name} {where}: {needed}, the limit is {quota.limit:,.0f}{taken}{tail}"
    return Finding(place, "quota", "lacks", message, request(metric, int(used) + need))


class _Known:
    """The quotas of a project: Compute Engine lists older ones with their use, Cloud Quotas all limits."""

    def __init__(self, google: Google, project: str) -> None:
        self._google, self._project = google, project
        self._of_region = cache(self._listed)
        self._of_metric = cache(self._limits)
        self._of_service = cache(self._all)

    def find(self, metric: Metric) -> _Quota | None:
        """The quota of a metric, None where nobody knows it."""
        if "/" in metric.name:
            return self._of_other_service(metric)
        if not metric.dimension:
            listed = self._of_region(metric.region)
            if metric.name in listed:
                return listed[metric.name]
        wanted = {} if metric.region == GLOBAL else {"region": metric.region}
        if metric.dimension:
            key, _, value = metric.dimension.partition("=")
            wanted[key] = value
        best: tuple[int, float] | None = None
        for dimensions, limit in self._of_metric(metric.name.lower()):
            # the entry that says most about this region and family; one with no dimension is for all
            if all(wanted.get(key) == value for key, value in dimensions.items()):
                best = max(best or (-1, 0.0), (len(dimensions), limit))
        return _Quota(best[1], None) if best else None

    def _of_other_service(self, metric: Metric) -> _Quota | None:
        """Each limit says in which regions or zones it holds: one that holds in few is meant for them."""
        wanted = metric.name.rpartition("/")[2].lower()
        found = [
            (len(places), limit)
            for info in self._of_service(metric.service)
            if str(info.get("quotaId", "")).lower() == wanted
            for places, limit in _held_in(info)
            if metric.region in places
        ]
        return _Quota(min(found)[1], None) if found else None

    def _listed(self, region: str) -> dict[str, _Quota]:
        place = ("projects", self._project, *(() if region == GLOBAL else ("regions", region)))
        found = self._google.get("compute", f"compute/v1/{path(*place)}", fields="quotas")
        return {
            str(each["metric"]): _Quota(float(each.get("limit", 0)), float(each.get("usage", 0)))
            for each in found.get("quotas", [])
        }

    def _limits(self, name: str) -> list[tuple[Mapping[str, str], float]]:
        return [entry for info in self._infos.get(name, []) for entry in _entries(info)]

    @cached_property
    def _infos(self) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = {}
        for each in self._of_service("compute.googleapis.com"):
            found.setdefault(str(each.get("metric", "")).rpartition("/")[2], []).append(each)
        return found

    def _all(self, service: str) -> list[Any]:
        place = path("projects", self._project, "locations", "global", "services", service)
        return list(self._google.pages("cloudquotas", f"v1/{place}/quotaInfos", "quotaInfos", pageSize=500))


def _entries(info: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, str], float]]:
    for each in info.get("dimensionsInfos", []):
        value = each.get("details", {}).get("value")
        if value is not None:
            yield each.get("dimensions", {}), float(value)


def _held_in(info: Mapping[str, Any]) -> Iterator[tuple[Sequence[str], float]]:
    for each in info.get("dimensionsInfos", []):
        value = each.get("details", {}).get("value")
        if value is not None:
            yield each.get("applicableLocations", []), float(value)
