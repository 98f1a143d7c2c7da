"""The webhook: what it changes in jobs, what it does not, and how it serves."""

import base64
import datetime as dt
import json
import socket
import ssl
import urllib.error
import urllib.request
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from lab import Lab
from users import V5P

from clusterprint_provisioner import webhook
from clusterprint_provisioner.settings import Unfit
from clusterprint_provisioner.webhook import JOB_KEY, WebhookSettings

NOTHING = WebhookSettings()
TPUS = {"limits": {"google.com/tpu": 4}}


def review(
    name: str = "train-slice-0",
    selector: dict[str, str] | None = None,
    resources: dict[str, Any] = TPUS,
    annotations: dict[str, str] | None = None,
    **given: Any,
) -> dict[str, Any]:
    """The review request for a job that is created: of the JobSet `owner`, with this `affinity`."""
    spec: dict[str, Any] = {"containers": [{"name": "c", "resources": resources}]}
    if selector is not None:
        spec["nodeSelector"] = selector
    if "affinity" in given:
        spec["affinity"] = given["affinity"]
    owner = {"kind": "JobSet", "name": "train", "uid": given.get("owner", "first"), "controller": True}
    job = {
        "metadata": {"name": name, "annotations": annotations or {}, "ownerReferences": [owner]},
        "spec": {"suspend": False, "template": {"metadata": {}, "spec": spec}},
    }
    return {"request": {"uid": "abc", "namespace": "default", "object": job}}


def resumed(
    before: dict[str, str] | None, selector: dict[str, str], *, suspended: bool = True, started: bool = False
) -> dict[str, Any]:
    """The review request for a resumed job, as by Kueue, that selected `before` and now another pool."""
    asked = review(selector=selector)
    old = review(selector=before)["request"]["object"]
    old["spec"]["suspend"] = suspended
    old["status"] = {"startTime": "2026-11-22T00:00:00Z"} if started else {}
    asked["request"]["oldObject"] = old
    return asked


def selector_after(asked: dict[str, Any], chosen: WebhookSettings = NOTHING) -> dict[str, str] | None:
    """The selector that it gives the pods; None where it leaves them alone."""
    said = webhook.answer(asked, chosen)["response"]
    assert (said["uid"], said["allowed"]) == ("abc", True)
    if "patch" not in said:
        return None
    (change,) = json.loads(base64.b64decode(said["patch"]))
    assert (change["op"], change["path"]) == ("add", "/spec/template/spec/nodeSelector")
    found: dict[str, str] = change["value"]
    return found


def test_each_job_selects_nodes_of_its_own() -> None:
    first, second = (selector_after(review(name, dict(V5P))) for name in ("a", "b"))
    assert first is not None
    assert second is not None
    assert first[JOB_KEY] != second[JOB_KEY]
    assert V5P.items() <= first.items()
    assert len(first[JOB_KEY]) <= 63
    # The pool is made with it, so the nodes are found by it.
    lab = Lab()
    lab.jobset("train", selector=first)
    lab.run(120)
    (pool,) = lab.cloud.created
    assert pool["config"]["labels"][JOB_KEY] == first[JOB_KEY]
    assert all(pod["status"]["phase"] == "Running" for pod in lab.api.all("/pods"))


def test_a_jobset_that_is_made_anew_has_other_nodes() -> None:
    """Else its pods would run on the pool of the one before, which goes."""
    first, again, second = (selector_after(review(owner=uid)) for uid in ("first", "first", "second"))
    assert first == again != second


POOL, OURS = "cloud.google.com/gke-nodepool", {"clusterprint/slice-manager": "slice-provisioner"}
PINNED = {**V5P, POOL: "v5p"}
#: How jobs of a blueprint find its pools of several slices.
SLICES = {**V5P, "clusterprint/pool": "v5p"}
FORCED = WebhookSettings(force_on_demand=True, location_hint="cell")


