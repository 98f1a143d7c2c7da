"""Which of several controllers works: the one that holds a Lease, and only as long as it surely does."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from clusterprint_provisioner.kube import CONFLICT, MISSING, ApiError, Kubernetes

NAME = "slice-provisioner"
#: How long a lease holds, for how long its holder trusts it, and how often it is renewed, in seconds.
HOLDS, TRUSTED, EVERY = 15.0, 10.0, 2.0


class Elector:
    """Takes the Lease when nobody holds it, and renews it.

    Whether another one still holds it is told by its changing, not by what time that one believes it is.
    """

    def __init__(self, kube: Kubernetes, me: str, steady: Callable[[], float]) -> None:
        self._kube, self._me, self._steady = kube, me, steady
        self._path = f"/apis/coordination.k8s.io/v1/namespaces/{kube.namespace}/leases"
        self._seen: tuple[str, float] = ("", 0.0)
        self._trusted_until = 0.0

    def leads(self) -> bool:
        """Whether this is the one that works."""
        return self._steady() < self._trusted_until

    def try_once(self) -> bool:
        """Take or renew the Lease if that may be; whether this is the one that works."""
        asked = self._steady()
        try:
            lease = json.loads(self._kube.ask("GET", f"{self._path}/{NAME}"))
        except ApiError as error:
            if error.status != MISSING:
                return self.leads()
            lease = None
        if lease is not None and not self._may_take(lease, asked):
            self._trusted_until = 0.0
            return False
        if self._write(lease):
            self._trusted_until = asked + TRUSTED
        return self.leads()

    def give_up(self) -> None:
        """Let another one begin at once."""
        if not self.leads():
            return
        self._trusted_until = 0.0
        try:
            lease = json.loads(self._kube.ask("GET", f"{self._path}/{NAME}"))
            if lease.get("spec", {}).get("holderIdentity") == self._me:
                lease["spec"]["holderIdentity"] = ""
                self._kube.ask("PUT", f"{self._path}/{NAME}", body=lease)
        except ApiError:
            return  # It runs out by itself.

    def _may_take(self, lease: dict[str, Any], now: float) -> bool:
        version = lease["metadata"]["resourceVersion"]
        if self._seen[0] != version:
            self._seen = (version, now)
        holder = lease.get("spec", {}).get("holderIdentity")
        return holder in (self._me, "", None) or now - self._seen[1] >= HOLDS

    def _write(self, lease: dict[str, Any] | None) -> bool:
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        old = (lease or {}).get("spec", {})
        again = old.get("holderIdentity") == self._me
        spec = {
            "holderIdentity": self._me,
            "leaseDurationSeconds": int(HOLDS),
            "acquireTime": old.get("acquireTime", now) if again else now,
            "renewTime": now,
            "leaseTransitions": old.get("leaseTransitions", 0) + (0 if again else 1),
        }
        metadata = lease["metadata"] if lease else {"name": NAME, "namespace": self._kube.namespace}
        body = {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": metadata, "spec": spec}
        try:
            if lease is None:
                self._kube.ask("POST", self._path, body=body)
            else:
                # With the version that was read: of two that try, one succeeds.
                self._kube.ask("PUT", f"{self._path}/{NAME}", body=body)
        except ApiError as error:
            if error.status == CONFLICT:
                self._trusted_until = 0.0
            return False
        return True
