"""The stack `<name>-ray`: Ray inside its GKE cluster."""

from collections.abc import Mapping

from cdktf import TerraformResource, TerraformResourceLifecycle, TerraformStack
from cdktf_cdktf_provider_kubernetes.config_map_v1 import ConfigMapV1, ConfigMapV1Metadata
from constructs import Construct

from clusterprint.plan.ray.ray import RayPlan
from stacks.addresses import addressed
from stacks.gke.in_cluster import InClusterStack
from stacks.gke.inference import Inference
from stacks.kubernetes.chart import Chart
from stacks.kubernetes.objects import Objects
from stacks.ray.dashboard import Dashboard, Proxy
from stacks.ray.objects import ray_cluster, ray_job, ray_service
from stacks.ray.outputs import RayOutputs


def build(scope: Construct, plan: RayPlan, built: Mapping[str, TerraformStack]) -> TerraformStack:
    """Make the stack of a plan."""
    return RayStack(scope, plan, built)


class RayStack(InClusterStack):
    """The stack of Ray: names its parts and wires them."""

    def __init__(self, scope: Construct, plan: RayPlan, built: Mapping[str, TerraformStack]) -> None:
        super().__init__(scope, plan, built)
        self._plan = plan
        self._account = self.accounts[plan.namespace, plan.spec.service_account]
        ready = [*self._operator(), *self.on_nodes, *self.accounts.values(), *self._programs()]
        ready += [*self.claims, *self.templates]
        self._ray([*ready, *self._proxy()])
        self._runs(ready)
        if plan.gateway:
            Inference(self, "gateway", namespaces=self.namespaces, after=ready, plan=plan.gateway)
        RayOutputs(self, "outputs", plan=plan.outputs)

    def _operator(self) -> list[TerraformResource]:
        """It comes before all else: it brings the kinds of objects that Ray clusters and jobs are."""
        operator = self._plan.operator
        if operator is None:
            return []
        before = self.namespaces.before(operator.namespace)
        return [Chart(self, "operator", after=before, plan=operator).resource]

    def _programs(self) -> list[TerraformResource]:
        programs = self._plan.programs
        if programs is None:
            return []
        namespace = self._plan.namespace
        return [
            addressed(
                ConfigMapV1(
                    self,
                    "programs",
                    metadata=ConfigMapV1Metadata(name=programs.name, namespace=namespace),
                    data=programs.files,
                    immutable=True,
                    depends_on=self.namespaces.before(namespace),
                    # A run that is under way has its programs until it goes.
                    lifecycle=TerraformResourceLifecycle(create_before_destroy=True),
                )
            )
        ]

    def _proxy(self) -> list[TerraformResource]:
        plan = self._plan
        if plan.proxy is None:
            return []
        return Proxy(
            self,
            "proxy",
            namespace=plan.namespace,
            account_name=plan.spec.service_account,
            account=self._account,
            user=plan.proxy.config_map,
            after=self.namespaces.before(plan.namespace),
            plan=plan.proxy,
        ).ready

    def _ray(self, after: list[TerraformResource]) -> None:
        plan = self._plan
        objects = {plan.ray: ray_cluster(plan)}
        ray = Objects(
            self, "ray", name=f"ray-{plan.ray}", namespace=plan.namespace, objects=objects, after=after
        )
        if plan.dashboard:
            Dashboard(
                self,
                "dashboard",
                namespace=plan.namespace,
                ray=plan.ray,
                after=[ray.resource],
                plan=plan.dashboard,
            )

    def _runs(self, after: list[TerraformResource]) -> None:
        """Jobs and services, each a release of its own: a changed one leaves the others alone."""
        plan = self._plan
        found = {f"job-{each.name}": {each.run: ray_job(plan, each)} for each in plan.jobs}
        found |= {f"service-{each.name}": {each.name: ray_service(plan, each)} for each in plan.services}
        for key, objects in found.items():
            Objects(
                self,
                key,
                name=f"ray-{key}",
                namespace=plan.namespace,
                objects=objects,
                after=after,
                wait=False,
            )
