"""`clusterprint prove --clean-up`: what earlier proofs have left is destroyed."""

import sys
from pathlib import Path
from typing import NoReturn

from clusterprint.cli import lifecycle
from clusterprint.cli.output import say
from clusterprint.errors import EnvironmentFailure
from clusterprint.exit_codes import Code


def clean_up(simulate: Path | None, logs: Path | None, *, yes: bool) -> NoReturn:
    """Destroy what the records of proofs name, one after the other, and exit."""
    from clusterprint.proof.record import records

    folders = records(simulate)
    if not folders:
        say("nothing to do: no proof of this machine has left anything")
        sys.exit(Code.DONE)
    codes = [_destroy(each, simulate, logs, yes=yes) for each in folders]
    sys.exit(max(codes))


def _destroy(folder: Path, simulate: Path | None, logs: Path | None, *, yes: bool) -> Code:
    from clusterprint.lifecycle import local_state
    from clusterprint.lifecycle.down import Consent, down
    from clusterprint.lifecycle.session import session
    from clusterprint.lifecycle.skeleton import skeletons
    from clusterprint.proof.record import forget, stacks_of

    display = lifecycle.display()
    agreed = Consent(
        lambda *_: None,
        lambda: lifecycle.agreed("Destroy all this?", yes=yes),
        lambda found: lifecycle.agreed_to_remove(found, given=False, yes=yes),
    )
    try:
        stacks = stacks_of(folder)
        with (
            local_state.held(stacks),
            skeletons(stacks) as bare,
            session(bare, simulate, display, logs) as opened,
        ):
            for each in stacks:
                say(f"{each.name}: {', '.join(local_state.contents_of(each)) or 'nothing is left'}")
            ended = down(bare, opened, agreed, include_data=True, plan_only=False)
            lifecycle.tell_broken(ended.broken, ended.left_out, "the same command")
            if ended.code not in (Code.DONE, Code.NOTHING_TO_DO):
                return ended.code if ended.code is Code.REFUSED else Code.FAILED
            forget(folder)
    except EnvironmentFailure as failed:
        say(f"{folder.name}: {failed}", err=True)
        return Code.FAILED
    say(f"{folder.name}: everything is gone")
    return Code.DONE
