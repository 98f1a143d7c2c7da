"""Whatever a blueprint reads starts the workflows when it changes, and the review finds it."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from gitops.conftest import VM
from pull_request import Repository
from ruamel.yaml import YAML
from support import BLUEPRINTS, ROOT, Run

from clusterprint.gitops.fill import TEMPLATES, Values, fill

FOLDER = "infra/blueprints"
FILLED = {
    each.template.file: YAML(typ="safe", pure=True).load(each.text)
    for each in fill(TEMPLATES, Values("team/clusterprint@v1", FOLDER, "main"))
}

# ---- what blueprints read

FIRST = f"{FOLDER}/first.yaml"
LABELS = "labels: {team: new}\n"
FORBIDS = "clusterprint: v1\nforbid: [data_loss]\n"
GKE = (BLUEPRINTS / "gke-smallest.yaml").read_text("utf-8")
MANIFEST = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: default}\n"
LOCKED = ROOT / "tests/cases/rules/RAY023"
LOCK = (LOCKED / "locked.image.lock").read_text("utf-8")
BASE = "resources: [config.yaml]\n"


class Change(NamedTuple):
    """Files of the main branch, and one of a pull request; `clusters`: whether it changes what exists."""

    before: Mapping[str, str]
    file: str
    text: str
    clusters: bool = True


CHANGES = {
    "the blueprint": Change({}, FIRST, VM + LABELS),
    "the provider": Change({}, FIRST, VM + "terraform: {google_provider: 6.50.0}\n"),
    "defaults at the root": Change({}, "clusterprint.defaults.yaml", LABELS),
    "defaults between": Change({}, "infra/clusterprint.defaults.yaml", LABELS),
    "defaults beside it": Change({}, f"{FOLDER}/clusterprint.defaults.yaml", LABELS),
    "a policy at the root": Change({}, "clusterprint.policy.yaml", FORBIDS, clusters=False),
    "a policy between": Change({}, "infra/clusterprint.policy.yaml", FORBIDS, clusters=False),
    "a policy beside it": Change({}, f"{FOLDER}/clusterprint.policy.yaml", FORBIDS, clusters=False),
    "a file": Change(
        {
            FIRST: VM + "files: [{source: ./data, destination: /opt/data}]\n",
            f"{FOLDER}/data/deep/.hidden": "old\n",
        },
        f"{FOLDER}/data/deep/.hidden",
        "new\n",
    ),
    "a script": Change(
        {FIRST: VM + "startup_script: {file: ./up.sh}\n", f"{FOLDER}/up.sh": "#!/bin/sh\n"},
        f"{FOLDER}/up.sh",
        "#!/bin/sh\necho new\n",
    ),
    "a manifest": Change(
        {
            FIRST: GKE + "workloads: {manifests: [{file: ./k8s/m.yaml}]}\n",
            f"{FOLDER}/k8s/m.yaml": MANIFEST % "old",
        },
        f"{FOLDER}/k8s/m.yaml",
        MANIFEST % "new",
    ),
    "the base of a kustomization": Change(
        {
            FIRST: GKE + "workloads: {manifests: [{file: ./out.yaml, kustomization: ./base}]}\n",
            f"{FOLDER}/out.yaml": MANIFEST % "old",
            f"{FOLDER}/base/kustomization.yaml": BASE,
            f"{FOLDER}/base/config.yaml": MANIFEST % "old",
        },
        f"{FOLDER}/base/config.yaml",
        MANIFEST % "new",
        clusters=False,  # the rendered file does; `validate` fails as long as it is an earlier one
    ),
    "the lock of an image": Change(
        {
            f"{FOLDER}/locked.yaml": (LOCKED / "ok-locked.yaml").read_text("utf-8"),
            f"{FOLDER}/locked.image.lock": LOCK,
        },
        f"{FOLDER}/locked.image.lock",
        LOCK.replace("0" * 64, "1" * 64),
    ),
    "what an image is built from": Change(
        {
            f"{FOLDER}/locked.yaml": (LOCKED / "ok-locked.yaml")
            .read_text("utf-8")
            .replace('{inline: "FROM ray:1"}', "{file: ./image/Dockerfile}"),
            f"{FOLDER}/locked.image.lock": LOCK,
            f"{FOLDER}/image/Dockerfile": "FROM ray:1",
        },
        f"{FOLDER}/image/Dockerfile",
        "FROM ray:2",
        clusters=False,  # the lock of the next build does
    ),
    "what a linked blueprint leads to": Change({FIRST: "-> ../../docs/x.yaml"}, "docs/x.yaml", VM + LABELS),
    "what linked defaults lead to": Change(
        {"infra/clusterprint.defaults.yaml": "-> ../shared/all.yml"}, "shared/all.yml", LABELS
    ),
}


def commit(repository: Repository, files: Mapping[str, str]) -> str:
    """Commit files and, for texts that begin with an arrow, links."""
    for name, text in files.items():
        path = repository.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        if text.startswith("-> "):
            path.symlink_to(text.removeprefix("-> "))
        else:
            path.write_text(text, "utf-8")
    return repository.commit({})


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, each in CHANGES.items() if each.clusters])
def test_the_review_by_which_jobs_go_on_finds_it(name: str, clusterprint: Run, tmp_path: Path) -> None:
    """Exit code 0 ends the jobs that plan: no change of a cluster may have it."""
    change, repository = CHANGES[name], Repository(tmp_path / "forge")
    commit(repository, {FIRST: VM, "docs/x.yaml": VM, "shared/all.yml": "labels: {team: old}\n"})
    base = commit(repository, change.before)
    same = clusterprint("review", "--base", base, "--", FOLDER, cwd=repository.folder)
    assert same.returncode == 0, same.stdout + same.stderr
    commit(repository, {change.file: change.text})
    done = clusterprint("review", "--base", base, "--", FOLDER, cwd=repository.folder)
    assert done.returncode in (4, 5), done.stdout + done.stderr


# ---- the filters of forges


def github(trigger: Any, files: Iterable[str]) -> bool:
    """Whether `paths` of a workflow match.

    `*` does not match a slash, `**` does, `?` and `+` repeat what stands before, a leading `!` takes back.
    Only the first 300 files of a change are looked at:
    https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax
    """
    trigger = trigger or {}
    assert not {"paths-ignore", "branches-ignore"} & set(trigger)
    if "paths" not in trigger:
        return True
    special = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "?", "+": "+", "[": "[", "]": "]"}

    def matches(file: str) -> bool:
        taken = False
        for pattern in trigger["paths"]:
            words = re.split(r"(\*\*/|\*\*|[*?+\[\]])", pattern.removeprefix("!"))
            if re.fullmatch("".join(special.get(word, re.escape(word)) for word in words), file):
                taken = not pattern.startswith("!")
        return taken

    return any(matches(each) for each in list(files)[:300])


def gitlab(rules: list[dict[str, Any]], files: Iterable[str]) -> bool:
    """Whether a rule with `changes` matches: by fnmatch of Ruby, with PATHNAME, DOTMATCH and EXTGLOB.

    The first rule that applies counts; whether its `if` does is not asked here:
    https://docs.gitlab.com/ci/yaml/#ruleschanges
    """
    special = {"**/": "(?:[^/]+/)*", "**": "[^/]*", "*": "[^/]*", "?": "[^/]"}

    def matches(pattern: str, file: str) -> bool:
        assert not set("{[(") & set(pattern), "not needed yet"
        words = re.split(r"(\*\*/|\*\*|[*?])", pattern)
        return bool(re.fullmatch("".join(special.get(word, re.escape(word)) for word in words), file))

    for rule in rules:
        assert "exists" not in rule
        paths = rule.get("changes")
        if paths is None or any(matches(each, file) for each in paths for file in files):
            return bool(rule.get("when") != "never")
    return False


def atlantis(repo: dict[str, Any], files: Iterable[str]) -> bool:
    """Whether the hook runs: https://www.runatlantis.io/docs/pre-workflow-hooks and autoplan-file-list.

    The hook runs for every pull request, before anything is compared, and what it makes is not in git: with
    `include-git-untracked-files` that is a modified file, and each folder of one is a project.
    """
    (hook,) = repo["pre_workflow_hooks"]
    return set(hook) == {"description", "run", "commands"} and hook["commands"] == "plan" and bool(files)


def pre_commit(hook: dict[str, Any], files: Iterable[str]) -> bool:
    """Whether the hook runs: `files` is searched for in names, https://pre-commit.com/#creating-new-hooks."""
    return hook.get("always_run") or any(re.search(hook.get("files", ""), each) for each in files)


