"""Helm releases."""

from __future__ import annotations

from typing import Any

from clusterprint_simcloud import arguments
from clusterprint_simcloud.cloud.behaviour import Plan, Request, ResourceType, State, Words
from clusterprint_simcloud.cloud.contents import ApiError, Contents, Record, key
from clusterprint_simcloud.helm import charts, checkpoints, custom, device_claims
from clusterprint_simcloud.kubernetes import api
from clusterprint_simcloud.kubernetes.cluster import NAMESPACE, add_namespace, home, record_of
from clusterprint_simcloud.kubernetes.nodes import Pod, has_place
from clusterprint_simcloud.kubernetes.objects import HELM_RELEASE, find
from clusterprint_simcloud.values import UNKNOWN, Path
from clusterprint_simcloud.work import kinds

# When everything was deployed; Helm keeps seconds since 1970.
_DEPLOYED = 1735718400
_UNVERSIONED = "0.1.0"
_FAILED = "failed"
_TIMEOUT = "context deadline exceeded: no node pool has nodes whose taints the pods of the chart tolerate"
_BEFORE = {"description": None, "manifest": None, "resources": None, "status": "deployed"}


def _identity(request: Request) -> str:
    return f"{home(request)}/{request.text('namespace')}/{request.text('name')}"


def _parsed(state: State) -> list[Any]:
    """The values, as far as they are given as YAML."""
    return [one for text in state.get("values") or [] if isinstance(text, str) for one in charts.parse(text)]


def _local(request: Request) -> Any:
    chart, repository = request.text("chart"), request.text("repository")
    return charts.locate(chart, request.contents.folders) if charts.is_local(chart, repository) else None


def _groups(request: Request) -> set[str]:
    """The API groups that the release brings, and that are there before its own objects."""
    brought = set(charts.GROUPS.get(request.text("chart").rpartition("/")[2], ()))
    chart = _local(request)
    if chart is not None and not request.state.get("skip_crds"):
        brought |= {one.defines for one in charts.plain_objects(chart, "crds")}
    return brought


def _objects(request: Request) -> list[charts.Object]:
    chart = _local(request)
    plain = charts.plain_objects(chart, "templates") if chart is not None else []
    return [*plain, *charts.objects(_parsed(request.state))]


def _check_namespace(request: Request) -> None:
    namespace = request.text("namespace")
    if find(request, NAMESPACE, namespace) is None and not request.state.get("create_namespace"):
        message = f'installation failed: create: failed to create: namespaces "{namespace}" not found'
        raise ApiError(message)


def _check_objects(request: Request) -> None:
    """Every kind must be known before a release has objects of it: Helm asks the API server first."""
    known = api.groups(request) | _groups(request)
    for group in charts.NEEDED.get(request.text("chart").rpartition("/")[2], ()):
        if group not in known:
            text = f'no matches for kind in version "{group}/v1"\nensure CRDs are installed first'
            raise ApiError(f"unable to build kubernetes objects from release manifest: {text}")
    for one in _objects(request):
        if one.group not in known and not api.is_managed(one.group):
            version = f"{one.group}/{one.version}"
            text = f'no matches for kind "{one.kind}" in version "{version}"\nensure CRDs are installed first'
            where = f'resource mapping not found for name: "{one.name}" namespace: "{one.namespace}" from ""'
            message = f"unable to build kubernetes objects from release manifest: {where}: {text}"
            raise ApiError(message)
        if one.namespace and find(request, NAMESPACE, one.namespace) is None:
            if one.namespace == request.text("namespace") and request.state.get("create_namespace"):
                continue
            message = f'installation failed: namespaces "{one.namespace}" not found'
            raise ApiError(message)


def _check_custom(request: Request) -> None:
    custom.check(request, _objects(request))


def _has_place(request: Request) -> bool:
    """A published chart runs something: it needs nodes whose taints its values tolerate."""
    if request.state.get("wait") is False or _local(request) is not None:
        return True
    return has_place(request, Pod(tolerations=list(charts.tolerations(_parsed(request.state)))))


def _check_place(request: Request) -> None:
    if request.prior is not None and not _has_place(request):
        raise ApiError(f"Upgrade failed: {_TIMEOUT}")


def _install(request: Request) -> None:
    """The namespace, if the release may make it; the groups; the objects."""
    namespace = request.text("namespace")
    found = find(request, NAMESPACE, namespace)
    if found is None:
        # Helm leaves the namespace behind when the release goes.
        found = add_namespace(request.contents, record_of(request), namespace, builtin=False)
    request.record.owner = found.key
    _refresh(request)
    if not _has_place(request):
        request.record.state["status"] = _FAILED


