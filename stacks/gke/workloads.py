"""The stack `<name>-workloads`: what runs inside a GKE cluster."""

from collections.abc import Mapping

from cdktf import GcsBackend, TerraformResource, TerraformStack
from constructs import Construct

from clusterprint.errors import InternalError
from clusterprint.plan.gke.workloads import GkeWorkloadsPlan
from stacks.gke.checkpoints import Checkpoints
from stacks.gke.cluster import ClusterStack
from stacks.gke.existing import look_up
from stacks.gke.inference import Inference
from stacks.gke.jobset import JobSet
from stacks.gke.leader_worker_set import LeaderWorkerSet
from stacks.gke.mpi_job import MpiJob
from stacks.gke.mpi_operator import MpiOperator
from stacks.gke.queues import Queues
from stacks.gke.tpu_provisioner import TpuProvisioner
from stacks.gke.workloads_outputs import WorkloadsOutputs
from stacks.google.provider import require_google
from stacks.kubernetes.access import connect
from stacks.kubernetes.chart import Chart
from stacks.kubernetes.claims import Claims
from stacks.kubernetes.device_claims import lay_templates
from stacks.kubernetes.namespaces import Namespaces, ServiceAccount
from stacks.kubernetes.nodes import lay_on_nodes
from stacks.kubernetes.objects import Objects
from stacks.kubernetes.scrape import Scrape


def build(scope: Construct, plan: GkeWorkloadsPlan, built: Mapping[str, TerraformStack]) -> TerraformStack:
    """Make the stack of a plan."""
    cluster = built.get(plan.access.stack)
    if cluster is not None and not isinstance(cluster, ClusterStack):
        raise InternalError(f"{plan.access.stack} is no cluster")
    return WorkloadsStack(scope, plan, cluster)


class WorkloadsStack(TerraformStack):
    """The stack inside a cluster: names its parts and wires them."""

    def __init__(self, scope: Construct, plan: GkeWorkloadsPlan, cluster: ClusterStack | None) -> None:
        super().__init__(scope, plan.name)
        GcsBackend(self, bucket=plan.state.bucket, prefix=plan.state.prefix)
        found = look_up(self, plan.access, project=plan.project, region=plan.region)
        connect(self, plan.access, found or (cluster.cluster if cluster else None))
        if cluster and found:
            self.add_dependency(cluster)
        if plan.provisioner and not found:
            require_google(self, plan.google_provider, project=plan.project, region=plan.region)
        self._plan = plan
        self._namespaces = Namespaces(self, "namespace", names=plan.namespaces, labels=plan.namespace_labels)
        lay_on_nodes(
            self,
            compute_classes=plan.compute_classes,
            networks=plan.networks,
            plugins=plan.plugins,
            injectors=plan.device_injectors,
            programs=plan.interface_programs,
        )
        accounts = [
            ServiceAccount(self, f"account-{each.key}", namespaces=self._namespaces, plan=each).resource
            for each in plan.service_accounts
        ]
        made = cluster.volumes if cluster else {}
        claims = Claims(self, "volume", namespaces=self._namespaces, made=made, plan=plan.claims)
        templates = lay_templates(self, self._namespaces, plan.device_claims)
        ready = [*accounts, *claims.resources, *templates, *self._components()]
        if plan.checkpoints:
            # Jobs cannot start before the driver is there, which comes by it.
            bucket = made.get(plan.checkpoints.volume)
            ready.append(Checkpoints(self, "checkpoints", bucket=bucket, plan=plan.checkpoints).resource)
        self._jobs(ready)
        if plan.inference:
            Inference(self, "inference", namespaces=self._namespaces, after=ready, plan=plan.inference)
        for each in plan.scrapes:
            Scrape(self, f"metrics-{each.key}", after=ready, plan=each)
        self._charts(ready)
        self._manifests([*ready, *self._namespaces.all])
        WorkloadsOutputs(self, "outputs", plan=plan.outputs)

    def _components(self) -> list[TerraformResource]:
        """The dependencies of jobs: each exists before the first job."""
        plan = self._plan
        before = self._namespaces.before
        charts: dict[str, TerraformResource] = {}
        for chart in plan.charts:
            after = [*before(chart.namespace), *(charts[key] for key in chart.after)]
            charts[chart.key] = Chart(self, chart.key, after=after, plan=chart).resource
        ready = [*charts.values()]
        if plan.mpi:
            operator = MpiOperator(
                self,
                "mpi-operator",
                namespace=plan.mpi.operator_namespace,
                after=before(plan.mpi.operator_namespace),
                program=plan.mpi.operator,
            )
            ready.append(operator.ready)
        if plan.queues:
            # Kueue looks once, when it starts, for the kinds of jobs that it can queue.
            after = [*before(plan.queues.chart.namespace), *ready]
            after += before(*(each.namespace for each in plan.queues.local_queues))
            ready.append(Queues(self, "kueue", after=after, plan=plan.queues).ready)
        if plan.provisioner:
            provisioner = TpuProvisioner(
                self,
                "tpu-provisioner",
                project=plan.project,
                # It looks for JobSets from its first second on.
                after=[*self._namespaces.all, *ready],
                plan=plan.provisioner,
            )
            ready.append(provisioner.resource)
        return ready

    def _jobs(self, ready: list[TerraformResource]) -> None:
        for job in self._plan.mpi.jobs if self._plan.mpi else ():
            MpiJob(self, f"mpi-{job.key}", after=[*self._namespaces.before(job.namespace), *ready], plan=job)
        for each in self._plan.jobsets:
            JobSet(
                self,
                f"jobset-{each.key}",
                after=[*self._namespaces.before(each.namespace), *ready],
                plan=each,
            )
        for group in self._plan.leader_worker_sets:
            before = self._namespaces.before(group.namespace)
            LeaderWorkerSet(self, f"lws-{group.name}", after=[*before, *ready], plan=group)

    def _charts(self, ready: list[TerraformResource]) -> None:
        """The user's own charts: after the components, whose kinds of objects they may bring."""
        for chart in self._plan.own_charts:
            before = self._namespaces.before(chart.namespace)
            Chart(self, f"chart-{chart.key}", after=[*before, *ready], plan=chart)

    def _manifests(self, ready: list[TerraformResource]) -> None:
        """The user's own objects come last; definitions of their kinds before them."""
        for plan in (self._plan.definitions, self._plan.manifests):
            if plan:
                made = Objects(
                    self,
                    plan.key,
                    name=plan.name,
                    namespace=plan.namespace,
                    objects=plan.objects,
                    after=ready,
                    # Whether somebody else's objects ever come to rest is not known here.
                    wait=plan is self._plan.definitions,
                )
                ready = [*ready, made.resource]
