import json
from io import StringIO

from clusterprint.lifecycle.display import Display
from clusterprint.lifecycle.events import read_event


def hook(sort: str, action: str = "create", seconds: int = 0) -> str:
    resource = {"addr": "google_compute_network.n"}
    return json.dumps(
        {"type": sort, "hook": {"resource": resource, "action": action, "elapsed_seconds": seconds}}
    )


class Terminal(StringIO):
    """The parts that mark it as one."""

    def isatty(self) -> bool:
        """Yes."""
        return True


def test_a_line_that_is_no_json_is_text() -> None:
    assert read_event("Initializing...").text == "Initializing..."
    assert read_event("[1]").sort == ""


def test_a_state_that_terraform_prints_is_never_text_not_even_half_of_it() -> None:
    line = json.dumps(
        {"@message": "Emergency state dump", "state": {"secret": "xyzzy"}}, separators=(",", ":")
    )
    assert read_event(line).state == {"secret": "xyzzy"}
    assert read_event(line).text == ""
    assert read_event(line[:-3]).text.startswith("Terraform could write the state nowhere")


def test_an_error_has_its_summary_its_detail_and_its_resource() -> None:
    diagnostic = {"severity": "error", "summary": "No", "detail": "Because.", "address": "a.b"}
    event = read_event(json.dumps({"type": "diagnostic", "diagnostic": diagnostic}))
    assert (event.error, event.address) == ("No\nBecause.", "a.b")
    warning = {"type": "diagnostic", "diagnostic": {**diagnostic, "severity": "warning"}}
    assert read_event(json.dumps(warning)).error == ""


def test_a_hook_says_what_is_done_to_what() -> None:
    event = read_event(hook("apply_progress", seconds=20))
    assert (event.sort, event.address, event.action, event.seconds) == (
        "apply_progress",
        "google_compute_network.n",
        "create",
        20,
    )


def test_at_no_terminal_there_are_plain_lines() -> None:
    said: list[str] = []
    display = Display(StringIO(), said.append)
    display.begin("first", "applying", 2)
    for sort, seconds in (
        ("apply_start", 0),
        ("apply_progress", 10),
        ("apply_progress", 60),
        ("apply_complete", 61),
    ):
        display.heard("first", read_event(hook(sort, seconds=seconds)))
    display.heard("first", read_event(hook("apply_errored", action="delete")))
    display.end("first")
    assert said == [
        "[first] applying",
        "[first] creating google_compute_network.n",
        "[first] still creating google_compute_network.n (60 s)",
        "[first] created google_compute_network.n (61 s, 1 of 2)",
        "[first] failed destroying google_compute_network.n (0 s)",
    ]


def test_at_a_terminal_one_line_for_each_stack_is_drawn_anew() -> None:
    terminal = Terminal()
    display = Display(terminal, lambda text: print(text, file=terminal))
    display.begin("first", "applying", 2)
    display.heard("first", read_event(hook("apply_start")))
    display.heard("first", read_event(hook("apply_complete")))
    display.end("first")
    drawn = terminal.getvalue()
    assert "first 0:00 0 of 2: creating google_compute_network.n\n" in drawn
    assert drawn.endswith("\x1b[1A\r\x1b[K")


def test_what_terraform_says_cannot_command_the_terminal() -> None:
    said: list[str] = []
    Display(StringIO(), said.append).line("a\x1b[2Jb")
    assert said == ["a\\x1b[2Jb"]


def test_what_scripts_print_is_said_and_not_how_they_are_started() -> None:
    said: list[str] = []
    display = Display(StringIO(), said.append)
    for output in ('Executing: ["bash" "fill-lustre"]', "importing a into b\n", " "):
        resource = {"addr": "terraform_data.a"}
        line = {"type": "provision_progress", "hook": {"resource": resource, "output": output}}
        display.heard("first", read_event(json.dumps(line)))
    assert said == ["[first] importing a into b"]
