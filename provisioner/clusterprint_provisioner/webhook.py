"""The webhook: it binds each job of a JobSet to the nodes of its own pool, when the job is created.

Without it jobs of the same shape may take each other's pools, unless they select nodes by a label of their
own.
"""

import base64
import datetime as dt
import hashlib
import json
import logging
import os
import ssl
import sys
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from clusterprint_provisioner import settings
from clusterprint_provisioner.demand import OPT_OUT
from clusterprint_provisioner.fit import POOLS, pinned_to
from clusterprint_provisioner.identity import MANAGER
from clusterprint_provisioner.kube import Kubernetes
from clusterprint_provisioner.objects import Affinity, PodSpec, Toleration
from clusterprint_provisioner.offers import RESERVATION, SPOT
from clusterprint_provisioner.serving import Server

if TYPE_CHECKING:
    from clusterprint_provisioner.rotation import OwnCertificate

#: The selector by which a job finds its nodes, and the label that these get by it.
JOB_KEY = "job-key"
_HINT = "cloud.google.com/gke-location-hint"
_SELECTOR = "/spec/template/spec/nodeSelector"
_LARGEST = 4 << 20
_LOG = logging.getLogger(__name__)
#: A Secret, the webhook's configuration, and the name by which the API server calls.
PLACES = ("CERTIFICATE_SECRET", "WEBHOOK_CONFIGURATION", "CERTIFICATE_HOST")
_OK, _WRONG, _NOT_THERE = 200, 400, 404


class Places(Struct, frozen=True):
    """Of its own certificate: the Secret, the webhook's configuration, and the name it is called by."""

    secret: str
    configuration: str
    host: str


class WebhookSettings(Struct, frozen=True):
    """Further changes to jobs, and the folder of the webhook's own certificate, if it has one."""

    force_on_demand: bool = False
    location_hint: str = ""
    resource: str = settings.TPU
    places: Places | None = None


def read(environment: Mapping[str, str]) -> WebhookSettings:
    """The settings of an environment. Raises Unfit."""
    forced = environment.get("FORCE_ON_DEMAND", "").strip().lower() or "false"
    if forced not in ("true", "false"):
        raise settings.Unfit(f"FORCE_ON_DEMAND is {forced!r}: use true or false")
    said = [environment.get(name, "").strip() for name in PLACES]
    if any(said) and not all(said):
        raise settings.Unfit(f"set all of {', '.join(PLACES)}, or none")
    return WebhookSettings(
        places=Places(*said) if all(said) else None,
        force_on_demand=forced == "true",
        location_hint=environment.get("RESERVATION_LOCATION_HINT", "").strip(),
        resource=environment.get("POD_RESOURCE_TYPE", "").strip() or settings.TPU,
    )


def answer(review: Any, chosen: WebhookSettings) -> dict[str, Any]:
    """The answer to an AdmissionReview: always yes, with what is changed. Raises ValueError."""
    try:
        request = review["request"]
        uid, job, before = str(request["uid"]), request["object"], request.get("oldObject")
        if (request.get("kind") or {}).get("kind") == "JobSet":
            changes = _tolerations(job, chosen)
        else:
            changes = _changes(job, before, str(request.get("namespace", "")), chosen)
    except (KeyError, TypeError, AttributeError, msgspec.ValidationError) as error:
        raise ValueError(f"not a review of a job: {error!r}") from error
    response: dict[str, Any] = {"uid": uid, "allowed": True}
    if changes:
        patch = base64.b64encode(json.dumps(changes).encode()).decode()
        response |= {"patchType": "JSONPatch", "patch": patch}
    return {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response}


def _changes(
    job: Mapping[str, Any], before: Mapping[str, Any] | None, namespace: str, chosen: WebhookSettings
) -> list[dict[str, Any]]:
    """The new selector of the pods, if they ask for what pools are made for.

    Of a job that is `before` now, it can be changed only when the job is resumed.
    """
    template = job["spec"]["template"]
    if not _asks(job, chosen.resource) or (before and not _resumes(before, job)):
        return []
    old = template["spec"].get("nodeSelector") or {}
    earlier = ((before or job)["spec"]["template"]["spec"].get("nodeSelector")) or {}
    affinity = msgspec.convert(template["spec"].get("affinity") or {}, Affinity)
    new = _selector(old, earlier, affinity, _key_of(job, namespace), chosen)
    return [] if new == old else [{"op": "add", "path": _SELECTOR, "value": new}]


def _selector(
    old: Mapping[str, str],
    earlier: Mapping[str, str],
    affinity: Affinity,
    job_key: str,
    chosen: WebhookSettings,
) -> dict[str, str]:
    """For pods that name a pool, as Kueue's flavors make them do, without the label of their own."""
    new = dict(old)
    # Selectors of one flavor stay when a job is admitted again in another one: the newer one counts.
    said = [key for key in (*POOLS, MANAGER) if key in old]
    newer = [key for key in said if key not in earlier] or [key for key in said if key != MANAGER]
    for key in said:
        if newer and key not in newer:
            del new[key]
    if pinned_to(PodSpec(node_selector=new, affinity=affinity)):
        new.pop(JOB_KEY, None)
        return new
    if chosen.force_on_demand:
        new = {key: value for key, value in new.items() if key not in (RESERVATION, SPOT)}
    new[JOB_KEY] = job_key
    if chosen.location_hint:
        new[_HINT] = chosen.location_hint
    return new


