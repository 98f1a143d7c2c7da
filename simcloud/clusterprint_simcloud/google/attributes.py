"""Common attributes of Google resources: links, time stamps, fingerprints, labels."""

from __future__ import annotations

import base64
import hashlib

from clusterprint_simcloud.cloud import lifecycle
from clusterprint_simcloud.cloud.behaviour import Plan, Request
from clusterprint_simcloud.google.links import COMPUTE
from clusterprint_simcloud.schema import TypeNotation
from clusterprint_simcloud.values import UNKNOWN, Path, Value

CREATED = "2025-01-01T00:00:00.000-08:00"
# Added to what it creates, unless the provider block says no (since 6.0).
_ATTRIBUTION = {"goog-terraform-provisioned": "true"}


def number(seed: str, digits: int) -> str:
    """A number with so many digits, always the same for a seed; not 0 at the front."""
    value = int(hashlib.sha256(seed.encode()).hexdigest(), 16)
    return str(10 ** (digits - 1) + value % (9 * 10 ** (digits - 1)))


def value(request: Request, path: Path, notation: TypeNotation) -> Value:
    """The value of a computed attribute that its type does not describe."""
    name = path[-1]
    if path == ("self_link",):
        return COMPUTE + request.identity
    if name == "creation_timestamp":
        return CREATED
    if isinstance(name, str) and name.endswith("fingerprint"):
        digest = hashlib.sha256(f"{request.identity} {request.serial} {path}".encode()).digest()
        return base64.b64encode(digest[:8]).decode()
    if isinstance(name, str) and name.endswith("_id") and notation in ("string", "number"):
        digits = number(f"{request.identity} {path}", 16)
        return digits if notation == "string" else int(digits)
    if notation == "string" and len(path) > 1:
        return ""  # the API leaves out what a nested object does not have
    return lifecycle.placeholder(request, path, notation)


def plan_labels(plan: Plan) -> None:
    """Labels as the provider computes them: with the provider's defaults, and with the cloud's own.

    Source: tpgresource.SetLabelsDiff; attribution is added at creation only, and kept.
    """
    if "effective_labels" not in plan.state or "terraform_labels" not in plan.state:
        return
    labels = plan.state.get("labels" if "labels" in plan.state else "resource_labels") or {}
    if labels is UNKNOWN or any(one is UNKNOWN for one in labels.values()):
        plan.state["terraform_labels"] = plan.state["effective_labels"] = UNKNOWN
        return
    before = (plan.prior or {}).get("terraform_labels") or {}
    configured = {**(plan.provider_config.get("default_labels") or {}), **labels}
    attributed = plan.provider_config.get("add_terraform_attribution_label") is not False
    if attributed and (plan.prior is None or _ATTRIBUTION.items() <= before.items()):
        configured = {**_ATTRIBUTION, **configured}
    others = (plan.prior or {}).get("effective_labels") or {}
    plan.state["terraform_labels"] = configured
    plan.state["effective_labels"] = {k: v for k, v in others.items() if k not in before} | configured
