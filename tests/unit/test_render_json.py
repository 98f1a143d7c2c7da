"""The JSON that scripts read."""

import json

from clusterprint.diagnostic import Diagnostic, Label, Severity, Span
from clusterprint.render.json import render


def test_every_key() -> None:
    found = Diagnostic(
        "BP015",
        Severity.ERROR,
        "key 'a' is written twice",
        Label("a.yaml", Span(3, 1, 3, 2)),
        (Label("b.yaml", Span(1, 1, 2, 9), "first written here"),),
        "remove one of the two",
    )
    assert (
        render([found], files=2)
        == """\
{
  "diagnostics": [
    {
      "file": "a.yaml",
      "line": 3,
      "column": 1,
      "end_line": 3,
      "end_column": 2,
      "severity": "error",
      "code": "BP015",
      "message": "key 'a' is written twice",
      "help": "remove one of the two",
      "also": [
        {
          "file": "b.yaml",
          "line": 1,
          "column": 1,
          "end_line": 2,
          "end_column": 9,
          "text": "first written here"
        }
      ]
    }
  ],
  "summary": {
    "files": 2,
    "errors": 1,
    "warnings": 0,
    "notes": 0
  }
}"""
    )


def test_file_as_a_whole_and_nothing_that_acts_on_a_terminal() -> None:
    text = render([Diagnostic("BP001", Severity.WARNING, "\x1b\u202e\n é", Label("-"))], files=1)
    assert text.isascii()
    assert "\x1b" not in text
    report = json.loads(text)
    assert report["diagnostics"][0]["message"] == "\x1b\u202e\n é"
    assert report["diagnostics"][0]["line"] is None
    assert report["diagnostics"][0]["help"] == ""
    assert report["summary"] == {"files": 1, "errors": 0, "warnings": 1, "notes": 0}


def test_nothing_found() -> None:
    assert json.loads(render([], files=3)) == {
        "diagnostics": [],
        "summary": {"files": 3, "errors": 0, "warnings": 0, "notes": 0},
    }
