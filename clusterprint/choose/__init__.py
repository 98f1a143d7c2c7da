"""Machines that fit a need: `offers` finds them, `blueprint` writes a blueprint for each.

What is offered is validated, including warnings; an offer that does not validate says why.
"""

from clusterprint.choose.blueprint import OFFERED
from clusterprint.choose.need import Need
from clusterprint.choose.offers import Offer, offers

__all__ = ["OFFERED", "Need", "Offer", "offers"]
