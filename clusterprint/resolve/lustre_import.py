"""Decisions about filling Managed Lustres from buckets, before there are nodes.

No provider imports data into a Managed Lustre, so a script beside the stack (`nodes/deploy/fill-lustre`)
starts the import and polls the operation until it is done; `gcloud` waits for half an hour only. It first
waits for other operations on the instance. An import copies only missing files, so the script can always run
again. `create_time` tells an instance from its predecessor with the same id.
"""

from collections.abc import Iterable, Sequence

from msgspec import UNSET

from clusterprint.blueprint.lustre_import import LustreImport
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import durations
from clusterprint.nodes import deploy
from clusterprint.plan.volumes import LustreImportPlan, LustreImportsPlan, LustrePlan, VolumesPlan

# Documentation "Managed Lustre: transfer data to and from Cloud Storage" (read 2026-11-25): who reads the
# objects, and the role that is enough for imports.
_AGENT, _ROLE = "gcp-sa-lustre", "roles/storage.objectViewer"


def resolve_imports(
    volumes: Iterable[GoogleVolume], lustres: Sequence[LustrePlan], project: str
) -> LustreImportsPlan | None:
    """The imports into a cluster's created file systems in `project`; None if all start empty."""
    wanted = {each.name: each.import_from for each in volumes if each.import_from is not UNSET}
    imports = tuple(_import(wanted[each.key], each, project) for each in lustres if each.key in wanted)
    return LustreImportsPlan(project=project, agent=_AGENT, role=_ROLE, imports=imports) if imports else None


def _import(wanted: LustreImport, lustre: LustrePlan, project: str) -> LustreImportPlan:
    environment = {
        "PROJECT": project,
        "LOCATION": lustre.location,
        "INSTANCE": lustre.name,
        "FOLDER": wanted.path,
        "SECONDS_TO_WAIT": str(durations.seconds(wanted.timeout)),
    }
    return LustreImportPlan(
        volume=lustre.key,
        bucket=wanted.bucket,
        path=wanted.path,
        script=deploy.FILL_LUSTRE,
        environment=environment,
    )


def scripts(plan: VolumesPlan | None) -> dict[str, str]:
    """The files beside the stack for file systems with an import."""
    imports = plan.lustre_imports.imports if plan and plan.lustre_imports else ()
    return {name: deploy.script(name) for name in sorted({each.script for each in imports})}