@pytest.mark.parametrize("chosen", [NOTHING, FORCED])
def test_jobs_that_name_a_pool_are_left_alone(chosen: WebhookSettings) -> None:
    """No node of that pool has the label of the job."""
    assert selector_after(review(selector={**PINNED, "cloud.google.com/gke-spot": "true"}), chosen) is None
    assert selector_after(review(selector=SLICES), chosen) is None
    for key in (POOL, "clusterprint/pool"):
        terms = [{"matchExpressions": [{"key": key, "operator": "In", "values": ["v5p"]}]}]
        required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
        assert selector_after(review(affinity={"nodeAffinity": required}), chosen) is None


BOUND = {JOB_KEY: selector_after(review())[JOB_KEY]}  # type: ignore[index]


@pytest.mark.parametrize(
    ("before", "selector", "after"),
    [
        (V5P, V5P, {**V5P, **BOUND}),
        (V5P, {**V5P, **OURS}, {**V5P, **OURS, **BOUND}),
        ({**V5P, **BOUND}, {**PINNED, **BOUND}, PINNED),
        ({**V5P, **BOUND}, {**V5P, **BOUND, **OURS}, None),
        (PINNED, {**PINNED, **OURS}, {**V5P, **OURS, **BOUND}),
        ({**V5P, **BOUND, **OURS}, {**PINNED, **BOUND, **OURS}, PINNED),
        (None, PINNED, None),
        (SLICES, {**SLICES, **OURS}, {**V5P, **OURS, **BOUND}),
        ({**V5P, **BOUND, **OURS}, {**SLICES, **BOUND, **OURS}, SLICES),
        (PINNED, {**PINNED, **SLICES}, SLICES),
        (SLICES, {**PINNED, **SLICES}, PINNED),
        ({**PINNED, **OURS}, {**PINNED, **OURS}, PINNED),
    ],
    ids=[
        *("created before the webhook", "admitted to a provisioned pool", "admitted to a standing pool"),
        *("bound when it was created", "from a standing pool to a provisioned one"),
        *("from a provisioned pool to a standing one", "without a selector before"),
        *("from standing slices to a provisioned pool", "from a provisioned pool to standing slices"),
        *("from a standing pool to standing slices", "from standing slices to a standing pool"),
        "with the selectors of both from the start",
    ],
)
def test_a_job_that_is_resumed_is_bound_by_where_it_is_admitted_now(
    before: dict[str, str] | None, selector: dict[str, str], after: dict[str, str] | None
) -> None:
    assert selector_after(resumed(before, selector)) == after


@pytest.mark.parametrize(("suspended", "started"), [(False, False), (True, True)])
def test_jobs_whose_pods_cannot_change_are_left_alone(*, suspended: bool, started: bool) -> None:
    """Or the API server would refuse any change of theirs."""
    assert selector_after(resumed(V5P, V5P, suspended=suspended, started=started)) is None


def jobset(
    resources: dict[str, Any], *, annotations: dict[str, str] | None = None, **spec: Any
) -> dict[str, Any]:
    """The review request for a JobSet that has a head without chips, and workers."""
    jobs = [
        {"template": {"spec": {"template": {"spec": {"containers": [{"resources": each}], **given}}}}}
        for each, given in (({"requests": {"cpu": "4"}}, {}), (resources, spec))
    ]
    made = {"metadata": {"name": "train", "annotations": annotations}, "spec": {"replicatedJobs": jobs}}
    return {"request": {"uid": "abc", "kind": {"kind": "JobSet"}, "object": made}}


CHIPS = {"key": "google.com/tpu", "operator": "Exists", "effect": "NoSchedule"}
OTHER = {"key": "team", "operator": "Exists"}


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (jobset(TPUS), [CHIPS]),
        (jobset(TPUS, tolerations=[OTHER]), [OTHER, CHIPS]),
        (jobset(TPUS, tolerations=[{"key": "google.com/tpu", "value": "present"}]), None),
        (jobset(TPUS, tolerations=[{"operator": "Exists"}]), None),
        (jobset({"limits": {"cpu": 1}}), None),
        (
            jobset(TPUS, annotations={"tpu-provisioner.cloud.google.com/disable-autoprovisioning": "true"}),
            None,
        ),
    ],
)
def test_kueue_finds_the_toleration_of_pods_that_ask_for_chips(
    asked: dict[str, Any], expected: list[dict[str, str]] | None
) -> None:
    said = webhook.answer(asked, NOTHING)["response"]
    changes = json.loads(base64.b64decode(said["patch"])) if "patch" in said else []
    path = "/spec/replicatedJobs/1/template/spec/template/spec/tolerations"
    assert changes == ([{"op": "add", "path": path, "value": expected}] if expected else [])


