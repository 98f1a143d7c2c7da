"""The predicate of evidence: the source of its schema."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import choice, looks_like

#: What the predicate of a statement is called; its version is part of it.
PREDICATE: Literal["urn:clusterprint:evidence:1"] = "urn:clusterprint:evidence:1"

_SUM = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
_Text = Annotated[str, Meta(max_length=4000)]
_Word = Annotated[str, Meta(min_length=1, max_length=200)]
_Path = Annotated[str, Meta(min_length=1, max_length=1000)]
_Amount = Annotated[int, Meta(ge=0, le=1_000_000)]
Checksum = Annotated[str, looks_like("^[0-9a-f]{64}$", "a SHA-256 checksum in hexadecimal", _SUM)]

_VERSIONS = {
    "clusterprint": "0.1.0",
    "program": "Terraform",
    "program_version": "1.11.4",
    "providers": {"google": "7.45.0"},
}

#: The steps of a trial, in their order.
StepName = Literal["up", "second_plan", "conformance", "benchmark", "change", "third_plan", "down"]
STEPS: tuple[StepName, ...] = (
    *("up", "second_plan", "conformance", "benchmark", "change", "third_plan", "down"),
)
#: Without these, nothing is proven.
NEEDED: frozenset[StepName] = frozenset({"up", "second_plan", "down"})


class Versions(Part, frozen=True, kw_only=True):
    """The programs that took part."""

    clusterprint: Annotated[_Word, Meta(description="Version of clusterprint.", examples=["0.1.0"])]
    program: Annotated[
        Literal["Terraform", "OpenTofu"],
        choice(
            description="The program that applied the stacks.",
            values={"Terraform": "HashiCorp's.", "OpenTofu": "That of the Linux Foundation."},
        ),
    ]
    program_version: Annotated[_Word, Meta(description="Version of that program.", examples=["1.11.4"])]
    providers: Annotated[
        dict[_Word, _Word],
        Meta(
            description="Versions of the providers, by their address.",
            max_length=50,
            examples=[{"google": "7.45.0"}],
        ),
    ]


class Step(Part, frozen=True, kw_only=True):
    """One step of a trial."""

    name: Annotated[
        StepName,
        choice(
            description="The step.",
            values={
                "up": "The cluster is created.",
                "second_plan": "Another plan, which must be empty.",
                "conformance": "What runs in a Kubernetes cluster is compared with the blueprint.",
                "benchmark": "The jobs of the blueprint that end, and the figures in their logs.",
                "change": "A node more, or a label, is applied.",
                "third_plan": "A plan after the change, which must be empty.",
                "down": "Everything is destroyed, and nothing is left in the states.",
            },
        ),
    ]
    result: Annotated[
        Literal["passed", "failed", "not_run"],
        choice(
            description="The result.",
            values={
                "passed": "It worked.",
                "failed": "It failed: `errors` say why.",
                "not_run": "It was not run: `note` says why.",
            },
        ),
    ]
    seconds: Annotated[float, Meta(ge=0, le=10_000_000, description="How long it took.")] = 0
    changes: Annotated[
        dict[_Word, dict[_Word, _Amount]],
        Meta(description="Number of changes, by type of resource and action.", max_length=500),
    ] = {}
    errors: Annotated[tuple[_Text, ...], Meta(description="Error texts, masked.", max_length=50)] = ()
    figures: Annotated[
        dict[_Word, float], Meta(description="Figures of a benchmark, by name.", max_length=200)
    ] = {}
    note: Annotated[_Text, Meta(description="Why it was not run, or what was counted.")] = ""


class Cost(Part, frozen=True, kw_only=True):
    """Cost of the trial at list prices of machines."""

    usd_at_most: Annotated[
        float, Meta(ge=0, description="The amount that was agreed to, for all of its time.", examples=[0.58])
    ]
    usd_estimated: Annotated[
        float, Meta(ge=0, description="The amount for the time that it took.", examples=[0.21])
    ]
    without_price: Annotated[
        tuple[_Word, ...], Meta(description="Machine types without a list price.", max_length=50)
    ] = ()


class Evidence(Part, frozen=True, kw_only=True):
    """The result of one trial."""

    version: Annotated[Literal[1], Meta(description="Version of this format.")]
    trial: Annotated[
        _Word,
        Meta(
            description="Name of the trial; `blueprint` for a blueprint of the user's own.",
            examples=["vm-smallest"],
        ),
    ]
    kind: Annotated[_Word, Meta(description="Kind of the blueprint.", examples=["vm"])]
    world: Annotated[
        Literal["real", "simulated"],
        choice(
            description="Where it ran.",
            values={
                "real": "In a cloud.",
                "simulated": "In the simulated cloud, which proves nothing of others.",
            },
        ),
    ]
    began: Annotated[datetime, Meta(tz=True, description="When it began.", examples=["2026-12-01T10:00:00Z"])]
    ended: Annotated[
        datetime,
        Meta(tz=True, description="When everything was destroyed.", examples=["2026-12-01T10:20:00Z"]),
    ]
    result: Annotated[
        Literal["passed", "failed"],
        choice(
            description="Whether the trial passed.",
            values={
                "passed": "No step failed, and nothing is left.",
                "failed": "A step failed or was not run.",
            },
        ),
    ]
    versions: Annotated[Versions, Meta(description="Versions of the programs.", examples=[_VERSIONS])]
    applied: Annotated[
        dict[_Word, Checksum],
        Meta(
            description="Checksum of each stack as it was applied: with the project and labels of the trial.",
            max_length=50,
            examples=[{"main": _SUM}],
        ),
    ]
    steps: Annotated[
        tuple[Step, ...],
        Meta(
            description="The steps, in order.",
            min_length=1,
            max_length=7,
            examples=[[{"name": "up", "result": "passed"}]],
        ),
    ]
    cost: Annotated[
        Cost,
        Meta(description="Cost of the trial.", examples=[{"usd_at_most": 0.58, "usd_estimated": 0.21}]),
    ]
    answers: Annotated[
        dict[_Word, Annotated[dict[_Path, tuple[_Word, ...]], Meta(max_length=2000)]],
        Meta(
            description="Sorts of values in the states, by type of resource and attribute: `text`, `empty`, "
            "`number`, `0`, truth values, words in capitals.",
            max_length=500,
            examples=[{"google_compute_disk": {"type": ["text"], "physical_block_size_bytes": ["number"]}}],
        ),
    ] = {}
    left: Annotated[
        tuple[_Word, ...],
        Meta(description="Types of the resources that could not be destroyed.", max_length=500),
    ] = ()
    names: Annotated[
        dict[_Word, _Text],
        Meta(description="Project, place and cluster, where the user asked to name them.", max_length=10),
    ] = {}
    redacted: Annotated[
        tuple[_Word, ...], Meta(description="Kinds of the parts that were taken out of texts.", max_length=20)
    ] = ()


class Digest(Part, frozen=True, kw_only=True):
    """Checksum of a subject."""

    sha256: Checksum


class Subject(Part, frozen=True, kw_only=True):
    """One thing that the statement is about."""

    name: _Word
    digest: Digest


class Statement(
    Part, frozen=True, kw_only=True, rename={"type_": "_type", "predicate_type": "predicateType"}
):
    """The statement of in-toto, version 1."""

    type_: Literal["https://in-toto.io/Statement/v1"] = "https://in-toto.io/Statement/v1"
    subject: Annotated[tuple[Subject, ...], Meta(min_length=2, max_length=50)]
    predicate_type: Literal["urn:clusterprint:evidence:1"] = PREDICATE
    predicate: Evidence
