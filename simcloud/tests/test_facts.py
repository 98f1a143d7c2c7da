"""The tables of provider facts, what is written down beside them, and the schemas in other versions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from inside import CLUSTER

from clusterprint_simcloud import facts, schema
from clusterprint_simcloud.arguments import Argument, reported
from clusterprint_simcloud.cloud.behaviour import ResourceType
from clusterprint_simcloud.errors import MissingPart
from clusterprint_simcloud.plugin.validating import check
from clusterprint_simcloud.providers import MODELS, PROVIDERS, schema_of, served
from clusterprint_simcloud.values import UNKNOWN

if TYPE_CHECKING:
    from conftest import Stack

    from clusterprint_simcloud import World

TABLES = [(name, version) for name in facts.SERVED for version in facts.versions(name)]
TABLED = [kind for name in facts.SERVED for kind in MODELS[name].resources.values()]
BLANK = Argument()


@pytest.mark.parametrize(("name", "version"), TABLES)
def test_the_table_has_every_simulated_type(name: str, version: str) -> None:
    table = facts.table(name, version)
    assert set(MODELS[name].resources) <= set(table)
    for rows in table.values():
        parents = {path.rpartition(".")[0] for path in rows} - {""}
        assert parents <= set(rows)


def test_a_version_without_a_table_is_refused() -> None:
    with pytest.raises(MissingPart, match=r"google 5\.0\.0: there are 6\.50\.0, 7\.45\.0"):
        served("google", "5.0.0")


@pytest.mark.parametrize("kind", TABLED, ids=lambda one: one.name)
def test_what_is_written_by_hand_is_not_in_the_table(kind: ResourceType) -> None:
    """A row that repeats the table is refused; one that contradicts it has a reason."""
    name = kind.name.partition("_")[0]
    table = reported(facts.table(name, facts.SERVED[name])[kind.name])
    for path, argument in kind.arguments.items():
        if path not in table:
            continue
        said = {
            field: getattr(argument, field)
            for field in Argument.__struct_fields__
            if field != "why" and getattr(argument, field) != getattr(BLANK, field)
        }
        assert [field for field, value in said.items() if getattr(table[path], field) == value] == []
        # The table knows everything about these, so that anything else is a contradiction.
        contradicted = said.keys() - {"one_of", "matches", "deep"}
        assert not contradicted or argument.why, path
        assert contradicted or not argument.why, path


@pytest.mark.parametrize("name", facts.SERVED)
def test_table_and_wheel_say_the_same_of_the_same_version(name: str) -> None:
    read = schema.load(name, MODELS[name].wanted)
    assert schema_of(served(name, read.version)) == read
    # Without the wheel's help, too, but for what tables do not say.
    for type_, block in read.resources.items():
        if type_ not in EXCEPTIONS:
            rows = facts.table(name, read.version)[type_]
            bare = schema.at_version(
                schema.ProviderSchema(name, "", block, {type_: _always(block)}, {}),
                read.version,
                {type_: rows},
            )
            assert _without_limits(bare.resources[type_]) == _without_limits(block), type_


# Their blocks are attributes in the schema that Terraform sees: a choice of the provider that no table shows.
_ATTRIBUTES = {"azurerm_network_security_group", "azurerm_virtual_network", "helm_release"}
# They have lists of numbers, which tables do not tell from those of text.
_PODS = {f"kubernetes_{one}_v1" for one in ("cron_job", "daemon_set", "deployment", "job", "stateful_set")}
EXCEPTIONS = _ATTRIBUTES | _PODS


def _always(block: schema.Block) -> schema.Block:
    timeouts = {name: one for name, one in block.blocks.items() if name == "timeouts"}
    return schema.Block({"id": block.attributes["id"]}, timeouts)


def _without_limits(block: schema.Block) -> object:
    """The block, without limits above one, which wheels do not have, and without order."""
    nested = {
        name: (one.nesting, one.min_items, one.max_items == 1, _without_limits(one.block))
        for name, one in block.blocks.items()
    }
    return block.attributes, nested


@pytest.mark.parametrize(
    ("kind", "config", "problem"),
    [
        (
            "google_container_node_pool",
            {"node_config": [{"kubelet_config": [{"memory_manager": [{"policy": "static"}]}]}]},
            'memory_manager.policy to be one of ["None" "Static" ""], got static',
        ),
        (
            "google_container_cluster",
            {"logging_config": [{"enable_components": ["SYSTEM_COMPONENTS", "EVERYTHING"]}]},
            "got EVERYTHING",
        ),
        ("google_compute_instance_template", {"name": "Upper"}, "doesn't match regexp \""),
        ("google_filestore_instance", {"networks": [{"modes": ["IPV4"]}]}, "got IPV4"),
        (
            "google_compute_instance_group_manager",
            {"auto_healing_policies": [{"initial_delay_sec": 3601}]},
            "to be in the range (0 - 3600), got 3601",
        ),
        ("google_compute_router_nat", {"udp_idle_timeout_sec": 1, "type": "public"}, "got public"),
        ("kubernetes_namespace_v1", {"metadata": [{"labels": {"who": "a b"}}]}, '("a b") doesn\'t match'),
        (
            "kubernetes_namespace_v1",
            {"metadata": [{"labels": {"a b": "x"}}]},
            '(key)" ("a b") doesn\'t match',
        ),
        (
            "kubernetes_config_map_v1",
            {"metadata": [{"annotations": {"/x": "any text"}}]},
            "annotations (key)",
        ),
        ("kubernetes_cluster_role_v1", {"metadata": [{"name": "a/b"}]}, "metadata.name"),
        ("kubernetes_persistent_volume_v1", {"spec": [{"capacity": {"storage": "1 TiB"}}]}, "capacity"),
        (
            "kubernetes_daemon_set_v1",
            {"spec": [{"template": [{"spec": [{"toleration": [{"effect": "NO_SCHEDULE"}]}]}]}]},
            "got NO_SCHEDULE",
        ),
        (
            "kubernetes_deployment_v1",
            {"spec": [{"template": [{"spec": [{"volume": [{"secret": [{"default_mode": "444"}]}]}]}]}]},
            '("444") doesn\'t match',
        ),
        ("kubernetes_role_binding_v1", {"role_ref": [{"kind": "role"}]}, "got role"),
        ("helm_release", {"name": "x" * 54}, '"name" ("xxx'),
        ("helm_release", {"set": [{"type": "json"}]}, "got json"),
    ],
)
def test_a_value_that_the_provider_does_not_know_is_refused_beside_what_is_not_known(
    kind: str, config: dict[str, Any], problem: str
) -> None:
    """The SDK checks nothing in a block that holds something unknown, and fails within the apply."""
    block = next(iter(config.values()))
    if isinstance(block, list):
        block[0]["beside"] = UNKNOWN
    provider = PROVIDERS[kind.partition("_")[0]]
    said = [one.summary for one in check(provider.resources[kind].arguments, config)]
    assert [one for one in said if problem in one] != []


@pytest.mark.terraform
@pytest.mark.parametrize(
    "node",
    [
        {"host_maintenance_policy": [{"maintenance_interval": "PERIODIC"}]},
        {
            "secondary_boot_disks": [{"disk_image": "global/images/a"}, {"disk_image": "global/images/b"}],
            "gcfs_config": [{"enabled": True}],
        },
    ],
    ids=lambda one: next(iter(one)),
)
def test_what_a_provider_does_not_implement_is_planned_for_ever(
    world: World, stack: Stack, node: dict[str, Any]
) -> None:
    pool = {"name": "p", "cluster": "${google_container_cluster.main.id}", "node_count": 1}
    folder = stack(
        {
            "google_container_cluster": {"main": {"name": "main", **CLUSTER}},
            "google_container_node_pool": {"p": {**pool, "node_config": [node]}},
        }
    )
    world.apply(folder)
    assert world.changes(folder) == {"google_container_node_pool.p": "replace"}


def test_another_version_is_another_schema() -> None:
    old, new = (schema_of(served("google", version)).resources for version in ("6.50.0", "7.45.0"))
    network = "google_compute_network"
    assert "deletion_policy" not in old[network].attributes
    policy = new[network].attributes["deletion_policy"]
    assert (policy.type, policy.optional, policy.computed) == ("string", True, True)
    drain = new["google_container_node_pool"].blocks["node_drain_config"]
    assert drain.nesting == "list"
    assert "enable_flow_logs" in old["google_compute_subnetwork"].attributes
    assert "enable_flow_logs" not in new["google_compute_subnetwork"].attributes
    assert not old["google_container_cluster"].attributes["enable_l4_ilb_subsetting"].computed
    assert new["google_container_cluster"].attributes["enable_l4_ilb_subsetting"].computed


def test_pools_know_what_replaces_their_nodes() -> None:
    pool = PROVIDERS["google"].resources["google_container_node_pool"].arguments
    assert pool["node_config.spot"].force_new
    assert not pool["node_config.labels"].force_new
    inline = PROVIDERS["google"].resources["google_container_cluster"].arguments
    assert inline["node_pool.node_config.spot"].force_new
