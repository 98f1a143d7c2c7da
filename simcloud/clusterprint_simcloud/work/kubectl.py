"""A stand-in for `kubectl` where commands run against a simulated cloud.

It knows `get`, `logs`, `create`, `delete`, `annotate`, `exec`, `port-forward` and `config`, as far as jobs,
their pods and nodes go, and refuses all others. Clusters are those of this cloud, by their contexts.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from clusterprint_simcloud.cloud.contents import CLOUD_VARIABLE, Cloud, Contents, Record, key
from clusterprint_simcloud.work import nodes, runs, slurm
from clusterprint_simcloud.work.kinds import KINDS, kept, object_of, pods_of, run_of

#: The annotation that says how a run is to end.
OUTCOME = "simulated-outcome"
_CLUSTER = "google_container_cluster"
_NAMESPACE = "kubernetes_namespace_v1"
_CORE = {
    **dict.fromkeys(("pod", "po", "pods"), "pods"),
    **dict.fromkeys(("node", "no", "nodes"), "nodes"),
    **dict.fromkeys(("event", "ev", "events"), "events"),
}
_HEAD = "-head-svc"


class Refused(Exception):  # noqa: N818  (an answer)
    """kubectl's words for what cannot be."""


class Asked(NamedTuple):
    """A command: its words, its options, and what follows `--`."""

    words: list[str]
    options: dict[str, str]
    rest: list[str]

    def get(self, *names: str, default: str = "") -> str:
        """The value of an option by any of its names."""
        return next((self.options[each] for each in names if each in self.options), default)


_FLAGS = {
    *("--all-namespaces", "-A", "--ignore-not-found", "--follow", "-f", "--prefix", "--overwrite", "--stdin"),
    *("--tty", "-i", "-t", "-it", "--wait", "--timestamps"),
}


