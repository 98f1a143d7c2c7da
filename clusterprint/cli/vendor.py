"""`clusterprint vendor`: download the files and render the kustomizations that manifests name."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clusterprint.cli import cluster_arguments
from clusterprint.cli.output import say
from clusterprint.cli.report import print_report, utf8
from clusterprint.derived import vendored
from clusterprint.diagnostic import Severity
from clusterprint.errors import UsageError
from clusterprint.examine import examine
from clusterprint.files import safe_write
from clusterprint.find import STDIN
from clusterprint.render.visible import visible
from clusterprint.words import counted

if TYPE_CHECKING:
    from collections.abc import Collection

    from clusterprint.diagnostic import Diagnostic
    from clusterprint.document import Document
    from clusterprint.vendoring.kustomize import Rendered
    from clusterprint.vendoring.urls import Kept

_ENDINGS = (".yaml", ".yml")
# A file that is missing, is another than it should be, or holds no objects: this command writes it again.
_MENDED = frozenset(("BP211", "GKE130", "GKE361", "GKE455"))


@click.command("vendor")
@cluster_arguments.any_of
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 if a file is missing or different.")
@click.option(
    "--force",
    metavar="FILE",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Replace this file, although `vendor` did not write it, or it was changed since. Repeatable.",
)
def vendor(paths: tuple[Path, ...], force: tuple[Path, ...], *, check: bool) -> None:
    """Download what the manifests of blueprints name.

    It also renders kustomizations. CLUSTER is a name, a blueprint's file, or a folder of blueprints; the
    default is blueprints/. Each file is fetched by https, compared with its `sha256` and written beside the
    blueprint, to be committed with it. Kustomizations are rendered by kubectl, without a network, from files
    beside the blueprint only, where they have changed.

    Only files with Kubernetes objects are written, named *.yaml or *.yml, below the blueprint's folder,
    with no hidden part and no link in their path. A file with the expected content is left alone. One that
    `vendor` did not write, or that was changed since, is replaced only if --force names it. Nothing is
    written for a blueprint with other errors than those of these files.

    Exit code 1 for such a blueprint, and if a fetched file has another checksum, a kustomization cannot be
    rendered, or a file may not be replaced.
    """
    if STDIN in paths:
        raise UsageError("files are kept beside a blueprint: give the blueprint by its name")
    examined = examine(paths)
    fixed = {place for each in examined.results for place in _places(each.document)}
    errors = [
        each
        for each in examined.diagnostics
        if each.severity is Severity.ERROR and not _is_fixed(each, fixed)
    ]
    if errors:
        print_report(examined._replace(diagnostics=errors), "text", utf8(sys.stderr))
    broken = {each.place.file for each in errors}
    forced = {each.resolve() for each in force}
    count, failed = 0, 0
    for document in (each.document for each in examined.results):
        if broken.intersection(document.files):
            continue
        for kept in _kept(document):
            count += 1
            failed += not _keep(kept, document.file, forced, check=check)
    say(f"{counted(count, 'file')} of {counted(examined.files, 'blueprint')} checked", err=True)
    sys.exit(1 if errors or failed else 0)


def _places(document: Document) -> list[tuple[object, ...]]:
    """Where errors are told of the files that are kept."""
    workloads = document.data.get("workloads") if isinstance(document.data, dict) else None
    manifests = workloads.get("manifests") if isinstance(workloads, dict) else None
    return [
        document.label(("workloads", "manifests", number, key))[:2]
        for number, each in enumerate(manifests if isinstance(manifests, list) else ())
        if isinstance(each, dict) and ("url" in each or "kustomization" in each)
        for key in ("file", "sha256", "kustomization")
        if key in each
    ]


def _is_fixed(error: Diagnostic, places: Collection[tuple[object, ...]]) -> bool:
    return error.code in _MENDED and error.place[:2] in places


def _kept(document: Document) -> list[Kept | Rendered]:
    from clusterprint.vendoring.kustomize import rendered_by
    from clusterprint.vendoring.urls import kept_by

    return [*kept_by(document.data, document.folder), *rendered_by(document.data, document.folder)]


def _keep(kept: Kept | Rendered, blueprint: str, forced: Collection[Path], *, check: bool) -> bool:
    """Whether the file is as it should be, or is now."""
    from clusterprint.derived.kustomizations import NotTaken
    from clusterprint.vendoring.urls import Kept, Unlike

    try:
        if kept.is_there():
            return True
        if check:
            say(f"{visible(kept.name)} of {visible(blueprint)} is missing, or different")
            return False
        is_forced = kept.file.resolve() in forced
        safe_write.check(
            kept.file, kept.folder, _ENDINGS, lambda content: is_forced or vendored.is_ours(content)
        )
        kept.keep()
    except (Unlike, NotTaken) as error:
        say(f"{visible(blueprint)}: {visible(f'{kept.source} {error}')}", err=True)
        return False
    except safe_write.Occupied as error:
        say(
            f"{visible(blueprint)}: {visible(str(error))}; --force {visible(str(kept.file))} replaces it",
            err=True,
        )
        return False
    except safe_write.NotPlaced as error:
        say(f"{visible(blueprint)}: {visible(str(error))}", err=True)
        return False
    say(f"{'fetched' if isinstance(kept, Kept) else 'rendered'} {visible(kept.name)}")
    return True
