"""Groups that begin to recreate nodes which answer health checks badly, or not at all."""

from collections.abc import Iterator

from clusterprint.review.compared import ComparedCluster
from clusterprint.review.delta import Resource, get
from clusterprint.review.machines import linked
from clusterprint.review.model import Risk
from clusterprint.review.risks._make import About, titled

# What answers on nodes: machines whose template does not have it never answered anybody.
_ANSWERS = "clusterprint-answer.socket"


def repair(scene: ComparedCluster) -> Iterator[Risk]:
    """Nodes that run already, in a group that did not look at their health until now."""
    about = About(scene)
    for delta in scene.deltas:
        if (
            delta.action != "changed"
            or delta.resource.type != "google_compute_instance_group_manager"
            or delta.before is None
            or delta.after is None
        ):
            continue
        begins = _is_asked_for(delta.after) and not _is_asked_for(delta.before)
        if not begins:
            continue
        silent = _is_silent(delta.before, scene)
        what = (
            "the nodes that run do not answer health checks, and are all recreated"
            if silent
            else "nodes that are unhealthy by now, or were made before nodes answered, are recreated"
        )
        yield about.risk(
            "nodes_restarted",
            "high" if silent else "medium",
            f"{titled(delta)} begins to repair by health check: {what}, with blank disks unless they keep "
            "theirs",
            [delta],
            "see on each node first that `systemctl is-active clusterprint-answer.socket` says active, and "
            "recreate the others when their jobs are done",
            hint="auto_healing_policies",
        )


def _is_asked_for(group: Resource) -> bool:
    return bool(get(group.values, "auto_healing_policies"))


def _is_silent(group: Resource, scene: ComparedCluster) -> bool:
    """Whether the template that the group had until now is known, and its machines answer nobody."""
    there = [each.before for each in scene.deltas if each.before]
    template = linked(group, "version.instance_template", "google_compute_instance_template", there)
    script = get(template.values, "metadata.startup-script") if template else None
    return isinstance(script, str) and _ANSWERS not in script
