"""The stack `<name>-ray`: Ray inside its cluster."""

from pathlib import Path

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.gke.workloads import Nccl
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.derived import components, names, ports, state_names
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.kubernetes import ChartPlan
from clusterprint.plan.ray.ray import (
    FaultTolerancePlan,
    ProgramsPlan,
    RayClusterSpecPlan,
    RayJobPlan,
    RayOutputsPlan,
    RayPlan,
)
from clusterprint.plan.state import StatePlan
from clusterprint.resolve.gke import fabrics
from clusterprint.resolve.gke.charts import resolve_chart
from clusterprint.resolve.gke.claims import resolve_claims
from clusterprint.resolve.gke.device_claims import by_namespace
from clusterprint.resolve.gke.existing import resolve_access
from clusterprint.resolve.gke.namespaces import PRESENT
from clusterprint.resolve.gke.workloads import resolve_service_accounts
from clusterprint.resolve.ray.dashboard import resolve_dashboard, resolve_proxy
from clusterprint.resolve.ray.gateway import resolve_ray_gateway
from clusterprint.resolve.ray.image import image_reference
from clusterprint.resolve.ray.jobs import PROGRAMS, resolve_jobs, resolve_programs, resolve_services
from clusterprint.resolve.ray.pods import (
    POD_FOLDERS,
    resolve_groups,
    resolve_head,
)
from clusterprint.resolve.state import resolve_state, state_address


def resolve_ray(blueprint: RayBlueprint, cluster: GkeClusterPlan, folder: Path) -> RayPlan:
    """Make the plan of what runs inside the cluster."""
    ray = blueprint.ray
    stack = state_names.ray_stack(blueprint.name)
    state = resolve_state(blueprint, stack)
    programs = resolve_programs(blueprint)
    spec = _spec(blueprint, cluster, folder, programs)
    jobs = resolve_jobs(blueprint, spec)
    operator = _operator(blueprint, folder)
    return RayPlan(
        name=stack,
        ray=blueprint.name,
        project=blueprint.project,
        region=blueprint.region,
        state=state,
        access=resolve_access(blueprint, cluster),
        reached=cluster.reached,
        namespaces=_namespaces(blueprint),
        namespace=ray.namespace,
        operator=operator,
        operator_image=catalog.component("kuberay-operator-image").image if operator else "",
        service_accounts=resolve_service_accounts(cluster),
        networks=fabrics.resolve_networks(cluster),
        plugins=fabrics.resolve_plugins(cluster, Nccl()),
        device_injectors=fabrics.resolve_device_injectors(cluster, Nccl()),
        interface_programs=fabrics.resolve_interface_programs(cluster),
        device_claims=by_namespace((ray.namespace, each.pod.claim) for each in spec.groups),
        compute_classes=cluster.compute_classes,
        claims=resolve_claims(blueprint, cluster),
        programs=programs,
        spec=spec,
        fault_tolerance=_fault_tolerance(blueprint),
        proxy=resolve_proxy(blueprint),
        dashboard=resolve_dashboard(blueprint),
        gateway=resolve_ray_gateway(blueprint),
        jobs=jobs,
        services=resolve_services(blueprint, spec, folder),
        outputs=_outputs(blueprint, cluster, jobs, spec.image, state),
    )


def _spec(
    blueprint: RayBlueprint, cluster: GkeClusterPlan, folder: Path, programs: ProgramsPlan | None
) -> RayClusterSpecPlan:
    return RayClusterSpecPlan(
        version=blueprint.ray.version,
        image=image_reference(blueprint, folder),
        service_account=names.RAY_ACCOUNT,
        environment=dict(blueprint.ray.environment),
        ports=ports.RAY,
        folders=POD_FOLDERS,
        programs=programs.name if programs else "",
        programs_path=PROGRAMS,
        head=resolve_head(blueprint.ray.head, blueprint, cluster),
        groups=resolve_groups(blueprint, cluster),
    )


def _operator(blueprint: RayBlueprint, folder: Path) -> ChartPlan | None:
    """By Google's add-on or by its own chart, never both."""
    if blueprint.ray.operator == "addon":
        return None
    return resolve_chart(components.RAY_OPERATOR, blueprint.ray.operator_chart, folder)


def _namespaces(blueprint: RayBlueprint) -> tuple[str, ...]:
    wanted = {blueprint.ray.namespace, *(each.namespace for each in blueprint.workload_identity)}
    if blueprint.ray.operator == "chart":
        wanted.add(catalog.component(components.RAY_OPERATOR).namespace)
    return tuple(sorted(wanted - PRESENT))


def _fault_tolerance(blueprint: RayBlueprint) -> FaultTolerancePlan | None:
    wanted = blueprint.ray.fault_tolerance
    if wanted is UNSET:
        return None
    return FaultTolerancePlan(
        redis_address=wanted.redis_address,
        password_secret="" if wanted.password_secret is UNSET else wanted.password_secret,
    )


def _outputs(
    blueprint: RayBlueprint,
    cluster: GkeClusterPlan,
    jobs: tuple[RayJobPlan, ...],
    image: str,
    state: StatePlan,
) -> RayOutputsPlan:
    where = f"--namespace={blueprint.ray.namespace}"
    port = ports.RAY["dashboard"]
    forward = f"kubectl port-forward {where} service/{blueprint.name}-head-svc {port}:{port}"
    dashboard = [forward]
    if blueprint.ray.dashboard.ingress == "internal":
        ingress = names.dashboard(blueprint.name)
        dashboard.append(f"kubectl get ingress {where} {ingress}")
        if blueprint.ray.dashboard.authentication == "token":
            dashboard.append(f"kubectl create token {where} {ingress}")
    return RayOutputsPlan(
        connect=(cluster.reached.login,),
        submit=(forward, f"ray job submit --address http://localhost:{port} -- python my_script.py"),
        dashboard=tuple(dashboard),
        runs={each.name: each.run for each in jobs},
        image=image,
        state=state_address(state),
    )
