"""The stack `<name>-workloads`: what runs inside the cluster."""

from pathlib import Path

import msgspec
from msgspec import UNSET

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.derived import checkpoints, kms_keys, node_pools, placement, state_names, volume_mounts
from clusterprint.derived.provisioner import provisions_queued
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.mpi import MpiJobPlan, MpiPlan
from clusterprint.plan.gke.pod_groups import JobSetPlan
from clusterprint.plan.gke.queues import QueuesPlan
from clusterprint.plan.gke.tpu_provisioner import ProvisionerPlan
from clusterprint.plan.gke.workloads import GkeWorkloadsPlan, WorkloadsOutputsPlan
from clusterprint.plan.kubernetes import ServiceAccountObjectPlan
from clusterprint.plan.state import StatePlan
from clusterprint.resolve.gke import fabrics
from clusterprint.resolve.gke.builds import services
from clusterprint.resolve.gke.charts import resolve_charts, resolve_own_charts, sized_for
from clusterprint.resolve.gke.checkpoints import resolve_checkpoints, resolve_copier
from clusterprint.resolve.gke.claims import resolve_claims
from clusterprint.resolve.gke.device_claims import by_namespace
from clusterprint.resolve.gke.existing import resolve_access
from clusterprint.resolve.gke.image_builds import resolve_builds
from clusterprint.resolve.gke.inference import resolve_inference
from clusterprint.resolve.gke.manifests import resolve_manifests
from clusterprint.resolve.gke.mpi import resolve_mpi
from clusterprint.resolve.gke.namespaces import resolve_namespace_labels, resolve_namespaces
from clusterprint.resolve.gke.needs import Needs
from clusterprint.resolve.gke.pod_groups import resolve_jobsets, resolve_leader_worker_sets
from clusterprint.resolve.gke.provisioner_image import (
    locked_image,
    resolve_provisioner_image,
)
from clusterprint.resolve.gke.queues import resolve_queues
from clusterprint.resolve.gke.scrapes import resolve_scrapes
from clusterprint.resolve.gke.slurm import with_slurm, without_slurm
from clusterprint.resolve.gke.tpu_provisioner import resolve_provisioner
from clusterprint.resolve.state import resolve_state, state_address

# What NVIDIA's driver speaks; GKE serves what is beta only on request.
_CLAIMS = tuple(
    f"resource.k8s.io/v1beta1/{kind}"
    for kind in ("deviceclasses", "resourceclaims", "resourceclaimtemplates", "resourceslices")
)


def resolve_needs(blueprint: GkeBlueprint) -> Needs:
    """The cluster settings that workloads require."""
    workloads = blueprint.workloads
    # The provisioner acts as an account of its own, with its short-lived credentials.
    acting = workloads.tpu_provisioner is not UNSET
    builds = resolve_builds(blueprint)
    inference = workloads.inference is not UNSET
    diagnosed = workloads.ml_diagnostics is not UNSET
    return Needs(
        identities=resolve_copier(blueprint),
        checkpoints=workloads.checkpoints is not UNSET,
        beta_apis=_CLAIMS if workloads.nvidia_dra is not UNSET else (),
        acts=acting,
        makes_pools=acting,
        # The load balancer asks what chooses among pods by an extension of service.
        services=(
            *(("iamcredentials.googleapis.com",) if acting else ()),
            *services(builds),
            *(("networkservices.googleapis.com",) if inference else ()),
            *(("hypercomputecluster.googleapis.com",) if diagnosed else ()),
        ),
        builds=builds,
        gateway=inference,
        models=inference,
        mpi_pools=_mpi_pools(blueprint),
    )


def _mpi_pools(blueprint: GkeBlueprint) -> frozenset[str]:
    mpi = blueprint.workloads.mpi
    jobs = () if mpi is UNSET else mpi.jobs
    fitting = (placement.pools_of(job, blueprint.node_pools, blueprint.compute_classes) for job in jobs)
    return frozenset(pool.name for pools in fitting for pool in pools)


