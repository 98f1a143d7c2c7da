"""What has become of a job that runs in a cluster: wait for its end, keep its log.

Everything is asked through kubectl, as the user has it.
"""

from clusterprint.results.collect import Collected, Run, collect
from clusterprint.results.kubectl import Kubectl
from clusterprint.results.poller import Poller

__all__ = ["Collected", "Kubectl", "Poller", "Run", "collect"]
