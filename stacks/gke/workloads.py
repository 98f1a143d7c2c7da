"""The stack `<name>-workloads`: what runs inside a GKE cluster."""

from collections.abc import Mapping
from typing import Any

from cdktf import TerraformResource, TerraformStack
from constructs import Construct

from clusterprint.plan.gke.jobs import JobFilesPlan
from clusterprint.plan.gke.mpi import MpiJobPlan
from clusterprint.plan.gke.pod_groups import JobSetPlan, LeaderWorkerSetPlan, TrainerPlan
from clusterprint.plan.gke.workloads import GkeWorkloadsPlan
from stacks.gke.checkpoints import Checkpoints
from stacks.gke.in_cluster import InClusterStack
from stacks.gke.inference import Inference
from stacks.gke.job_objects import JobObjects
from stacks.gke.jobset import jobset, train_job, training_runtime
from stacks.gke.leader_worker_set import leader_worker_set_objects
from stacks.gke.mpi_job import mpi_job
from stacks.gke.mpi_operator import MpiOperator
from stacks.gke.queues import Queues
from stacks.gke.tpu_provisioner import TpuProvisioner
from stacks.gke.workloads_outputs import WorkloadsOutputs
from stacks.kubernetes.chart import Chart
from stacks.kubernetes.objects import Objects
from stacks.kubernetes.scrape import Scrape


def build(scope: Construct, plan: GkeWorkloadsPlan, built: Mapping[str, TerraformStack]) -> TerraformStack:
    """Make the stack of a plan."""
    return WorkloadsStack(scope, plan, built)


class WorkloadsStack(InClusterStack):
    """The stack inside a cluster: names its parts and wires them."""

    def __init__(self, scope: Construct, plan: GkeWorkloadsPlan, built: Mapping[str, TerraformStack]) -> None:
        super().__init__(
            scope,
            plan,
            built,
            google_provider=plan.google_provider if plan.provisioner else "",
            labels=plan.namespace_labels,
        )
        self._plan = plan
        ready = [*self.accounts.values(), *self.claims, *self.templates, *self._components()]
        if plan.checkpoints:
            # Jobs cannot start before the driver is there, which comes by it.
            bucket = self.volumes.get(plan.checkpoints.volume)
            ready.append(Checkpoints(self, "checkpoints", bucket=bucket, plan=plan.checkpoints).resource)
        self._jobs(ready)
        if plan.inference:
            Inference(self, "inference", namespaces=self.namespaces, after=ready, plan=plan.inference)
        for each in plan.scrapes:
            Scrape(self, f"metrics-{each.key}", after=ready, plan=each)
        self._charts(ready)
        self._manifests([*ready, *self.namespaces.all])
        WorkloadsOutputs(self, "outputs", plan=plan.outputs)

    def _components(self) -> list[TerraformResource]:
        """The dependencies of jobs: each exists before the first job."""
        plan = self._plan
        before = self.namespaces.before
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
                after=[*self.namespaces.all, *ready],
                plan=plan.provisioner,
            )
            ready.append(provisioner.resource)
        return ready

    def _jobs(self, ready: list[TerraformResource]) -> None:
        plan = self._plan
        for job in plan.mpi.jobs if plan.mpi else ():
            self._job(f"mpi-{job.key}", job, job.files, {job.name: mpi_job(job)}, ready)
        for each in plan.jobsets:
            if each.trainer:
                self._train_job(each, each.trainer, ready)
            else:
                self._job(f"jobset-{each.key}", each, each.pod.files, {each.name: jobset(each)}, ready)
        for group in plan.leader_worker_sets:
            self._job(f"lws-{group.name}", group, group.pod.files, leader_worker_set_objects(group), ready)

    def _train_job(self, plan: JobSetPlan, trainer: TrainerPlan, ready: list[TerraformResource]) -> None:
        """A TrainJob is refused before its runtime is there, which goes when no job uses it any more."""
        runtime = Objects(
            self,
            f"train-{plan.key}-runtime",
            name=f"train-{plan.key}-runtime",
            namespace=plan.namespace,
            objects={plan.name: training_runtime(plan, trainer)},
            after=[*self.namespaces.before(plan.namespace), *ready],
        )
        objects = {plan.name: train_job(plan, trainer)}
        self._job(f"train-{plan.key}", plan, plan.pod.files, objects, [*ready, runtime.resource])

    def _job(
        self,
        key: str,
        plan: MpiJobPlan | JobSetPlan | LeaderWorkerSetPlan,
        files: JobFilesPlan | None,
        objects: dict[str, Any],
        ready: list[TerraformResource],
    ) -> None:
        after = [*self.namespaces.before(plan.namespace), *ready]
        JobObjects(
            self, key, namespace=plan.namespace, files=files, domain=plan.domain, objects=objects, after=after
        )

    def _charts(self, ready: list[TerraformResource]) -> None:
        """The user's own charts: after the components, whose kinds of objects they may bring."""
        for chart in self._plan.own_charts:
            before = self.namespaces.before(chart.namespace)
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