def _read(arguments: Sequence[str]) -> Asked:
    """Options may stand anywhere, with their value behind = or a blank."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    words, options = [], {}
    given = iter(arguments[:at])
    for each in given:
        if not each.startswith("-") or each == "-":
            words.append(each)
            continue
        name, equals, value = each.partition("=")
        takes = not equals and name not in _FLAGS
        if name == "-f" and words[:1] != ["logs"]:
            takes = True
        options[name] = next(given, "") if takes else value
    return Asked(words, options, list(arguments[at + 1 :]))


def main(arguments: Sequence[str]) -> int:
    """Answer one command; returns its exit code."""
    asked = _read(arguments)
    verb = asked.words[0] if asked.words else ""
    if verb not in _VERBS:
        print(f"error: the simulated kubectl does not know: {' '.join(arguments)}", file=sys.stderr)  # noqa: T201
        return 1
    try:
        with Cloud(Path(os.environ[CLOUD_VARIABLE])).open() as contents:
            for line in _VERBS[verb](contents, asked):
                print(line)  # noqa: T201  (a command)
    except Refused as error:
        print(error, file=sys.stderr)  # noqa: T201  (a command)
        return 1
    return 0


# ---- places


def cluster(contents: Contents, context: str) -> Record:
    """The cluster of a context.

    :raises Refused: when there is none.
    """
    found = contents.get(_CLUSTER, f"contexts/{context}")
    parts = context.split("_")
    if found is None and len(parts) == len(["gke", "project", "location", "cluster"]):
        _, project, location, name = parts
        found = contents.get(_CLUSTER, f"projects/{project}/locations/{location}/clusters/{name}")
    if found is None:
        raise Refused(f'error: context "{context}" does not exist: this simulated cloud has no such cluster')
    return found


def _place(contents: Contents, asked: Asked) -> tuple[Record, str]:
    context = asked.get("--context")
    if not context:
        raise Refused("error: current-context is not set: name the cluster with --context")
    return cluster(contents, context), asked.get("--namespace", "-n", default="default")


def _works(contents: Contents, home: str, namespace: str | None, *types: str) -> Iterator[Record]:
    """The objects that run something, oldest first; in all namespaces for None."""
    for record in contents.of(*(types or KINDS)):
        inside = record.id.startswith(f"{home}/") and "content" in record.state
        if inside and namespace in {None, record.state["namespace"]}:
            yield record


def _type(contents: Contents, home: str, word: str) -> str:
    """The type of records that a word of a command means; `pods` and `nodes` mean themselves."""
    if word in _CORE:
        return _CORE[word]
    plural, _, group = word.lower().partition(".")
    for name, kind in KINDS.items():
        singular, _, own = name.lower().partition(".")
        if (
            plural in {kind.plural, singular}
            and group in {"", own}
            and (own == "batch" or _has(contents, home, own))
        ):
            return name
    raise Refused(f'error: the server doesn\'t have a resource type "{plural}"')


def _has(contents: Contents, home: str, group: str) -> bool:
    if contents.get("API group", f"{home}/{group}") is not None:
        return True
    cluster_ = contents.get(_CLUSTER, home)
    addons = ((cluster_.state if cluster_ else {}).get("addons_config") or [{}])[0] or {}
    return group == "ray.io" and any(each.get("enabled") for each in addons.get("ray_operator_config") or [])


def _named(contents: Contents, home: str, namespace: str, type_: str, name: str) -> Record:
    found = contents.get(type_, f"{home}/{namespace}/{name}")
    if found is None or "content" not in found.state:
        group = type_.partition(".")[2]
        what = f"{KINDS[type_].plural}.{group}" if group != "batch" else "jobs.batch"
        raise Refused(f'Error from server (NotFound): {what} "{name}" not found')
    return found


# ---- get


def _get(contents: Contents, asked: Asked) -> Iterator[str]:
    record, namespace = _place(contents, asked)
    word, _, name = asked.words[1].partition("/") if len(asked.words) > 1 else ("", "", "")
    name = name or (asked.words[2] if len(asked.words) > 2 else "")  # noqa: PLR2004  (get KIND NAME)
    everywhere = bool({"--all-namespaces", "-A"} & asked.options.keys())
    found = _found(contents, record, _type(contents, record.id, word), None if everywhere else namespace)
    labels = dict(each.partition("=")[::2] for each in asked.get("--selector", "-l").split(",") if each)
    found = [one for one in found if labels.items() <= (one["metadata"].get("labels") or {}).items()]
    if name:
        found = [one for one in found if one["metadata"]["name"] == name]
        if not found and "--ignore-not-found" not in asked.options:
            raise Refused(f'Error from server (NotFound): {word} "{name}" not found')
    form = asked.get("--output", "-o")
    if form == "json":
        if found or not name:
            yield json.dumps(
                found[0] if name else {"apiVersion": "v1", "kind": "List", "items": found}, indent=2
            )
    elif form == "name":
        yield from (f"{word}/{one['metadata']['name']}" for one in found)
    elif form:
        raise Refused(f"error: the simulated kubectl prints json, name or a table, not {form}")
    elif not found:
        print("No resources found", file=sys.stderr)  # noqa: T201  (a command)
    else:
        rows = [("NAME", "STATUS"), *((str(one["metadata"]["name"]), _state(one)) for one in found)]
        yield from (f"{first:<{max(len(row[0]) for row in rows)}}   {second}" for first, second in rows)


def _found(contents: Contents, record: Record, type_: str, namespace: str | None) -> list[dict[str, Any]]:
    if type_ == "nodes":
        return list(nodes.nodes_of(contents, record))
    if type_ == "events":  # no controller here writes any
        return []
    if type_ == "pods":
        works = _works(contents, record.id, namespace)
        return [one for work in works for _, one in pods_of(contents, work, record.id)]
    return [object_of(contents, one, record.id) for one in _works(contents, record.id, namespace, type_)]


def _state(found: Mapping[str, Any]) -> str:
    """The state of an object in a word, for people."""
    status = found.get("status", {})
    true = [each["type"] for each in status.get("conditions", ()) if each.get("status") == "True"]
    return str(
        status.get("phase")
        or status.get("jobStatus")
        or status.get("state")
        or (true[0] if true else "Pending")
    )


def _version(contents: Contents, asked: Asked) -> Iterator[str]:
    """The version that the cluster has, if its state says one."""
    record, _ = _place(contents, asked)
    version = str(record.state.get("master_version") or record.state.get("min_master_version") or "")
    yield json.dumps({"serverVersion": {"gitVersion": f"v{version}" if version else ""}})


# ---- logs


def _logs(contents: Contents, asked: Asked) -> Iterator[str]:
    record, namespace = _place(contents, asked)
    word = asked.words[1] if len(asked.words) > 1 else ""
    sort, _, name = word.rpartition("/")
    labels = dict(each.partition("=")[::2] for each in asked.get("--selector", "-l").split(",") if each)
    some = False
    for work in _works(contents, record.id, namespace):
        run = run_of(contents, work, record.id)
        for pod, shown in pods_of(contents, work, record.id):
            own = shown["metadata"]
            wanted = _owner(work) == (sort, name) if sort else own["name"] == name
            if labels:
                wanted = labels.items() <= own["labels"].items()
            if not wanted or (sort and not pod.first):
                continue
            some = True
            container = asked.get("--container", "-c") or shown["status"]["containerStatuses"][0]["name"]
            lines = _container_log(contents, run, shown, container)
            tail = int(asked.get("--tail", default="-1"))
            before = f"[pod/{own['name']}/{container}] " if "--prefix" in asked.options else ""
            yield from (
                before + line for line in (lines if tail < 0 else lines[len(lines) - min(tail, len(lines)) :])
            )
    if not some and labels:
        print(f"No resources found in {namespace} namespace.", file=sys.stderr)  # noqa: T201  (a command)
    elif not some:
        raise Refused(f'Error from server (NotFound): {sort or "pods"} "{name}" not found')


def _owner(work: Record) -> tuple[str, str]:
    """What a command names instead of a pod: the job of a RayJob, the service of Ray's head."""
    kind, name = work.type.partition(".")[0], work.state["name"]
    return ("service", f"{name}{_HEAD}") if kind in {"RayCluster", "RayService"} else ("job", name)


