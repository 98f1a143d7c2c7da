"""Models behind a gateway: what the resolver decides."""

from pathlib import Path

import msgspec

from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.plan.gke.inference import InferencePlan
from clusterprint.resolve.gke.inference import resolve_inference

SERVE = {"name": "serve", "image": "vllm:v1", "command": ["serve"], "port": 9000}


def plan(**inference: object) -> InferencePlan:
    said = {"lws": {}, "leader_worker_sets": [SERVE], "inference": inference}
    found = resolve_inference(msgspec.convert(said, Workloads), Path())
    assert found is not None
    return found


def test_without_models_there_is_no_gateway() -> None:
    assert resolve_inference(Workloads(), Path()) is None


def test_a_gateway_is_internal_unless_it_is_opened() -> None:
    assert plan().gateway.gateway_class == "gke-l7-rilb"
    assert plan(access="external").gateway.gateway_class == "gke-l7-regional-external-managed"


def test_a_certificate_is_https_and_nothing_else() -> None:
    assert (plan().gateway.port, plan(certificate="models").gateway.port) == (80, 443)


def test_only_namespaces_of_models_may_attach_routes() -> None:
    models = [{"name": "a", "namespace": "x", "pods": {"app": "a"}}, {"name": "b", "service": "b"}]
    assert plan(models=models).gateway.namespaces == ("default", "x")


def test_the_leaders_of_a_group_are_chosen_from_at_its_port() -> None:
    (model,) = plan(models=[{"name": "a", "leader_worker_set": "serve"}]).models
    assert model.chooser is not None
    pool = model.chooser.values["inferencePool"]
    assert pool["modelServers"]["matchLabels"]["leaderworkerset.sigs.k8s.io/worker-index"] == "0"
    assert pool["targetPorts"] == [{"number": 9000}]
    assert model.health.port == 9000


def test_nothing_chooses_among_the_pods_of_a_service() -> None:
    (model,) = plan(models=[{"name": "a", "service": "llm-serve-svc"}]).models
    assert (model.chooser, model.service, model.port, model.health.port) == (None, "llm-serve-svc", 8000, 0)


def test_values_of_the_user_lie_over_those_of_each_model() -> None:
    values = {"inline": "inferenceExtension: {replicas: 2}\nprovider: {name: gke}\n"}
    (model,) = plan(values=values, models=[{"name": "a", "pods": {"app": "a"}}]).models
    assert model.chooser is not None
    assert model.chooser.values["inferenceExtension"] == {"replicas": 2}
    assert model.chooser.values["provider"] == {"name": "gke"}
    assert model.chooser.values["inferencePool"]["modelServerType"] == "vllm"
