"""Models that are served through a gateway which knows how busy each of their servers is."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.components import Chart, ChartVersion
from clusterprint.blueprint.gke.texts import KubernetesName, NodeLabelKey, NodeLabelValue
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import (
    ExactlyOne,
    Excludes,
    Forbids,
    Names,
    Needs,
    Relation,
    when,
    written,
)
from clusterprint.blueprint.texts import Duration, HostName, JobName, ResourceName, choice, looks_like

UrlPath = Annotated[
    str,
    looks_like(
        "^/[-A-Za-z0-9/._~%!$&'()*+,;=:@]*$",
        "the path of a URL, such as /v1",
        "/v1",
    ),
    Meta(max_length=1024),
]


Access = Annotated[
    Literal["internal", "external"],
    choice(
        description="Networks that can reach the gateway.",
        values={
            "internal": "Clients in the cluster's network, or in networks connected to it.",
            "external": "Anyone on the internet. Requires `certificate`.",
        },
    ),
]

Certificate = Annotated[
    ResourceName,
    Meta(
        description="Regional SSL certificate of the project. The gateway then serves HTTPS only. "
        "Left out: HTTP, which is not encrypted.",
        examples=["models"],
    ),
]


class Objective(Part, frozen=True, kw_only=True):
    """Importance of the requests that name it in the header `x-gateway-inference-objective`."""

    name: Annotated[KubernetesName, Meta(description="Name of the objective.", examples=["chat"])]
    priority: Annotated[
        int,
        Meta(
            ge=-1000,
            le=1000,
            description="When servers are full, requests of a higher priority go first, and those below 0 "
            "are dropped. Requests without an objective have 0.",
            examples=[10],
        ),
    ]


class Model(Part, frozen=True, kw_only=True):
    """A model, and the pods that serve it: exactly one of `leader_worker_set`, `pods` and `service`."""

    relations: ClassVar[tuple[Relation, ...]] = (
        ExactlyOne("GKE352", ("leader_worker_set", "pods", "service")),
        *(
            Excludes("GKE357", field, when("service"))
            for field in (when("objectives"), when("server", "triton_tensorrt_llm"))
        ),
        Names("GKE354", "leader_worker_set", ("workloads.leader_worker_sets",), "LeaderWorkerSet"),
    )

    name: Annotated[JobName, Meta(description="Name, unique among models.", examples=["llama"])]
    namespace: Annotated[KubernetesName, Meta(description="Namespace of the pods that serve it.")] = "default"
    leader_worker_set: Annotated[
        JobName | UnsetType,
        Meta(
            description="One of `workloads.leader_worker_sets`, whose leaders serve the model.",
            examples=["serve"],
        ),
    ] = UNSET
    pods: Annotated[
        dict[NodeLabelKey, NodeLabelValue],
        Meta(
            description="Labels of the pods that serve the model, those of a Deployment for example.",
            examples=[{"app": "vllm-llama"}],
        ),
    ] = {}
    service: Annotated[
        KubernetesName | UnsetType,
        Meta(
            description="Kubernetes service that gets the requests, such as that of a Ray service. Its load "
            "is not taken into account.",
            examples=["chat-serve-svc"],
        ),
    ] = UNSET
    port: Annotated[
        int | UnsetType,
        Meta(
            ge=1,
            le=65535,
            description="Port on which the pods listen. Left out: that of the LeaderWorkerSet, otherwise "
            "8000.",
            examples=[8000],
        ),
    ] = UNSET
    server: Annotated[
        Literal["vllm", "triton_tensorrt_llm"],
        choice(
            description="Model server, by whose metrics pods are chosen.",
            values={
                "vllm": "vLLM, or a server with the same metrics.",
                "triton_tensorrt_llm": "Triton with TensorRT-LLM.",
            },
        ),
    ] = "vllm"
    path: Annotated[UrlPath, Meta(description="Path prefix of the requests for this model.")] = "/"
    hosts: Annotated[
        tuple[HostName, ...],
        Meta(
            description="Host names of the requests for this model. Empty: any.",
            max_length=16,
            examples=[["llama.example.com"]],
        ),
    ] = ()
    health_path: Annotated[
        UrlPath, Meta(description="Path of the health check, which succeeds once a pod can serve.")
    ] = "/health"
    timeout: Annotated[Duration, Meta(description="Timeout of a request, until the answer is complete.")] = (
        "5m"
    )
    objectives: Annotated[
        tuple[Objective, ...],
        Meta(
            description="Objectives that requests can name.",
            examples=[[{"name": "chat", "priority": 10}, {"name": "batch", "priority": -1}]],
        ),
    ] = ()


class Inference(Chart, frozen=True, kw_only=True):
    """A gateway to models: each request goes to the pod that can best serve it.

    Pods are chosen by the length of their queues, by what is in their caches and by the prompts that they
    have seen. `version`, `location` and `values` are those of the chart that chooses, of which each model
    has a release.
    """

    relations: ClassVar[tuple[Relation, ...]] = (
        Needs("GKE356", when("access", "external"), when("certificate")),
        Forbids("GKE453", written("models"), (when("models", ()),)),
    )

    version: Annotated[
        ChartVersion | UnsetType,
        Meta(
            description="Chart version. Left out: the version that this release of clusterprint pins.",
            examples=["v1.0.1"],
        ),
    ] = UNSET
    access: Access = "internal"
    certificate: Certificate | UnsetType = UNSET
    models: Annotated[
        tuple[Model, ...],
        Meta(
            description="Models behind the gateway.",
            examples=[[{"name": "llama", "pods": {"app": "vllm-llama"}}]],
        ),
    ] = ()
