"""Fields that plans of all kinds of jobs share."""

from clusterprint.plan.part import PlanPart


class JobFilesPlan(PlanPart, frozen=True, kw_only=True):
    """Files of a job: the content by key, as text or in base64, and where each key lands."""

    config_map: str
    texts: dict[str, str]
    binaries: dict[str, str]
    destinations: dict[str, str]


class ComputeDomainPlan(PlanPart, frozen=True, kw_only=True):
    """Nodes whose GPUs share memory over NVLink; pods join by a claim that is made from `claim_template`."""

    name: str
    claim_template: str
    nodes: int
