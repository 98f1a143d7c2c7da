"""The parts by themselves: watches, the Lease, settings, shapes, what is served."""

import json
import urllib.error
import urllib.request
from threading import Event, Thread

import pytest
from api_server import ApiServer
from lab import ENVIRONMENT, HOME, Lab

from clusterprint_provisioner import serving, settings
from clusterprint_provisioner.election import HOLDS, TRUSTED, Elector
from clusterprint_provisioner.kube import GONE, PODS, ApiError, Kubernetes
from clusterprint_provisioner.objects import Pod
from clusterprint_provisioner.shapes import ACCELERATOR, TOPOLOGY
from clusterprint_provisioner.watching import Copy


def names(copy: Copy[Pod]) -> list[str]:
    return [each.metadata.name for each in copy.items()]


def test_a_copy_follows_what_happens() -> None:
    lab = Lab()
    for number in range(1200):  # several pages
        lab.pod(f"pod-{number:04}", of=None)
    copy = Copy(Kubernetes(lab.api, HOME), PODS, lambda: None)
    copy.refresh()
    assert len(names(copy)) == 1200
    lab.pod("new", of=None)
    lab.api.remove("/pods", "default", "pod-0000")
    copy.follow()
    assert "new" in names(copy)
    assert "pod-0000" not in names(copy)


def test_a_watch_from_too_long_ago_begins_anew() -> None:
    lab = Lab()
    copy = Copy(Kubernetes(lab.api, HOME), PODS, lambda: None)
    copy.refresh()
    lab.pod("missed", of=None)
    lab.api.compact()
    with pytest.raises(ApiError) as refused:
        copy.follow()
    assert refused.value.status == GONE
    lab.api.waits = True
    stop = Event()
    thread = Thread(target=copy.run, args=(stop,), daemon=True)
    thread.start()
    for _ in range(100):
        if "missed" in names(copy):
            break
        stop.wait(0.02)
    stop.set()
    lab.api.waits = False
    thread.join(5)
    assert names(copy) == ["missed"]


