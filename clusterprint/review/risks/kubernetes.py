"""What Kubernetes objects open: services, nodes below pods, and rights over everything."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from clusterprint.review.delta import Resource, Values, get, texts
from clusterprint.review.model import Severity
from clusterprint.review.objects import Object, listed, objects_of
from clusterprint.review.risks._opening import Opening
from clusterprint.review.risks._ranges import is_everyone, is_public

#: Groups and users that anybody is, on GKE everybody with a Google account.
ANYBODY = ("system:anonymous", "system:unauthenticated", "system:authenticated")

_BROAD = ("cluster-admin", "admin", "edit")
_ESCALATING = ("escalate", "bind", "impersonate")

# What says that a load balancer is for the inside only, and how.
_INTERNAL = {
    "networking.gke.io/load-balancer-type": "internal",
    "cloud.google.com/load-balancer-type": "internal",
    "service.beta.kubernetes.io/azure-load-balancer-internal": "true",
}
_INTERNAL_INGRESS = ("gce-internal",)
_INTERNAL_GATEWAYS = ("gke-l7-rilb", "gke-l7-rilb-mc", "gke-l7-cross-regional-internal-managed-mc")


def openings(resource: Resource) -> Iterator[Opening]:
    """What the objects of a resource open."""
    for found in objects_of(resource):
        reader = _READERS.get(found.kind)
        many = [*(reader(found) if reader else ()), *_pods(found)]
        for each in dict.fromkeys(many):
            yield each._replace(of="" if found.typed else found.title, key=found.key)


def binding(found: Object) -> tuple[str, tuple[str, ...], bool]:
    """Role, subjects, and whether it is power over everything; an empty role for what is no binding."""
    if found.kind not in ("RoleBinding", "ClusterRoleBinding"):
        return "", (), False
    role = str(get(found.content, "roleRef.name", ""))
    subjects = tuple(str(each.get("name", "")) for each in listed(found.content, "subjects", "subject"))
    everywhere = found.kind == "ClusterRoleBinding" and get(found.content, "roleRef.kind") == "ClusterRole"
    broad = role == "cluster-admin" or (everywhere and role in _BROAD) or "system:masters" in subjects
    return role, subjects, broad


def _role(found: Object) -> Iterator[Opening]:
    for rule in listed(found.content, "rules", "rule"):
        verbs, resources, groups = (texts(rule.get(key)) for key in ("verbs", "resources", "apiGroups"))
        power = [each for each in verbs if each in ("*", *_ESCALATING)]
        wide = "*" in resources and ("*" in groups or "" in groups)
        if power and wide:
            yield Opening(
                "broad_role", "high", f"may do {', '.join(power)} with everything", "name what is needed"
            )
        elif power or "*" in resources:
            told = f"{', '.join(verbs)} on {', '.join(resources) or 'addresses of the API'}"
            yield Opening(
                "broad_role", "high" if wide else "medium", f"is a wildcard: {told}", "name what is needed"
            )


def _service(found: Object) -> Iterator[Opening]:
    spec, notes = get(found.content, "spec", {}), get(found.content, "metadata.annotations", {})
    type_ = get(spec, "type")
    internal = isinstance(notes, Mapping) and any(
        str(notes.get(key, "")).lower() == value for key, value in _INTERNAL.items()
    )
    ranges = texts(get(spec, "loadBalancerSourceRanges"))
    if type_ == "LoadBalancer" and not internal:
        named = bool(ranges) and not any(map(is_everyone, ranges))
        told = f" for {', '.join(ranges)}" if named else ""
        yield Opening(
            "public_address", "medium" if named else "high", f"is a load balancer on the internet{told}"
        )
    if type_ == "NodePort":
        yield Opening("node_port", "medium", "opens a port on every node (NodePort)")
    public = [each for each in texts(get(spec, "externalIPs", get(spec, "externalIps"))) if is_public(each)]
    if public:
        yield Opening("public_address", "high", f"takes what is sent to {', '.join(public)}")


def _ingress(found: Object) -> Iterator[Opening]:
    notes = get(found.content, "metadata.annotations", {})
    class_ = notes.get("kubernetes.io/ingress.class") if isinstance(notes, Mapping) else None
    class_ = str(class_ or get(found.content, "spec.ingressClassName", ""))
    if class_ not in _INTERNAL_INGRESS:
        yield Opening("public_address", "high", f"can be reached from the internet{_class(class_)}")


def _gateway(found: Object) -> Iterator[Opening]:
    class_ = str(get(found.content, "spec.gatewayClassName", ""))
    if class_ not in _INTERNAL_GATEWAYS:
        yield Opening("public_address", "high", f"can be reached from the internet{_class(class_)}")


def _class(name: str) -> str:
    return f" (class {name})" if name else ""


def _pods(found: Object) -> Iterator[Opening]:
    """Wherever pods are described, also in objects of kinds that others defined."""
    # What Terraform has types for was written as Terraform; manifests come from anywhere.
    severity: Severity = "medium" if found.typed else "high"
    maps = list(_maps(found.content))
    shared = sorted({_SHARED[key.lower()] for each in maps for key in each if _shares(each, key)})
    if shared:
        yield Opening("host_access", severity, f"has pods that share {', '.join(shared)} of the node")
    paths = sorted({str(path) for each in maps if (path := get(each, "hostPath.path"))})
    if paths:
        yield Opening("host_access", severity, f"has pods that mount {', '.join(paths)} of the node")
    if any(each.get("privileged") is True for each in maps):
        yield Opening("privileged_pods", severity, "has privileged pods, which may do anything on the node")
    added = sorted({name for each in maps for name in texts(get(each, "capabilities.add"))})
    if added:
        yield Opening("privileged_pods", severity, f"adds capabilities to pods: {', '.join(added)}")


def _shares(values: Values, key: str) -> bool:
    return key.lower() in _SHARED and values[key] is True


_SHARED = {"hostnetwork": "the network", "hostpid": "the processes", "hostipc": "the memory"}


def _maps(value: Any) -> Iterator[Values]:
    if isinstance(value, Mapping):
        yield dict(value)
        for each in value.values():
            yield from _maps(each)
    elif isinstance(value, list):
        for each in value:
            yield from _maps(each)


_READERS: dict[str, Callable[[Object], Iterator[Opening]]] = {
    "Role": _role,
    "ClusterRole": _role,
    "Service": _service,
    "Ingress": _ingress,
    "Gateway": _gateway,
}
