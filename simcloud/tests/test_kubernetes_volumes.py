"""Claims that bind, and claims that stay pending."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from inside import meta, pod

from clusterprint_simcloud.cloud.contents import ApiError

if TYPE_CHECKING:
    from conftest import Api

    from clusterprint_simcloud import Record

VOLUME = "kubernetes_persistent_volume_v1"


def claim(k8s: Api, storage_class: str | None, *, size: str = "10Gi", **more: Any) -> Record:
    wait = {name: more.pop(name) for name in ("wait_until_bound",) if name in more}
    spec = {"access_modes": ["ReadWriteOnce"], "storage_class_name": storage_class, **more}
    spec["resources"] = [{"requests": {"storage": size}}]
    return k8s.create("kubernetes_persistent_volume_claim_v1", metadata=meta("data"), spec=[spec], **wait)


def volume(k8s: Api, *, handle: str = "my-bucket", **more: Any) -> Record:
    """A volume that waits for the claim `data`."""
    csi = {"driver": "gcsfuse.csi.storage.gke.io", "volume_handle": handle}
    spec = {
        "capacity": {"storage": "10Gi"},
        "access_modes": ["ReadWriteOnce", "ReadWriteMany"],
        "storage_class_name": "mine",
        "persistent_volume_source": [{"csi": [csi]}],
        "claim_ref": [{"name": "data"}],
        **more,
    }
    return k8s.create(VOLUME, metadata=[{"name": "v"}], spec=[spec])


@pytest.mark.parametrize(
    ("storage_class", "message"),
    [
        (None, "waiting for first consumer"),
        ("standard-rwo", "waiting for first consumer"),
        ("fast", "not found"),
    ],
)
def test_claims_that_would_wait_for_ever(k8s: Api, storage_class: str | None, message: str) -> None:
    with pytest.raises(ApiError, match=message):
        claim(k8s, storage_class)
    claim(k8s, storage_class, wait_until_bound=False)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"volume_name": "w"}, 'persistentvolumes "w" not found'),
        ({"storage_class": None}, "storageClassName does not match"),
        ({"size": "11Gi"}, "requested PV is too small"),
        ({"access_modes": ["ReadOnlyMany"]}, "incompatible accessMode"),
    ],
)
def test_a_claim_and_its_volume_agree(k8s: Api, said: dict[str, Any], message: str) -> None:
    volume(k8s)
    wanted = {"storage_class": "mine", "volume_name": "v", **said}
    with pytest.raises(ApiError, match=message):
        claim(k8s, **wanted)
    claim(k8s, "mine", volume_name="v", size="10737418240")


def test_a_volume_waits_for_its_own_claim(k8s: Api) -> None:
    volume(k8s, claim_ref=[{"name": "data", "namespace": "jobs"}])
    with pytest.raises(ApiError, match="already bound to a different claim"):
        claim(k8s, "mine", volume_name="v")


def test_a_volume_with_a_claim_stays(k8s: Api) -> None:
    made = volume(k8s)
    bound = claim(k8s, "mine", volume_name="v")
    with pytest.raises(ApiError, match='"v" still exists: it is held by'):
        k8s.delete(made)
    k8s.delete(bound)
    k8s.delete(made)


def test_another_source_is_another_volume(k8s: Api) -> None:
    made = volume(k8s)
    spec = made.state["spec"][0]
    assert not k8s.plan(VOLUME, {"spec": [{**spec, "mount_options": ["ro"]}]}, made.state).replace
    other = [{"csi": [{**spec["persistent_volume_source"][0]["csi"][0], "volume_handle": "other"}]}]
    changed = k8s.plan(VOLUME, {"spec": [{**spec, "persistent_volume_source": other}]}, made.state)
    assert changed.replace == [("spec", 0, "persistent_volume_source")]


def test_a_volume_has_a_source(k8s: Api) -> None:
    with pytest.raises(ApiError, match="must specify a volume type"):
        volume(k8s, persistent_volume_source=[{}])


def test_a_claim_in_use_stays(k8s: Api) -> None:
    made = claim(k8s, "standard")
    mounted = [{"name": "v", "persistent_volume_claim": [{"claim_name": "data"}]}]
    used = k8s.create(
        "kubernetes_deployment_v1",
        metadata=meta("app"),
        spec=[{"selector": [{"match_labels": {"app": "x"}}], "template": pod(volume=mounted)}],
    )
    with pytest.raises(ApiError, match='"data" still exists: it is held by'):
        k8s.delete(made)
    k8s.delete(used)
    k8s.delete(made)


def resized(k8s: Api, made: Record, size: str) -> Record:
    spec = made.state["spec"][0]
    return k8s.update(made, spec=[{**spec, "resources": [{"requests": {"storage": size}}]}])


def test_only_what_a_class_makes_grows(k8s: Api) -> None:
    volume(k8s, capacity={"storage": "20Gi"})
    bound = claim(k8s, "mine", volume_name="v")
    with pytest.raises(ApiError, match="only dynamically provisioned pvc can be resized"):
        resized(k8s, bound, "20Gi")


def test_claims_of_a_class_grow_and_never_shrink(k8s: Api) -> None:
    made = resized(k8s, claim(k8s, "standard"), "20Gi")
    with pytest.raises(ApiError, match="can not be less than previous value"):
        resized(k8s, made, "10Gi")


def test_a_class_is_never_changed_in_what_the_provider_does_not_send(k8s: Api) -> None:
    topology = {"match_label_expressions": [{"key": "topology.gke.io/zone", "values": ["us-central1-a"]}]}
    made = k8s.create(
        "kubernetes_storage_class_v1",
        metadata=meta("disks"),
        storage_provisioner="pd.csi.storage.gke.io",
        allowed_topologies=[topology],
        allow_volume_expansion=False,
    )
    expression = {**topology["match_label_expressions"][0], "values": ["us-central1-b"]}
    updated = k8s.update(
        made,
        allow_volume_expansion=True,
        reclaim_policy="Retain",
        allowed_topologies=[{"match_label_expressions": [expression]}],
    )
    assert updated.state["allow_volume_expansion"] is True
    assert updated.state["reclaim_policy"] == "Delete"
    (kept,) = updated.state["allowed_topologies"]
    assert kept["match_label_expressions"][0]["values"] == ["us-central1-a"]
