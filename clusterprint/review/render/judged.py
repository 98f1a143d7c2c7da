"""Findings of policies in plain words, for all forms that people read. Nothing is escaped here."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from clusterprint.find import POLICY
from clusterprint.review.model import Policy, PolicyFinding, Risk
from clusterprint.review.risk_names import RISKS

# More risks of one name than this are told together.
_FEW = 3

Numbered = tuple[int, Risk]

_MEANINGS: dict[str, str] = {name: known.meaning for name, known in RISKS.items()}


def judges(policy: Policy) -> str:
    """Which policies judged the change, or that none did."""
    where = f" as of {policy.version}" if policy.version else ""
    if policy.files:
        return f"Judged by {', '.join(policy.files)}{where}"
    return f"No policy found: no {POLICY} in the folders of the blueprints or a parent folder{where}"


def of_risks(policy: Policy) -> Mapping[int, Sequence[PolicyFinding]]:
    """By the position of a risk, what policies say of it."""
    found: dict[int, list[PolicyFinding]] = defaultdict(list)
    for each in policy.findings:
        if each.risk is not None:
            found[each.risk].append(each)
    return found


def of_limits(policy: Policy) -> list[PolicyFinding]:
    """The policies' verdict on the change as a whole."""
    return [each for each in policy.findings if each.risk is None]


def place(finding: PolicyFinding) -> str:
    """Where a policy says it: `clusterprint.policy.yaml:4`."""
    return f"{finding.file}:{finding.line}"


def judgement(finding: PolicyFinding) -> str:
    """`forbidden by clusterprint.policy.yaml:4 data_loss`, or what allows it."""
    said = f"{place(finding)} {finding.rule}"
    if finding.allowed_by:
        return f"allowed by {finding.allowed_with or f'--allow {finding.allowed_by}'} ({said})"
    return f"forbidden by {said}{f'; {finding.help}' if finding.risk is not None and finding.help else ''}"


def together(risks: Sequence[Risk]) -> list[list[Numbered]]:
    """Risks with their positions; many that are alike in name, severity and advice as one list."""
    alike: dict[tuple[str, str, str], list[Numbered]] = defaultdict(list)
    for number, risk in enumerate(risks):
        alike[(risk.severity, risk.name, risk.help)].append((number, risk))
    groups = []
    for members in alike.values():
        groups += [members] if len(members) > _FEW else [[each] for each in members]
    return sorted(groups, key=lambda members: members[0][0])


def words(risk: Risk) -> tuple[str, ...]:
    """A risk in the words of policies: its name, and its groups."""
    return (risk.name, *risk.groups)


def heading(group: Sequence[Numbered]) -> str:
    """The properties that several similar risks share."""
    first = group[0][1]
    return f"{len(group)} x {', '.join(words(first))}: {_MEANINGS.get(first.name, '')}".rstrip(": ")
