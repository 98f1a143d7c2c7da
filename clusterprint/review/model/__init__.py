"""The report of a review: plain data that renderers lay out and decide nothing about.

Nothing secret is in a report: sensitive values are left out and what looks like a secret is masked
before anything gets here. All texts are as they are; each renderer escapes them for its own form.
Everything is in the order in which it should be shown.
"""

from clusterprint.catalog import CapacityModel
from clusterprint.resource_types import Idea
from clusterprint.review.model.clusters import (
    Box,
    Cause,
    Change,
    Cluster,
    Counts,
    Diagram,
    DiffLine,
    Forcing,
    Group,
    Link,
    OutputChange,
    Piece,
    Place,
    Value,
    ValueChange,
)
from clusterprint.review.model.report import (
    FORMAT,
    Amount,
    Capacity,
    Check,
    Cost,
    CostRow,
    PlannedStep,
    Policy,
    PolicyFinding,
    Problem,
    ProofRow,
    QuotaRow,
    Report,
    Risk,
    ScenarioRow,
    Source,
    Verdict,
)
from clusterprint.review.model.terms import Action, Level, RiskSort, Severity, Status
