"""Variables of the cluster provisioning container in its last version: machines, or pools of GKE."""

from collections.abc import Mapping, Sequence
from typing import Any

from clusterprint import catalog
from clusterprint.errors import UsageError
from clusterprint.importing.fields import Fields
from clusterprint.importing.formats import Text
from clusterprint.importing.hcl import from_tfvars
from clusterprint.importing.source import Row, rows_in
from clusterprint.importing.work import Translated, Work

_GROUP_MACHINE, _POOL_MACHINE = "a2-highgpu-1g", "a3-highgpu-8g"
_TIERS = {
    "BASIC_HDD": "basic_hdd",
    "BASIC_SSD": "basic_ssd",
    "HIGH_SCALE_SSD": "zonal",
    "ENTERPRISE": "regional",
}


def translate(texts: Sequence[Text], given: Mapping[str, Any]) -> Translated:
    """The blueprint that the variables mean."""
    if len(texts) > 1:
        raise UsageError(f"{texts[1].file}: a file of variables is imported alone")
    source, findings = from_tfvars(texts[0].file, texts[0].text)
    work = Work("gke" if source.look(("node_pools",)) is not None else "vm")
    work.findings += findings
    fields = Fields(work, source, given)
    fields.required("project_id", ("project",))
    fields.required("resource_prefix", ("name",))
    fields.required("region", ("region",))
    fields.put("labels", ("labels",), dict)
    fields.state("project")
    if work.data["kind"] == "gke":
        _cluster(fields)
    else:
        _machines(fields)
    fields.left()
    return work.done()


def _disk(fields: Fields) -> dict[str, Any]:
    found = {"type": fields.get("disk_type"), "size_gb": fields.get("disk_size_gb", int)}
    return {key: value for key, value in found.items() if value is not None}


def _machines(fields: Fields) -> None:
    work = fields.work
    groups = rows_in(fields.source, ("instance_groups",))
    if not groups:
        work.say(fields.at("instance_groups"), "error", "instance_groups names no group of machines")
    disk = _disk(fields)
    shared: dict[str, Any] = {"boot_disk": disk} if disk else {}
    named = Row(fields.source, ("machine_image",))
    image = {key: said for key in ("project", "family", "name") if (said := named.get(key))}
    if image:
        shared["image"] = image
    for number, group in enumerate(groups):
        origin = group.at()
        found = _group(fields, group, number) | shared
        if len(groups) > 1:
            work.append(
                origin, ("node_groups",), {"name": f"group-{number}", "zone": group.get("zone"), **found}
            )
        else:
            work.put(origin, ("nodes",), found)
    if groups:
        work.put(groups[0].at("zone"), ("zone",), groups[0].get("zone"))
    _network(fields)
    _storage(fields)
    _software(fields)


def _group(fields: Fields, group: Row, number: int) -> dict[str, Any]:
    found: dict[str, Any] = {"machine_type": group.get("machine_type"), "count": group.get("target_size")}
    if found["machine_type"] is None:
        found["machine_type"] = _GROUP_MACHINE
        fields.work.decide(f"group {number} names no machine type; it is {_GROUP_MACHINE}")
    if policy := group.get("existing_resource_policy_name"):
        found["placement"] = {"policy": "compact", "existing": policy}
    elif fields.get("use_compact_placement_policy", bool, default=False):
        found["placement"] = {"policy": "compact"}
    return found


def _network(fields: Fields) -> None:
    network = Row(fields.source, ("network_existing",))
    if network:
        found = {"name": network.get("network_name"), "subnetwork": network.get("subnetwork_name")}
        fields.work.put(fields.at("network_existing"), ("network", "existing"), found)
    account = Row(fields.source, ("service_account",))
    if email := account.get("email"):
        fields.work.put(account.at("email"), ("service_account", "email"), email)
    if account.get("scopes"):
        why = "nodes have the rights of their account's roles, in all scopes"
        fields.follows(why, ("service_account", "scopes"))


