"""Google's REST APIs on this machine, for the real provider: what it sends is judged, kept and given back.

The rest of the simulated cloud answers in place of a provider, in Terraform's words. This room answers in
place of Google, in the words of its APIs, so that the *real* provider can be run against it:

    with ServedApis(folder) as apis:
        apis.assume(stack)  # what the stack refers to, but does not create
        subprocess.run(["terraform", "apply"], env=os.environ | apis.environment)

- `descriptions` finds the method of a request in Google's discovery documents, reduced to what our stacks
  use (`descriptions/`, made by `tools/describe_apis.py`); `judging` holds the request to it. What is
  refused here, Google does not accept or would ignore; `accepted.json` lists, with reasons, what the
  provider sends all the same.
- `answering` does what most methods do; a module for each service has the exceptions. `defaults.json` has
  what Google fills in and what it does not give back, with sources.
- `refusing` has what is refused although it is right: missing permissions, services that are off, quota,
  stock-outs, failing and slow operations.
- `apis` puts it together; `server` speaks HTTP, and TLS as a proxy, so no endpoint has to be configured.

Objects are those of the APIs, in a world of their own: the records of the rest of the simulated cloud are
resources as a provider writes them into a state, and a translation between both would be the provider
itself once more.
"""

from clusterprint_simcloud.api.apis import Apis
from clusterprint_simcloud.api.refusing import ApiFault, quota, stock_out
from clusterprint_simcloud.api.server import ServedApis

__all__ = ["ApiFault", "Apis", "ServedApis", "quota", "stock_out"]
