"""`clusterprint init`: files that a repository of blueprints starts with."""

from pathlib import Path

import click

from clusterprint.cli.output import say
from clusterprint.gitops.fill import TEMPLATES, Values, fill, write


@click.group("init")
def init() -> None:
    """Write files that a repository of blueprints starts with."""


@init.command("gitops")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True), default=Path())
@click.option(
    "--source",
    required=True,
    metavar="OWNER/REPO@REV",
    help="Where clusterprint comes from; REV is a tag or, better, a commit. Elsewhere than on GitHub: "
    "https://HOST/PATH@REV.",
)
@click.option(
    "--for",
    "tools",
    type=click.Choice(list(TEMPLATES)),
    multiple=True,
    default=["github"],
    show_default=True,
    help="Which tool to write for; can be given several times.",
)
@click.option(
    "--blueprints",
    default="blueprints",
    show_default=True,
    metavar="FOLDER",
    help="Folder of the blueprints, from the root of the repository.",
)
@click.option("--branch", default="main", show_default=True, help="The branch that is merged into.")
@click.option("--force", is_flag=True, help="Overwrite files that are there with other content.")
def gitops(  # noqa: PLR0913 - click passes options
    folder: Path,
    *,
    source: str,
    tools: tuple[str, ...],
    blueprints: str,
    branch: str,
    force: bool,
) -> None:
    """Set a repository up for review: what a pull request would do to the clusters, in one comment.

    FOLDER is the root of the repository; the default is here. Nothing is overwritten without --force.
    docs/gitops.md says what the files do.
    """
    filled = fill(tools, Values(source, blueprints, branch))
    written = write(filled, folder, force=force)
    for each in filled:
        path = folder / each.template.target
        say(f"{'wrote' if path in written else 'there already'} {path}")
    for each in filled:
        say(f"next, {each.template.target}: {each.template.next}")