class Clock:
    """A clock that stands still unless it is set."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """The time."""
        return self.now


def test_one_of_two_leads_and_the_other_follows_when_it_is_gone() -> None:
    api, clock = ApiServer(), Clock()
    first, second = (Elector(Kubernetes(api, HOME), name, clock) for name in ("first", "second"))
    assert first.try_once()
    assert not second.try_once()
    clock.now = TRUSTED + 1
    assert not first.leads(), "it trusts a lease that it did not renew for less time than others wait"
    assert not second.try_once()
    clock.now = HOLDS + 1
    assert second.try_once()
    assert not first.try_once()
    lease = api.get("coordination.k8s.io/leases", HOME, "slice-provisioner")
    assert lease is not None
    assert (lease["spec"]["holderIdentity"], lease["spec"]["leaseTransitions"]) == ("second", 2)


def test_whoever_goes_lets_the_other_begin_at_once() -> None:
    api, clock = ApiServer(), Clock()
    first, second = (Elector(Kubernetes(api, HOME), name, clock) for name in ("first", "second"))
    assert first.try_once()
    first.give_up()
    assert not first.leads()
    assert second.try_once()


def test_of_two_that_take_the_lease_at_once_one_has_it() -> None:
    api, clock = ApiServer(), Clock()
    first, second = (Elector(Kubernetes(api, HOME), name, clock) for name in ("first", "second"))
    assert first.try_once()
    first.give_up()
    request = api.request

    def raced(method: str, *rest: object) -> tuple[int, bytes]:
        if method == "PUT":
            api.request = request  # type: ignore[method-assign]
            assert second.try_once()
        return request(method, *rest)  # type: ignore[arg-type]

    api.request = raced  # type: ignore[method-assign,assignment]
    assert not first.try_once()
    assert second.leads()


def test_all_nineteen_settings_are_read() -> None:
    said = settings.read(
        {
            **ENVIRONMENT,
            "PROVIDER": "gke",
            "GCP_NODE_TAGS": "a, b",
            "GCP_POD_TO_NODE_LABELS": "team",
            "GCP_NODE_SECONDARY_DISK": "projects/p/global/images/i",
            "GCP_NODE_SECURE_BOOT": "false",
            "GCP_NODE_ADDITIONAL_NETWORKS": "n1:s1, n2:s2",
            "GCP_NODE_DISK_TYPE": "hyperdisk-balanced",
            "GCP_NODE_CONFIDENTIAL_STORAGE": "true",
            "GCP_NODE_BOOT_DISK_KMS_KEY": "projects/p/locations/l/keyRings/r/cryptoKeys/k",
            "GCP_FORCE_ON_DEMAND": "true",
            "NODE_MIN_LIFESPAN": "1m30s",
            "NODEPOOL_DELETION_DELAY": "1h",
            "POD_RESOURCE_TYPE": "google.com/tpu",
            "CONCURRENCY": "7",
        }
    )
    assert (said.node_min_lifespan, said.deletion_delay, said.concurrency) == (90.0, 3600.0, 7)
    assert said.node_additional_networks == (settings.Network("n1", "s1"), settings.Network("n2", "s2"))
    lab = Lab()
    lab.settings = said
    lab.start()
    selector = {ACCELERATOR: "tpu-v5p-slice", TOPOLOGY: "2x2x2"}
    lab.jobset(
        "train", selector=selector, labels={"team": "ml"}, annotations={"clusterprint/capacity": "spot"}
    )
    lab.round()
    (pool,) = lab.cloud.created
    config = pool["config"]
    assert "spot" not in config, "on demand only"
    assert config["tags"] == ["a", "b"]
    assert config["labels"]["team"] == "ml"
    assert config["shieldedInstanceConfig"]["enableSecureBoot"] is False
    assert config["secondaryBootDisks"] == [
        {"diskImage": "projects/p/global/images/i", "mode": "CONTAINER_IMAGE_CACHE"}
    ]
    assert config["diskType"] == "hyperdisk-balanced"
    assert config["bootDiskKmsKey"].endswith("cryptoKeys/k")
    assert config["enableConfidentialStorage"] is True
    assert pool["networkConfig"]["additionalNodeNetworkConfigs"][1] == {"network": "n2", "subnetwork": "s2"}


def test_everything_that_is_wrong_with_settings_is_said_at_once() -> None:
    with pytest.raises(settings.Unfit) as unfit:
        settings.read(
            {
                **ENVIRONMENT,
                "PROVIDER": "mock",
                "GCP_ZONE": "",
                "GCP_CLUSTER": "../other",
                "GCP_NODE_SECURE_BOOT": "perhaps",
                "GCP_NODE_ADDITIONAL_NETWORKS": "alone",
                "NODE_MIN_LIFESPAN": "0s",
                "NODEPOOL_DELETION_DELAY": "soon",
                "POD_RESOURCE_TYPE": "tpu",
                "CONCURRENCY": "-1",
            }
        )
    assert len(str(unfit.value).splitlines()) == 9


def test_metrics_are_for_whom_the_cluster_lets() -> None:
    lab = Lab()
    lab.jobset("train")
    lab.run(120)
    lab.api.tokens = {"good": ("prometheus", True), "bad": ("somebody", False)}
    kube = Kubernetes(lab.api, HOME)
    server = serving.serve("127.0.0.1:0", serving.metrics(kube, lab.controller.metrics.text))
    url = f"http://127.0.0.1:{server.server_address[1]}/metrics"
    try:
        answers = {token: asked(url, token) for token in ("", "good", "bad", "unknown")}
    finally:
        server.shutdown()
        server.server_close()
    assert {token: status for token, (status, _) in answers.items()} == {
        "": 401,
        "good": 200,
        "bad": 403,
        "unknown": 401,
    }
    text = answers["good"][1]
    assert "slice_provisioner_pools_created_total 1.0" in text
    assert 'slice_provisioner_pools{status="RUNNING"} 1.0' in text
    assert 'slice_provisioner_chips{namespace="default"} 8.0' in text


def asked(url: str, token: str) -> tuple[int, str]:
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"} if token else {})  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:  # noqa: S310
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, ""


def test_probes_say_whether_it_lives_and_is_ready() -> None:
    answer = serving.health(lambda: True, lambda: False)
    assert [answer(path, "")[0] for path in ("/healthz", "/readyz", "/else")] == [200, 503, 404]


def test_conditions_of_others_stay() -> None:
    lab = Lab()
    lab.jobset("train")
    other = {"type": "StartupPolicyCompleted", "status": "True"}
    lab.api.change(
        "jobset.x-k8s.io/jobsets", "default", "train", lambda each: each["status"].update(conditions=[other])
    )
    lab.round()
    jobset = lab.api.get("jobset.x-k8s.io/jobsets", "default", "train")
    assert jobset is not None
    assert other in jobset["status"]["conditions"]
    assert json.dumps(jobset["spec"]) == '{"suspend": false}'
