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
) -> dict[str, Any]:
    """What the API server asks when a job is created."""
    spec: dict[str, Any] = {"containers": [{"name": "c", "resources": resources}]}
    if selector is not None:
        spec["nodeSelector"] = selector
    job = {
        "metadata": {"name": name, "annotations": annotations or {}},
        "spec": {"template": {"metadata": {}, "spec": spec}},
    }
    return {"request": {"uid": "abc", "namespace": "default", "object": job}}


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
    """What it answers to somebody who trusts the certificate that lies there now."""
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
