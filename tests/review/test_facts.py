"""Facts of reviews are those of the simulated cloud, and every risk is described."""

import runpy
from collections.abc import Mapping

import pytest
from docs_pages.risks import risks_page
from support import ROOT

from clusterprint.review import facts
from clusterprint.review.differences import differences
from clusterprint.review.policy.names import FORBIDDABLE
from clusterprint.review.provider_upgrades import known_upgrades
from clusterprint.review.replacement import forcing
from clusterprint.review.risk_names import RISKS
from clusterprint_simcloud.facts import SERVED, table
from clusterprint_simcloud.providers import PROVIDERS

SIMULATED = {name: kind for provider in PROVIDERS.values() for name, kind in provider.resources.items()}


@pytest.mark.parametrize("type_", sorted(SIMULATED))
def test_what_the_simulated_cloud_replaces_for_reviews_know(type_: str) -> None:
    simulated = {path for path, each in SIMULATED[type_].arguments.items() if each.force_new}
    assert simulated == facts.force_new(type_)


def test_the_facts_are_those_of_the_tables() -> None:
    made = runpy.run_path(str(ROOT / "tools" / "generate_facts.py"))["generate"]()
    assert (ROOT / "clusterprint" / "review" / "facts" / "force_new.json").read_text("utf-8") == made
    for name, version in SERVED.items():
        assert version in facts.source()
        for type_, rows in table(name, version).items():
            forcing = {path for path, fact in rows.items() if fact.says("force_new")}
            assert forcing <= facts.force_new(type_), type_


def forced(type_: str, before: Mapping[str, object], after: Mapping[str, object]) -> list[str]:
    return [each.path for each in forcing(type_, list(differences(before, after)))]


def test_what_forces_a_replacement() -> None:
    pool = "google_container_node_pool"
    assert forced(pool, {"name": "a"}, {"name": "b"}) == ["name"]
    assert forced(pool, {"node_count": 1}, {"node_count": 2}) == []
    assert forced(pool, {"node_config": {"spot": True}}, {"node_config": {"spot": False}}) == [
        "node_config.spot"
    ]
    # An entry of a map that is fixed as a whole.
    assert forced("google_compute_instance_template", {"metadata": {"a": "1"}}, {"metadata": {"a": "2"}})
    # A block that comes, and an argument of a block that may change.
    assert forced(pool, {}, {"queued_provisioning": {"enabled": True}})
    topologies = [{"placement_policy": {"type": "COMPACT", "tpu_topology": each}} for each in ("2x2", "2x4")]
    assert forced(pool, *topologies) == []
    # A pool inside of a cluster, and an argument of a block that only forces one as a whole.
    pools = [{"node_pool": [{"name": "p", "node_config": [{"spot": each}]}]} for each in (True, False)]
    assert forced("google_container_cluster", *pools) == ["node_pool.node_config.spot"]
    group = "azurerm_linux_virtual_machine_scale_set"
    policies = [{"rolling_upgrade_policy": {"max_batch_instance_percent": each}} for each in (20, 40)]
    assert forced(group, *policies) == []
    assert forced(group, {}, policies[0]) == ["rolling_upgrade_policy"]
    # Ranges grow in place, and never shrink.
    subnet = "google_compute_subnetwork"
    assert forced(subnet, {"ip_cidr_range": "10.0.0.0/20"}, {"ip_cidr_range": "10.0.0.0/16"}) == []
    assert forced(subnet, {"ip_cidr_range": "10.0.0.0/16"}, {"ip_cidr_range": "10.0.0.0/20"}) == [
        "ip_cidr_range"
    ]
    # Another key is a change in place, none is another file system.
    lustre = "azurerm_managed_lustre_file_system"
    first, second = ({"encryption_key": {"key_url": each}} for each in "12")
    assert forced(lustre, first, second) == []
    without: list[dict[str, object]] = [{}, {"encryption_key": None}, {"encryption_key": []}]
    assert [forced(lustre, first, each) for each in without] == [["encryption_key"]] * 3
    assert forced(lustre, {}, first) == []


def test_another_source_of_a_volume_is_another_volume() -> None:
    def spec(handle: str, **more: object) -> dict[str, object]:
        csi = {"driver": "filestore.csi.storage.gke.io", "volume_handle": handle}
        return {"spec": [{"persistent_volume_source": [{"csi": [csi]}], **more}]}

    volume = "kubernetes_persistent_volume_v1"
    assert forced(volume, spec("old"), spec("new")) == ["spec.persistent_volume_source.csi.volume_handle"]
    assert forced(volume, spec("old"), spec("old", mount_options=["hard"])) == []


def test_every_name_of_a_policy_is_described() -> None:
    guide = (ROOT / "docs" / "review.md").read_text("utf-8")
    assert [name for name in FORBIDDABLE.keys() - RISKS.keys() if f"`{name}`" not in guide] == []
    page = risks_page()
    for name, meaning in FORBIDDABLE.items():
        assert f"| `{name}` | {meaning} |" in page


def test_changes_between_versions_of_providers_are_those_of_their_tables() -> None:
    """Each default that moved, and each argument that has another name."""
    tables = {
        ("google", 6): "6.50.0",
        ("google", 7): "7.45.0",
        ("azurerm", 4): "4.55.0",
        ("azurerm", 5): "5.2.0",
    }
    for one in known_upgrades():
        old, new = (tables.get((one.provider, major), "") for major in (one.from_, one.to))
        if not (old and new):
            assert not one.defaults
            assert not one.renamed
            continue
        before, after = table(one.provider, old), table(one.provider, new)
        for type_, arguments in one.defaults.items():
            for path, values in arguments.items():
                assert (before[type_][path].default, after[type_][path].default) == values
        for type_, renamed in one.renamed.items():
            for was, now in renamed.items():
                assert was in before[type_]
                assert was not in after[type_]
                assert now in after[type_]
                assert now not in before[type_]
