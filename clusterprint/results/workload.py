"""Workloads of Kueue that were deactivated: their jobs do not start any more by themselves."""

from collections.abc import Iterable, Mapping
from typing import Any

#: What kubectl calls them.
WORKLOADS = "workloads.kueue.x-k8s.io"
#: The label with the id of the job that a workload is for.
OF_JOB = "kueue.x-k8s.io/job-uid={uid}"


def deactivated(workloads: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """By the id of a job: why Kueue does not start it, and the way out."""
    return {
        str(owner.get("uid")): _in_words(each)
        for each in workloads
        if (each.get("spec") or {}).get("active") is False
        for owner in each.get("metadata", {}).get("ownerReferences", ())
    }


def _in_words(workload: Mapping[str, Any]) -> str:
    metadata, conditions = workload.get("metadata", {}), workload.get("status", {}).get("conditions", ())
    said = [
        str(each.get("message"))
        for each in conditions
        if each.get("type") == "Evicted" and str(each.get("reason")).startswith("Deactivated")
    ]
    why = said[0].strip().rstrip(".") if said else "its workload was deactivated"
    name, namespace = metadata.get("name"), metadata.get("namespace", "default")
    active = '{"spec":{"active":true}}'
    return (
        f"Kueue does not start it any more: {why}; once that is corrected, submit it again, or run kubectl "
        f"patch {WORKLOADS} {name} --namespace={namespace} --type=merge --patch='{active}'"
    )