def _container_log(contents: Contents, run: runs.Run, shown: Mapping[str, Any], container: str) -> list[str]:
    for each in shown["spec"].get("containers") or []:
        if each.get("name") == container:
            break
    else:
        raise Refused(f"error: container {container} is not valid for pod {shown['metadata']['name']}")
    program = [str(word) for word in (*(each.get("command") or ()), *(each.get("args") or ()))]
    where = f"container {container} of pod {shown['metadata']['name']}"
    lines = run.log(contents.rest.clock, where, program)
    if not lines:
        text = f'container "{container}" in pod "{shown["metadata"]["name"]}" is waiting to start'
        raise Refused(f"Error from server (BadRequest): {text}: ContainerCreating")
    return lines


# ---- changes


def _create(contents: Contents, asked: Asked) -> Iterator[str]:
    record, namespace = _place(contents, asked)
    file = asked.get("--filename", "-f")
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text("utf-8")
        documents = [each for each in YAML(typ="safe", pure=True).load_all(text) if each]
    except OSError as error:
        raise Refused(f'error: the path "{file}" cannot be read: {error.strerror}') from error
    except (YAMLError, UnicodeDecodeError) as error:
        raise Refused(f"error: error parsing {file}: {' '.join(str(error).split())}") from error
    if not documents:
        raise Refused("error: no objects passed to create")
    objects = [
        inner
        for each in documents
        for inner in (each.get("items") or [each] if isinstance(each, dict) else [each])
    ]
    for each in objects:
        name = _add(contents, record, namespace, each)
        yield name if asked.get("--output", "-o") == "name" else f"{name} created"


def _add(contents: Contents, record: Record, namespace: str, given: Any) -> str:
    """One new object; what kubectl calls it."""
    if not isinstance(given, dict) or not isinstance(given.get("kind"), str) or not given.get("apiVersion"):
        raise Refused("error: error validating data: [apiVersion not set, kind not set]")
    kind, (group, _, version) = given["kind"], str(given["apiVersion"]).rpartition("/")
    type_ = f"{kind}.{group}" if group else kind
    if type_ in KINDS and group != "batch" and not _has(contents, record.id, group):
        where = f'resource mapping not found for name: "{_name(given)}" namespace: "{namespace}" from ""'
        text = f'no matches for kind "{kind}" in version "{group}/{version}"'
        raise Refused(f"error: {where}: {text}\nensure CRDs are installed first")
    said = given.get("metadata")
    metadata: dict[str, Any] = said if isinstance(said, dict) else {}
    namespace = str(metadata.get("namespace") or namespace)
    owner = contents.get(_NAMESPACE, f"{record.id}/{namespace}")
    if owner is None:
        raise Refused(f'Error from server (NotFound): namespaces "{namespace}" not found')
    name = str(metadata.get("name") or "")
    if not name and metadata.get("generateName"):
        serial = contents.next_serial()
        name = f"{metadata['generateName']}{hashlib.sha256(str(serial).encode()).hexdigest()[:5]}"
    if not name:
        raise Refused("error: resource name may not be empty")
    identity = f"{record.id}/{namespace}/{name}"
    plural = KINDS[type_].plural if type_ in KINDS else f"{kind.lower()}s"
    if contents.get(type_, identity) is not None:
        raise Refused(f'Error from server (AlreadyExists): {plural}.{group} "{name}" already exists')
    state = {"name": name, "namespace": namespace, **kept(type_, given, namespace, contents.rest.clock, None)}
    outcome = (metadata.get("annotations") or {}).get(OUTCOME) or os.environ.get(runs.VARIABLE)
    if outcome and type_ in KINDS:
        state["outcome"] = _outcome(str(outcome))
    contents.add(Record(type_, identity, state, owner=owner.key))
    return f"{kind.lower()}.{group}/{name}" if group else f"{kind.lower()}/{name}"


