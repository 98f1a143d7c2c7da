"""`clusterprint vendor`: keep what manifests are made of, files of others and kustomizations."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clusterprint.cli import named
from clusterprint.cli.output import say
from clusterprint.cli.report import print_report, utf8
from clusterprint.errors import UsageError
from clusterprint.examine import Examined, read_all
from clusterprint.find import STDIN
from clusterprint.render.visible import visible
from clusterprint.words import counted

if TYPE_CHECKING:
    from clusterprint.examine import Read
    from clusterprint.vendoring.kustomize import Rendered
    from clusterprint.vendoring.urls import Kept


@click.command("vendor")
@named.any_of
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 if a file is missing or different.")
def vendor(paths: tuple[Path, ...], check: bool) -> None:  # noqa: FBT001 - click passes options
    """Fetch the files that manifests name by URL, and render the kustomizations that they name.

    CLUSTER is a name, a blueprint's file, or a folder of blueprints; the default is blueprints/. Each file is
    fetched by https, compared with its `sha256` and written beside the blueprint, to be committed with it; an
    existing one is left alone. Kustomizations are rendered by kubectl, from files beside the blueprint only,
    where they have changed. Nothing else fetches or renders anything. Exit code 1 if a fetched file has
    another checksum, or a kustomization cannot be rendered.
    """
    found = read_all(paths)
    if any(each.file == STDIN for each in found):
        raise UsageError("files are kept beside a blueprint: give the blueprint by its name")
    diagnostics = [problem for each in found for problem in each.loaded.diagnostics]
    if diagnostics:
        sources = {each.name: each.source for each in found}
        print_report(Examined([], diagnostics, sources, len(found)), "text", utf8(sys.stderr))
    count, failed = 0, 0
    for each in found:
        for kept in _kept(each):
            count += 1
            failed += not _keep(kept, each.name, check=check)
    say(f"{counted(count, 'file')} of {counted(len(found), 'blueprint')} checked", err=True)
    sys.exit(1 if diagnostics or failed else 0)


def _kept(read: Read) -> list[Kept | Rendered]:
    from clusterprint.vendoring.kustomize import rendered_by
    from clusterprint.vendoring.urls import kept_by

    document, folder = read.loaded.document, read.file.parent
    return [*kept_by(document.data, folder), *rendered_by(document.data, folder)] if document else []


def _keep(kept: Kept | Rendered, blueprint: str, *, check: bool) -> bool:
    """Whether the file is as it should be, or is now."""
    from clusterprint.derived.kustomizations import NotTaken
    from clusterprint.vendoring.urls import Kept, Unlike, keep

    try:
        if kept.is_there():
            return True
        if check:
            say(f"{visible(kept.name)} of {visible(blueprint)} is missing, or different")
            return False
        if isinstance(kept, Kept):
            keep(kept)
        else:
            kept.keep()
    except (Unlike, NotTaken) as error:
        say(f"{visible(blueprint)}: {visible(f'{kept.source} {error}')}", err=True)
        return False
    say(f"{'fetched' if isinstance(kept, Kept) else 'rendered'} {visible(kept.name)}")
    return True
