"""`clusterprint vendor`: fetch the files of others that manifests name by URL."""

import sys
from pathlib import Path

import click

from clusterprint.cli.completion import blueprints
from clusterprint.cli.output import say
from clusterprint.cli.report import print_report, utf8
from clusterprint.errors import UsageError
from clusterprint.examine import Examined, read_all
from clusterprint.find import STDIN
from clusterprint.render.visible import visible
from clusterprint.words import counted


@click.command("vendor")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), shell_complete=blueprints)
@click.option("--check", is_flag=True, help="Fetch nothing; exit code 1 if a file is missing or another one.")
def vendor(paths: tuple[Path, ...], check: bool) -> None:  # noqa: FBT001 - click passes options
    """Fetch the files that manifests name by URL.

    PATHS are blueprints or folders of blueprints; the default is blueprints/. Each file is fetched by https,
    compared with its `sha256` and written beside the blueprint, to be committed with it; one that is there
    already is left alone. Nothing else fetches anything. Exit code 1 if what was fetched is another file.
    """
    from clusterprint.vendor import Unlike, keep, kept_by

    found = read_all(paths)
    if any(each.file == STDIN for each in found):
        raise UsageError("files are kept beside a blueprint: give the blueprint by its name")
    diagnostics = [problem for each in found for problem in each.loaded.diagnostics]
    if diagnostics:
        sources = {each.name: each.source for each in found}
        print_report(Examined([], diagnostics, sources, len(found)), "text", utf8(sys.stderr))
    count, failed = 0, 0
    for each in found:
        document = each.loaded.document
        for kept in kept_by(document.data, each.file.parent) if document else ():
            count += 1
            if kept.is_there():
                continue
            if check:
                failed += 1
                say(f"{visible(kept.name)} of {visible(each.name)} is missing, or another file")
                continue
            try:
                keep(kept)
            except Unlike as error:
                failed += 1
                say(f"{visible(each.name)}: {visible(str(error))}, and not sha256: {kept.sha256}", err=True)
            else:
                say(f"fetched {visible(kept.name)}")
    say(f"{counted(count, 'file')} of {counted(len(found), 'blueprint')} looked at", err=True)
    sys.exit(1 if diagnostics or failed else 0)
