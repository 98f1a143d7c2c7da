"""`clusterprint env-file`: an env file of the cluster provisioning container as a blueprint; its ACTION."""

import os
import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clusterprint.cli import init_state, lifecycle
from clusterprint.cli.import_files import print_findings, read_text
from clusterprint.cli.new_file import write
from clusterprint.cli.output import out_option, say
from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.importing.write import one_line
from clusterprint.words import counted

if TYPE_CHECKING:
    from clusterprint.importing import Finding
    from clusterprint.importing.envfile import Variable
    from clusterprint.importing.envfile.kept_files import Copy
    from clusterprint.importing.work import Translated

_ENVIRONMENT = "environment"
# Commands that ask before they change something.
_ASKING = frozenset({"up", "down"})


@click.command("env-file")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), required=False)
@click.option(
    "--environment",
    is_flag=True,
    help="Read the variables from the environment, where `docker run --env-file` puts them, and no FILE.",
)
@out_option("Blueprint to write.  [default: NAME_PREFIX.yaml beside the env file]")
@click.option("--run", "runs", is_flag=True, help="Run the command for ACTION, too.")
@lifecycle.YES
@lifecycle.SIMULATE
def env_file(  # noqa: PLR0913 - click passes options
    file: Path | None,
    *,
    environment: bool,
    out: Path | None,
    runs: bool,
    yes: bool,
    simulate: Path | None,
) -> None:
    """Convert a provisioning container's env file.

    FILE is what `docker run --env-file` takes, for any version of that container. All problems are reported
    at once, each with its line; a setting that has no equivalent is a warning. Nothing is overwritten, and
    nothing written with an error. The last line is the command for the file's ACTION; with --run it runs:
    `up` for create (with --ephemeral where CLEANUP_ON_EXIT says so), `down` for destroy. --run replaces the
    blueprint that it wrote before, as long as nobody has edited it, and creates the bucket for the state that
    is the default. Exit codes: 0 written, 1 problems in the file; with --run that of the command.
    """
    if (file is None) is not environment:
        raise UsageError("give an env file, or --environment for the variables of this command itself")
    if (yes or simulate) and not runs:
        raise UsageError("--yes and --simulate need --run, which was not given")
    from clusterprint.importing import Finding
    from clusterprint.importing.envfile import command_of, kept_files, translate

    variables, findings = _variables(file)
    folder = out.parent if out else file.parent if file else Path()
    # What a file says may be anybody's; in the container, what is mounted was meant to be read.
    variables, copies = kept_files.beside(variables, folder) if environment else (variables, [])
    translated = translate(variables)
    translated.decisions.extend(each.decision for each in copies)
    findings += translated.findings
    if runs and "ACTION" not in variables:
        findings.append(Finding(0, "error", "ACTION is missing", "add ACTION=..."))
    target = out or folder / f"{translated.data['name']}.yaml"
    with _copied(copies, folder, target):
        text = _checked(file or Path(_ENVIRONMENT), translated, findings, target)
    words = [*command_of(translated.action or "plan", variables), str(target)]
    if not runs:
        write(text, target)
        say(f"wrote {target}")
        say(f"next: clusterprint {shlex.join(words)}")
        return
    _renew(text, target, translated)
    makes_bucket = translated.action == "create" and not {"GCS_PATH", "TERRAFORM_GCS_PATH"} & {*variables}
    if makes_bucket and not simulate and not _has_bucket(translated, target, yes=yes):
        sys.exit(1)
    _run(words, yes=yes, simulate=simulate)


def _variables(file: Path | None) -> "tuple[dict[str, Variable], list[Finding]]":
    from clusterprint.importing.envfile import read, read_environment

    return read(read_text(file)) if file else read_environment(os.environ)