def settle(contents: Contents, release: Record, error: str) -> str:
    """The failure of an installation: Helm keeps the release, or with `atomic` removes it; no state has it.

    `HelmRelease.Create` of the provider ends there without a state.
    """
    if not error and release.state["status"] != _FAILED:
        return ""
    if release.state.get("atomic"):
        contents.remove(release)
    else:
        release.state["status"] = _FAILED
    return error or _TIMEOUT


def _needed(request: Request) -> list[str]:
    """The releases without whose controllers the objects of this one cannot be deleted."""
    groups = {one.group for one in _objects(request)} & charts.FINALIZED
    place = f"{home(request)}/"
    brought = [one for one in request.contents.of(api.GROUP) if one.id.startswith(place)]
    return sorted({one.owner for one in brought if one.state["name"] in groups} - {request.record.key})


def _refresh(request: Request) -> None:
    release = request.record
    release.references = _needed(request)
    before = {old.key: old.state for old in request.contents.owned_by(release)}
    for old in request.contents.owned_by(release):
        request.contents.remove(old)
    for group in sorted(_groups(request) | {one.defines for one in _objects(request) if one.defines}):
        request.contents.add(
            Record(api.GROUP, f"{home(request)}/{group}", {"name": group}, owner=release.key)
        )
    for one in _objects(request):
        namespace = one.namespace or request.text("namespace")
        identity = "/".join(filter(None, [home(request), namespace, one.name]))
        taken = request.contents.get(one.api, identity)
        if taken is not None:
            text = f"{one.kind} {one.name!r} exists and cannot be imported into the current release"
            message = f"Unable to continue with install: {text}: invalid ownership metadata"
            raise ApiError(message)
        ran = before.get(key(one.api, identity))
        state = {
            "name": one.name,
            **device_claims.kept(one),
            **checkpoints.kept(one),
            **kinds.kept(one.api, one.content, namespace, request.contents.rest.clock, ran),
        }
        request.contents.add(Record(one.api, identity, state, owner=release.key))


def _upgrade(request: Request) -> None:
    _refresh(request)
    metadata = request.state.get("metadata")
    if isinstance(metadata, dict):
        metadata["revision"] = int(metadata.get("revision") or 0) + 1


def _metadata(request: Request, _path: Path) -> dict[str, Any]:
    return {
        "app_version": "", "chart": request.text("chart").rpartition("/")[2], "first_deployed": _DEPLOYED,
        "last_deployed": _DEPLOYED, "name": request.text("name"), "namespace": request.text("namespace"),
        "notes": "", "revision": 1, "values": "{}", "version": request.text("version"),
    }  # fmt: skip


def _plan_chart(plan: Plan) -> None:
    """The provider loads the chart while it plans."""
    chart, repository = plan.state.get("chart"), plan.state.get("repository")
    if isinstance(chart, str) and charts.is_local(chart, str(repository or "")):
        try:
            folder = charts.locate(chart, plan.cloud.read().folders)
            if plan.state.get("version") is UNKNOWN:
                plan.state["version"] = charts.version(folder) or UNKNOWN
        except ApiError as error:
            plan.errors.append(str(error))


def _plan_results(plan: Plan) -> None:
    """The attributes of an installation before it exists: its status, and nothing else."""
    if plan.prior is not None:
        return
    for name, value in _BEFORE.items():
        if plan.state.get(name) is UNKNOWN:
            plan.state[name] = value


def _delay(state: State) -> float:
    """Objects of a published chart appear with a delay, so that dependants without an order fail."""
    chart, repository = state.get("chart"), state.get("repository")
    return 0.0 if charts.is_local(str(chart), str(repository or "")) else 0.3


WORDS = Words(
    taken=lambda _request: "installation failed: cannot re-use a name that is still in use",
    missing=lambda _request, message: message,
    in_use=lambda request, user: (
        f'uninstallation of "{request.text("name")}" failed: context deadline exceeded: objects of release'
        f" {user.id} have finalizers that nobody else takes off"
    ),
)
RESOURCES = (
    ResourceType(
        HELM_RELEASE,
        "release",
        _identity,
        arguments.load("clusterprint_simcloud.helm").get(HELM_RELEASE, {}),
        computed={
            "id": "{name}",
            "metadata": _metadata,
            "version": _UNVERSIONED,
            "set.type": "",
        },
        planned=[_plan_chart, _plan_results],
        checks=[_check_namespace, _check_objects, _check_place, _check_custom],
        takes_over=lambda request: request.state.get("upgrade_install") is True,
        delay=_delay,
        created=[_install],
        updated=[_upgrade],
    ),
)
