"""Exposure by Kubernetes objects: services, nodes below pods, and broad permissions."""

import posixpath
from collections.abc import Callable, Iterator, Mapping

from clusterprint.review.delta import Resource, Values, get, texts
from clusterprint.review.model import Severity
from clusterprint.review.objects import Object, listed, objects_of
from clusterprint.review.risks._opening import Opening
from clusterprint.review.risks._ranges import is_everybody, is_public
from clusterprint.review.risks.pods import pods

#: Groups and users that anybody is, on GKE everybody with a Google account.
ANYBODY = ("system:anonymous", "system:unauthenticated", "system:authenticated")

_AGGREGATES = "rbac.authorization.k8s.io/aggregate-to-"
_READ, _WRITE = frozenset({"get", "list", "watch", "*"}), frozenset({"create", "update", "patch", "*"})
# By these one account gains the power of others (Kubernetes: good practices for role based access control).
_POWERS = {
    "secrets": _READ,
    "nodes/proxy": _READ | _WRITE,
    "pods/exec": _READ | _WRITE,
    "pods/attach": _READ | _WRITE,
    "pods/ephemeralcontainers": _WRITE,
    "serviceaccounts/token": _WRITE,
    "certificatesigningrequests/approval": _WRITE,
    "mutatingwebhookconfigurations": _WRITE,
    "validatingwebhookconfigurations": _WRITE,
    "persistentvolumes": _WRITE,
}

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
    """The exposures by the objects of a resource."""
    for found in objects_of(resource):
        reader = _READERS.get(found.kind)
        many = [*(reader(found) if reader else ()), *pods(resource, found)]
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
    if not found.typed:
        yield from _powers(found)
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


def _powers(found: Object) -> Iterator[Opening]:
    """Permissions to act as another account; the label of an aggregated role names its owner."""
    labels = get(found.content, "metadata.labels", {})
    added = sorted(
        str(key).removeprefix(_AGGREGATES)
        for key, value in (labels.items() if isinstance(labels, Mapping) else ())
        if str(key).startswith(_AGGREGATES) and str(value) == "true"
    )
    powers = set()
    for rule in listed(found.content, "rules", "rule"):
        if rule.get("resourceNames"):
            continue
        verbs, resources = texts(rule.get("verbs")), texts(rule.get("resources"))
        # `*/exec` is that of all resources.
        named = {each for each in _POWERS if each in resources or f"*/{each.partition('/')[2]}" in resources}
        powers |= {each for each in named if _POWERS[each] & {*verbs}}
    if added:
        told = f"gives more to everybody with role {', '.join(added)}"
        severity: Severity = "high" if powers else "medium"
        yield Opening("broad_role", severity, f"{told}{f': {_listing(powers)}' if powers else ''}")
    elif powers:
        yield Opening(
            "broad_role", "medium", f"may use {_listing(powers)}", "name the objects that are needed"
        )


def _listing(names: set[str]) -> str:
    return ", ".join(sorted(names))


def _service(found: Object) -> Iterator[Opening]:
    spec, notes = get(found.content, "spec", {}), get(found.content, "metadata.annotations", {})
    type_ = get(spec, "type")
    internal = isinstance(notes, Mapping) and any(
        str(notes.get(key, "")).lower() == value for key, value in _INTERNAL.items()
    )
    ranges = texts(get(spec, "loadBalancerSourceRanges"))
    if type_ == "LoadBalancer" and not internal:
        named = bool(ranges) and not is_everybody(ranges)
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


def _everywhere(_: Object) -> Iterator[Opening]:
    yield Opening("public_address", "high", "can be reached from the internet")


def _attachment(found: Object) -> Iterator[Opening]:
    """Private Service Connect: a service for other projects, by default for those that are named."""
    if get(found.content, "spec.connectionPreference") == "ACCEPT_AUTOMATIC":
        told = "can be reached from every project of Google Cloud (ACCEPT_AUTOMATIC)"
        yield Opening("public_address", "high", told, "ACCEPT_MANUAL, and consumerAllowList")


def _volume(found: Object) -> Iterator[Opening]:
    """A folder of the node that whoever claims the volume mounts; local disks of GKE are below /mnt/disks."""
    local = listed(found.content, "spec.local", "spec.persistentVolumeSource.local")
    paths = [posixpath.normpath(str(each.get("path", ""))) for each in local]
    if foreign := [each for each in paths if not each.startswith("/mnt/disks/")]:
        yield Opening("host_access", "high", f"is a folder of a node: {', '.join(foreign)}")


def _class(name: str) -> str:
    return f" (class {name})" if name else ""