def resolve_workloads(
    blueprint: GkeBlueprint, cluster: GkeClusterPlan, folder: Path
) -> GkeWorkloadsPlan | None:
    """Make the plan of what runs inside the cluster; None if nothing does."""
    stack = state_names.workloads_stack(blueprint.name)
    state = resolve_state(blueprint, stack)
    nccl = blueprint.workloads.nccl
    mpi = _mpi(blueprint, cluster, folder)
    jobsets = resolve_jobsets(blueprint, cluster, folder)
    groups = resolve_leader_worker_sets(blueprint, cluster, folder)
    queues = _queues(blueprint, cluster, folder)
    manifests = resolve_manifests(blueprint.workloads.manifests, folder)
    plugins = fabrics.resolve_plugins(cluster, nccl)
    claims = resolve_claims(blueprint, cluster)
    provisioner = _provisioner(blueprint, cluster, folder)
    plan = GkeWorkloadsPlan(
        name=stack,
        google_provider=blueprint.terraform.google_provider,
        project=blueprint.project,
        region=blueprint.region,
        state=state,
        access=resolve_access(blueprint, cluster),
        reached=cluster.reached,
        namespaces=resolve_namespaces(blueprint, manifests),
        namespace_labels=resolve_namespace_labels(blueprint.workloads, volume_mounts.namespaces(blueprint)),
        service_accounts=resolve_service_accounts(cluster),
        networks=fabrics.resolve_networks(cluster),
        plugins=plugins,
        device_injectors=fabrics.resolve_device_injectors(cluster, nccl),
        interface_programs=fabrics.resolve_interface_programs(cluster),
        device_claims=by_namespace(
            [
                *((job.namespace, job.workers.claim) for job in (mpi.jobs if mpi else ())),
                *((each.namespace, each.pod.claim) for each in jobsets),
                *((each.namespace, each.pod.claim) for each in groups),
            ]
        ),
        compute_classes=cluster.compute_classes,
        claims=claims,
        checkpoints=resolve_checkpoints(blueprint, cluster),
        charts=tuple(
            with_slurm(sized_for(cluster, each), blueprint, cluster)
            for each in resolve_charts(blueprint.workloads, folder)
        ),
        queues=queues,
        mpi=mpi,
        jobsets=jobsets,
        leader_worker_sets=groups,
        inference=resolve_inference(blueprint.workloads, folder),
        own_charts=resolve_own_charts(blueprint.workloads.charts, folder),
        provisioner=provisioner,
        scrapes=tuple(resolve_scrapes(blueprint, queues, provisioner)),
        definitions=manifests.definitions,
        manifests=manifests.objects,
        outputs=_outputs(cluster, state, queues, (*(mpi.jobs if mpi else ()), *jobsets)),
    )
    return plan if _has_content(plan) else None


def _has_content(plan: GkeWorkloadsPlan) -> bool:
    """Whether there is anything to put into the cluster."""
    parts = (
        *(plan.namespaces, plan.service_accounts, plan.networks, plan.plugins, plan.compute_classes),
        *(plan.charts, plan.queues, plan.mpi, plan.provisioner, plan.own_charts, plan.inference),
        *(plan.definitions, plan.manifests, plan.claims.classes, plan.claims.claims, plan.checkpoints),
    )
    return any(parts)


def resolve_service_accounts(cluster: GkeClusterPlan) -> tuple[ServiceAccountObjectPlan, ...]:
    """Those that have rights at Google; `default` is there in every namespace, and GKE's own by itself."""
    return tuple(
        ServiceAccountObjectPlan(
            key=each.key, namespace=each.namespace, name=each.name, acts_as=each.service_account
        )
        for each in cluster.identities
        if each.name != "default" and each.namespace != checkpoints.NAMESPACE
    )


def _queues(blueprint: GkeBlueprint, cluster: GkeClusterPlan, folder: Path) -> QueuesPlan | None:
    kueue, provisioner = blueprint.workloads.kueue, blueprint.workloads.tpu_provisioner
    if kueue is UNSET:
        return None
    queued = None if provisioner is UNSET or not provisions_queued(provisioner) else provisioner
    spares = {pool.name: node_pools.spares(pool) for pool in blueprint.node_pools}
    return resolve_queues(kueue, without_slurm(cluster, blueprint), folder, queued, spares)


def _mpi(blueprint: GkeBlueprint, cluster: GkeClusterPlan, folder: Path) -> MpiPlan | None:
    mpi = blueprint.workloads.mpi
    return None if mpi is UNSET else resolve_mpi(mpi, blueprint, cluster, folder)


def _provisioner(blueprint: GkeBlueprint, cluster: GkeClusterPlan, folder: Path) -> ProvisionerPlan | None:
    provisioner = blueprint.workloads.tpu_provisioner
    if provisioner is UNSET:
        return None
    there, image = blueprint.workloads.cert_manager is not UNSET, provisioner.image
    queued, is_there = blueprint.workloads.kueue is not UNSET, True
    if image is UNSET:
        locked = locked_image(blueprint, folder)
        image, is_there = locked or resolve_provisioner_image(blueprint).name, locked is not None
    plan = resolve_provisioner(
        provisioner,
        cluster,
        image,
        kms_key=kms_keys.of_all(blueprint),
        is_there=is_there,
        queued=queued,
    )
    return _without_second(plan, there=there)


def _without_second(plan: ProvisionerPlan, *, there: bool) -> ProvisionerPlan:
    """A cluster has one cert-manager: the one that everybody uses, if it is `there`."""
    if not there or plan.webhook is None:
        return plan
    return msgspec.structs.replace(plan, webhook=msgspec.structs.replace(plan.webhook, cert_manager=None))


def _outputs(
    cluster: GkeClusterPlan,
    state: StatePlan,
    queues: QueuesPlan | None,
    jobs: tuple[MpiJobPlan | JobSetPlan, ...],
) -> WorkloadsOutputsPlan:
    return WorkloadsOutputsPlan(
        connect=(cluster.reached.login,),
        submit=cluster.outputs.submit,
        queues={f"{each.namespace}/{each.name}": each.cluster_queue for each in queues.local_queues}
        if queues
        else {},
        runs={job.key: job.name for job in jobs},
        results=tuple(f"clusterprint results BLUEPRINT --job {job.key}" for job in jobs),
        state=state_address(state),
    )
