"""Prerequisites of clusters that a machine and an account lack, each with its fix.

`wanted` reads the needs off the stacks, `tools`, `google` and `azure` look, `examine` puts it in order.
"""

from clusterprint.doctor.examine import examine
from clusterprint.doctor.finding import OPTIONAL, Finding, Findings, Status
from clusterprint.doctor.tools import tools
from clusterprint.doctor.wanted import Wanted, wanted

__all__ = ["OPTIONAL", "Finding", "Findings", "Status", "Wanted", "examine", "tools", "wanted"]