def _name(given: Mapping[str, Any]) -> str:
    metadata = given.get("metadata")
    return str(metadata.get("name") or "") if isinstance(metadata, dict) else ""


def _outcome(text: str) -> str:
    if text not in runs.OUTCOMES:
        raise Refused(f"error: a simulated run ends as one of {', '.join(runs.OUTCOMES)}, not {text}")
    return text


def _pointed(contents: Contents, asked: Asked) -> tuple[Record, Record, list[str]]:
    """The cluster and the object that `VERB KIND/NAME` or `VERB KIND NAME` names, and the words after it."""
    record, namespace = _place(contents, asked)
    words = [part for each in asked.words[1:2] for part in each.split("/", 1)] + asked.words[2:]
    if len(words) < 2:  # noqa: PLR2004  (KIND NAME)
        raise Refused("error: resource(s) were provided, but no name was specified")
    type_ = _type(contents, record.id, words[0])
    if type_ not in KINDS:
        raise Refused(f"error: the simulated kubectl changes no {type_}")
    return record, _named(contents, record.id, namespace, type_, words[1]), words[2:]


def _annotate(contents: Contents, asked: Asked) -> Iterator[str]:
    record, work, words = _pointed(contents, asked)
    if len(words) != 1 or words[0].partition("=")[0] != OUTCOME:
        raise Refused(f"error: the simulated kubectl knows one annotation: {OUTCOME}=OUTCOME")
    run = run_of(contents, work, record.id)
    if runs.ended(run.state(contents.rest.clock)):
        raise Refused(f"error: {run.name} has ended already")
    work.state["outcome"] = _outcome(words[0].partition("=")[2])
    yield f"{work.type.lower()}/{run.name} annotated"


def _delete(contents: Contents, asked: Asked) -> Iterator[str]:
    _record, work, _words = _pointed(contents, asked)
    contents.records.pop(key(work.type, work.id))
    yield f'{work.type.lower()} "{work.state["name"]}" deleted'


# ---- ways in


def _service(contents: Contents, asked: Asked) -> str:
    """The head that `service/NAME` leads to."""
    record, namespace = _place(contents, asked)
    name = asked.words[1].rpartition("/")[2] if len(asked.words) > 1 else ""
    for work in _works(contents, record.id, namespace):
        if name in {
            f"{work.state['name']}{_HEAD}",
            *(one.name for one, _ in pods_of(contents, work, record.id)),
        }:
            return name
    raise Refused(f'Error from server (NotFound): services "{name}" not found')


def _exec(contents: Contents, asked: Asked) -> Iterator[str]:
    if asked.words[1:2] == [slurm.LOGIN]:
        yield from _in_login_pod(contents, asked)
        return
    where, what = _service(contents, asked), " ".join(asked.rest)
    yield f"simulated: no shell is opened, and nothing is run; behind {where}, this would run: {what}"


def _in_login_pod(contents: Contents, asked: Asked) -> Iterator[str]:
    """What a command of Slurm says in its login pod, which is there once the release of its chart is."""
    record, namespace = _place(contents, asked)
    release = contents.get("helm_release", f"{record.id}/{namespace}/{slurm.RELEASE}")
    if release is None:
        name = slurm.LOGIN.partition("/")[2]
        raise Refused(f'Error from server (NotFound): deployments.apps "{name}" not found')
    found = slurm.answer(contents, shlex.join(asked.rest), release)
    if found is None:
        what = " ".join(asked.rest)
        yield f"simulated: no shell is opened, and nothing is run; in the login pod, this would run: {what}"
        return
    code, lines = found
    if code:
        raise Refused("\n".join(lines))
    yield from lines


def _forward(contents: Contents, asked: Asked) -> Iterator[str]:
    where, ports = _service(contents, asked), " ".join(asked.words[2:])
    yield f"simulated: no port is opened; a real cluster would forward {ports} to {where} until Ctrl-C"


def _config(contents: Contents, _asked: Asked) -> Iterator[str]:
    for one in contents.of(_CLUSTER):
        parts = one.id.split("/")
        yield (
            f"gke_{parts[1]}_{parts[3]}_{parts[5]}"
            if one.id.startswith("projects/")
            else one.id.partition("/")[2]
        )


_VERBS = {
    "get": _get,
    "version": _version,
    "logs": _logs,
    "create": _create,
    "delete": _delete,
    "annotate": _annotate,
    "exec": _exec,
    "port-forward": _forward,
    "config": _config,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