def _checked(source: Path, translated: "Translated", findings: "list[Finding]", target: Path) -> str:
    """The text of the blueprint. Says everything, and exits if there is an error in it."""
    from clusterprint.importing.check import check
    from clusterprint.importing.write import text_of

    losses = [each for each in findings if each.severity == "loss"]
    text = text_of(translated, [source.name], losses)
    found = check(text, target, translated)
    if any(each.severity == "error" for each in findings):
        # What an error has left out of the blueprint is no second one: that has no line, or the same.
        said = {(0, ""), *((each.line, each.file) for each in findings)}
        found = [each for each in found if (each.line, each.file) not in said]
    findings = [*findings, *found]
    if errors := print_findings(source, sorted(findings), lossy=True):
        say(f"{counted(errors, 'error')}: nothing is written", err=True)
        sys.exit(1)
    return text


@contextmanager
def _copied(copies: "Sequence[Copy]", folder: Path, target: Path) -> Iterator[None]:
    """Copies of files of the container beside the blueprint; new ones go again if it is not written."""
    from clusterprint.importing.envfile import kept_files

    old = read_text(target) if copies and target.is_file() else ""
    made: list[Path] = []
    try:
        for each in copies:
            put = kept_files.put(each, folder, old)
            made += [put] if put else []
        yield
    except OSError as error:
        raise EnvironmentFailure(f"{error.filename} cannot be copied: {error.strerror}") from error
    except SystemExit:
        for new in made:
            shutil.rmtree(new) if new.is_dir() else new.unlink()
        raise


def _renew(plain: str, target: Path, translated: "Translated") -> None:
    """Write the blueprint, in place of one that an earlier run wrote and nobody has edited."""
    from clusterprint.importing.envfile import kept_files

    old, text = read_text(target) if target.is_file() else "", kept_files.sealed(plain)
    if old == plain:  # of a call without --run, to look first
        write(text, target, replaces=True)
    if old in (plain, text):
        say(f"{target} exists already, with the same content")
    elif translated.action == "destroy" and old and _is_same_cluster(old, target, translated):
        say(f"{target} exists already: what it describes is destroyed")
    elif old and not kept_files.is_untouched(old):
        from clusterprint.review.texts import diff_lines  # only to refuse

        signs = {"removed": "-", "added": "+", "same": " ", "gap": "@ "}
        for line in diff_lines(old, text):
            say(one_line(f"{signs[line.sign]}{line.text}"), err=True)
        message = f"{target} was not written by --run or was edited since, and nothing is overwritten"
        raise UsageError(f"{message}: remove it, edit it instead of the env file, or name another with --out")
    else:
        write(text, target, replaces=bool(old))
        say(f"{'updated' if old else 'wrote'} {target}")


def _is_same_cluster(old: str, target: Path, translated: "Translated") -> bool:
    """Whether a blueprint that is there has the state of the cluster that is meant."""
    from clusterprint.load import load_text

    document = load_text(old.encode(), str(target), target.parent).document
    keys = ("kind", "name", "project", "backend")
    return document is not None and all(document.data.get(key) == translated.data.get(key) for key in keys)


def _has_bucket(translated: "Translated", target: Path, *, yes: bool) -> bool:
    """Create the default bucket for the state, which the container created too, after showing it."""
    from clusterprint.cloud.google import Google

    bucket = init_state.asked_for(translated.data)
    say(f"$ clusterprint init state {shlex.quote(str(target))}", err=True)
    question = f"Create gs://{bucket.name} in {bucket.location} for the state, unless it exists?"
    say(question, err=True)
    if not lifecycle.agreed("Agreed?", yes=yes):
        return False
    init_state.settled(Google(), bucket, fix=False)  # one that is weak says so, and serves
    return True


def _run(words: Sequence[str], *, yes: bool, simulate: Path | None) -> None:
    from clusterprint.cli import group  # which knows this module

    given = [*words]
    if words[0] in _ASKING:
        given += ["--yes"] if yes else []
        given += ["--simulate", str(simulate)] if simulate else []
    say(f"$ clusterprint {shlex.join(given)}", err=True)
    group.main(given, prog_name="clusterprint", standalone_mode=False)
