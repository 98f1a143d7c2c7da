"""Fixtures of the simulated cloud's tests: a world, stacks in it, and its API without Terraform."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from inside import CLUSTER, CONNECTION, HOST
from needs_terraform import pytest_runtest_setup

from clusterprint_simcloud import Cloud, Record, World
from clusterprint_simcloud.arguments import with_facts
from clusterprint_simcloud.cloud import lifecycle
from clusterprint_simcloud.cloud.behaviour import Plan
from clusterprint_simcloud.plugin import planning
from clusterprint_simcloud.providers import PROVIDERS, schema_of
from clusterprint_simcloud.schema import Block

__all__ = ["pytest_runtest_setup"]

PROJECT = "my-project"
REGION = "us-central1"
ZONE = "us-central1-a"
CONFIG = {"project": PROJECT, "region": REGION, "zone": ZONE}
BUCKET = "terraform-state"
VERSIONS = {"google": "7.45.0", "kubernetes": "2.38.0", "helm": "3.1.1"}

Stack = Callable[..., Path]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A fresh world with one state bucket; providers in this process."""
    with World(BUCKET, folder=tmp_path / "world") as made:
        yield made


@pytest.fixture
def mirrored(tmp_path: Path) -> Iterator[World]:
    """A fresh world in which Terraform installs and spawns the providers."""
    with World(BUCKET, mode="mirror", folder=tmp_path / "world") as made:
        yield made


@pytest.fixture
def stack(tmp_path: Path) -> Stack:
    """Write Terraform JSON into a folder of its own, in place of what was there.

    `providers` are the configurations of others than google.
    """

    def write(
        resources: dict[str, Any],
        name: str = "stack",
        providers: Mapping[str, Any] = MappingProxyType({}),
        **more: Any,
    ) -> Path:
        folder = tmp_path / "stacks" / name
        folder.mkdir(parents=True, exist_ok=True)
        configured = {"google": CONFIG, **providers}
        required = {one: {"source": f"hashicorp/{one}", "version": VERSIONS[one]} for one in configured}
        backend = {"gcs": {"bucket": BUCKET, "prefix": f"tests/{name}"}}
        document = {
            "terraform": {"required_providers": required, "backend": backend},
            "provider": configured,
            **({"resource": resources} if resources else {}),
            **more,
        }
        (folder / "cdk.tf.json").write_text(json.dumps(document, indent=1))
        return folder

    return write


class Api:
    """A simulated cloud without Terraform in between: plan and apply one resource at a time."""

    def __init__(self, cloud: Cloud, provider: str = "google", config: dict[str, Any] = CONFIG) -> None:
        self.cloud = cloud
        self.config = config
        self.provider = PROVIDERS[provider]
        self.schema = schema_of(self.provider)

    def plan(self, kind: str, config: dict[str, Any], prior: dict[str, Any] | None = None) -> Plan:
        """Plan a create, or with `prior` an update in which `config` has only what changes."""
        block = self._block(kind)
        state: dict[str, Any] = dict.fromkeys(block.attributes) | {name: [] for name in block.blocks}
        state |= {**(prior or {}), **config}
        whole = {name: config.get(name) for name in state} if prior is None else state
        draft = Plan(self.cloud, whole, prior, lifecycle.completed(block, state), dict(self.config))
        planning.plan(self.provider, self.provider.resources[kind], block, draft)
        return draft

    def create(self, kind: str, /, **config: Any) -> Record:
        """Create a resource."""
        change = lifecycle.Change(None, self.plan(kind, config).state, config=self.config)
        with self.cloud.open() as contents:
            return lifecycle.create(
                self.provider, self.provider.resources[kind], self._block(kind), contents, change
            )

    def update(self, record: Record, **changes: Any) -> Record:
        """Change a resource in place."""
        draft = self.plan(record.type, changes, record.state)
        change = lifecycle.Change(record.state, draft.state, record.id, self.config)
        with self.cloud.open() as contents:
            return lifecycle.update(
                self.provider,
                self.provider.resources[record.type],
                self._block(record.type),
                contents,
                change,
            )

    def delete(self, record: Record) -> None:
        """Delete a resource."""
        change = lifecycle.Change(record.state, record.state, record.id, self.config)
        with self.cloud.open() as contents:
            lifecycle.delete(self.provider, self.provider.resources[record.type], contents, change)

    def read(self, source: str, **config: Any) -> dict[str, Any]:
        """Read a data source."""
        with self.cloud.open() as contents:
            return self.provider.data_sources[source].read(contents, {**self.config, **config})

    def _block(self, kind: str) -> Block:
        return with_facts(self.schema.resources[kind], self.provider.resources[kind].arguments)


@pytest.fixture
def cloud(tmp_path: Path) -> Cloud:
    """A fresh cloud."""
    return Cloud(tmp_path / "cloud")


@pytest.fixture
def connect(cloud: Cloud) -> Callable[..., Api]:
    """The API that a provider with some configuration is connected to."""
    return lambda provider, **config: Api(cloud, provider, config)


@pytest.fixture
def api(cloud: Cloud) -> Api:
    """Google's API in a fresh cloud."""
    return Api(cloud)


@pytest.fixture
def azure(connect: Callable[..., Api]) -> Api:
    """Azure's API, with a resource group."""
    made = connect("azurerm", subscription_id="00000000-0000-0000-0000-000000000000", features=[{}])
    made.create("azurerm_resource_group", name="rg", location="eastus")
    return made


@pytest.fixture
def cluster(api: Api) -> Record:
    """A cluster with one node pool."""
    return api.create("google_container_cluster", name="c", **CLUSTER)


@pytest.fixture
def k8s(connect: Callable[..., Api], cluster: Record) -> Api:
    """The API server of the cluster."""
    assert cluster.state["endpoint"] == HOST.removeprefix("https://")
    return connect("kubernetes", **CONNECTION)


@pytest.fixture
def helm(connect: Callable[..., Api], k8s: Api) -> Api:
    """Helm in the cluster."""
    return connect("helm", kubernetes=k8s.config)


@pytest.fixture
def tainted(api: Api, connect: Callable[..., Api]) -> Api:
    """A cluster whose only pool has GPUs, and may grow from nothing to two nodes."""
    made = api.create("google_container_cluster", name="c", remove_default_node_pool=True, **CLUSTER)
    gpus = [{"type": "nvidia-tesla-a100", "count": 1}]
    api.create(
        "google_container_node_pool",
        name="gpu",
        cluster=made.id,
        autoscaling=[{"max_node_count": 2}],
        node_config=[{"machine_type": "a2-highgpu-1g", "guest_accelerator": gpus, "labels": {"kind": "gpu"}}],
    )
    return connect("kubernetes", **CONNECTION)
