"""SARIF that code scanning accepts."""

import json
from pathlib import Path
from typing import Any

import jsonschema

from clusterprint import __version__
from clusterprint.diagnostic import Diagnostic, Label, Severity, Span
from clusterprint.explanation import Explanation
from clusterprint.load import load_text
from clusterprint.load.codes import TOPICS
from clusterprint.render.sarif import render

SCHEMA = json.loads((Path(__file__).parent.parent / "data" / "sarif-schema-2.1.0.json").read_text())
TOPIC = Explanation(
    "GCP012", "spot_with_reservation", Severity.ERROR, "What.\n\nWhy.\n\nDo.", "Google: reservations"
)


def log(*diagnostics: Diagnostic, sources: dict[str, str] | None = None) -> Any:
    """The parsed log, which is valid."""
    text = render(diagnostics, sources or {}, topics={"GCP012": TOPIC})
    assert text.isascii()
    report = json.loads(text)
    jsonschema.Draft7Validator(SCHEMA, format_checker=jsonschema.FormatChecker()).validate(report)
    return report


def found(line: int = 2, file: str = "a.yaml", code: str = "GCP012", message: str = "m") -> Diagnostic:
    return Diagnostic(code, Severity.ERROR, message, Label(file, Span(line, 3, line, 7)))


def test_a_whole_log() -> None:
    diagnostic = Diagnostic(
        "GCP012",
        Severity.WARNING,
        "nodes are spot",
        Label("blueprints/a.yaml", Span(2, 3, 2, 7)),
        (Label("b.yaml", Span(1, 1, 4, 2), "named here"),),
        "remove one",
    )
    assert log(diagnostic, sources={"blueprints/a.yaml": "x\n  spot\n"}) == {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "clusterprint",
                        "version": __version__,
                        "rules": [
                            {
                                "id": "GCP012",
                                "name": "spot_with_reservation",
                                "shortDescription": {"text": "What."},
                                "fullDescription": {"text": "What.\n\nWhy.\n\nDo."},
                                "help": {"text": "What.\n\nWhy.\n\nDo.\n\nSource: Google: reservations"},
                                "defaultConfiguration": {"level": "error"},
                            }
                        ],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [
                    {
                        "ruleId": "GCP012",
                        "ruleIndex": 0,
                        "level": "warning",
                        "message": {"text": "nodes are spot\n\nremove one"},
                        "locations": [
                            {
                                "physicalLocation": {
                                    "artifactLocation": {
                                        "uri": "blueprints/a.yaml",
                                        "uriBaseId": "%SRCROOT%",
                                    },
                                    "region": {
                                        "startLine": 2,
                                        "startColumn": 3,
                                        "endLine": 2,
                                        "endColumn": 7,
                                    },
                                }
                            }
                        ],
                        "partialFingerprints": {"clusterprintLine/v1": "6ac89a71529fb73573d08dd8adeadde4:1"},
                        "relatedLocations": [
                            {
                                "id": 1,
                                "physicalLocation": {
                                    "artifactLocation": {"uri": "b.yaml", "uriBaseId": "%SRCROOT%"},
                                    "region": {
                                        "startLine": 1,
                                        "startColumn": 1,
                                        "endLine": 4,
                                        "endColumn": 2,
                                    },
                                },
                                "message": {"text": "named here"},
                            }
                        ],
                    }
                ],
            }
        ],
    }


def test_nothing_found_is_a_run_without_results() -> None:
    (run,) = log()["runs"]
    assert (run["results"], run["tool"]["driver"]["rules"]) == ([], [])


def test_only_codes_that_occur_are_documented() -> None:
    (run,) = log(found(), found(code="ZZZ001"))["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["GCP012", "ZZZ001"]
    assert [result["ruleIndex"] for result in run["results"]] == [0, 1]


def uri(file: str) -> str:
    place = log(found(file=file))["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    return str(place["artifactLocation"]["uri"])


def test_uris_are_relative_and_escaped() -> None:
    assert uri("./blueprints/a b.yaml") == "blueprints/a%20b.yaml"
    assert uri("c:d%.yaml") == "c%3Ad%25.yaml"
    assert uri("日本.yaml") == "%E6%97%A5%E6%9C%AC.yaml"
    assert uri("../x.yaml") == "../x.yaml"
    assert uri("/srv/a b.yaml") == "file:///srv/a%20b.yaml"
    assert uri("-") == "stdin"


def test_file_as_a_whole_is_its_first_line() -> None:
    result = log(Diagnostic("BP001", Severity.ERROR, "m", Label("a.yaml")))["runs"][0]["results"][0]
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 1}


def fingerprints(source: str, *diagnostics: Diagnostic) -> list[str]:
    results = log(*diagnostics, sources={"a.yaml": source})["runs"][0]["results"]
    return [result["partialFingerprints"]["clusterprintLine/v1"] for result in results]


def test_fingerprint_stays_when_the_line_moves() -> None:
    here = fingerprints("x\n  model: spot\n", found(2))
    assert fingerprints("x\n\n# more\n    model: spot\n", found(4, message="other words")) == here
    assert fingerprints("x\n  model: flex\n", found(2)) != here
    assert fingerprints("x\n  model: spot\n", found(2, code="GCP013")) != here


def test_fingerprints_of_equal_lines_differ() -> None:
    assert len(set(fingerprints("x\nx\nx\n", found(1), found(2), found(3)))) == 3


def test_results_of_loading_are_valid() -> None:
    source = "a: 1\na: 2\nb: !!x 1\nc: *no\n"
    loaded = load_text(source.encode(), "a.yaml", Path())
    topics = {topic.code: topic for topic in TOPICS}
    report = json.loads(render(loaded.diagnostics, {"a.yaml": source}, topics=topics))
    jsonschema.Draft7Validator(SCHEMA).validate(report)
    assert len(report["runs"][0]["results"]) == 3
