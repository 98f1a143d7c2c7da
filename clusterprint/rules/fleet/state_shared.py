from pathlib import PurePosixPath

from clusterprint.derived import state_names
from clusterprint.diagnostic import Label
from clusterprint.rules._groups import also, and_more
from clusterprint.rules.context import Fleet
from clusterprint.rules.fleet._clusters import Cluster, clusters
from clusterprint.rules.kit import UNSET, Finding, Iterator, Severity, known, rule

Folder = tuple[str, PurePosixPath]


@rule("FL002", severity=Severity.ERROR)
def state_shared(fleet: Fleet) -> Iterator[Finding]:
    owners: dict[Folder, Cluster] = {}
    seen = list(known(clusters(fleet), _folders))
    for cluster, folders in seen:
        for folder in folders:
            owners.setdefault(folder, cluster)
    inside: dict[int, tuple[Cluster, list[Cluster]]] = {}
    for cluster, folders in seen:
        owner = _owner_around(cluster, folders, owners)
        if owner is not None:
            inside.setdefault(id(owner), (owner, []))[1].append(cluster)
    for owner, clusters_inside in inside.values():
        yield _finding(owner, *clusters_inside)


def _finding(owner: Cluster, first: Cluster, *others: Cluster) -> Finding:
    backend = first.member.blueprint.backend.gcs
    keep = "keep their" if others else "keeps its"
    return Finding(
        f"{and_more(first.name, len(others))} {keep} state and files where cluster {owner.name} does,"
        f" below gs://{backend.bucket}/{_prefix(owner)}",
        _place(first),
        also=also([_place(each, f"cluster {each.name}") for each in (owner, *others)]),
        help="write another prefix"
        if backend.prefix is UNSET
        else f"remove prefix: the default is {state_names.default_state_prefix(first.name)}",
    )


def _place(cluster: Cluster, text: str = "") -> Label:
    backend = cluster.member.blueprint.backend.gcs
    field = "bucket" if backend.prefix is UNSET else "prefix"
    return cluster.member.context.at(backend, field, text=text)


def _prefix(cluster: Cluster) -> str:
    backend = cluster.member.blueprint.backend.gcs
    prefix: str = (
        state_names.default_state_prefix(cluster.name) if backend.prefix is UNSET else backend.prefix
    )
    return prefix


def _folders(cluster: Cluster) -> tuple[Folder, ...]:
    """The folders that belong to a cluster: those of its state and of its files."""
    bucket, prefix = f"{cluster.member.blueprint.backend.gcs.bucket}", f"{_prefix(cluster)}"
    stacks = state_names.stacks(cluster.member.blueprint.kind, cluster.name)
    paths = (
        *(state_names.state_folder(prefix, each) for each in stacks),
        state_names.file_object(prefix, ""),
    )
    return tuple((bucket, PurePosixPath(path)) for path in paths)


def _owner_around(
    cluster: Cluster, folders: tuple[Folder, ...], owners: dict[Folder, Cluster]
) -> Cluster | None:
    """Another cluster with a folder that contains one of these."""
    for bucket, path in folders:
        for around in (path, *path.parents):
            owner = owners.get((bucket, around))
            if owner is not None and owner is not cluster and not owner.is_twin_of(cluster):
                return owner
    return None