Fires = Callable[[Iterable[str]], bool]


def filters() -> dict[str, Fires]:
    """Everything of the templates that a change may start, each with its own filter."""
    found: dict[str, Fires] = {}
    for file, data in FILLED.items():
        if file.startswith("github/"):
            events = data["on"] if isinstance(data["on"], dict) else dict.fromkeys(data["on"])
            for event in ("pull_request", "push"):
                if event in events:
                    found[f"{file}: {event}"] = partial(github, events[event])
        elif file.startswith("gitlab/"):
            for name, job in data.items():
                rules = [
                    each for each in job.get("rules", []) if re.search("merge_request_event|push", each["if"])
                ]
                if rules:
                    found[f"{file}: {name}"] = partial(gitlab, rules)
        elif file.startswith("atlantis/"):
            found[file] = partial(atlantis, data["repos"][0])
        else:
            found[file] = partial(pre_commit, data["repos"][0]["hooks"][0])
    return found


@pytest.mark.parametrize("name", CHANGES)
def test_what_a_blueprint_reads_starts_what_looks_at_it(name: str) -> None:
    change, asked = CHANGES[name], filters()
    assert len(asked) == 10
    # Of a large change as well: the last of many files counts.
    many = [*(f"aaa/{number}.txt" for number in range(400)), change.file]
    silent = {file for file, fires in asked.items() if not (fires([change.file]) and fires(many))}
    assert silent == set()
