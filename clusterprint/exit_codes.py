"""All exit codes of commands, in one table."""

from enum import IntEnum


class Code(IntEnum):
    """An exit code; its name is what scripts mean by it."""

    DONE = 0
    PROBLEMS = 1
    WRONG_USAGE = 2
    FAILED = 3
    CHANGES = 4
    FORBIDDEN = 5
    REFUSED = 6
    NOTHING_TO_DO = 7
    INTERRUPTED = 130
    TERMINATED = 143


MEANINGS: dict[Code, str] = {
    Code.DONE: "Done. Also when there was nothing to do, see 7.",
    Code.PROBLEMS: "There are problems in a blueprint, in a policy that is to judge, or in a scenario; "
    "of `doctor`: something is missing; of `evidence verify`: some evidence is refused. Nothing was changed.",
    Code.WRONG_USAGE: "The command was called in a way that cannot work. Nothing was changed.",
    Code.FAILED: "Failed: this machine, Terraform, a cloud or clusterprint. `up` and `down` say how far they "
    "got; rerun the command to continue. Of `doctor` and `status`: not everything could be checked.",
    Code.CHANGES: "`review`, and `up` and `down` with `--plan-only`: something would change. "
    "`what-if`: something would be lost. "
    "`status` with `--conform` or `--detailed-exitcode`: something is not as the blueprint says, or waits. "
    "`plan` with `--detailed-exitcode`: something would change.",
    Code.FORBIDDEN: "`review` and `up`: the policy forbids what would change, and that was not done. "
    "Stacks that `up` created before those remain. `policy test`: something is not as expected.",
    Code.REFUSED: "`up`, `down`, `prove` and `bundle`: not confirmed. Either the answer was "
    "no, or nobody could be asked and "
    "`--yes` was not given. What was not confirmed was not done.",
    Code.NOTHING_TO_DO: "`up` and `down` with `--detailed-exitcode`: there was nothing to do.",
    Code.INTERRUPTED: "Interrupted with Ctrl-C. The state is saved; the same command goes on.",
    Code.TERMINATED: "Terminated by SIGTERM, otherwise the same (129 for SIGHUP: the terminal is gone).",
}