def _webhooks(found: Object) -> Iterator[Opening]:
    """Who is asked by an admission or conversion webhook sees whole objects, and may change them."""
    asked = [
        *listed(found.content, "webhooks", "webhook"),
        dict(get(found.content, "spec.conversion.webhook", {})),
    ]
    urls = sorted({str(url) for each in asked if (url := get(each, "clientConfig.url"))})
    if urls:
        told = "sends objects of the cluster, secrets among them, to"
        yield Opening(
            "foreign_webhook", "high", f"{told} {', '.join(urls)}", "run the webhook in the cluster"
        )
    rules = [rule for each in asked for rule in listed(each, "rules", "rule")]
    rules += listed(found.content, "spec.matchConstraints.resourceRules")  # of an admission policy
    everything = {"*", "*/*"}
    if any(
        everything & {*texts(each.get("resources"))} and "*" in texts(each.get("apiGroups")) for each in rules
    ):
        yield Opening(
            "foreign_webhook", "medium", "is asked about every object of the cluster", "name what is needed"
        )


def _api(found: Object) -> Iterator[Opening]:
    """A part of the API that another server answers: it sees the requests, and who makes them."""
    if get(found.content, "spec.insecureSkipTLSVerify") is True:
        told = "sends requests of the API to a server that it does not verify (insecureSkipTLSVerify)"
        yield Opening("foreign_webhook", "medium", told, "name the certificate in caBundle")


def _namespace(found: Object) -> Iterator[Opening]:
    labels = get(found.content, "metadata.labels", {})
    level = labels.get("pod-security.kubernetes.io/enforce") if isinstance(labels, Mapping) else None
    if level == "privileged":
        yield Opening("privileged_pods", "medium", "lets any pod in it be privileged (pod-security)")


def _policy(found: Object) -> Iterator[Opening]:
    """Policies add up: one that admits everybody makes all others of these pods void."""
    specs = [*listed(found.content, "spec"), *listed(found.content, "specs")]  # Cilium has many in one, too
    rules = [rule for each in specs for rule in listed(each, "ingress")]
    admits = next((each for name, each in _ADMITS.items() if name in found.kind), _admits_all)
    if any(map(admits, rules)):
        yield Opening(
            "open_network_policy", "medium", "admits traffic from everywhere", "name who may connect"
        )


def _admits_all(rule: Values) -> bool:
    """No peers are all peers."""
    peers = listed(rule, "from")
    anywhere = any(
        _selects_all(get(each, "namespaceSelector")) and _selects_all(get(each, "podSelector", {}))
        for each in peers
    )
    return not peers or anywhere or is_everybody(str(get(each, "ipBlock.cidr", "")) for each in peers)


def _selects_all(selector: object) -> bool:
    return isinstance(selector, Mapping) and not any(selector.values())


def _admits_all_of_cilium(rule: Values) -> bool:
    ranges = [*texts(rule.get("fromCIDR")), *(str(each.get("cidr")) for each in listed(rule, "fromCIDRSet"))]
    return bool({"all", "world"} & {*texts(rule.get("fromEntities"))}) or is_everybody(ranges)


def _admits_all_of_admin(rule: Values) -> bool:
    """Administrators' policies allow before any other policy can deny."""
    peers = listed(rule, "from")
    return rule.get("action") in ("Allow", "Accept") and any(
        _selects_all(each.get("namespaces")) or _selects_all(get(each, "pods.namespaceSelector"))
        for each in peers
    )


_ADMITS: dict[str, Callable[[Values], bool]] = {
    "Cilium": _admits_all_of_cilium,
    "Admin": _admits_all_of_admin,
    "ClusterNetworkPolicy": _admits_all_of_admin,
}
_READERS: dict[str, Callable[[Object], Iterator[Opening]]] = {
    "Role": _role,
    "ClusterRole": _role,
    "Service": _service,
    "Ingress": _ingress,
    "Gateway": _gateway,
    "MultiClusterIngress": _everywhere,
    "ServiceAttachment": _attachment,
    "PersistentVolume": _volume,
    "APIService": _api,
    "MutatingAdmissionPolicy": _webhooks,
    "MutatingWebhookConfiguration": _webhooks,
    "ValidatingWebhookConfiguration": _webhooks,
    "CustomResourceDefinition": _webhooks,
    "Namespace": _namespace,
    "NetworkPolicy": _policy,
    "CiliumNetworkPolicy": _policy,
    "CiliumClusterwideNetworkPolicy": _policy,
    "AdminNetworkPolicy": _policy,
    "BaselineAdminNetworkPolicy": _policy,
    "ClusterNetworkPolicy": _policy,
}
