"""`clusterprint init`: files that a repository of blueprints starts with."""

from pathlib import Path

import click

from clusterprint.cli.init_blueprint import blueprint
from clusterprint.cli.init_cdktf import cdktf
from clusterprint.cli.init_state import state
from clusterprint.cli.output import say
from clusterprint.errors import UsageError
from clusterprint.gitops.fill import TEMPLATES, Values, check_filled, fill, write
from clusterprint.gitops.installed import installed_from


class Starts(click.Group):
    """A group whose first command may be left out: what is none of the others is a folder, or its options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does; `init DIR` is `init blueprint DIR`."""
        own = {*self.commands, *self.get_help_option_names(ctx)}
        return super().parse_args(ctx, args if args and args[0] in own else ["blueprint", *args])


@click.group("init", cls=Starts)
def init() -> None:
    """Create the files and bucket to begin with.

    `clusterprint init [DIR]` writes the smallest blueprint, as `init blueprint` does. It asks for what is not
    given as an option.
    """


init.add_command(blueprint)
init.add_command(state)
init.add_command(cdktf)


@init.command("gitops")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True), default=Path())
@click.option(
    "--source",
    metavar="OWNER/REPO@REV",
    help="Where to install clusterprint from; REV is a tag or, preferably, a commit. Outside GitHub: "
    "https://HOST/PATH@REV. Default: what this clusterprint was installed from, if that is known.",
)
@click.option(
    "--for",
    "tools",
    type=click.Choice(list(TEMPLATES)),
    multiple=True,
    default=["github"],
    show_default=True,
    help="Tool to write files for; can be given several times.",
)
@click.option(
    "--blueprints",
    default="blueprints",
    show_default=True,
    metavar="FOLDER",
    help="Folder of the blueprints, relative to the root of the repository.",
)
@click.option("--branch", default="main", show_default=True, help="Target branch of pull requests.")
@click.option(
    "--prove", is_flag=True, help="Also a weekly workflow of GitHub that proves trials in a project."
)
@click.option("--force", is_flag=True, help="Overwrite existing files that differ.")
def gitops(  # noqa: PLR0913 - click passes options
    folder: Path,
    *,
    source: str | None,
    tools: tuple[str, ...],
    blueprints: str,
    branch: str,
    prove: bool,
    force: bool,
) -> None:
    """Write workflows that review and deploy pull requests.

    One comment per pull request says what it would do to the clusters. FOLDER is the root of the repository;
    the default is the current folder. Existing files are only overwritten with --force. docs/gitops.md
    explains the files.
    """
    if source is None:
        source = installed_from()
        if not source:
            raise UsageError(
                "it is not known which repository and revision this clusterprint was installed from: say "
                "where the workflows install it from, --source OWNER/REPO@REV, with a commit or a tag as REV"
            )
        say(f"the workflows install clusterprint from {source}")
    check_filled(source)
    filled = fill((*tools, *(["prove"] if prove else [])), Values(source, blueprints, branch))
    written = write(filled, folder, force=force)
    for each in filled:
        path = folder / each.template.target
        say(f"{'wrote' if path in written else 'unchanged:'} {path}")
    for each in filled:
        say(f"next, {each.template.target}: {each.template.next}")