def _key_of(job: Mapping[str, Any], namespace: str) -> str:
    """A JobSet that is created anew has jobs of the same names, which are other jobs."""
    owners = job["metadata"].get("ownerReferences") or []
    owner = next((str(each.get("uid", "")) for each in owners if each.get("controller")), "")
    return hashlib.sha256(f"{namespace}/{job['metadata']['name']}/{owner}".encode()).hexdigest()[:40]


def _resumes(before: Mapping[str, Any], job: Mapping[str, Any]) -> bool:
    started = (before.get("status") or {}).get("startTime")
    return bool(before["spec"].get("suspend")) and not job["spec"].get("suspend") and not started


def _tolerations(jobset: Mapping[str, Any], chosen: WebhookSettings) -> list[dict[str, Any]]:
    """The toleration that the API server gives pods with chips: Kueue looks for it before there are pods."""
    added = {"key": chosen.resource, "operator": "Exists", "effect": "NoSchedule"}
    if (jobset["metadata"].get("annotations") or {}).get(OPT_OUT) == "true":
        return []
    changes = []
    for index, each in enumerate(jobset["spec"].get("replicatedJobs") or []):
        old = each["template"]["spec"]["template"]["spec"].get("tolerations") or []
        there = msgspec.convert(old, list[Toleration])
        if _asks(each["template"], chosen.resource) and not any(
            tolerated.accepts(chosen.resource, "present") for tolerated in there
        ):
            path = f"/spec/replicatedJobs/{index}/template/spec/template/spec/tolerations"
            changes.append({"op": "add", "path": path, "value": [*old, added]})
    return changes


def _asks(job: Mapping[str, Any], resource: str) -> bool:
    """Whether the pods of a job ask for a resource, and want a pool for it."""
    template = job["spec"]["template"]
    metas = ((each.get("metadata") or {}).get("annotations") or {} for each in (job, template))
    containers = template["spec"].get("containers") or []
    asks = any(resource in _asked(each.get("resources") or {}) for each in containers)
    return asks and not any(each.get(OPT_OUT) == "true" for each in metas)


def _asked(resources: Mapping[str, Any]) -> set[str]:
    """Requests of a container; the API server copies limits into requests only later."""
    return {*(resources.get("requests") or {}), *(resources.get("limits") or {})}


def server(port: int, chosen: WebhookSettings, context: ssl.SSLContext) -> Server:
    """Answers POST /mutate, over TLS."""

    class Handler(BaseHTTPRequestHandler):
        timeout = 10

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length", "")
            if self.path.partition("?")[0] != "/mutate":
                self._say(_NOT_THERE, b"not found")
            elif not (length.isascii() and length.isdigit()) or int(length) > _LARGEST:
                self._say(_WRONG, b"missing or too large Content-Length")
            else:
                try:
                    said = answer(json.loads(self.rfile.read(int(length))), chosen)
                except (ValueError, RecursionError):
                    self._say(_WRONG, b"not a review of a job")
                else:
                    self._say(_OK, json.dumps(said).encode())

        def _say(self, status: int, content: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is said of single jobs."""

    made = Server(("0.0.0.0", port), Handler)  # noqa: S104 - the API server comes from outside
    # In the thread of each connection: one that says nothing keeps nobody else waiting.
    made.socket = context.wrap_socket(made.socket, server_side=True, do_handshake_on_connect=False)
    return made


class Certificate:
    """The certificate in a folder, as somebody renews it there."""

    def __init__(self, folder: Path) -> None:
        self._certificate, self._key = folder / "tls.crt", folder / "tls.key"
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._loaded = 0
        self.refresh()

    def refresh(self) -> bool:
        """Load it if it is another one than before; whether it was. Raises OSError."""
        written = self._certificate.stat().st_mtime_ns
        if written == self._loaded:
            return False
        self.context.load_cert_chain(self._certificate, self._key)
        self._loaded = written
        return True

    def follow(self, stop: Event, seconds: float = 60.0) -> None:
        """Look again and again until told to stop."""
        while not stop.wait(seconds):
            try:
                if self.refresh():
                    _LOG.info("loaded a new certificate")
            except OSError as error:  # Half of it is there: the old one serves until the rest is.
                _LOG.warning("could not load the certificate: %s", error)


def _own(cluster: Callable[[], Kubernetes], places: Places) -> "OwnCertificate":
    # What signs is large, and the controller, which is started in the same way, never needs it.
    from clusterprint_provisioner.rotation import OwnCertificate

    return OwnCertificate(cluster(), places, lambda: dt.datetime.now(dt.UTC))


def main(
    stop: Event, cluster: Callable[[], Kubernetes], port: int = 5000, folder: Path = Path("/certs")
) -> int:
    """Serve until told to stop; `cluster` is only asked for a certificate of its own.

    2: settings that mean nothing; 3: no certificate.
    """
    from threading import Thread

    try:
        chosen = read(os.environ)
        certificate = _own(cluster, chosen.places) if chosen.places else Certificate(folder)
    except settings.Unfit as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except OSError as error:
        sys.stderr.write(f"could not load the certificate in {folder}: {error}\n")
        return 3
    served = server(port, chosen, certificate.context)
    Thread(target=served.serve_forever, daemon=True).start()
    certificate.follow(stop)
    served.shutdown()
    served.server_close()
    return 0