def _storage(fields: Fields) -> None:
    for number, each in enumerate(rows_in(fields.source, ("filestore_new",))):
        tier = str(each.get("filestore_tier"))
        found = {"name": f"files-{number}", "kind": "filestore", "mount": each.get("local_mount")}
        found |= {"tier": _TIERS.get(tier, tier.lower()), "size_gb": each.get("size_gb")}
        found |= {"zone": zone} if (zone := each.get("zone")) else {}
        fields.work.append(each.at(), ("storage", "volumes"), found)
    for number, each in enumerate(rows_in(fields.source, ("gcsfuse_existing",))):
        found = {"name": f"bucket-{number}", "kind": "bucket", "mount": each.get("local_mount")}
        found |= {"create": False, "bucket": each.get("remote_mount")}
        fields.work.append(each.at(), ("storage", "volumes"), found)


def _software(fields: Fields) -> None:
    work = fields.work
    work.put(
        fields.at("enable_ops_agent"),
        ("monitoring", "ops_agent"),
        fields.get("enable_ops_agent", bool, default=True),
    )
    if fields.get("enable_ray", bool, default=False):
        work.put(fields.at("enable_ray"), ("bootstrap", "ray"), {})
    fields.put("metadata", ("metadata",), dict)
    fields.put("startup_script", ("startup_script", "inline"))
    if fields.get("startup_script_file"):
        work.put(
            fields.at("startup_script_file"), ("startup_script", "file"), fields.get("startup_script_file")
        )
    if fields.get("wait_for_instances", bool, default=True):
        work.put(fields.at("wait_for_instances"), ("wait",), {})
    fields.lose("startup_script_gcs_bucket_path", "files for nodes have a bucket of the cluster's own")


def _cluster(fields: Fields) -> None:
    work = fields.work
    pools = rows_in(fields.source, ("node_pools",))
    disk = _disk(fields)
    for number, pool in enumerate(pools):
        found: dict[str, Any] = {
            "name": f"pool-{number}",
            "machine_type": pool.get("machine_type") or _POOL_MACHINE,
            "count": pool.get("node_count"),
            "zones": [pool.get("zone")],
            **({"boot_disk": disk} if disk else {}),
        }
        work.append(pool.at(), ("node_pools",), found | _place(fields, pool, number))
        if found["machine_type"] == _POOL_MACHINE and not pool.get("machine_type"):
            work.decide(f"pool {number} names no machine type; it is {_POOL_MACHINE}")
    if pools:
        work.put(pools[0].at("zone"), ("zone",), pools[0].get("zone"))
    fields.put("gke_version", ("cluster", "version"))
    fields.put("node_service_account", ("service_account", "email"))
    account = Row(fields.source, ("ksa",))
    if account:
        named = {"name": account.get("name"), "namespace": account.get("namespace", "default")}
        work.append(fields.at("ksa"), ("workload_identity",), named)
    fields.lose(
        "network_existing", "it names no ranges for pods and services", "name them in network.existing"
    )
    fields.lose("host_maintenance_interval", "the Terraform provider google does not send it")
    fields.lose("enable_gke_dashboard", "GKE's own dashboards show the cluster")


def _place(fields: Fields, pool: Row, number: int) -> dict[str, Any]:
    """How close together, and from which reservation."""
    policy = pool.row("compact_placement_policy")
    found: dict[str, Any] = {}
    machine = catalog.machine(str(pool.get("machine_type") or _POOL_MACHINE))
    reservation = policy.get("specific_reservation")
    if (new := policy.get("new_policy")) is not None:
        if not new and not reservation:  # a reservation brings its own
            found["placement"] = {"policy": "none"}
        elif new and machine and machine.compact_placement:
            found["placement"] = {"policy": "compact"}
        elif new:
            why = "its machines are not placed together on request"
            fields.work.say(policy.at("new_policy"), "loss", f"pool {number}: {why}")
    if reservation:
        found["capacity"] = {"model": "reservation", "reservation": reservation}
    if policy.get("existing_policy_name"):
        why = "pools cannot use an existing placement policy"
        fields.work.say(policy.at("existing_policy_name"), "loss", f"pool {number}: {why}")
    return found
