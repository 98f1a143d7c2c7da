"""The webhook's own certificate in the cluster: kept in a Secret, shown, and trusted by the API server."""

import base64
import datetime as dt
import json
import logging
import ssl
import tempfile
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

from clusterprint_provisioner import certificates
from clusterprint_provisioner.kube import ApiError, Kubernetes
from clusterprint_provisioner.webhook import Places

_LOG = logging.getLogger(__name__)
_CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations"
_JSON_PATCH = "application/json-patch+json"
#: Seconds between two looks: while something is missing, and once all is well.
_SOON, _LATER = 2.0, 60.0


class OwnCertificate:
    """A certificate that nobody else looks after. `context` shows it."""

    def __init__(self, kube: Kubernetes, places: Places, clock: Callable[[], dt.datetime]) -> None:
        self._kube, self._places, self._clock = kube, places, clock
        self._shown = certificates.make(places.host, clock())
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._show(self._shown)

    def refresh(self) -> None:
        """See to it that it is valid, kept, trusted and shown, in this order. Raises ApiError."""
        kept = self._keep()
        self._trust(kept.bundle)
        if kept.shown != self._shown:
            self._show(kept.shown)
            _LOG.info("loaded a new certificate")

    def follow(self, stop: Event) -> None:
        """Look again and again until told to stop."""
        pause = 0.0
        while not stop.wait(pause):
            try:
                self.refresh()
                pause = _LATER
            except ApiError as error:  # The configuration comes after the program; and servers come back.
                _LOG.warning("could not check or renew the certificate: %s", error)
                pause = _SOON

    def _keep(self) -> certificates.Kept:
        """The Secret's content after a due rotation. Of two concurrent writers, the second is refused."""
        path = f"/api/v1/namespaces/{self._kube.namespace}/secrets/{self._places.secret}"
        secret = json.loads(self._kube.ask("GET", path))
        held = {name: base64.b64decode(text) for name, text in (secret.get("data") or {}).items()}
        kept = certificates.step(held, self._places.host, self._clock())
        if kept.data != held:
            secret["data"] = {name: base64.b64encode(each).decode() for name, each in kept.data.items()}
            self._kube.ask("PUT", path, body=secret)
        return kept

    def _trust(self, bundle: bytes) -> None:
        """Tell the API server which certificates are ours, where it does not know."""
        path = f"{_CONFIGURATIONS}/{self._places.configuration}"
        text = base64.b64encode(bundle).decode()
        changes: list[dict[str, Any]] = []
        for index, each in enumerate(json.loads(self._kube.ask("GET", path)).get("webhooks") or []):
            if each["clientConfig"].get("caBundle") != text:
                place = f"/webhooks/{index}"
                # Somebody may have put another one in its place since.
                changes.append({"op": "test", "path": f"{place}/name", "value": each["name"]})
                changes.append({"op": "add", "path": f"{place}/clientConfig/caBundle", "value": text})
        if changes:
            self._kube.ask("PATCH", path, body=changes, headers={"Content-Type": _JSON_PATCH})

    def _show(self, pair: certificates.Pair) -> None:
        """From the next connection on. The library reads files only."""
        with tempfile.TemporaryDirectory() as folder:
            certificate, key = Path(folder) / "tls.crt", Path(folder) / "tls.key"
            certificate.write_bytes(pair.certificate)
            key.write_bytes(pair.key)
            self.context.load_cert_chain(certificate, key)
        self._shown = pair