def test_pods_without_any_selector_get_one() -> None:
    found = selector_after(review())
    assert found is not None
    assert list(found) == [JOB_KEY]


def test_jobs_that_ask_for_no_slice_are_left_alone() -> None:
    """Else no node would ever do for them."""
    assert selector_after(review(resources={"requests": {"cpu": "1"}})) is None
    opted_out = {"tpu-provisioner.cloud.google.com/disable-autoprovisioning": "true"}
    assert selector_after(review(annotations=opted_out)) is None


def test_capacity_and_hint_are_changed_as_it_is_told() -> None:
    chosen = webhook.read({"FORCE_ON_DEMAND": "true", "RESERVATION_LOCATION_HINT": "cell"})
    given = {**V5P, "cloud.google.com/gke-spot": "true", "cloud.google.com/reservation-name": "ours"}
    found = selector_after(review(selector=given), chosen)
    assert found is not None
    assert found.keys() == {*V5P, JOB_KEY, "cloud.google.com/gke-location-hint"}
    assert found["cloud.google.com/gke-location-hint"] == "cell"


@pytest.mark.parametrize("said", [None, [], {}, {"request": {"uid": "a", "object": {"spec": 1}}}, "text"])
def test_anything_else_is_no_review(said: object) -> None:
    with pytest.raises(ValueError, match="not a review of a job"):
        webhook.answer(said, WebhookSettings())


def test_a_setting_that_means_nothing_is_refused() -> None:
    with pytest.raises(Unfit, match="FORCE_ON_DEMAND"):
        webhook.read({"FORCE_ON_DEMAND": "perhaps"})


def lay_certificate(folder: Path, name: str) -> None:
    """A certificate for 127.0.0.1, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = dt.datetime.now(dt.UTC)
    host = x509.SubjectAlternativeName([x509.DNSName("localhost")])
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(host, critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "tls.crt").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    form = serialization.PrivateFormat.PKCS8
    plain = serialization.NoEncryption()
    (folder / "tls.key").write_bytes(key.private_bytes(serialization.Encoding.PEM, form, plain))


def asked(port: int, folder: Path, body: bytes) -> tuple[int, bytes]:
    """The answer to a caller who trusts the certificate of this moment."""
    trusted = ssl.create_default_context(cafile=folder / "tls.crt")
    url = f"https://localhost:{port}/mutate"
    try:
        with urllib.request.urlopen(url, data=body, context=trusted, timeout=10) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def test_it_serves_with_the_certificate_that_is_there_now(tmp_path: Path) -> None:
    lay_certificate(tmp_path, "first")
    certificate = webhook.Certificate(tmp_path)
    served = webhook.server(0, WebhookSettings(), certificate.context)
    Thread(target=served.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    port = served.server_address[1]
    try:
        status, content = asked(port, tmp_path, json.dumps(review()).encode())
        assert status == 200
        assert json.loads(content)["response"]["allowed"] is True
        assert asked(port, tmp_path, b"{")[0] == 400
        assert asked(port, tmp_path, b"[" * 100_000)[0] == 400
        with socket.create_connection(
            ("127.0.0.1", port)
        ) as silent:  # it says nothing, and keeps nobody waiting
            assert asked(port, tmp_path, b"{}")[0] == 400
            silent.send(b"this is no handshake")
        assert not certificate.refresh()
        lay_certificate(tmp_path, "second")
        assert certificate.refresh()
        assert asked(port, tmp_path, json.dumps(review()).encode())[0] == 200
    finally:
        served.shutdown()
        served.server_close()
