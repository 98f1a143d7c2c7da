"""The cdktf app: what `main.py` and an installed `python -m clusterprint.app` run for the cdktf CLI."""

import json
import os
import sys
from pathlib import Path

from clusterprint.cli import process_end
from clusterprint.cli.output import say
from clusterprint.cli.report import exit_code, print_report, utf8
from clusterprint.errors import ClusterprintError, EnvironmentFailure
from clusterprint.examine import examine
from clusterprint.find import DEFAULT
from clusterprint.synth import plan_all, synthesize


def main() -> None:
    """Synthesize the blueprints that this app is about into the folder that the cdktf CLI names.

    Exits with 1 and the diagnostics on standard error when a blueprint has problems; what was
    synthesized before stays as it is.
    """
    process_end.clean_up_when_stopped()
    process_end.name_streams()
    try:
        examined = examine(blueprints())
        if examined.diagnostics:
            print_report(examined, "text", utf8(sys.stderr))
        code = exit_code(examined, strict=False)
        if code == 0:
            synthesize(plan_all(examined.results), Path(os.environ.get("CDKTF_OUTDIR", "cdktf.out")))
    except ClusterprintError as error:
        say(f"error: {error}", err=True)
        code = error.exit_code
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    except KeyboardInterrupt:
        code = process_end.INTERRUPTED
    process_end.leave(code)


def blueprints() -> list[Path]:
    """The blueprints of this app: `CLUSTERPRINT_BLUEPRINTS`, else what cdktf.json says, else blueprints/.

    `CLUSTERPRINT_BLUEPRINTS` and the context value `blueprints` name a file or a folder; several are
    separated as in PATH.
    """
    named = os.environ.get("CLUSTERPRINT_BLUEPRINTS") or _context().get("blueprints") or str(DEFAULT)
    return [Path(each) for each in named.split(os.pathsep) if each]


def _context() -> dict[str, str]:
    """The context of cdktf.json: from the CLI, or from the file when Python is called directly."""
    try:
        handed = os.environ.get("CDKTF_CONTEXT_JSON")
        if handed:
            context = json.loads(handed)
        else:
            file = Path("cdktf.json")
            context = json.loads(file.read_text("utf-8")).get("context", {}) if file.is_file() else {}
    except (OSError, ValueError) as error:
        raise EnvironmentFailure(f"cannot read the context of cdktf.json: {error}") from error
    return context if isinstance(context, dict) else {}


if __name__ == "__main__":
    main()
