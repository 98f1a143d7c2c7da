"""What the catalog offers for a need: `offers` finds the machines, `blueprint` writes what each would be."""

from clusterprint.choose.blueprint import OFFERED
from clusterprint.choose.need import Need
from clusterprint.choose.offers import Offer, offers

__all__ = ["OFFERED", "Need", "Offer", "offers"]
