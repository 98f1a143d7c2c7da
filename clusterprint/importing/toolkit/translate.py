"""From modules to a blueprint."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from clusterprint import catalog
from clusterprint.document import Place
from clusterprint.importing.findings import Finding
from clusterprint.importing.formats import Text
from clusterprint.importing.source import Source, from_yaml
from clusterprint.importing.toolkit import (
    cluster,
    disks,
    fabric,
    machines,
    management,
    netapp,
    network,
    pools,
    slurm,
    storage,
)
from clusterprint.importing.toolkit.deployment import Deployment
from clusterprint.importing.toolkit.expressions import referred
from clusterprint.importing.toolkit.module import Module
from clusterprint.importing.toolkit.shape import label
from clusterprint.importing.work import Line, Translated, Work
from clusterprint.importing.write import quoted

_LONGEST = 20
_CLUSTER = "scheduler/gke-cluster"
_MACHINES = "compute/vm-instance"
_OF_THE_TOOL = (
    *("ghpc_version", "toolkit_modules_url", "toolkit_modules_version"),
    *("validators", "validation_level"),
)

# Where nothing is said, what else is not as there; what changes what a job finds is written (see `module`).
_DEFAULTS = {
    "vm": "what the file leaves out is as our defaults say",
    "gke": "what the file leaves out is as our defaults say: the version is that of the release channel; "
    "image streaming, NodeLocal DNSCache and deletion protection are on; the system pool is in one zone; "
    "a node has room for 64 pods, one with accelerators for 32",
}


_HANDLERS: dict[str, Callable[[Module], None]] = {
    # Volumes stand before what mounts them once more.
    **storage.VOLUMES,
    "file-system/pre-existing-network-storage": storage.mounted,
    "file-system/gke-persistent-volume": storage.persistent_volume,
    "file-system/gke-storage": disks.storage_class,
    netapp.POOL: netapp.pool,
    "network/vpc": network.vpc,
    "network/multivpc": network.follows,
    "network/gpu-rdma-vpc": network.follows,
    "network/private-service-access": network.private_access,
    "network/firewall-rules": network.firewall,
    "network/pre-existing-vpc": network.existing,
    "project/service-account": cluster.account,
    _CLUSTER: cluster.cluster,
    "compute/gke-node-pool": pools.pool,
    "compute/resource-policy": fabric.policy,
    "compute/gke-job-template": management.job_template,
    "management/kubectl-apply": management.kubectl_apply,
    **slurm.HANDLERS,
    _MACHINES: machines.instances,
    "scripts/startup-script": machines.script,
    "scripts/wait-for-startup": machines.wait,
    "monitoring/dashboard": management.dashboard,
}


def translate(texts: Sequence[Text], given: Mapping[str, Any]) -> Translated:
    """The blueprint that a blueprint of Cluster Toolkit and its deployment files mean."""
    sources, findings = [], []
    for text in texts:
        source, said = from_yaml(text.file, text.text)
        sources.append(source)
        findings += said
    return blueprint_of(sources, given, findings)


def blueprint_of(
    sources: Sequence[Source], given: Mapping[str, Any], findings: Sequence[Finding] = ()
) -> Translated:
    """The same, of files that were read."""
    work = Work("vm")
    work.findings += findings
    deployment = _deployment(work, sources, given)
    _modules(deployment, sources)
    kinds = {each.kind for each in deployment.modules}
    work.data["kind"] = "gke" if _CLUSTER in kinds else "vm"
    if _CLUSTER not in kinds and slurm.refused(deployment):
        return work.done()
    if not kinds & {_CLUSTER, _MACHINES, slurm.CONTROLLER}:
        message = "there is no gke-cluster, vm-instance or Slurm controller: nothing that becomes a blueprint"
        work.say(Line(0, sources[0].file), "error", message)
    without = "" if slurm.CONTROLLER in kinds else "there is no controller of Slurm in the file"
    if _CLUSTER in kinds:
        without = "Slurm on machines beside a GKE cluster is a blueprint of its own"
    gone = [each for each in deployment.modules if without and "slurm-gcp" in each.kind]
    for each in gone:
        each.gone(without, "import a file that has the modules of one of them only")
    _head(deployment, sources)
    order = [*_HANDLERS]
    for module in sorted(
        (each for each in deployment.modules if each not in gone),
        key=lambda each: order.index(each.kind) if each.kind in order else -1,
    ):
        handler = _HANDLERS.get(module.kind)
        if handler is None:
            module.gone("no such module has a counterpart")
        else:
            handler(module)
            module.left()
    for module in deployment.of(_CLUSTER):
        pools.pathways(module)
    if "bootstrap" in work.data:
        slurm.decide(deployment)
    _unused(deployment, sources)
    deployment.decide()
    work.decide(_DEFAULTS[work.data["kind"]])
    return work.done()


def _deployment(work: Work, sources: Sequence[Source], given: Mapping[str, Any]) -> Deployment:
    origins: dict[str, tuple[Source, Place]] = {}
    values: dict[str, Any] = {}
    for source in sources:
        source.take(("blueprint_name",))
        found = source.look(("vars",))
        for name, value in (found if isinstance(found, dict) else {}).items():
            source.take(("vars", name))
            if value is not None or name not in values:
                values[name], origins[name] = value, (source, ("vars", name))
    for name, value in given.items():
        values[name], origins[name] = value, (Source(f"--var {name}", {}, {}), ())
    deployment = Deployment(work, origins, values)
    for source in sources:
        for key in _OF_THE_TOOL:
            if source.take((key,)) is not None:
                deployment.follows("checks and versions of Cluster Toolkit itself mean nothing here", key)
    return deployment


def _modules(deployment: Deployment, sources: Sequence[Source]) -> None:
    for source in sources:
        groups = source.look(("deployment_groups",))
        for number, group in enumerate(groups if isinstance(groups, list) else []):
            source.take(("deployment_groups", number, "group"))
            listed = group.get("modules") if isinstance(group, dict) else None
            for position, module in enumerate(listed if isinstance(listed, list) else []):
                place = ("deployment_groups", number, "modules", position)
                source.take(place)
                if isinstance(module, dict):
                    deployment.modules.append(Module(deployment, source, place))
                else:
                    deployment.work.say(source.at(place), "error", f"a module is not a map: {quoted(module)}")


def _ask(deployment: Deployment, name: str) -> None:
    help_text = f"give it with --var {name}=..., or in a deployment file"
    deployment.work.say(deployment.at(name), "error", f"vars.{name} has no value", help_text)


def _head(deployment: Deployment, sources: Sequence[Source]) -> None:
    """The first keys of every blueprint."""
    work = deployment.work
    for name, key in (("project_id", "project"), ("region", "region")):
        value = deployment.variable(name)
        if deployment.values.get(name) is None:
            _ask(deployment, name)
        work.put(deployment.at(name), (key,), value or "")
    zones = deployment.variable("zones")
    zone = deployment.variable("zone") or (zones[0] if isinstance(zones, list) and zones else None)
    if not zone and "zone" in deployment.values:
        _ask(deployment, "zone")
    if zone:
        work.put(deployment.at("zone"), ("zone",), zone)
        work.data["region"] = work.data["region"] or catalog.region_of(str(zone))
    wished = str(deployment.variable("deployment_name") or sources[0].look(("blueprint_name",)) or "")
    name = label(wished, _LONGEST)
    work.put(deployment.at("deployment_name"), ("name",), name)
    if name != wished:
        work.decide(
            f"the name is {name}: names have at most {_LONGEST} characters, {wished} has {len(wished)}"
        )
    labels = deployment.variable("labels")
    if labels:
        work.put(deployment.at("labels"), ("labels",), labels)
    _backend(deployment, sources)


def _backend(deployment: Deployment, sources: Sequence[Source]) -> None:
    work = deployment.work
    key = "terraform_backend_defaults"
    for source in sources:
        if source.look((key, "type")) == "gcs":
            for part in ("bucket", "prefix"):
                value = source.take((key, "configuration", part))
                if value:
                    work.put(source.at((key, "configuration", part)), ("backend", "gcs", part), value)
            source.take((key, "type"))
    if "backend" not in work.data:
        bucket = f"{work.data['project'] or 'my-project'}-terraform-state"
        work.put(Line(0, sources[0].file), ("backend", "gcs", "bucket"), bucket)
        work.decide(f"state is kept in the bucket {bucket}, which `clusterprint init state` creates")


def _unused(deployment: Deployment, sources: Sequence[Source]) -> None:
    """Variables that reach nothing, and keys that nobody reads."""
    work = deployment.work
    referring = {name for value in deployment.values.values() for name in referred(value)}
    everywhere = {name for source in sources for name in referred(source.look(("deployment_groups",)))}
    known = deployment.used | referring | everywhere
    for name, value in deployment.values.items():
        if name not in known and value is not None:
            work.say(deployment.at(name), "loss", f"vars.{name} reaches no module that has a counterpart")
    for source in sources:
        for place in source.left():
            if place != ("vars",):
                work.say(
                    source.at(place),
                    "loss",
                    f"{'.'.join(map(str, place))} has no counterpart: {quoted(source.look(place))}",
                )
